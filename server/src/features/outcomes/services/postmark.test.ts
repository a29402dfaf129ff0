// The events of Postmark's reference (webhooks: delivery, bounce, spam complaint), as django-anymail's tests have them.
import { expect, test } from 'vitest';
import { postmark, readPostmark } from './postmark.ts';

const BOUNCE = {
  RecordType: 'Bounce',
  ID: 901542550,
  Type: 'HardBounce',
  TypeCode: 1,
  ServerID: 23,
  Name: 'Hard bounce',
  MessageID: '2706ee8a-737c-4285-b032-ccd317af53ed',
  Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
  Email: 'bounce@example.com',
  From: 'sender@example.com',
  BouncedAt: '2016-04-27T16:28:50.3963933-04:00',
  Inactive: true,
  CanActivate: true,
};
const DELIVERY = {
  RecordType: 'Delivery',
  ServerId: 23,
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  Recipient: 'recipient@example.com',
  DeliveredAt: '2014-08-01T13:28:10.2735393-04:00',
  Details: 'Test delivery webhook details',
};
const COMPLAINT = { ...BOUNCE, RecordType: 'SpamComplaint', Type: 'SpamComplaint', TypeCode: 512 };

function ask(body: string, authorization?: string, signingKey: string | null = null) {
  const request = { headers: { authorization }, body: Buffer.from(body), nowSeconds: 0 };
  return postmark.read(request, { signingKey, topic: null }, async () => null);
}

test('a delivery, a bounce and a complaint are told; of a bounce what the server said, not what Postmark calls it', () => {
  const tell = (event: object) => readPostmark(event).outcomes[0];
  const id = expect.any(String);
  expect(tell(DELIVERY)).toEqual({
    email: 'recipient@example.com',
    outcome: 'delivered',
    reply: 'Test delivery webhook details',
    atSeconds: 1_406_914_090,
    id,
  });
  const bounced = { email: 'bounce@example.com', atSeconds: 1_461_788_930, id };
  const reply = 'smtp;550 5.1.1 The email account that you tried to reach does not exist.';
  expect(tell(BOUNCE)).toEqual({ ...bounced, outcome: 'bounced', reply });
  expect(tell({ ...BOUNCE, Details: '' })).toEqual({ ...bounced, outcome: 'bounced', reply: '' });
  expect(tell({ ...BOUNCE, Type: 'Blocked' })).toMatchObject({ outcome: 'bounced', reply });
  expect(tell(COMPLAINT)).toEqual({ ...bounced, outcome: 'complained', reply: '' });
  const ids = [DELIVERY, BOUNCE, COMPLAINT, { ...BOUNCE, ID: 1 }].map((event) => tell(event)!.id);
  expect(new Set(ids).size).toBe(4);
  expect(tell({ ...BOUNCE, Inactive: false })!.id).toBe(ids[1]);
});

test.each([
  ['a delay', { ...BOUNCE, Type: 'Transient' }],
  ['an automatic answer', { ...BOUNCE, Type: 'AutoResponder' }],
  ['what was never sent', { ...BOUNCE, Type: 'BadEmailAddress' }],
  ['its suppression list', { ...BOUNCE, Type: 'ManuallyDeactivated' }],
  [
    'the same as a change',
    { RecordType: 'SubscriptionChange', Recipient: 'a@example.com', SuppressSending: true },
  ],
  ['an open', { RecordType: 'Open', Recipient: 'a@example.com' }],
  ['a bounce of no one', { ...BOUNCE, Email: '' }],
  ['an array', [BOUNCE]],
  ['null', null],
])('%s tells nothing', (_, event) => {
  expect(readPostmark(event)).toEqual({ outcomes: [], ignored: 1 });
});

test('where the hook has a user and a password, a request without exactly these is refused', () => {
  const body = JSON.stringify(BOUNCE);
  const key = 'mx:s3cret:with:colons';
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  expect(ask(body)).toMatchObject({ kind: 'events' });
  expect(ask(body, basic(key), key)).toMatchObject({ kind: 'events' });
  for (const wrong of [undefined, '', 'Basic', basic('mx:'), basic(`${key} `), `Bearer ${key}`])
    expect(ask(body, wrong, key), wrong).toEqual({ kind: 'refused' });
  expect(ask('{', basic(key), key)).toEqual({ kind: 'invalid_json' });
  const wrong = (signingKey: string | null) => postmark.wrongSetting({ signingKey, topic: null });
  expect([wrong(null), wrong(key)]).toEqual([null, null]);
  for (const key of ['', 'user', ':password', 'user:', 'us er:password'])
    expect(wrong(key)).toBe('bad_signing_key');
  expect(postmark.wrongSetting({ signingKey: null, topic: 'x' })).toBe('bad_topic');
});
