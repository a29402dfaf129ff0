// One word for every verdict there can be, and never one that contradicts it.
import { DETAILS } from '@mxproof/common/vocabulary/details';
import { DETAIL_WORDS } from '@mxproof/common/vocabulary/labels';
import { MEANING_WORDS, MEANINGS } from '@mxproof/common/vocabulary/meanings';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Detail, Facts, Reason } from '../types.ts';
import { detailOf } from './detail-of.ts';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';
import { verdict } from './verdict.ts';

const ADDRESS = { local: 'a', domain: 'example.org', mailbox: 'a@example.org', needsSmtpUtf8: false };
const ACCEPTED: Facts = {
  address: ADDRESS,
  role: false,
  free: false,
  disposable: false,
  dns: 'ok',
  mx: 'mx.example.org',
  provider: 'other',
  mailbox: 'accepted',
  connected: true,
  catchAll: 'no',
  refusesAll: false,
  cause: null,
};
const UNREACHED: Partial<Facts> = { mailbox: null, connected: false };
const UNANSWERED: Partial<Facts> = { mailbox: null };
const NO_MAIL: Partial<Facts> = { ...UNREACHED, dns: 'cannot_receive' };
const NO_DNS: Partial<Facts> = { ...UNREACHED, dns: 'error' };

test.each<readonly [Reason, Detail, Partial<Facts>]>([
  ['invalid_email', 'syntax', { ...UNREACHED, address: null, dns: 'not_asked', cause: 'syntax' }],
  ['invalid_domain', 'no_such_domain', { ...NO_MAIL, cause: 'no_such_domain' }],
  ['invalid_domain', 'no_mx', { ...NO_MAIL, cause: 'no_mx' }],
  ['invalid_domain', 'null_mx', { ...NO_MAIL, cause: 'null_mx' }],
  ['invalid_domain', 'private_address', { ...NO_MAIL, cause: 'private_address' }],
  ['disposable', 'disposable', { ...UNREACHED, disposable: true }],
  ['dns_error', 'dns_failed', { ...NO_DNS, cause: 'dns_failed' }],
  ['dns_error', 'dns_untrusted', { ...NO_DNS, cause: 'dns_untrusted' }],
  ['no_connect', 'connection_refused', { ...UNREACHED, cause: 'connection_refused' }],
  ['no_connect', 'timeout', { ...UNREACHED, cause: 'timeout' }],
  ['no_connect', 'connection_lost', { ...UNREACHED, cause: 'connection_lost' }],
  ['no_connect', 'tls_failed', { ...UNREACHED, cause: 'tls_failed' }],
  ['no_connect', 'network_down', { ...UNREACHED, cause: 'network_down' }],
  ['no_connect', 'never_asked', { ...UNREACHED, cause: 'never_asked' }],
  ['no_connect', 'list_ended', { ...UNREACHED, cause: 'list_ended' }],
  ['rejected_email', 'no_such_mailbox', { mailbox: 'no_mailbox', cause: 'no_such_mailbox' }],
  ['rejected_email', 'mailbox_disabled', { mailbox: 'no_mailbox', cause: 'mailbox_disabled' }],
  ['rejected_email', 'mailbox_moved', { mailbox: 'no_mailbox', cause: 'mailbox_moved' }],
  // The same refusal for every recipient says nothing, however it is worded.
  ['unavailable_smtp', 'unclear', { mailbox: 'no_mailbox', cause: 'mailbox_disabled', refusesAll: true }],
  [
    'low_deliverability',
    'mailbox_full',
    { mailbox: 'over_quota', cause: 'mailbox_full', catchAll: 'unknown' },
  ],
  // Full in an earlier attempt, then no answer: what is known of the mailbox decides.
  ['low_deliverability', 'mailbox_full', { mailbox: 'over_quota', cause: 'timeout' }],
  ['unavailable_smtp', 'greylisted', { mailbox: 'greylisted', cause: 'greylisted' }],
  ['unavailable_smtp', 'rate_limited', { mailbox: 'rate_limited', cause: 'rate_limited' }],
  ['unavailable_smtp', 'blocked', { mailbox: 'blocked', cause: 'blocked' }],
  ['unavailable_smtp', 'source_resting', { mailbox: 'blocked', cause: 'source_resting' }],
  ['unavailable_smtp', 'sender_refused', { mailbox: 'sender_refused', cause: 'sender_refused' }],
  ['unavailable_smtp', 'temporary', { mailbox: 'too_many_recipients', cause: 'temporary' }],
  ['unavailable_smtp', 'tls_failed', { mailbox: 'tls_required', cause: 'tls_failed' }],
  ['unavailable_smtp', 'unclear', { mailbox: 'relay_denied', cause: 'unclear' }],
  ['unavailable_smtp', 'tenant_lapsed', { mailbox: 'tenant_lapsed', cause: 'tenant_lapsed' }],
  ['unavailable_smtp', 'timeout', { ...UNANSWERED, cause: 'timeout' }],
  ['unavailable_smtp', 'connection_lost', { mailbox: 'temporary', cause: 'connection_lost' }],
  ['unavailable_smtp', 'never_asked', { ...UNANSWERED, cause: 'never_asked' }],
  ['low_quality', 'role', { role: true, catchAll: 'yes', cause: 'accepted' }],
  ['low_deliverability', 'catch_all', { catchAll: 'yes', cause: 'accepted' }],
  ['low_deliverability', 'catch_all_unknown', { catchAll: 'unknown', cause: 'accepted' }],
  ['accepted_email', 'accepted', { cause: 'accepted' }],
  ['accepted_email', 'accepted', { mailbox: 'mailbox_busy', cause: 'accepted' }],
  ['low_quality', 'role', { mailbox: 'mailbox_busy', role: true, cause: 'accepted' }],
  ['low_deliverability', 'catch_all', { mailbox: 'mailbox_busy', catchAll: 'yes', cause: 'accepted' }],
])('%s: %s', (reason, detail, facts) => {
  const given = verdict({ ...ACCEPTED, ...facts });
  expect([given.reason, given.detail]).toEqual([reason, detail]);
});

test.each<readonly [Detail, string]>([
  ['decides_after_data', 'mta7.am0.yahoodns.net'],
  ['decides_after_data', 'mx-aol.mail.gm0.yahoodns.net'],
  ['tenant_accepts_all', 'example-org.mail.protection.outlook.com'],
  ['tenant_accepts_all', 'example-org.a-v1.mx.microsoft'],
  ['gateway_accepts_all', 'mx0a-00123456.pphosted.com'],
  ['gateway_accepts_all', 'eu-smtp-inbound-1.mimecast.com'],
  ['gateway_accepts_all', 'd123456.ess.barracudanetworks.com'],
  ['gateway_accepts_all', 'cluster5.eu.messagelabs.com'],
  ['gateway_accepts_all', 'mx1.example.iphmx.com'],
  ['catch_all', 'aspmx.l.google.com'],
  ['catch_all', 'mx.yahoo.co.jp'],
  ['catch_all', 'outlook-com.olc.protection.outlook.com'],
  ['catch_all', 'yahoodns.net.example.org'],
])('an accepted probe is %s at %s, and nothing else about the verdict differs', (detail, mx) => {
  const facts: Facts = { ...ACCEPTED, mx, catchAll: 'yes', cause: 'accepted' };
  expect(verdict(facts)).toEqual({ ...verdict({ ...facts, mx: 'mx.example.org' }), mx, detail });
  expect(verdict({ ...facts, catchAll: 'unknown' }).detail).toBe('catch_all_unknown');
  expect(verdict({ ...facts, catchAll: 'no' }).detail).toBe('accepted');
  expect(verdict({ ...facts, mailbox: 'over_quota' }).detail).toBe('mailbox_full');
});

test('whatever the facts, the word can stand with the reason', () => {
  fc.assert(
    fc.property(
      fc.record({
        address: fc.constantFrom(ADDRESS, null),
        role: fc.boolean(),
        disposable: fc.boolean(),
        dns: fc.constantFrom('not_asked', 'ok', 'cannot_receive', 'error'),
        mailbox: fc.constantFrom(...MEANING_WORDS, null),
        connected: fc.boolean(),
        catchAll: fc.constantFrom('yes', 'no', 'unknown'),
        refusesAll: fc.boolean(),
        cause: fc.constantFrom(...DETAIL_WORDS, null),
      }),
      (some) => {
        const facts: Facts = { ...ACCEPTED, ...(some as Partial<Facts>) };
        const { reason, detail } = verdict(facts);
        expect(DETAILS[detail].reasons).toContain(reason);
        expect(detailOf(facts, reason)).toBe(detail);
      },
    ),
  );
});

test('without a cause, the meaning of the reply has its word', () => {
  for (const mailbox of MEANING_WORDS) {
    const { reason, detail } = verdict({ ...ACCEPTED, mailbox });
    if (reason === 'unavailable_smtp') expect(detail).toBe(MEANINGS[mailbox].detail);
  }
});

test.each<readonly [Detail, string, string]>([
  ['no_such_mailbox', '550 5.1.1 <a@x.example>: User unknown in virtual mailbox table', 'other'],
  ['no_such_mailbox', '550', 'other'],
  ['no_such_mailbox', '550 Adressat unbekannt oder Mailbox deaktiviert', 'other'],
  ['mailbox_disabled', '550 5.2.1 The email account that you tried to reach is disabled.', 'google'],
  ['mailbox_disabled', '550 5.2.1 https://support.google.com/mail/?p=DisabledUser a1-2 - gsmtp', 'google'],
  ['no_such_mailbox', '550 5.1.1 https://support.google.com/mail/?p=NoSuchUser a1-2 - gsmtp', 'google'],
  [
    'mailbox_disabled',
    '554 30 Sorry, your message to a@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
    'yahoo',
  ],
  ['mailbox_disabled', '550 5.2.1 xyzzy', 'other'],
  ['mailbox_disabled', '550 Dieses Postfach wurde deaktiviert', 'other'],
  ['mailbox_disabled', '550 5.2.1 Почтовый ящик заблокирован', 'other'],
  ['mailbox_disabled', '550 <a@x.example>: inactive email address', 'apple'],
  ['mailbox_moved', '551 User not local; please try <b@y.example>', 'other'],
  ['mailbox_moved', '551', 'other'],
  ['mailbox_moved', '550 5.1.6 a@x.example has been replaced by b@y.example', 'other'],
  ['mailbox_moved', '550 5.1.6 xyzzy', 'other'],
  ['mailbox_full', '552 5.2.2 mailbox full', 'other'],
  ['accepted', '450 4.2.1 https://support.google.com/mail/?p=ReceivingRate a1-2 - gsmtp', 'google'],
  ['temporary', '450 5.2.1 The email account that you tried to reach is disabled.', 'google'],
  [
    'blocked',
    '554 5.7.1 Service unavailable; Client host [203.0.113.9] blocked using zen.example.net',
    'other',
  ],
  ['unclear', '550 5.7.1 The recipient has chosen to not accept mail from this address', 'other'],
  [
    'unclear',
    '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required',
    'microsoft',
  ],
  ['unclear', '554 5.7.1 <a@x.example>: Relay access denied', 'other'],
  ['temporary', '452 4.5.3 Too many recipients', 'other'],
  [
    'tenant_lapsed',
    '451 4.4.4 Mail received as unauthenticated, incoming to a recipient domain configured in a hosted tenant which has no mail-enabled subscriptions. ATTR5 [DB5EUR01FT003]',
    'microsoft',
  ],
  ['tenant_lapsed', '550 Account inbounds disabled. [abcDEF.uk12]', 'mimecast'],
  ['temporary', '451 4.4.4 Temporary server error. Please try again later ATTR5', 'microsoft'],
  ['mailbox_disabled', '550 Account disabled', 'mimecast'],
  ['tls_failed', '530 5.7.0 Must issue a STARTTLS command first', 'other'],
])('a reply reads as %s: %s', (detail, text, provider) =>
  expect(readReply('rcpt', replyFromText(text), provider).detail).toBe(detail));
