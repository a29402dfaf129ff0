// Mailgun: one event a request. Its HMAC-SHA256 covers a timestamp and a token, not the event: each token is good for one body.
import { createHmac } from 'node:crypto';
import { address, eventId, field, gather, parseJson, replyText, text, wholeSeconds } from './read-events.ts';
import { sameSecret } from './same-secret.ts';
import { isRecent, type SendingService, type ServiceEvents, type ServiceOutcome } from './service.ts';

const KEY = /^[!-~]{1,200}$/;
const TOKEN = /^[!-~]{1,200}$/;

export const mailgun: SendingService = {
  wrongSetting({ signingKey, topic }) {
    if (topic !== null) return 'bad_topic';
    return signingKey !== null && KEY.test(signingKey) ? null : 'bad_signing_key';
  },
  read({ body, nowSeconds }, { signingKey }) {
    const json = parseJson(body);
    if (json === undefined) return { kind: 'invalid_json' };
    const signed = field(json, 'signature');
    const timestamp = String(field(signed, 'timestamp') ?? '');
    const token = text(field(signed, 'token'));
    if (signingKey === null || !TOKEN.test(token)) return { kind: 'refused' };
    if (!/^\d{1,12}$/.test(timestamp) || !isRecent(Number(timestamp), nowSeconds)) return { kind: 'refused' };
    const expected = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest('hex');
    // Of a subaccount's event its parent account signs too.
    const signatures = ['signature', 'parent-signature'].map((name) => text(field(signed, name)));
    if (!signatures.some((signature) => sameSecret(signature, expected))) return { kind: 'refused' };
    return { kind: 'events', events: readMailgun(field(json, 'event-data')), onlyWith: token };
  },
};

export function readMailgun(event: unknown): ServiceEvents {
  return gather([event], (each) => {
    const outcome = outcomeOf(each);
    return outcome && [outcome];
  });
}

function outcomeOf(event: unknown): ServiceOutcome | null {
  // Nothing was sent.
  if (field(field(event, 'flags'), 'is-test-mode') === true) return null;
  const told = {
    email: address(field(event, 'recipient')),
    atSeconds: wholeSeconds(field(event, 'timestamp')),
    id: eventId(text(field(event, 'id')) || JSON.stringify(event)),
  };
  switch (field(event, 'event')) {
    case 'delivered':
      return { ...told, outcome: 'delivered', reply: replyOf(event) };
    case 'failed':
      return isEcho(event) || field(event, 'severity') !== 'permanent'
        ? null
        : { ...told, outcome: 'bounced', reply: replyOf(event) };
    case 'complained':
      return { ...told, outcome: 'complained', reply: '' };
    default:
      return null;
  }
}

/** Of its suppression lists: nothing was asked. */
function isEcho(event: unknown): boolean {
  const code = field(field(event, 'delivery-status'), 'code');
  return text(field(event, 'reason')).startsWith('suppress-') || code === 605 || code === 606 || code === 607;
}

/** The code is not repeated in the message. One of Mailgun's own, such as 602, is no reply of a mail server. */
function replyOf(event: unknown): string {
  const status = field(event, 'delivery-status');
  const code = field(status, 'code');
  if (typeof code !== 'number' || code < 200 || code >= 600) return '';
  const message = text(field(status, 'message')).trim();
  return replyText(message.startsWith(`${code}`) ? message : `${code} ${message}`);
}
