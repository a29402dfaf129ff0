// Amazon SES through SNS: an event, or the question whether the topic may send them, as text within a signed message.
// Promise: whatever names another topic than the hook's is refused, the question included; and nothing but Amazon's host of the
// topic's region is ever asked.

import type { FetchPublic } from '../../../callback/fetch-public.ts';
import { MAX_OUTCOMES } from '../../../rules/mail-outcome.ts';
import {
  address,
  eventId,
  field,
  gather,
  items,
  parseJson,
  replyText,
  secondsOfDate,
  text,
} from './read-events.ts';
import {
  type HookReading,
  isRecent,
  type SendingService,
  type ServiceEvents,
  type ServiceOutcome,
} from './service.ts';
import { type Certificates, createCertificates } from './sns-certificate.ts';
import { isSigned, readSnsMessage, type SnsMessage, topicOf } from './sns-message.ts';

const NOTHING: ServiceEvents = { outcomes: [], ignored: 0 };
/** Echoes of a suppression list. */
const SUPPRESSED: ReadonlySet<string> = new Set([
  'Suppressed',
  'OnAccountSuppressionList',
  'UnsubscribedRecipient',
]);

export function createSes(certificates: Certificates = createCertificates()): SendingService {
  return {
    wrongSetting({ signingKey, topic }) {
      if (topic === null || !topicOf(topic)) return 'bad_topic';
      return signingKey === null ? null : 'bad_signing_key';
    },
    async read({ body, nowSeconds }, settings, fetchPublic) {
      const json = parseJson(body);
      if (json === undefined) return { kind: 'invalid_json' };
      const topic = settings.topic === null ? null : topicOf(settings.topic);
      const message = topic && readSnsMessage(json, topic);
      const sentAt = message && secondsOfDate(message.Timestamp);
      if (!topic || !message || sentAt === null || !isRecent(sentAt, nowSeconds)) return { kind: 'refused' };
      const key = await certificates.keyOf(message.SigningCertURL, topic, { fetchPublic, nowSeconds });
      if (key === 'unavailable') return { kind: 'unavailable' };
      if (key === 'refused' || !isSigned(message, key)) return { kind: 'refused' };
      return take(message, fetchPublic);
    },
  };
}

async function take(message: SnsMessage, fetchPublic: FetchPublic): Promise<HookReading> {
  if (message.Type === 'SubscriptionConfirmation') {
    const answered = await fetchPublic(message.SubscribeURL);
    return answered?.status === 200 ? { kind: 'events', events: NOTHING } : { kind: 'unavailable' };
  }
  // That the subscription has ended; what its URL would do is begin it again.
  if (message.Type === 'UnsubscribeConfirmation') return { kind: 'events', events: NOTHING };
  const events = readSes(parseJson(Buffer.from(message.Message)), message.MessageId);
  return events.outcomes.length > MAX_OUTCOMES ? { kind: 'too_large' } : { kind: 'events', events };
}

/** Of a notification as well as of an event destination. */
export function readSes(event: unknown, messageId: string): ServiceEvents {
  return gather([event], (each) => {
    const type = text(field(each, 'notificationType')) || text(field(each, 'eventType'));
    if (type === 'Delivery') return delivered(field(each, 'delivery'), field(each, 'mail'), messageId);
    if (type === 'Bounce') return bounced(field(each, 'bounce'), messageId);
    if (type === 'Complaint') return complained(field(each, 'complaint'), messageId);
    return null;
  });
}

function delivered(delivery: unknown, mail: unknown, messageId: string): readonly ServiceOutcome[] {
  const sent = text(field(mail, 'messageId')) || messageId;
  const atSeconds = secondsOfDate(field(delivery, 'timestamp'));
  const reply = replyText(field(delivery, 'smtpResponse'));
  return items(field(delivery, 'recipients')).map((recipient) => {
    const email = address(recipient);
    return { email, outcome: 'delivered', reply, atSeconds, id: eventId('delivery', sent, email) };
  });
}

function bounced(bounce: unknown, messageId: string): readonly ServiceOutcome[] | null {
  if (SUPPRESSED.has(text(field(bounce, 'bounceSubType')))) return null;
  const told = text(field(bounce, 'feedbackId')) || messageId;
  const atSeconds = secondsOfDate(field(bounce, 'timestamp'));
  const final = items(field(bounce, 'bouncedRecipients')).filter((recipient) =>
    ['', 'failed'].includes(text(field(recipient, 'action')).toLowerCase()),
  );
  return final.map((recipient) => {
    const email = address(field(recipient, 'emailAddress'));
    const reply = replyText(field(recipient, 'diagnosticCode'));
    return { email, outcome: 'bounced', reply, atSeconds, id: eventId('bounce', told, email) };
  });
}

function complained(complaint: unknown, messageId: string): readonly ServiceOutcome[] | null {
  if (SUPPRESSED.has(text(field(complaint, 'complaintSubType')))) return null;
  // The recipient has taken the message out of the spam folder.
  if (field(complaint, 'complaintFeedbackType') === 'not-spam') return null;
  const told = text(field(complaint, 'feedbackId')) || messageId;
  const atSeconds = secondsOfDate(field(complaint, 'timestamp'));
  return items(field(complaint, 'complainedRecipients')).map((recipient) => {
    const email = address(field(recipient, 'emailAddress'));
    return { email, outcome: 'complained', reply: '', atSeconds, id: eventId('complaint', told, email) };
  });
}
