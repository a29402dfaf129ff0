// Postmark: one event a request, which is not signed. The token in the URL is the proof, and Basic authentication where the hook has
// a key: `user:password`, as they stand in the URL that Postmark was given.

import { address, eventId, field, gather, parseJson, replyText, secondsOfDate, text } from './read-events.ts';
import { sameSecret } from './same-secret.ts';
import type { SendingService, ServiceEvents, ServiceOutcome } from './service.ts';

/** Types of bounces in which a mail server, or DNS, has finally said something of a message. The others are delays, automatic answers, and what was never sent. */
const BOUNCES: ReadonlySet<string> = new Set([
  'HardBounce',
  'SoftBounce',
  'DnsError',
  'SpamNotification',
  'VirusNotification',
  'DMARCPolicy',
  'Blocked',
  'Undeliverable',
  'Unknown',
]);
const USER_AND_PASSWORD = /^[!-9;-~]{1,100}:[!-~]{1,100}$/;

export const postmark: SendingService = {
  wrongSetting({ signingKey, topic }) {
    if (topic !== null) return 'bad_topic';
    return signingKey === null || USER_AND_PASSWORD.test(signingKey) ? null : 'bad_signing_key';
  },
  read({ headers, body }, { signingKey }) {
    if (signingKey !== null && !sameSecret(basicOf(headers.authorization), signingKey))
      return { kind: 'refused' };
    const event = parseJson(body);
    return event === undefined ? { kind: 'invalid_json' } : { kind: 'events', events: readPostmark(event) };
  },
};

function basicOf(authorization = ''): string {
  const [, encoded = ''] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64').toString('utf8');
}

export function readPostmark(event: unknown): ServiceEvents {
  return gather([event], (each) => {
    const outcome = outcomeOf(each);
    return outcome && [outcome];
  });
}

function outcomeOf(event: unknown): ServiceOutcome | null {
  const type = text(field(event, 'RecordType'));
  // `Description` is what Postmark makes of a bounce; `Details` is what the server has said.
  const reply = replyText(field(event, 'Details'));
  const bounceId = String(field(event, 'ID') ?? '');
  if (type === 'Delivery') {
    const email = address(field(event, 'Recipient'));
    const id = eventId(type, text(field(event, 'MessageID')), email);
    return { email, outcome: 'delivered', reply, atSeconds: secondsOfDate(field(event, 'DeliveredAt')), id };
  }
  const told = { email: address(field(event, 'Email')), atSeconds: secondsOfDate(field(event, 'BouncedAt')) };
  const id = eventId(type, bounceId, text(field(event, 'MessageID')), told.email);
  if (type === 'SpamComplaint') return { ...told, outcome: 'complained', reply: '', id };
  if (type === 'Bounce' && BOUNCES.has(text(field(event, 'Type'))))
    return { ...told, outcome: 'bounced', reply, id };
  return null;
}
