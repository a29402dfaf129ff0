// SendGrid: an array of events a request, signed with ECDSA (P-256, SHA-256) over the timestamp and the bytes of the body.

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { MAX_OUTCOMES } from '../../../rules/mail-outcome.ts';
import {
  address,
  eventId,
  field,
  gather,
  items,
  parseJson,
  replyText,
  text,
  wholeSeconds,
} from './read-events.ts';
import { isRecent, type SendingService, type ServiceEvents, type ServiceOutcome } from './service.ts';

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';
const MAX_KEY_CHARACTERS = 1_000;

export const sendgrid: SendingService = {
  wrongSetting({ signingKey, topic }) {
    if (topic !== null) return 'bad_topic';
    return signingKey !== null && publicKeyOf(signingKey) ? null : 'bad_signing_key';
  },
  read({ headers, body, nowSeconds }, { signingKey }) {
    const signature = text(headers[SIGNATURE]);
    const timestamp = text(headers[TIMESTAMP]);
    const key = signingKey === null ? null : publicKeyOf(signingKey);
    if (!key || !/^\d{1,12}$/.test(timestamp) || !isRecent(Number(timestamp), nowSeconds))
      return { kind: 'refused' };
    const signed = Buffer.concat([Buffer.from(timestamp), body]);
    if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) return { kind: 'refused' };
    const events = parseJson(body);
    if (events === undefined) return { kind: 'invalid_json' };
    if (items(events).length > MAX_OUTCOMES) return { kind: 'too_large' };
    return { kind: 'events', events: readSendgrid(events) };
  },
};

/** As SendGrid shows it, base64 of the key in DER, or as PEM. Null: it is none of P-256. */
function publicKeyOf(signingKey: string): KeyObject | null {
  if (signingKey.length > MAX_KEY_CHARACTERS) return null;
  const der = Buffer.from(signingKey.replace(/-----[A-Z ]+-----/g, ''), 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

export function readSendgrid(events: unknown): ServiceEvents {
  return gather(items(events), (each) => {
    const outcome = outcomeOf(each);
    return outcome && [outcome];
  });
}

function outcomeOf(event: unknown): ServiceOutcome | null {
  const told = {
    email: address(field(event, 'email')),
    atSeconds: wholeSeconds(field(event, 'timestamp')),
    id: eventId(text(field(event, 'sg_event_id')) || JSON.stringify(event)),
  };
  switch (field(event, 'event')) {
    case 'delivered':
      return { ...told, outcome: 'delivered', reply: replyText(field(event, 'response')) };
    // `type` says whether SendGrid calls it a bounce or a block: the reply says it better.
    case 'bounce':
      return { ...told, outcome: 'bounced', reply: replyText(field(event, 'reason')) };
    case 'spamreport':
      return { ...told, outcome: 'complained', reply: '' };
    // `dropped` is its suppression list, `deferred` is not over yet.
    default:
      return null;
  }
}
