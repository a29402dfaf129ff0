import { type Finding, parseAddress } from '@mxproof/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFailing, isSlow, SLOW_MS, testOutcome, testRefusal } from './test-outcome.ts';

const NOW_MS = 1_000_000;
const find = (email: string): Finding => {
  const outcome = testOutcome({ email }, NOW_MS);
  if (outcome.kind !== 'final') throw new Error(outcome.kind);
  return outcome.finding;
};
const FLAGS = { acceptAll: false, role: false, free: false, disposable: false };

test.each([
  ['accepted-email', 'deliverable', 'accepted_email', 'accepted', 100, {}],
  ['anything', 'deliverable', 'accepted_email', 'accepted', 100, {}],
  ['insufficient-credits', 'deliverable', 'accepted_email', 'accepted', 100, {}],
  ['rate-limited', 'deliverable', 'accepted_email', 'accepted', 100, {}],
  ['low-deliverability', 'risky', 'low_deliverability', 'mailbox_full', 15, {}],
  ['catch-all', 'risky', 'low_deliverability', 'catch_all', 60, { acceptAll: true }],
  ['low-quality', 'risky', 'low_quality', 'role', 50, { role: true }],
  ['disposable', 'risky', 'disposable', 'disposable', 10, { disposable: true }],
  ['rejected-email', 'undeliverable', 'rejected_email', 'no_such_mailbox', 0, {}],
  ['invalid-domain', 'undeliverable', 'invalid_domain', 'no_such_domain', 0, {}],
  ['invalid-email', 'undeliverable', 'invalid_email', 'syntax', 0, {}],
  ['unavailable-smtp', 'unknown', 'unavailable_smtp', 'temporary', 0, {}],
  ['no-connect', 'unknown', 'no_connect', 'timeout', 0, {}],
  ['dns-error', 'unknown', 'dns_error', 'dns_failed', 0, {}],
])('%s is %s %s %s', (word, state, reason, detail, score, flags) => {
  for (const email of [`${word}@example.com`, `ann+${word}@gmail.com`, `a+b+${word}@mailinator.com`]) {
    const { evidence, ...found } = find(email);
    const hasMx = !['invalid_domain', 'invalid_email', 'dns_error'].includes(reason);
    expect(found).toEqual({
      email,
      state,
      reason,
      detail,
      score,
      ...FLAGS,
      ...flags,
      mx: hasMx ? 'mx.mxproof.test' : null,
      provider: hasMx ? 'other' : '',
    });
    expect(evidence.rule).toMatch(/^test: /);
    expect(evidence.dialogue.map(({ text }) => text).join()).toMatch(/this is a test/i);
  }
});

test.each([
  'rejected-email+x@example.com',
  'rejected-email.@example.com',
  'constructor@example.com',
  '__proto__@example.com',
])('%s means nothing in particular', (email) => {
  expect(find(email).reason).toBe(parseAddress(email).ok ? 'accepted_email' : 'invalid_email');
});

test.each([
  'catch-all',
  'slow@',
  'insufficient-credits@-x.com',
  'rate-limited@b c',
  '@example.com',
  '',
])('syntax is first: %s', (email) => {
  const { reason, evidence } = find(email);
  expect([reason, testRefusal(email), isSlow(email)]).toEqual(['invalid_email', null, false]);
  expect(evidence.rule).toMatch(/^syntax: /);
});

test('a slow address comes later, and then is accepted', () => {
  const later = testOutcome({ email: 'slow@example.com' }, NOW_MS);
  if (later.kind !== 'later') throw new Error(later.kind);
  expect(later.notBeforeMs).toBe(NOW_MS + SLOW_MS);
  const outcome = testOutcome({ email: 'slow@example.com', resume: later.resume }, NOW_MS + SLOW_MS);
  expect(outcome).toMatchObject({ kind: 'final', finding: { reason: 'accepted_email' } });
});

test('what POST /verify refuses, and which list fails', () => {
  expect(testRefusal('ann+insufficient-credits@example.com')).toBe('insufficient_credits');
  expect(testRefusal('rate-limited@example.com')).toBe('rate_limited');
  expect(testRefusal('toString@example.com')).toBeNull();
  expect([isFailing('fail'), isFailing('failure'), isFailing('')]).toEqual([true, false, false]);
});

test('whatever the address, there is an outcome, and its evidence does not name it', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      const outcome = testOutcome({ email }, NOW_MS);
      expect(JSON.stringify(outcome)).toContain('"test: ');
      if (outcome.kind === 'final') expect(JSON.stringify(outcome.finding.evidence)).not.toContain(email);
    }),
  );
});
