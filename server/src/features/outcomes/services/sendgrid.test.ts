// Against SendGrid's own library (`@sendgrid/eventwebhook`), and the request that it publishes.
import { generateKeyPairSync, sign } from 'node:crypto';
import { EventWebhook } from '@sendgrid/eventwebhook';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SENDGRID_SAMPLE as SAMPLE } from '../../../../test/service-samples.ts';
import { readSendgrid, sendgrid } from './sendgrid.ts';

const NOW = 1_600_112_600;
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

function ask({
  key = SAMPLE.key,
  signature = SAMPLE.signature,
  timestamp = SAMPLE.timestamp,
  body = SAMPLE.body as string | Buffer,
  now = NOW,
} = {}) {
  const headers = {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': timestamp,
  };
  const request = { headers, body: Buffer.from(body), nowSeconds: now };
  return sendgrid.read(request, { signingKey: key, topic: null }, async () => null);
}
const signed = (timestamp: string, body: Buffer) =>
  sign('sha256', Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString('base64');

test('the request that its library publishes is proven, and is an echo of its suppression list', () => {
  expect(ask()).toEqual({ kind: 'events', events: { outcomes: [], ignored: 1 } });
});

test.each([
  ['a byte of the body', { body: SAMPLE.body.replace('hello', 'jello') }],
  ['the line break at its end', { body: SAMPLE.body.trimEnd() }],
  ['another time', { timestamp: '1600112503' }],
  ['no time', { timestamp: '' }],
  ['a time that is none', { timestamp: `${SAMPLE.timestamp} ` }],
  ['no signature', { signature: '' }],
  ['a signature that is none', { signature: 'MEUCIGHQVtGj' }],
  ['another key', { key: KEY }],
  ['a request of the day before yesterday', { now: NOW + 26 * 3_600 }],
  ['a request from the future', { now: NOW - 3_600 }],
])('%s: refused', (_, forged) => {
  expect(ask(forged)).toEqual({ kind: 'refused' });
});

test('a retry within a day is still proven', () => {
  expect(ask({ now: NOW + 24 * 3_600 })).toMatchObject({ kind: 'events' });
});

test('it agrees with the library on whatever bytes were signed or changed', () => {
  const library = new EventWebhook();
  const libraryKey = library.convertPublicKeyToECDSA(KEY);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), (text, isForged) => {
      const body = Buffer.from(text);
      const signature = signed(SAMPLE.timestamp, body);
      const sent = isForged ? Buffer.concat([body, Buffer.from(' ')]) : body;
      const isProven = (ask({ key: KEY, signature, body: sent }) as { kind: string }).kind !== 'refused';
      expect(isProven).toBe(library.verifySignature(libraryKey, sent, signature, SAMPLE.timestamp));
      expect(isProven).toBe(!isForged);
    }),
    { numRuns: 6 },
  );
});

test('a hook is made with a public key of P-256 alone, in base64 or as PEM', () => {
  const wrong = (signingKey: string | null, topic: string | null = null) =>
    sendgrid.wrongSetting({ signingKey, topic });
  expect(wrong(KEY)).toBeNull();
  expect(wrong(publicKey.export({ format: 'pem', type: 'spki' }).toString())).toBeNull();
  const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
  for (const key of [null, '', 'x', other.export({ format: 'pem', type: 'spki' }).toString()])
    expect(wrong(key)).toBe('bad_signing_key');
  expect(wrong(KEY, 'arn:aws:sns:eu-west-1:123456789012:x')).toBe('bad_topic');
});

test('signed bytes that are no JSON, or more events than fit, are named as such', () => {
  for (const [text, kind] of [
    ['nonsense', 'invalid_json'],
    [`[${'0,'.repeat(10_000)}0]`, 'too_large'],
  ] as const) {
    const body = Buffer.from(text);
    expect(ask({ key: KEY, signature: signed(SAMPLE.timestamp, body), body })).toEqual({ kind });
  }
});

// The events of SendGrid's reference (Event Webhook), as django-anymail's tests have them.
test('deliveries, bounces, blocks and complaints are told in the server’s words; the rest is not', () => {
  const base = { email: 'recipient@example.com', timestamp: 1461095250 };
  const { outcomes, ignored } = readSendgrid([
    { ...base, event: 'delivered', response: '250 2.0.0 OK 1461095248 - gsmtp ', sg_event_id: 'a' },
    {
      ...base,
      event: 'bounce',
      type: 'bounce',
      status: '5.1.1',
      reason: '550 5.1.1 no such',
      sg_event_id: 'b',
    },
    { ...base, event: 'bounce', type: 'blocked', reason: '554 5.7.1 blocked', sg_event_id: 'c' },
    { ...base, event: 'bounce', bounce_classification: 'Invalid Address', sg_event_id: 'd' },
    { ...base, event: 'spamreport', sg_event_id: 'e' },
    { ...base, event: 'dropped', reason: 'Bounced Address', sg_event_id: 'f' },
    { ...base, event: 'deferred', response: '450 later', sg_event_id: 'g' },
    { ...base, event: 'open' },
    { event: 'delivered' },
    null,
    7,
  ]);
  expect(ignored).toBe(6);
  const told = outcomes.map(({ id, ...rest }) => rest);
  const atSeconds = base.timestamp;
  const email = base.email;
  expect(told).toEqual([
    { email, atSeconds, outcome: 'delivered', reply: '250 2.0.0 OK 1461095248 - gsmtp' },
    { email, atSeconds, outcome: 'bounced', reply: '550 5.1.1 no such' },
    { email, atSeconds, outcome: 'bounced', reply: '554 5.7.1 blocked' },
    { email, atSeconds, outcome: 'bounced', reply: '' },
    { email, atSeconds, outcome: 'complained', reply: '' },
  ]);
  expect(new Set(outcomes.map(({ id }) => id)).size).toBe(5);
});
