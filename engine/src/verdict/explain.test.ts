// One sentence for every verdict there can be.
import { DETAIL_WORDS } from '@mxproof/common/vocabulary/labels';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Meaning, Reason } from '../types.ts';
import { explain } from './explain.ts';

const REASONS: readonly Reason[] = [
  'accepted_email',
  'low_deliverability',
  'low_quality',
  'disposable',
  'rejected_email',
  'invalid_domain',
  'invalid_email',
  'unavailable_smtp',
  'no_connect',
  'dns_error',
];
const MEANINGS: readonly (Meaning | null)[] = [
  null,
  'accepted',
  'no_mailbox',
  'over_quota',
  'mailbox_busy',
  'greylisted',
  'temporary',
  'rate_limited',
  'too_many_recipients',
  'blocked',
  'sender_refused',
  'tls_required',
  'relay_denied',
  'tenant_lapsed',
  'content',
  'protocol',
  'unclear',
];

test('whatever was found is explained in one plain sentence', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...REASONS),
      fc.boolean(),
      fc.constantFrom(...MEANINGS),
      fc.nat(20),
      fc.constantFrom(...DETAIL_WORDS, null, undefined),
      (reason, acceptAll, meaning, attempts, detail) => {
        const finer = detail === undefined ? {} : { detail };
        const sentence = explain({ reason, acceptAll, ...finer }, { meaning, attempts });
        expect(sentence).toMatch(/^[A-Z][^.\n]+\.$/);
      },
    ),
  );
});

test.each([
  ['low_deliverability', true, 'accepted', 1, /accepts every address/],
  ['low_deliverability', false, 'accepted', 1, /may accept every other one/],
  ['low_deliverability', true, 'over_quota', 1, /is full/],
  ['accepted_email', false, 'mailbox_busy', 3, /too much mail/],
  ['unavailable_smtp', false, 'greylisted', 5, /after 5 attempts/],
  ['unavailable_smtp', false, 'temporary', 1, /after 1 attempt\./],
  ['unavailable_smtp', false, 'no_mailbox', 1, /refuses every address of this domain alike/],
  ['unavailable_smtp', false, null, 0, /was not asked/],
  ['unavailable_smtp', false, null, 2, /gave no answer .* in 2 attempts/],
] as const)('%s, accept_all %s, %s after %d attempts', (reason, acceptAll, meaning, attempts, words) =>
  expect(explain({ reason, acceptAll }, { meaning, attempts })).toMatch(words));

test.each([
  ['low_deliverability', 'decides_after_data', 'accepted', /decides only once it has the message/],
  ['low_deliverability', 'tenant_accepts_all', 'accepted', /at Microsoft 365, accepts every address/],
  ['low_deliverability', 'gateway_accepts_all', 'accepted', /gateway .* accepts every address/],
  ['rejected_email', 'mailbox_disabled', 'no_mailbox', /has been closed/],
  ['rejected_email', 'no_such_mailbox', 'no_mailbox', /does not exist/],
  ['invalid_domain', 'null_mx', null, /accepts no mail/],
  ['no_connect', 'connection_refused', null, /refuse connections/],
  ['no_connect', 'never_asked', null, /policy/],
  ['unavailable_smtp', 'connection_lost', 'temporary', /ended the connection/],
  ['unavailable_smtp', 'timeout', 'temporary', /gave no answer/],
  ['unavailable_smtp', 'source_resting', 'blocked', /was not asked again/],
  ['unavailable_smtp', 'tenant_lapsed', 'tenant_lapsed', /no mail service for the domain/],
  ['unavailable_smtp', 'budget', 'rate_limited', /in an hour and in a day/],
  ['unavailable_smtp', 'unclear', 'blocked', /says nothing about whether/],
  ['unavailable_smtp', 'blocked', 'blocked', /refuses to talk to this service/],
] as const)('%s, %s', (reason, detail, meaning, words) =>
  expect(explain({ reason, acceptAll: false, detail }, { meaning, attempts: 2 })).toMatch(words));
