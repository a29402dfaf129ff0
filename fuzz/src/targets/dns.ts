// What name servers send: bytes → records of the name asked for. `dns-packet` reads and writes the same messages and
// knows nothing of our codec: where both take a message, both say the same.
//
// An input is a type to ask for, then the flags, the counts and whatever follows the question; header and question
// are put around it, so that a change of any byte still is an answer to us. 7 for a type: the message as it is.
import { isIPv4, isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import * as packet from 'dns-packet';
import {
  A,
  AAAA,
  encodeQuestion,
  isAnswerTo,
  MX,
  PTR,
  type Question,
  type QuestionType,
  readAnswer,
  TXT,
} from '../../../engine/src/dns/dns-message.ts';
import { nameMaxBytes, readNameText, skipName, writeName } from '../../../engine/src/dns/dns-name.ts';
import type { MxRecord } from '../../../engine/src/ports.ts';
import { createRandom, type Random } from '../../../world/src/random.ts';
import { randomOf } from '../pieces.ts';
import { promised, type Target, words } from '../target.ts';

const ASKED = 'a.example';
const NAMES = [ASKED, 'b.example', 'c.b.example', 'mx.a.example', 'x.test', 'A.Example'];
const ALIASES_MAX = 8;
const HEADER_BYTES = 12;
const HEAD_BYTES = 9;
const RECORD_MIN_BYTES = 12;
const RECORD_HEAD_BYTES = 10;
const CNAME = 5;
const TEXT_MAX_CHARS = 4 * 255;
const RAW = 7;
const TYPES: readonly QuestionType<string | MxRecord>[] = [A, AAAA, MX, PTR, TXT];
const TEXT_RECORD_MAX_CHARS = 65_535;
const KIND_FACTS: Readonly<Record<string, true>> = {
  records: true,
  alias: true,
  nodata: true,
  nxdomain: true,
  servfail: true,
  refused: true,
  cut: true,
  format: true,
};

const QUESTIONS: readonly Question[] = TYPES.map(({ code }) => {
  const question = encodeQuestion(ASKED, code, false);
  if (question === null) throw new Error('it can be asked for');
  return question;
});

function check(input: Buffer): void {
  const kind = (input[0] ?? 0) & RAW;
  const at = kind === RAW ? 0 : kind % TYPES.length;
  const message = kind === RAW ? input.subarray(1) : answerOf(QUESTIONS[at]!, input.subarray(1));
  checkAnswer(message, QUESTIONS[at]!, TYPES[at]!);
  checkName(input.toString('latin1', 1, 400));
  checkNameAt(message, input.length > 1 ? input[input.length >> 1]! : 0);
  checkHonest(randomOf(input));
}

function answerOf({ message, end }: Question, input: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES - 1);
  input.copy(head);
  return Buffer.concat([
    message.subarray(0, 2),
    head.subarray(0, 2),
    Buffer.from([0, 1]),
    head.subarray(2),
    message.subarray(HEADER_BYTES, end),
    input.subarray(HEAD_BYTES - 1),
  ]);
}

function checkAnswer(message: Buffer, question: Question, type: QuestionType<string | MxRecord>): void {
  if (!isAnswerTo(message, question)) return;
  const reading = readAnswer(message, question, type, ALIASES_MAX);
  promised(Object.hasOwn(KIND_FACTS, reading.kind), 'an answer says one of eight things', reading);
  if (reading.kind === 'records') {
    promised(reading.records.length * RECORD_MIN_BYTES <= message.length, 'records lie in the message');
    for (const row of reading.records) checkRow(row, type.code);
  }
  if (reading.kind === 'alias') {
    promised(reading.aliases >= 1 && reading.aliases <= ALIASES_MAX, 'aliases are bounded', reading);
    checkText(reading.name);
  }
  if (reading.kind === 'records' || reading.kind === 'alias')
    promised(reading.ttlSeconds >= 0 && reading.ttlSeconds < 2 ** 31, 'a time to live is one', reading);
  if (reading.kind !== 'records' && reading.kind !== 'nodata' && reading.kind !== 'alias') return;
  const other = otherReading(message, question.end);
  if (other === null) return;
  const expected = follow(other, type.code);
  const ours = reading.kind === 'records' ? reading.records.map((row) => comparable(row, type.code)) : [];
  promised(isDeepStrictEqual(ours, expected), 'two codecs read the same records', { ours, expected });
}

function checkRow(row: string | MxRecord, type: number): void {
  if (typeof row !== 'string') {
    promised(row.preference >= 0 && row.preference <= 0xffff, 'a preference is one', row);
    checkText(row.exchange);
  } else if (type === PTR.code) checkText(row);
  else if (type === TXT.code)
    promised(
      row.length <= TEXT_RECORD_MAX_CHARS && !/[^\x00-\xff]/.test(row),
      'a text is octets of one record',
      row,
    );
  else promised(type === A.code ? isIPv4(row) : isIPv6(row), 'an address is one', row);
}

/** A name becomes text and the same name again. */
function checkText(text: string): void {
  promised(
    text.length <= TEXT_MAX_CHARS && /^[!-~]*$/.test(text),
    'a name is visible ASCII and bounded',
    text,
  );
  const flat = Buffer.alloc(nameMaxBytes(text));
  promised(
    writeName(text, flat, 0) >= 0 && readNameText(flat, 0) === text,
    'a name read is a name written',
    text,
  );
}

/** Any text: no question, or one that both codecs read as that name. */
function checkName(text: string): void {
  const question = encodeQuestion(text, MX.code, true);
  if (question === null) return;
  const said = readNameText(question.message, HEADER_BYTES);
  promised(
    said !== null && encodeQuestion(said, MX.code, true) !== null,
    'a name asked for can be read',
    text,
  );
  const decoded = packet.decode(question.message);
  promised(decoded.questions?.length === 1 && decoded.additionals?.length === 1, 'one question, one OPT');
  if (/^[a-z0-9_.-]+$/i.test(text))
    promised(decoded.questions[0]?.name === text.toLowerCase(), 'two codecs read the same name', text);
}

function checkNameAt(message: Buffer, at: number): void {
  const text = readNameText(message, at);
  if (text === null) return;
  const end = skipName(message, at);
  promised(end > at && end <= message.length, 'a name that can be read lies in the message', { at, end });
  checkText(text);
}

// ---- the other codec ------------------------------------------------------------------------

interface OtherCodecRecord {
  readonly name: string;
  readonly type: string;
  readonly data: unknown;
}

/** Null: it refuses the message, or would read lengths and names otherwise than RFC 1035 has them. */
function otherReading(message: Buffer, questionEnd: number): OtherCodecRecord[] | null {
  if (!isCanonical(message, questionEnd)) return null;
  try {
    const { answers = [] } = packet.decode(message);
    const taken = answers.flatMap((one) =>
      one.type === 'OPT' || !('class' in one) || one.class !== 'IN'
        ? []
        : [{ name: one.name, type: one.type, data: one.data }],
    );
    // It reads labels as UTF-8 and escapes nothing.
    const isPlain = ({ name, type, data }: OtherCodecRecord) =>
      PLAIN.test(name) && (type === 'TXT' || PLAIN.test(hostIn(data)));
    return taken.every(isPlain) ? taken : null;
  } catch {
    return null;
  }
}

const PLAIN = /^[a-z0-9_.:-]*$/i;

function hostIn(data: unknown): string {
  if (typeof data === 'string') return data;
  return (data as { exchange?: string } | null)?.exchange ?? '';
}

/** It takes sizes for granted, a class's top bit for mDNS's, and does not tell a dot inside a label. */
function isCanonical(message: Buffer, start: number): boolean {
  if (message.includes('.', start)) return false;
  let at = start;
  for (let n = message.readUInt16BE(6); n > 0; n -= 1) {
    const head = skipName(message, at);
    const length = message.readUInt16BE(head + 8);
    const data = head + RECORD_HEAD_BYTES;
    if (message.readUInt16BE(head + 2) >= 0x8000) return false;
    if (!hasItsSize(message, message.readUInt16BE(head), data, length)) return false;
    at = data + length;
  }
  return true;
}

function hasItsSize(message: Buffer, type: number, at: number, length: number): boolean {
  switch (type) {
    case A.code:
      return length === 4;
    case AAAA.code:
      return length === 16;
    case TXT.code:
      return hasItsStrings(message, at, at + length);
    case CNAME:
    case PTR.code:
      return skipName(message, at) === at + length;
    case MX.code:
      return skipName(message, at + 2) === at + length;
    default:
      return false;
  }
}

function hasItsStrings(message: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end) at += 1 + message[at]!;
  return at === end && end > start;
}

const TYPE_NAMES: Readonly<Record<number, 'A' | 'PTR' | 'MX' | 'TXT' | 'AAAA'>> = {
  1: 'A',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
};

/** Along the aliases from what was asked. */
function follow(records: readonly OtherCodecRecord[], type: number): unknown[] {
  const isAt = (one: OtherCodecRecord, name: string) => one.name.toLowerCase() === name;
  let name = ASKED;
  for (let n = 0; n < ALIASES_MAX; n += 1) {
    const alias = records.find((one) => one.type === 'CNAME' && isAt(one, name));
    if (alias === undefined) break;
    name = String(alias.data).toLowerCase();
  }
  return records
    .filter((one) => one.type === TYPE_NAMES[type] && isAt(one, name))
    .map(({ data }) => comparable(data, type));
}

/** As our codec writes it. The other one keeps the strings of a text apart, and letters as they came. */
function comparable(data: unknown, type: number): unknown {
  if (type === TXT.code)
    return Array.isArray(data) ? Buffer.concat(data as Buffer[]).toString('latin1') : data;
  if (type === PTR.code) return String(data) === '.' ? '' : String(data).toLowerCase();
  if (typeof data === 'string') return isIPv6(data) ? new URL(`http://[${data}]`).hostname : data;
  const { preference, exchange } = data as { preference?: number; exchange: string };
  return { preference: preference ?? 0, exchange: exchange === '.' ? '' : exchange.toLowerCase() };
}

/** A valid response written by the other codec, without name compression: ours reads what was written. */
function checkHonest(random: Random): void {
  const at = random.between(0, TYPES.length - 1);
  const type = TYPES[at]!;
  const answers = Array.from({ length: random.between(0, 6) }, () => honestRecord(random));
  const isFlagged = random.chance(0.5);
  const message = packet.encode({
    id: 0,
    type: 'response',
    flags: isFlagged ? packet.AUTHENTIC_DATA : 0,
    questions: [{ name: ASKED, type: TYPE_NAMES[type.code]!, class: 'IN' }],
    answers,
  });
  promised(isAnswerTo(message, QUESTIONS[at]!), 'an honest answer is one');
  const others = answers.map(({ name, type, data }) => ({ name, type, data }));
  const reading = readAnswer(message, QUESTIONS[at]!, type, ALIASES_MAX);
  // Aliases in a circle are the one thing an honest record can make wrong.
  if (reading.kind === 'servfail') {
    promised(
      answers.some(({ type }) => type === 'CNAME'),
      'an honest answer is no failure',
      answers,
    );
    return;
  }
  const ours = reading.kind === 'records' ? reading.records.map((row) => comparable(row, type.code)) : [];
  const expected = follow(others, type.code);
  promised(isDeepStrictEqual(ours, expected), 'an honest answer is read as it was written', {
    ours,
    expected,
  });
}

type HonestRecord = packet.StringAnswer | packet.MxAnswer | packet.TxtAnswer;

function honestRecord(random: Random): HonestRecord & { name: string } {
  const base = { name: random.pick(NAMES), ttl: random.between(0, 100_000), class: 'IN' as const };
  const octet = () => random.between(0, 255);
  switch (random.between(0, 5)) {
    case 0:
      return { ...base, type: 'A', data: `${octet()}.${octet()}.${octet()}.${octet()}` };
    case 1:
      return { ...base, type: 'AAAA', data: `2001:db8::${octet().toString(16)}:${octet().toString(16)}` };
    case 2:
      return { ...base, type: 'CNAME', data: random.pick(NAMES) };
    case 3:
      return { ...base, type: 'PTR', data: random.pick(NAMES) };
    case 4: {
      const strings = Array.from({ length: random.between(1, 3) }, () =>
        Buffer.alloc(random.between(0, 255), octet()),
      );
      return { ...base, type: 'TXT', data: strings };
    }
    default:
      return { ...base, type: 'MX', data: { preference: octet(), exchange: random.pick(NAMES) } };
  }
}

// ---- messages of the right shape ------------------------------------------------------------

const wire = (name: string) => {
  const bytes = Buffer.alloc(nameMaxBytes(name));
  return bytes.subarray(0, writeName(name, bytes, 0));
};
const pointer = (to: number) => Buffer.from([0xc0 | (to >> 8), to & 0xff]);
const WIRE_TYPES = [1, 28, 15, 5, 12, 16, 1, 28, 15, 5, 2, 6, 41];

/** Strings with their lengths, one of them sometimes wrong. */
function textOf(random: Random): Buffer {
  const strings = Array.from({ length: random.between(0, 3) }, () =>
    Buffer.alloc(random.between(0, 20), 'v=spf1 '),
  );
  const lengths = strings.map((one) => (random.chance(0.9) ? one.length : random.between(0, 255)));
  return Buffer.concat(strings.flatMap((one, i) => [Buffer.from([lengths[i]!]), one]));
}

/** Records with names in full, as pointers to names before them, and sometimes to themselves or behind. */
function make(random: Random): Buffer {
  const parts: Buffer[] = [];
  let at = QUESTIONS[0]!.end;
  const name = () => {
    if (random.chance(0.5)) return pointer(HEADER_BYTES);
    if (random.chance(0.5)) return wire(random.pick(NAMES));
    return pointer(random.between(HEADER_BYTES, at + (random.chance(0.2) ? 20 : -1)));
  };
  const asked = random.between(0, TYPES.length - 1);
  const count = random.chance(0.05) ? random.between(20, 80) : random.between(0, 6);
  for (let n = 0; n < count; n += 1) {
    const owner = name();
    const type = random.chance(0.6) ? TYPES[asked]!.code : random.pick(WIRE_TYPES);
    const size = type === A.code ? 4 : type === AAAA.code ? 16 : random.between(0, 12);
    const data =
      type === MX.code
        ? Buffer.concat([Buffer.from([0, random.between(0, 9)]), name()])
        : type === CNAME || type === PTR.code
          ? name()
          : type === TXT.code
            ? textOf(random)
            : Buffer.from(Array.from({ length: size }, () => random.between(0, 255)));
    const head = Buffer.alloc(10);
    head.writeUInt16BE(type, 0);
    head.writeUInt16BE(random.chance(0.95) ? 1 : random.between(0, 4), 2);
    head.writeUInt32BE(random.chance(0.9) ? 300 : random.between(0, 0xffffffff), 4);
    head.writeUInt16BE(random.chance(0.95) ? data.length : random.between(0, 40), 8);
    parts.push(owner, head, data);
    at += owner.length + head.length + data.length;
  }
  const head = Buffer.from([asked, 0x81, 0x80, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(random.chance(0.9) ? count : random.between(0, 200), 3);
  return Buffer.concat([head, ...parts]);
}

function* seeds(): Generator<Buffer> {
  const random = createRandom(1);
  for (let n = 0; n < 200; n += 1) yield make(random);
  for (const question of QUESTIONS) yield Buffer.concat([Buffer.from([RAW]), question.message]);
}

export const dns: Target = {
  name: 'dns',
  inputs: 210_000,
  cpuSecondsMax: 250,
  // A chain of pointers through a whole message is what would cost most.
  inputMaxBytes: 4_096,
  seeds,
  dictionary: [
    ...NAMES.map(wire),
    ...[12, 0, 13, 30, 100, 0x3fff].map(pointer),
    ...words(
      '\x00\x01\x00\x01',
      '\x00\x0f\x00\x01',
      '\x00\x05\x00\x01',
      '\x00\x1c\x00\x01',
      '\x00\x0c\x00\x01',
      '\x00\x10\x00\x01',
      '\x00\x00\x29',
    ),
    Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 1, 0x2c, 0, 2, 0xc0, 12]),
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 0x2c, 0, 4, 192, 0, 2, 1]),
    Buffer.concat([Buffer.from([63]), Buffer.alloc(63, 0x61)]),
    Buffer.concat([Buffer.from([64]), Buffer.alloc(64, 0x61)]),
    Buffer.from([0x80]),
    Buffer.from([0]),
  ],
  make,
  check,
};
