// What comes to the hooks of sending services → proven events, or nothing; and the outcomes in events that were proven.
// Promise held here: no bytes prove themselves and none are fetched for that do not name Amazon's own host; an outcome has a
// recipient, a bounded reply, a time and an id of ours; the same bytes give the same ids.
//
// An input is the service's number, then the body.
import { isDeepStrictEqual } from 'node:util';
import { mailgun, readMailgun } from '../../../server/src/features/outcomes/services/mailgun.ts';
import { postmark, readPostmark } from '../../../server/src/features/outcomes/services/postmark.ts';
import { parseJson } from '../../../server/src/features/outcomes/services/read-events.ts';
import { readSendgrid, sendgrid } from '../../../server/src/features/outcomes/services/sendgrid.ts';
import type { ServiceEvents } from '../../../server/src/features/outcomes/services/service.ts';
import { createSes, readSes } from '../../../server/src/features/outcomes/services/ses.ts';
import { SENDGRID_SAMPLE, SNS_SAMPLES, SNS_TOPIC } from '../../../server/test/service-samples.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';

const INPUT_MAX_BYTES = 32_768;
const REPLY_MAX_CHARACTERS = 4_000;
/** When the published messages of SNS were sent. */
const NOW_SECONDS = Date.parse('2026-03-06T21:00:00Z') / 1_000;

const SERVICES = [
  { service: postmark, read: readPostmark, signingKey: 'user:password', topic: null },
  { service: sendgrid, read: readSendgrid, signingKey: SENDGRID_SAMPLE.key, topic: null },
  { service: mailgun, read: readMailgun, signingKey: 'key-0123456789abcdef', topic: null },
  { service: createSes(), read: (event: unknown) => readSes(event, 'm'), signingKey: null, topic: SNS_TOPIC },
] as const;

async function check(input: Buffer): Promise<void> {
  const { service, read, signingKey, topic } = SERVICES[(input[0] ?? 0) % SERVICES.length]!;
  const body = input.subarray(1);
  const json = parseJson(body);
  checkEvents(read(json));
  promised(isDeepStrictEqual(read(json), read(parseJson(body))), 'the same bytes say the same');
  const fetch = async (url: string) => {
    promised(
      /^https:\/\/sns\.us-west-2\.amazonaws\.com\/[\w-]{1,128}\.pem$/.test(url),
      'nothing but a certificate of Amazon is fetched',
      url,
    );
    return { status: 200, body };
  };
  const headers = {
    'x-twilio-email-event-webhook-signature': SENDGRID_SAMPLE.signature,
    'x-twilio-email-event-webhook-timestamp': SENDGRID_SAMPLE.timestamp,
  };
  const request = { headers, body, nowSeconds: NOW_SECONDS };
  const { kind } = await service.read(request, { signingKey, topic }, fetch);
  promised(kind === 'refused' || kind === 'invalid_json', 'nothing proves itself', kind);
  promised(kind !== 'invalid_json' || json === undefined, 'what is JSON is read as such', kind);
}

function checkEvents({ outcomes, ignored }: ServiceEvents): void {
  promised(Number.isSafeInteger(ignored) && ignored >= 0, 'what is ignored is counted', ignored);
  promised(outcomes.length <= INPUT_MAX_BYTES, 'outcomes have a bound');
  for (const { email, outcome, reply, atSeconds, id } of outcomes) {
    promised(
      email.includes('@') && email === email.trim().toLowerCase(),
      'an outcome has a recipient',
      email,
    );
    promised(['delivered', 'bounced', 'complained'].includes(outcome), 'an outcome is one', outcome);
    promised(reply.length <= REPLY_MAX_CHARACTERS, 'a reply is bounded');
    promised(
      atSeconds === null || (Number.isFinite(atSeconds) && atSeconds >= 0),
      'a time is a number',
      atSeconds,
    );
    promised(id.startsWith('['), 'an id is ours', id);
  }
}

const ADDRESS = 'anna@example.com';
const REPLY = '550 5.1.1 no such user';
const EVENTS: readonly unknown[] = [
  { RecordType: 'Bounce', ID: 1, Type: 'HardBounce', MessageID: 'm', Details: REPLY, Email: ADDRESS },
  { RecordType: 'Delivery', MessageID: 'm', Recipient: ADDRESS, DeliveredAt: '2016-04-27T16:28:50.39-04:00' },
  [
    { event: 'bounce', email: ADDRESS, reason: REPLY, timestamp: 1, sg_event_id: 'a' },
    { event: 'delivered', email: `"A" <${ADDRESS}>`, response: '250 ok' },
  ],
  {
    signature: { timestamp: '1772830000', token: 'aa', signature: '00' },
    event: 'failed',
    severity: 'permanent',
    recipient: ADDRESS,
    'delivery-status': { code: 550, message: REPLY },
  },
  {
    eventType: 'Bounce',
    bounce: { feedbackId: 'f', bouncedRecipients: [{ emailAddress: ADDRESS, diagnosticCode: REPLY }] },
  },
  { eventType: 'Delivery', delivery: { recipients: [ADDRESS], smtpResponse: '250 ok' } },
  ...Object.values(SNS_SAMPLES),
];

function make(random: Random): Buffer {
  const event = JSON.stringify(random.pick(EVENTS));
  return Buffer.concat([Buffer.of(random.between(0, SERVICES.length - 1)), Buffer.from(event)]);
}

export const hooks: Target = {
  name: 'hooks',
  inputs: 40_000,
  cpuSecondsMax: 120,
  inputMaxBytes: INPUT_MAX_BYTES,
  *seeds() {
    for (let n = 0; n < SERVICES.length; n++)
      for (const event of EVENTS) yield Buffer.concat([Buffer.of(n), Buffer.from(JSON.stringify(event))]);
  },
  dictionary: words(
    '"__proto__":',
    '"recipient":',
    '"emailAddress":',
    '"SigningCertURL":"https://sns.us-west-2.amazonaws.com/x.pem"',
    '"TopicArn":',
    '"Timestamp":"2026-03-06T20:00:26.893Z"',
    'null',
    '[]',
    '{}',
    '1e999',
    '\\u0000',
  ),
  make,
  check,
};
