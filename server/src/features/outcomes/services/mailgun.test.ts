import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { mailgun, readMailgun } from './mailgun.ts';

const KEY = 'key-0123456789abcdef';
/** As django-anymail's tests have it: "an actual, complete (sanitized) event as received from Mailgun". */
const TIMESTAMP = '1534108637';
const TOKEN = '651869375b9df3c98fc15c4889b102119add1235c38fc92824';
const DELIVERED = {
  timestamp: 1534108637.153125,
  id: 'hTWCTD81RtiDN-...',
  flags: { 'is-routed': false, 'is-authenticated': true, 'is-system-test': false, 'is-test-mode': false },
  recipient: 'recipient@example.com',
  event: 'delivered',
  'delivery-status': { tls: true, 'mx-host': 'smtp-in.example.com', code: 250, message: 'OK' },
};
const hmac = (timestamp: string, token: string, key = KEY) =>
  createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');

function ask({
  timestamp = TIMESTAMP as string | number,
  token = TOKEN,
  signature = hmac(String(timestamp), token),
  now = 1_534_108_700,
  signingKey = KEY as string | null,
  body = JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': DELIVERED }),
} = {}) {
  const request = { headers: {}, body: Buffer.from(body), nowSeconds: now };
  return mailgun.read(request, { signingKey, topic: null }, async () => null);
}

// The reference that Mailgun's documentation gives for its own scheme, as openssl computes it:
// printf '%s' 1534108637651869… | openssl dgst -sha256 -hmac key-0123456789abcdef
test('the signature is HMAC-SHA256 of timestamp and token, in hexadecimal', () => {
  const signature = '07110b2901d3cab5b419019947690aea497a5f680f4e7e0957194c956fa4b264';
  expect(ask({ signature })).toMatchObject({ kind: 'events', onlyWith: TOKEN });
});

test('an event that it signed is told, to be taken with this token alone', () => {
  expect(ask()).toEqual({
    kind: 'events',
    onlyWith: TOKEN,
    events: {
      ignored: 0,
      outcomes: [
        {
          email: 'recipient@example.com',
          outcome: 'delivered',
          reply: '250 OK',
          atSeconds: 1_534_108_637,
          id: expect.any(String),
        },
      ],
    },
  });
  expect(ask({ timestamp: 1_534_108_637 })).toMatchObject({ kind: 'events' });
});

test('of a subaccount’s event the parent’s signature is as good', () => {
  const signature = {
    timestamp: TIMESTAMP,
    token: TOKEN,
    signature: 'x',
    'parent-signature': hmac(TIMESTAMP, TOKEN),
  };
  expect(ask({ body: JSON.stringify({ signature, 'event-data': DELIVERED }) })).toMatchObject({
    kind: 'events',
  });
});

test.each([
  ['another key', { signature: hmac(TIMESTAMP, TOKEN, 'key-other') }],
  ['another token', { token: 'x', signature: hmac(TIMESTAMP, TOKEN) }],
  ['another time', { timestamp: '1534108638', signature: hmac(TIMESTAMP, TOKEN) }],
  ['an old time', { now: 1_534_108_637 + 26 * 3_600 }],
  ['a time to come', { now: 1_534_108_637 - 3_600 }],
  ['a time that is none', { timestamp: '', signature: hmac('', TOKEN) }],
  ['no token', { token: '' }],
  ['no signature', { signature: '' }],
  ['no signature at all', { body: JSON.stringify({ 'event-data': DELIVERED }) }],
  ['a key that was lost', { signingKey: null }],
])('%s: refused', (_, forged) => {
  expect(ask(forged)).toEqual({ kind: 'refused' });
});

test('what is no JSON is named as such, and a hook needs the signing key', () => {
  expect(ask({ body: '{' })).toEqual({ kind: 'invalid_json' });
  expect(mailgun.wrongSetting({ signingKey: KEY, topic: null })).toBeNull();
  for (const signingKey of [null, '', 'a b', 'x'.repeat(201)])
    expect(mailgun.wrongSetting({ signingKey, topic: null })).toBe('bad_signing_key');
  expect(mailgun.wrongSetting({ signingKey: KEY, topic: 'x' })).toBe('bad_topic');
});

const failed = (data: object, status: object = { code: 550, message: '5.1.1 no such user' }) => ({
  ...DELIVERED,
  event: 'failed',
  severity: 'permanent',
  reason: 'bounce',
  'delivery-status': status,
  ...data,
});
const told = (event: unknown) => readMailgun(event).outcomes.map(({ outcome, reply }) => [outcome, reply]);

test('a final failure is told in the server’s words, with its code once', () => {
  expect(told(failed({}))).toEqual([['bounced', '550 5.1.1 no such user']]);
  expect(told(failed({ reason: 'generic' }, { code: 550, message: '550 5.7.1 blocked' }))).toEqual([
    ['bounced', '550 5.7.1 blocked'],
  ]);
  // Its own code for "too old": no server has said so.
  expect(told(failed({ reason: 'old' }, { code: 602, message: 'Too old' }))).toEqual([['bounced', '']]);
  expect(told(failed({}, { description: 'Not delivering' }))).toEqual([['bounced', '']]);
  expect(told({ ...DELIVERED, event: 'complained' })).toEqual([['complained', '']]);
});

test.each([
  ['a delay', failed({ severity: 'temporary' })],
  ['its suppression list', failed({ reason: 'suppress-bounce' })],
  [
    'the same by its code',
    failed({}, { code: 605, message: 'Not delivering to previously bounced address' }),
  ],
  ['test mode', { ...DELIVERED, flags: { 'is-test-mode': true } }],
  ['an open', { ...DELIVERED, event: 'opened' }],
  ['an unsubscription', { ...DELIVERED, event: 'unsubscribed' }],
  ['no recipient', { ...DELIVERED, recipient: '' }],
  ['nothing', undefined],
])('%s tells nothing', (_, event) => {
  expect(readMailgun(event)).toEqual({ outcomes: [], ignored: 1 });
});
