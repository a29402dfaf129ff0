// A JSON record of a mail server or a sending service → the replies it tells of: KumoMTA, PowerMTA, Amazon SES, SendGrid,
// Mailgun and what is built like them. Pure. Promises: at most MAX_NODES values of it are looked at; never throws.
import { addressesIn } from './find-addresses.ts';
import type { FoundReply } from './found-reply.ts';
import { stageIn } from './said-in.ts';

const MAX_NODES = 20_000;
const MAX_REPLY_CHARS = 4_096;
const RECIPIENT = ['recipient', 'rcpt', 'emailAddress', 'email', 'rcpt_to', 'raw_rcpt_to', 'to'] as const;
const REPLY = [
  'dsnDiag',
  'diagnosticCode',
  'diagnostic_code',
  'response',
  'reason',
  'message',
  'smtp_response',
] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Null: not JSON. */
export function readJsonRecord(text: string): readonly FoundReply[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const found: FoundReply[] = [];
  // Each with the recipient named above it; the first in the text is looked at first.
  const waiting: { value: unknown; recipient: string }[] = [{ value, recipient: '' }];
  for (let nodes = 0; waiting.length > 0 && nodes < MAX_NODES; nodes += 1) {
    const { value: node, recipient: above } = waiting.pop()!;
    if (typeof node !== 'object' || node === null) continue;
    const fields = node as Fields;
    const recipient = recipientOf(fields) || above;
    const reply = replyOf(fields, recipient);
    if (reply !== null) found.push(reply);
    const below = Object.values(fields)
      .slice(0, MAX_NODES - nodes)
      .reverse();
    // A service that quotes its own JSON, as SNS does.
    for (const inner of below) waiting.push({ value: unwrapped(inner), recipient });
  }
  return found;
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function recipientOf(fields: Fields): string {
  for (const name of RECIPIENT) {
    const value = Array.isArray(fields[name]) ? fields[name][0] : fields[name];
    if (typeof value === 'string') return addressesIn(value, 1)[0] ?? '';
  }
  return '';
}

function replyOf(fields: Fields, recipient: string): FoundReply | null {
  for (const name of REPLY) {
    const value = fields[name];
    const said = typeof value === 'string' ? value : kumoReply(value);
    if (said === null || !isReply(said, fields)) continue;
    return {
      recipient,
      said: withCode(said, fields).slice(0, MAX_REPLY_CHARS),
      stage: stageOf(value, said),
      host: hostOf(fields),
      outcome: outcomeOf(fields, said),
    };
  }
  return null;
}

const CODED = /(?:^|[\s;:'"(])(?:[245]\d\d[ -]|[245]\.\d{1,3}\.\d{1,3}\b)/;

/** `message` and `reason` may be anything; a reply has a number, in it or beside it. */
function isReply(said: string, { code }: Fields): boolean {
  return CODED.test(said.slice(0, MAX_REPLY_CHARS)) || (Number.isInteger(code) && Number(code) >= 200);
}

function withCode(said: string, { code }: Fields): string {
  const isBeside = Number.isInteger(code) && Number(code) >= 200 && Number(code) <= 599;
  return isBeside && !CODED.test(said.slice(0, MAX_REPLY_CHARS)) ? `${String(code)} ${said}` : said;
}

/** `{"code": 550, "enhanced_code": {"class": 5, "subject": 1, "detail": 1}, "content": "…"}` */
function kumoReply(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { code, enhanced_code: status, content } = value as Fields;
  if (!Number.isInteger(code) || typeof content !== 'string') return null;
  const { class: kind, subject, detail } = (status ?? {}) as Fields;
  const numbers = [kind, subject, detail];
  const enhanced = numbers.every(Number.isInteger) ? `${numbers.join('.')} ` : '';
  return `${String(code)} ${enhanced}${content}`;
}

function stageOf(value: unknown, said: string): string {
  const command = typeof value === 'object' && value !== null ? (value as Fields).command : undefined;
  return typeof command === 'string' ? stageIn(`command: ${command.slice(0, 40)}`) : stageIn(said);
}

function hostOf({ peer_address: peer, dsnMta, remoteMtaIp, 'mx-host': mx }: Fields): string {
  const name =
    typeof peer === 'object' && peer !== null ? (peer as Fields).name : (dsnMta ?? mx ?? remoteMtaIp);
  return typeof name === 'string' ? (/^[a-z0-9.-]{1,255}/i.exec(name)?.[0] ?? '') : '';
}

function outcomeOf({ type, dsnAction, action }: Fields, said: string): FoundReply['outcome'] {
  if (/^(?:smtp; ?)?2/i.test(said)) return 'delivered';
  const word = [type, dsnAction, action].find((one) => typeof one === 'string') ?? '';
  return /transient|delay|defer/i.test(String(word)) ? 'delayed' : 'failed';
}
