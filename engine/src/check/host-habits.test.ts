import { expect, test } from 'vitest';
import type { Answer } from '../state/answer.ts';
import type { Task, TaskDomain } from '../state/task.ts';
import type { Meaning } from '../types.ts';
import { HostHabits } from './host-habits.ts';

const HOUR_MS = 3_600_000;
const IP = '192.0.2.1';

interface HostAnswer {
  readonly domain: string;
  readonly meaning?: Meaning;
  readonly kind?: Task['kind'];
  readonly provider?: string;
  readonly temporary?: boolean;
  readonly ip?: string;
  readonly atMs?: number;
}

/** Whether the host is seen to take everything, five hours after the first answer. */
function takesEverything(...all: HostAnswer[]): boolean {
  const habits = new HostHabits();
  for (const { domain, meaning = 'accepted', kind = 'catch_all', provider = 'other', ...rest } of all) {
    const { temporary = false, ip = IP, atMs = 0 } = rest;
    const answer = { meaning, temporary, ip, reply: { code: 250, enhanced: null, lines: [''] } };
    habits.note({ name: domain, provider } as TaskDomain, answer as unknown as Answer, kind, atMs);
  }
  return habits.acceptsAllSinceMs(IP, 5 * HOUR_MS) !== null;
}

const A = { domain: 'a.example' };
const B = { domain: 'b.example' };
const C = { domain: 'c.example' };

test.each<[string, HostAnswer[], boolean]>([
  ['three domains', [A, B, C], true],
  ['two domains', [A, B], false],
  ['one domain three times', [A, A, A], false],
  ['real recipients', [A, B, { ...C, kind: 'real' }], false],
  ['a provider', [A, B, { ...C, provider: 'google' }], false],
  ['another host', [A, B, { ...C, ip: '192.0.2.2' }], false],
  ['one refused since', [A, B, C, { ...A, meaning: 'no_mailbox', kind: 'real' }], false],
  ['one refused before', [{ ...A, meaning: 'relay_denied' }, A, B, C], false],
  ['a refusal about us', [A, B, C, { ...A, meaning: 'blocked' }], true],
  ['a full mailbox for now', [A, B, C, { ...A, meaning: 'over_quota', temporary: true }], true],
  ['too long ago', [{ ...A, atMs: -HOUR_MS }, B, C], false],
  ['a refusal long ago', [{ ...A, meaning: 'no_mailbox', atMs: -HOUR_MS }, A, B, C], true],
])('accepts everything, seen by %s', (_what, said, expected) => {
  expect(takesEverything(...said)).toBe(expected);
});

test('of more than fifty thousand hosts the oldest is forgotten', () => {
  const habits = new HostHabits();
  const reply = { code: 250, enhanced: null, lines: [''] };
  const note = (ip: string, name: string) =>
    habits.note(
      { name, provider: 'other' } as TaskDomain,
      { meaning: 'accepted', temporary: false, ip, reply } as unknown as Answer,
      'catch_all',
      0,
    );
  for (const name of ['a', 'b', 'c']) note('first', name);
  for (const name of ['a', 'b', 'c']) note('second', name);
  for (let i = 0; i < 49_999; i += 1) note(`host${i}`, 'a');
  expect(habits.acceptsAllSinceMs('first', 0)).toBeNull();
  expect(habits.acceptsAllSinceMs('second', 0)).toBe(0);
});
