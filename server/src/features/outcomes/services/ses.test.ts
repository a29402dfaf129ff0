// Messages that Amazon's client for Java publishes with the certificate that signed them, and others signed here with a
// certificate of ours; `sns-validator`, Amazon's own for Node, has to agree.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import MessageValidator from 'sns-validator';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import {
  SNS_CERTIFICATE,
  SNS_CERTIFICATE_URL,
  SNS_SAMPLES,
  SNS_TOPIC,
} from '../../../../test/service-samples.ts';
import type { FetchPublic } from '../../../callback/fetch-public.ts';
import { createSes, readSes } from './ses.ts';
import { readCertificate } from './sns-certificate.ts';
import { topicOf } from './sns-message.ts';

/** When the published messages were sent. */
const NOW = Date.parse('2026-03-06T21:00:00Z') / 1_000;
type Message = Record<string, unknown>;

/** Of hosts that have one file. */
function hosting(pem: string | Buffer, { status = 200, subscribed = 200 } = {}) {
  const fetched: string[] = [];
  const fetch = async (url: string) => {
    fetched.push(url);
    return url.endsWith('.pem')
      ? { status, body: Buffer.from(pem) }
      : { status: subscribed, body: Buffer.alloc(0) };
  };
  return { fetch, fetched, pem };
}

const ask = (
  message: Message | string,
  { fetch, pem = OURS as unknown }: { fetch: FetchPublic; pem?: unknown; fetched?: string[] } = hosting(
    SNS_CERTIFICATE,
  ),
  { now = pem === SNS_CERTIFICATE ? NOW : OUR_NOW, topic = SNS_TOPIC, ses = createSes() } = {},
) => {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  return ses.read({ headers: {}, body, nowSeconds: now }, { signingKey: null, topic }, fetch);
};

const folder = mkdtempSync(join(tmpdir(), 'mxproof-sns-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const OUR_KEY = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
const OTHER_KEY = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
const WEAK_KEY = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;

/** Valid from now on. */
function certificate(name: string, { key = OUR_KEY, ca = 'FALSE' } = {}): string {
  const file = join(folder, 'key.pem');
  writeFileSync(file, key.export({ format: 'pem', type: 'pkcs8' }));
  const options = `req -x509 -new -key ${file} -days 3650 -addext basicConstraints=critical,CA:${ca} -addext subjectAltName=DNS:${name} -subj /CN=${name}`;
  return execFileSync('openssl', options.split(' '), { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}
const OURS = certificate('sns.amazonaws.com');
const OUR_NOW = Math.floor(Date.now() / 1_000);
const at = (seconds: number) => new Date(seconds * 1_000).toISOString();

const BOUNCE = {
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    reportingMTA: 'dns; email.example.com',
    bouncedRecipients: [
      {
        emailAddress: 'jane@example.com',
        status: '5.1.1',
        action: 'failed',
        diagnosticCode: 'smtp; 550 5.1.1 <jane@example.com>... User unknown',
      },
    ],
    timestamp: '2016-01-27T14:59:44.101Z',
    feedbackId: '00000138111222aa-44455566-cccc-cccc-cccc-ddddaaaa068a-000000',
  },
  mail: { messageId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000' },
};

/** Signed as SNS does, by its documentation. */
function signed(message: Message, key = OUR_KEY): Message {
  const names =
    message.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.map((name) => (name in message ? `${name}\n${message[name]}\n` : '')).join('');
  const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256';
  return { ...message, Signature: sign(algorithm, Buffer.from(text), key).toString('base64') };
}
const notification = (event: unknown, more: Message = {}) =>
  signed({
    ...SNS_SAMPLES['signature version 2'],
    Timestamp: at(OUR_NOW),
    Message: JSON.stringify(event),
    ...more,
  });
const CONFIRMATION = { ...SNS_SAMPLES['the confirmation of a subscription'], Timestamp: at(OUR_NOW) };

afterEach(() => vi.restoreAllMocks());

test.each(Object.entries(SNS_SAMPLES))('%s, as Amazon has signed it, is proven', async (_, message) => {
  const host = hosting(SNS_CERTIFICATE);
  expect(await ask(message, host)).toMatchObject({ kind: 'events' });
  const isConfirmation = message.Type === 'SubscriptionConfirmation';
  expect(host.fetched).toEqual([SNS_CERTIFICATE_URL, ...(isConfirmation ? [message.SubscribeURL] : [])]);
});

test('each field that is signed, changed, is refused, and so is each signature of another message', async () => {
  for (const message of Object.values(SNS_SAMPLES)) {
    const host = hosting(SNS_CERTIFICATE);
    for (const name of [
      'Message',
      'MessageId',
      'Subject',
      'Token',
      'Timestamp',
      'Signature',
      'SubscribeURL',
    ]) {
      const value = (message as Message)[name];
      if (value === undefined) continue;
      const changed = name === 'Timestamp' ? '2026-03-06T20:59:00.000Z' : `${value}0`;
      const forged = { ...message, [name]: name === 'Signature' ? 'AAAA' : changed };
      expect(await ask(forged, host), name).toEqual({ kind: 'refused' });
    }
    const other = message.SignatureVersion === '1' ? '2' : '1';
    expect(await ask({ ...message, SignatureVersion: other })).toEqual({ kind: 'refused' });
    expect(host.fetched.filter((url) => !url.endsWith('.pem'))).toEqual([]);
  }
  expect(await ask({ ...SNS_SAMPLES['signature version 2'], Subject: 'x' })).toEqual({ kind: 'refused' });
});

test.each([
  ['another topic, properly signed', notification(BOUNCE, { TopicArn: `${SNS_TOPIC}2` })],
  ['the question of another topic, properly signed', signed({ ...CONFIRMATION, TopicArn: `${SNS_TOPIC}2` })],
  ['another key', signed(notification(BOUNCE), OTHER_KEY)],
  ['no signature', { ...notification(BOUNCE), Signature: undefined }],
  ['a version that is none', { ...notification(BOUNCE), SignatureVersion: '3' }],
  ['a type that is none', signed({ ...notification(BOUNCE), Type: 'constructor' })],
  ['an old message', notification(BOUNCE, { Timestamp: at(OUR_NOW - 26 * 3_600) })],
  ['a message from the future', notification(BOUNCE, { Timestamp: at(OUR_NOW + 3_600) })],
  ['null', 'null'],
  ['an array', '[]'],
])('%s: refused', async (_, message) => {
  expect(await ask(message, hosting(OURS))).toEqual({ kind: 'refused' });
});

test.each([
  'https://sns.us-east-1.amazonaws.com/a.pem',
  'https://evil.example/a.pem',
  'http://sns.us-west-2.amazonaws.com/a.pem',
  'https://sns.us-west-2.amazonaws.com.evil.example/a.pem',
  'https://sns.us-west-2.amazonaws.com@evil.example/a.pem',
  'https://evil.example\\@sns.us-west-2.amazonaws.com/a.pem',
  'https://sns.us-west-2.amazonaws.com:8443/a.pem',
  'https://sns.us-west-2.amazonaws.com/a/../b.pem',
  'https://sns.us-west-2.amazonaws.com/?a.pem',
  'https://sns.us-west-2.amazonaws.com/a.pem#.pem',
  'https://sns.us-west-2.amazonaws.com/a.txt',
  'https://SNS.us-west-2.amazonaws.com/a.pem',
  'https://bucket.s3.us-west-2.amazonaws.com/a.pem',
])('a certificate at %s is not even asked for', async (SigningCertURL) => {
  const host = hosting(OURS);
  expect(await ask({ ...notification(BOUNCE), SigningCertURL }, host)).toEqual({
    kind: 'refused',
  });
  expect(host.fetched).toEqual([]);
});

test.each([
  'https://evil.example/?Action=ConfirmSubscription',
  'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription',
  'http://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription',
  'https://sns.us-west-2.amazonaws.com@evil.example/?Action=ConfirmSubscription',
  'https://sns.us-west-2.amazonaws.com/path?Action=ConfirmSubscription',
  'https://sns.us-west-2.amazonaws.com/?a=\r\nx',
])('a subscription at %s is not confirmed, although it is signed', async (SubscribeURL) => {
  const host = hosting(OURS);
  const message = signed({ ...CONFIRMATION, SubscribeURL });
  expect(await ask(message, host)).toEqual({ kind: 'refused' });
  expect(host.fetched).toEqual([]);
});

test('the end of a subscription is taken, and does not begin it again', async () => {
  const host = hosting(OURS);
  const message = signed({ ...CONFIRMATION, Type: 'UnsubscribeConfirmation' });
  expect(await ask(message, host)).toMatchObject({ kind: 'events' });
  expect(host.fetched).toEqual([SNS_CERTIFICATE_URL]);
});

test('a redirect, a page that is missing and one that is no certificate prove nothing; what is away is asked again', async () => {
  const message = notification(BOUNCE);
  for (const [status, kind] of [
    [301, 'refused'],
    [404, 'refused'],
    [503, 'unavailable'],
  ] as const)
    expect(await ask(message, hosting(OURS, { status }))).toEqual({ kind });
  expect(await ask(message, hosting('<html>'))).toEqual({ kind: 'refused' });
  expect(await ask(message, { fetch: async () => null, fetched: [] })).toEqual({ kind: 'unavailable' });
  const away = hosting(OURS, { subscribed: 500 });
  expect(await ask(signed(CONFIRMATION), away)).toEqual({ kind: 'unavailable' });
});

test('a certificate of another name, out of its time, of an authority or with a weak key proves nothing', async () => {
  const topic = topicOf(SNS_TOPIC)!;
  const isRead = (pem: string, now = Date.now() / 1_000, of = topic) =>
    readCertificate(Buffer.from(pem), of, now) !== null;
  expect(isRead(OURS)).toBe(true);
  expect(isRead(SNS_CERTIFICATE, NOW)).toBe(true);
  expect(isRead(SNS_CERTIFICATE, Date.parse('2026-10-15T00:00:00Z') / 1_000)).toBe(false);
  expect(isRead(SNS_CERTIFICATE, Date.parse('2025-11-09T00:00:00Z') / 1_000)).toBe(false);
  expect(isRead(certificate('sns-signing.us-west-2.amazonaws.com'))).toBe(true);
  expect(isRead(certificate('sns.us-west-2.amazonaws.com'))).toBe(true);
  for (const name of ['evil.example', 'amazonaws.com', 'sns.us-east-1.amazonaws.com', 's3.amazonaws.com'])
    expect(isRead(certificate(name)), name).toBe(false);
  expect(isRead(certificate('sns.amazonaws.com', { key: WEAK_KEY }))).toBe(false);
  expect(isRead(certificate('sns.amazonaws.com', { ca: 'TRUE' }))).toBe(false);
  // A second one that did not issue the first.
  expect(isRead(OURS + OURS)).toBe(false);
  const china = topicOf('arn:aws-cn:sns:cn-north-1:123456789012:x')!;
  expect(china.host).toBe('sns.cn-north-1.amazonaws.com.cn');
  expect(isRead(certificate('sns-cn-north-1.amazonaws.com.cn'), undefined, china)).toBe(true);
  expect(isRead(OURS, undefined, china)).toBe(false);
});

test('a certificate is fetched once for many messages, however many come at once, and again after a day', async () => {
  const ses = createSes();
  const host = hosting(OURS);
  const message = notification(BOUNCE);
  await Promise.all(Array.from({ length: 20 }, () => ask(message, host, { ses })));
  await ask(message, host, { ses });
  expect(host.fetched).toHaveLength(1);
  const later = notification(BOUNCE, { Timestamp: at(OUR_NOW + 47 * 3_600) });
  await ask(later, host, { ses, now: OUR_NOW + 47 * 3_600 });
  expect(host.fetched).toHaveLength(2);
});

test('no more than four certificates are fetched at once', async () => {
  const ses = createSes();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetch = async () => {
    await gate;
    return { status: 200, body: Buffer.from(OURS) };
  };
  const asked = Array.from({ length: 6 }, (_, n) => {
    const SigningCertURL = SNS_CERTIFICATE_URL.replace('7506', `750${n}`);
    return ask({ ...notification(BOUNCE), SigningCertURL }, { fetch, fetched: [] }, { ses });
  });
  release();
  const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([...Array(4).fill('events'), ...Array(2).fill('unavailable')]);
});

test('Amazon’s validator agrees on every message of these, true and forged', async () => {
  vi.spyOn(https, 'get').mockImplementation(((_url: string, answer: (response: unknown) => void) => {
    answer(Object.assign(Readable.from([OURS]), { statusCode: 200 }));
    return { on: () => {} };
  }) as never);
  const validator = new MessageValidator();
  const agrees = async (message: Message) => {
    const theirs = await new Promise<boolean>((resolve) =>
      validator.validate({ ...message }, (error) => resolve(!error)),
    );
    const ours = await ask(message, hosting(OURS));
    expect(ours.kind !== 'refused', JSON.stringify(message)).toBe(theirs);
    return theirs;
  };
  const right = [
    notification(BOUNCE),
    notification(BOUNCE, { SignatureVersion: '1' }),
    notification(BOUNCE, { Subject: 'ü – \u2028 x' }),
    signed(CONFIRMATION),
    signed({ ...CONFIRMATION, SignatureVersion: '2' }),
  ];
  for (const message of right) {
    expect(await agrees(message)).toBe(true);
    expect(await agrees({ ...message, Message: `${message.Message} ` })).toBe(false);
    expect(await agrees({ ...message, SignatureVersion: message.SignatureVersion === '1' ? '2' : '1' })).toBe(
      false,
    );
  }
});

test('a hook is made with the ARN of a topic, and nothing else', () => {
  const { wrongSetting } = createSes();
  const wrong = (topic: string | null, signingKey: string | null = null) =>
    wrongSetting({ topic, signingKey });
  for (const topic of [SNS_TOPIC, 'arn:aws-us-gov:sns:us-gov-west-1:123456789012:x'])
    expect(wrong(topic)).toBeNull();
  for (const topic of [
    null,
    '',
    'x',
    `${SNS_TOPIC}.fifo`,
    `${SNS_TOPIC}\n`,
    'arn:aws:sns:evil.example/:123456789012:x',
  ])
    expect(wrong(topic)).toBe('bad_topic');
  expect(wrong(SNS_TOPIC, 'key')).toBe('bad_signing_key');
});

// The events of Amazon's reference for SES (notification examples), as django-anymail's tests have them.
test('deliveries, bounces and complaints are told of each recipient, in the server’s words', () => {
  const told = (event: unknown) => readSes(event, 'm').outcomes.map(({ id, atSeconds, ...rest }) => rest);
  expect(readSes(BOUNCE, 'm').outcomes[0]).toEqual({
    email: 'jane@example.com',
    outcome: 'bounced',
    reply: 'smtp; 550 5.1.1 <jane@example.com>... User unknown',
    atSeconds: 1_453_906_784,
    id: expect.any(String),
  });
  // An event destination says `eventType`, and has the same event.
  const { notificationType: eventType, ...bounce } = BOUNCE;
  expect(readSes({ eventType, ...bounce }, 'n')).toEqual(readSes(BOUNCE, 'm'));
  const bounced = (more: object, recipient: object = {}) => ({
    ...BOUNCE,
    bounce: {
      ...BOUNCE.bounce,
      ...more,
      bouncedRecipients: [
        { emailAddress: 'jane@example.com' },
        { emailAddress: '"R" <r@example.com>', ...recipient },
      ],
    },
  });
  expect(told(bounced({ bounceType: 'Transient' }))).toEqual([
    { email: 'jane@example.com', outcome: 'bounced', reply: '' },
    { email: 'r@example.com', outcome: 'bounced', reply: '' },
  ]);
  expect(told(bounced({}, { action: 'delayed' }))).toHaveLength(1);
  const delivery = {
    notificationType: 'Delivery',
    mail: { messageId: '0000014644fe5ef6' },
    delivery: {
      timestamp: '2016-01-27T14:59:38.237Z',
      recipients: ['jane@example.com', 'r@example.com'],
      smtpResponse: '250 ok:  Message 64111812 accepted',
    },
  };
  expect(told(delivery)).toEqual(
    delivery.delivery.recipients.map((email) => ({
      email,
      outcome: 'delivered',
      reply: delivery.delivery.smtpResponse,
    })),
  );
  const complaint = {
    complainedRecipients: [{ emailAddress: 'richard@example.com' }],
    complaintFeedbackType: 'abuse',
  };
  const complained = (more: object) =>
    told({ notificationType: 'Complaint', complaint: { ...complaint, ...more } });
  expect(complained({})).toEqual([{ email: 'richard@example.com', outcome: 'complained', reply: '' }]);
  expect(complained({ complaintFeedbackType: 'not-spam' })).toEqual([]);
  expect(complained({ complaintSubType: 'OnAccountSuppressionList' })).toEqual([]);
  for (const bounceSubType of ['Suppressed', 'OnAccountSuppressionList'])
    expect(readSes(bounced({ bounceSubType }), 'm')).toEqual({ outcomes: [], ignored: 1 });
  for (const event of [{ eventType: 'Send' }, { eventType: 'DeliveryDelay' }, 'Successfully validated', null])
    expect(readSes(event, 'm')).toEqual({ outcomes: [], ignored: 1 });
});
