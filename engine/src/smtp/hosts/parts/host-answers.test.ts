import { expect, test } from 'vitest';
import type { Task } from '../../../state/task.ts';
import { Flight } from '../../session/flight.ts';
import { HostAnswers } from './host-answers.ts';

const taskOf = (local: string) =>
  ({ address: { local, domain: 'a.example', mailbox: `${local}@a.example`, needsSmtpUtf8: false } }) as Task;

/** MAIL, then Anna and Ben, answered with these codes one by one. */
function flightOf(...codes: number[]): Flight {
  const flight = new Flight(true);
  flight.add('', [taskOf('anna')], 1);
  flight.add('probe@p.example', [taskOf('ben')], 1);
  for (const code of codes) flight.answer({ code, enhanced: null, lines: [''] }, 1);
  return flight;
}

test.each([
  ['both answered, the last refused', [250, 250, 250, 250, 550], 2, true],
  ['both answered, the last accepted', [250, 550, 250, 250, 250], 2, false],
  ['421 is not a refusal: the one before it counts', [250, 550, 250, 250, 421], 1, true],
  ['nothing about a recipient', [250, 421], 0, false],
])('%s', (_what, codes, answered, endedRefused) => {
  const answers = new HostAnswers();
  answers.landed(flightOf(...codes), answered, 5);
  expect(answers.count).toBe(answered);
  expect(answers.unansweredLast).toBe(2 - answered);
  expect(answers.endedRefused).toBe(endedRefused);
  expect(answers.lastAtMs).toBe(answered > 0 ? 5 : Number.NEGATIVE_INFINITY);
});

test('it is known about whom a host was silent, until the next flight', () => {
  const answers = new HostAnswers();
  const flight = flightOf(250);
  flight.fellSilent();
  answers.landed(flight, 0, 5);
  expect(answers.silentAbout).toBe('anna@a.example');
  answers.landed(flightOf(250, 250, 250, 250, 250), 2, 6);
  expect(answers.silentAbout).toBeNull();
});
