// What mail hosts say: bytes → replies → what each means, and how it stands in the evidence.
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ehloOffer, ehloWords } from '../../../engine/src/smtp/session/ehlo-offer.ts';
import { ReplyReader } from '../../../engine/src/smtp/wire/reply-reader.ts';
import { jsonBytes, replyLine, SessionLines } from '../../../engine/src/state/transcript.ts';
import type { Clarity, Meaning, Reply, Stage } from '../../../engine/src/types.ts';
import { replyFromText } from '../../../engine/src/verdict/parse-reply-text.ts';
import { PROVIDER_REPLY_ROWS } from '../../../engine/src/verdict/provider-reply-patterns.ts';
import { readReply } from '../../../engine/src/verdict/read-reply.ts';
import { REPLY_TOPICS } from '../../../engine/src/verdict/reply-patterns.ts';
import type { Random } from '../../../world/src/random.ts';
import { linesOf, piecesOf, randomOf } from '../pieces.ts';
import { promised, type Target, words } from '../target.ts';

const OWN = 'anna@a.example';
const OURS = 'probe@b.example';
const INPUT_MAX_BYTES = 20_000;
/** Of one input: the first of them say enough. */
const READ_MAX = 3;
/** Byte by byte is slow. */
const SINGLE_BYTES_MAX = 400;

// Bounds said a second time, as the promises of reply-reader.ts and transcript.ts have them.
const LINE_MAX_BYTES = 8_192;
const REPLY_MAX_BYTES = 65_536;
const REPLY_MAX_LINES = 100;
const REPLY_KEPT_MAX_CHARS = 2_048;
const OWN_TEXT_MAX_BYTES = 320;
const SESSION_MAX_BYTES = 960;
const DAY_MS = 86_400_000;

const MEANINGS: Readonly<Record<Meaning, 'anywhere' | 'only at rcpt'>> = {
  accepted: 'anywhere',
  no_mailbox: 'only at rcpt',
  over_quota: 'only at rcpt',
  mailbox_busy: 'only at rcpt',
  greylisted: 'anywhere',
  temporary: 'anywhere',
  rate_limited: 'anywhere',
  too_many_recipients: 'only at rcpt',
  blocked: 'anywhere',
  sender_refused: 'anywhere',
  tls_required: 'anywhere',
  relay_denied: 'only at rcpt',
  tenant_lapsed: 'only at rcpt',
  content: 'anywhere',
  protocol: 'anywhere',
  unclear: 'anywhere',
};
const CLARITIES: Readonly<Record<Clarity, true>> = { plain: true, meant: true, vague: true };
const EARLY_STAGES: readonly Stage[] = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rset'];
const PROVIDERS = ['', 'other', ...new Set(PROVIDER_REPLY_ROWS.map(({ provider }) => provider))];
const ROWS = [...REPLY_TOPICS.flatMap(({ rows }) => rows), ...PROVIDER_REPLY_ROWS];
const CODES = [
  200, 220, 221, 250, 251, 252, 354, 421, 450, 451, 452, 454, 500, 501, 503, 530, 535, 541, 550, 551,
]
  .concat([552, 553, 554, 555, 521, 556, 571, 599])
  .map(String);

interface ReadReplies {
  readonly replies: Reply[];
  readonly breaks: number;
}

function read(pieces: readonly Buffer[]): ReadReplies {
  const replies: Reply[] = [];
  let breaks = 0;
  const reader = new ReplyReader({
    reply: (reply) => replies.push(reply),
    broken: () => {
      breaks += 1;
    },
  });
  for (const piece of pieces) reader.push(piece.toString('latin1'));
  return { replies, breaks };
}

function check(input: Buffer): void {
  const random = randomOf(input);
  const whole = read([input]);
  checkFraming(input, whole);
  promised(
    isDeepStrictEqual(read(linesOf(input)), whole),
    'the same bytes cut at line ends give the same replies',
  );
  promised(
    isDeepStrictEqual(read(piecesOf(input, random)), whole),
    'the same bytes in other pieces give the same replies',
  );
  if (input.length <= SINGLE_BYTES_MAX) {
    const single = Array.from(input, (byte) => Buffer.from([byte]));
    promised(isDeepStrictEqual(read(single), whole), 'the same bytes one by one give the same replies');
  }
  const lines = new SessionLines();
  const provider = random.pick(PROVIDERS);
  for (const reply of whole.replies.slice(0, READ_MAX)) {
    checkReply(reply);
    checkReading(reply, random.pick(EARLY_STAGES), provider);
    checkEvidence(reply, lines);
  }
  checkPasted(input.toString(), provider);
}

/** The framing of RFC 5321 written a second time, line by line, without any of the reader's shortcuts. */
function checkFraming(input: Buffer, { replies, breaks }: ReadReplies): void {
  const lines = input.toString('latin1').split('\n');
  const last = lines.pop() ?? '';
  const codes: number[] = [];
  let first = '';
  let count = 0;
  let bytes = 0;
  let isBroken = false;
  for (const raw of lines) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const [, code = '', separator = ''] = /^([2-5]\d\d)([ -]|$)/.exec(line) ?? [];
    bytes += line.length;
    count += 1;
    if (count === 1) first = code;
    isBroken =
      code === '' ||
      code[0] !== first[0] ||
      /\r[2-5]\d\d(?:[ -]|$)/.test(line) ||
      line.length > LINE_MAX_BYTES ||
      bytes > REPLY_MAX_BYTES ||
      (separator === '-' && count >= REPLY_MAX_LINES);
    if (isBroken) break;
    if (separator === '-') continue;
    codes.push(Number(code));
    count = 0;
    bytes = 0;
  }
  const isBegun = /^(?:[2-5](?:\d(?:\d|$)|$)|$)/.test(last);
  if (!isBroken) isBroken = !isBegun || last.replace(/\r$/, '').length > LINE_MAX_BYTES;
  const seen = replies.map(({ code }) => code);
  promised(isDeepStrictEqual(seen, codes), 'replies are those of their lines', { seen, codes });
  promised(breaks === (isBroken ? 1 : 0), 'what is no SMTP ends the reading, once', { breaks, isBroken });
}

function checkReply({ code, enhanced, lines, said }: Reply): void {
  promised(Number.isInteger(code) && code >= 200 && code <= 599, 'a code is one of SMTP', code);
  promised(enhanced === null || /^[245]\.\d{1,3}\.\d{1,3}$/.test(enhanced), 'a status is one', enhanced);
  promised(lines.length >= 1 && lines.length <= REPLY_MAX_LINES, 'a reply has its lines', lines.length);
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  promised(chars <= REPLY_KEPT_MAX_CHARS, 'of a reply 2 KiB are kept', chars);
  for (const line of [...lines, said ?? '']) {
    promised(!/[\x00-\x08\x0a-\x1f\x7f]/.test(line), 'no control character is kept', line);
    promised(line.isWellFormed(), 'a kept line is text', line);
  }
  if (said !== undefined && said !== null)
    promised(
      said.startsWith(String(code)) && said.slice(4) === lines[0],
      'what was said is the one line',
      said,
    );
}

function checkReading(reply: Reply, early: Stage, provider: string): void {
  for (const stage of ['rcpt', early] as const) {
    const reading = readReply(stage, reply, provider);
    const { meaning, clarity, rule, retryAfterMs } = reading;
    const where = { code: reply.code, stage, provider, reading };
    promised(
      Object.hasOwn(MEANINGS, meaning) && Object.hasOwn(CLARITIES, clarity),
      'a reading is known',
      where,
    );
    const isYes = reply.code < 300;
    promised((meaning === 'accepted') === isYes, 'accepted is 2xx and nothing else', where);
    if (reply.code < 500) promised(meaning !== 'no_mailbox', 'no mailbox is missing below 500', where);
    if (reply.code >= 500) promised(meaning !== 'mailbox_busy', 'a refusal is no deferral', where);
    if (stage !== 'rcpt')
      promised(MEANINGS[meaning] === 'anywhere', 'nothing before RCPT is about a mailbox', where);
    promised(rule !== '' && !/[^\s]@[^\s]/.test(rule), 'a rule is named and names no mailbox', where);
    promised(
      retryAfterMs === null || (retryAfterMs >= 1_000 && retryAfterMs <= DAY_MS),
      'a delay is between a second and a day',
      where,
    );
    promised(isDeepStrictEqual(readReply(stage, reply, provider), reading), 'the same reply reads the same');
    promised(
      isDeepStrictEqual(readReply(stage, reply, provider, OWN), reading),
      'whom it is about does not change what it means',
      { ...where, about: readReply(stage, reply, provider, OWN), lines: reply.lines },
    );
  }
}

/** What looks like a mailbox, tried at every start: slow and simple. */
const MAILBOX = /[^\s<>()[\]:;,"'=]+@[^\s<>()[\]:;,"']+/g;

function checkEvidence(reply: Reply, lines: SessionLines): void {
  const { text } = replyLine(0, reply, OWN, OURS);
  promised(jsonBytes(text) <= OWN_TEXT_MAX_BYTES, 'a line of evidence is short', text);
  promised(text.isWellFormed(), 'no character is cut in two', text);
  // The line's end may have been cut off, with the end of a name; and a sentence may end behind one.
  const isCut = text.endsWith('…');
  const kept = isCut ? text.slice(0, -1) : text;
  for (const { 0: found, index } of kept.matchAll(MAILBOX)) {
    const name = found.toLowerCase().replace(/(?<!\.)\.+$/, '');
    // Only dots behind the @: not a mailbox.
    if (name.endsWith('@')) continue;
    const mayBeCut = isCut && index + found.length === kept.length;
    const isKnown = [OWN, OURS].some((one) => name === one || (mayBeCut && one.startsWith(name)));
    promised(isKnown, 'evidence names no other mailbox', text);
  }
  lines.add(0, 'server', ehloWords(reply), OWN);
  const bytes = Buffer.byteLength(JSON.stringify(lines.lines));
  promised(
    bytes <= SESSION_MAX_BYTES + 2 && lines.lines.length <= 10,
    'what a session shares is short',
    bytes,
  );
  const { recipientsMax } = ehloOffer(reply);
  promised(recipientsMax === null || (recipientsMax >= 1 && recipientsMax <= 999_999), 'an offer is bounded');
}

function checkPasted(text: string, provider: string): void {
  const reply = replyFromText(text);
  const { code, lines } = reply;
  promised(code === 0 || (code >= 200 && code <= 599), 'a pasted code is one of SMTP, or none', code);
  promised(lines.length >= 1 && lines.length <= REPLY_MAX_LINES, 'a pasted reply has its lines');
  const { meaning } = readReply('rcpt', reply, provider);
  promised(Object.hasOwn(MEANINGS, meaning), 'a pasted reply means something', meaning);
}

function wire(reply: string): Buffer {
  return Buffer.from(`${reply.replaceAll(/ (?=[245]\d\d[- ][245]\.)/g, '\r\n')}\r\n`);
}

function* seeds(): Generator<Buffer> {
  const folder = new URL('../../../engine/src/verdict/known-replies/', import.meta.url);
  for (const name of readdirSync(folder).sort())
    for (const reply of readFileSync(new URL(name, folder), 'utf8').split('\n'))
      if (reply !== '') yield wire(reply);
  for (const { seen } of ROWS) yield wire(seen);
}

/** Whole dialogues: replies of a few lines, some as long as they may be, or one byte longer. */
function make(random: Random): Buffer {
  let text = '';
  for (let replies = random.between(1, 5); replies > 0; replies -= 1) {
    const code = random.pick(CODES);
    const count = random.chance(0.02) ? random.between(98, 101) : random.between(1, 4);
    for (let n = 1; n <= count; n += 1) {
      const status = random.chance(0.4) ? `${code[0]}.${random.between(0, 7)}.${random.between(0, 60)} ` : '';
      const said = `${random.chance(0.97) ? code : random.pick(CODES)}${n < count ? '-' : ' '}${status}${sentence(random)}`;
      text += `${said}${random.chance(0.9) ? '\r\n' : random.pick(['\n', '\r', '\r\r\n', ''])}`;
    }
  }
  return Buffer.from(text);
}

function sentence(random: Random): string {
  const said = random.pick(ROWS).seen.replace(/^[\d. -]+/, '');
  const parts = [
    said,
    OWN,
    `<${OWN}>`,
    OURS,
    'ben@c.example',
    'mx.d.example',
    '192.0.2.7',
    'ü',
    '日本',
    'in 300 seconds',
  ];
  let text = random.chance(0.5) ? said : '';
  for (let n = random.between(0, 3); n > 0; n -= 1)
    text += `${random.pick([' ', '', ', ', '@', '=', '.'])}${random.pick(parts)}`;
  if (random.chance(0.02))
    text = text.padEnd(random.pick([2_030, 2_044, 2_048, 8_186, 8_188, 8_189, 8_190]), random.pick(parts));
  return text;
}

export const replies: Target = {
  name: 'replies',
  inputs: 180_000,
  cpuSecondsMax: 400,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds,
  dictionary: [
    ...words(
      ...CODES,
      ...CODES.map((code) => `\r\n${code}-`),
      '\r\n',
      '\n',
      '\r',
      '\r\n550 ',
      ' 5.1.1 ',
      ' 4.2.2 ',
    ),
    ...words(
      OWN,
      `<${OWN}>`,
      OURS,
      '@',
      '=',
      'ben@c.example',
      'http://x.example/',
      '[192.0.2.1]',
      'in reply to MAIL FROM',
    ),
    ...words(
      'user unknown',
      'mailbox full',
      'greylisted',
      'try again in 5 minutes',
      'blocked',
      'relay',
      'PIPELINING',
    ),
    ...words('LIMITS RCPTMAX=', 'STARTTLS', '\u0301', '\ufdfa', 'ß', '"', "'", '(', ' ', 'a', '.'),
    Buffer.from([0xff]),
    Buffer.from([0xe3, 0x81]),
  ],
  make,
  check,
};
