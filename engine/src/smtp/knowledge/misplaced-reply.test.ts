import { expect, test } from 'vitest';
import type { Task } from '../../state/task.ts';
import { Flight } from '../session/flight.ts';
import { isMisplaced } from './misplaced-reply.ts';

const taskOf = (local: string) =>
  ({ address: { local, domain: 'a.example', mailbox: `${local}@a.example`, needsSmtpUtf8: false } }) as Task;

test.each([
  ['550', '5.1.1', '<anna@a.example> unknown', true],
  ['550', '5.1.1', '<x> <ANNA@a.example> unknown', true],
  ['550', '5.1.1', '<ben@a.example> unknown', false],
  ['550', '5.1.1', '<BEN@a.example> unknown', false],
  ['550', '5.1.1', '<carl@a.example> unknown', false],
  ['550', '5.1.1', `<${'a@'.repeat(900)}`, false],
  ['250', '2.1.5', '<anna@a.example> Ok', false],
  ['250', '2.1.0', 'Sender Ok', true],
  ['250', '2.1.0', 'Ok', false],
  ['503', '5.5.1', 'need MAIL command', true],
])("Ben's reply, beside Anna's: %s %s %.40s", (code, enhanced, line, expected) => {
  const flight = new Flight();
  flight.add('probe@p.example', [taskOf('anna'), taskOf('ben')], 100);
  const ben = flight.commands[2];
  if (ben === undefined) throw new Error('no second recipient');
  expect(isMisplaced({ code: Number(code), enhanced, lines: [line] }, ben, flight)).toBe(expected);
});
