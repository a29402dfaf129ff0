import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Outcome } from './outcome.ts';
import { sentOutcome } from './sent-outcome.ts';

const BOUNCE: Outcome = {
  email: 'ann@example.com',
  outcome: 'bounced',
  reply: '550 5.1.1 Benutzer unbekannt: “Änn”',
  at: 1_760_000_000,
  id: '',
  origin: 'Nov 19 10:00:00 4F2',
};

test('an event without an id is named by what it says, as SHA-256 has it; one with an id by that', () => {
  const { origin, email, outcome, reply } = BOUNCE;
  const hash = createHash('sha256')
    .update(JSON.stringify([origin, email, outcome, reply]))
    .digest('base64url');
  expect(sentOutcome(BOUNCE)).toEqual({
    email,
    outcome,
    reply,
    at: 1_760_000_000,
    id: `import-${hash.slice(0, 32)}`,
  });
  expect(sentOutcome({ ...BOUNCE, id: 'evt_1', reply: '', at: null })).toEqual({
    email,
    outcome,
    id: 'evt_1',
  });
  const ids = [
    {},
    { origin: 'x' },
    { email: 'ben@example.com' },
    { reply: '' },
    { outcome: 'delivered' as const },
  ].map((other) => sentOutcome({ ...BOUNCE, ...other }).id);
  expect(new Set(ids).size).toBe(5);
});

test('whatever it says, the name is a short word', () => {
  for (let at = 0; at < 500; at += 1)
    expect(sentOutcome({ ...BOUNCE, origin: String(at) }).id).toMatch(/^import-[\w-]{32}$/);
});
