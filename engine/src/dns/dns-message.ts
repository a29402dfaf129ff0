// DNS queries as bytes, and what the answers say. Promise: every received byte is treated as hostile; an answer is read
// within its own length or found malformed; nothing throws; only records of the queried name, or of the aliases that
// lead from it, are returned.
import type { MxRecord } from '../ports.ts';
import { isNameAt, nameMaxBytes, readFlatName, readNameText, skipName, writeName } from './dns-name.ts';
import { ipv4Text, ipv6Text } from './ip-text.ts';

export interface QuestionType<Row> {
  readonly code: number;
  /** Null: malformed. */
  readonly read: (message: Buffer, at: number, length: number) => Row | null;
}

export const A: QuestionType<string> = {
  code: 1,
  read: (message, at, length) => (length === 4 ? ipv4Text(message, at) : null),
};
export const AAAA: QuestionType<string> = {
  code: 28,
  read: (message, at, length) => (length === 16 ? ipv6Text(message, at) : null),
};
export const MX: QuestionType<MxRecord> = {
  code: 15,
  read(message, at, length) {
    if (length < 3 || skipName(message, at + 2) !== at + length) return null;
    const exchange = readNameText(message, at + 2);
    return exchange === null ? null : { preference: uint16(message, at), exchange };
  },
};

/** Who an address belongs to, by its own account. */
export const PTR: QuestionType<string> = {
  code: 12,
  read: (message, at, length) => (skipName(message, at) === at + length ? readNameText(message, at) : null),
};
/** The strings of a record joined, one character an octet: as SPF has it (RFC 7208, 3.3). Within the 65,535 octets of a record. */
export const TXT: QuestionType<string> = {
  code: 16,
  read(message, at, length) {
    const end = at + length;
    let text = '';
    let here = at;
    while (here < end) {
      const next = here + 1 + message[here]!;
      if (next > end) return null;
      text += message.toString('latin1', here + 1, next);
      here = next;
    }
    return length === 0 ? null : text;
  },
};

export interface Question {
  /** As it is sent; its first two octets are the ID, which the sender chooses. */
  readonly message: Buffer;
  /** Where name, type and class end. */
  readonly end: number;
}

/** What a whole answer says. */
export type AnswerContent<Row> =
  | { readonly kind: 'records'; readonly records: readonly Row[]; readonly ttlSeconds: number }
  /** An alias, or several, to a name about which the answer says nothing: the server leaves it to us. */
  | { readonly kind: 'alias'; readonly name: string; readonly aliases: number; readonly ttlSeconds: number }
  /** `about`: the name at the end of its aliases. */
  | { readonly kind: 'nxdomain'; readonly about?: string }
  | { readonly kind: 'nodata' | 'servfail' | 'refused' };

/** `cut`: to be asked over TCP. `format`: the server does not understand us, perhaps because of EDNS. */
export type MessageReading<Row> = AnswerContent<Row> | { readonly kind: 'cut' } | { readonly kind: 'format' };

/** What most networks carry in one piece (DNS flag day 2020). */
const UDP_ANSWER_MAX_BYTES = 1232;
const HEADER_BYTES = 12;
/** 255 octets, each as `\DDD`. */
const NAME_MAX_CHARS = 4 * 255;
const TYPE_AND_CLASS_BYTES = 4;
const OPT_BYTES = 11;
/** Type, class, TTL and the length of what follows. */
const RECORD_HEAD_BYTES = 10;
const CLASS_IN = 1;
const CNAME = 5;
const OPT = 41;
const RECURSION_DESIRED = 0x01;
const IS_ANSWER_AND_OPCODE = 0xf8;
const IS_ANSWER = 0x80;
const IS_TRUNCATED = 0x02;
/** More of them in one answer do not count as a chain. */
const ALIAS_RECORDS_MAX = 32;

const RCODE = { ok: 0, format: 1, nxdomain: 3, notImplemented: 4, refused: 5 } as const;
const NODATA = { kind: 'nodata' } as const;
const NXDOMAIN = { kind: 'nxdomain' } as const;
const SERVFAIL = { kind: 'servfail' } as const;
const REFUSED = { kind: 'refused' } as const;
const CUT = { kind: 'cut' } as const;
const FORMAT = { kind: 'format' } as const;

/** Null: such a name cannot be asked for. */
export function encodeQuestion(name: string, type: number, hasEdns: boolean): Question | null {
  if (name.length > NAME_MAX_CHARS) return null;
  const tail = TYPE_AND_CLASS_BYTES + (hasEdns ? OPT_BYTES : 0);
  const room = Buffer.allocUnsafe(HEADER_BYTES + nameMaxBytes(name) + tail);
  const nameEnd = writeName(name, room, HEADER_BYTES);
  if (nameEnd < 0) return null;
  // Shorter only where the text holds escapes, or is the root's.
  const message = nameEnd + tail === room.length ? room : room.subarray(0, nameEnd + tail);
  const end = nameEnd + TYPE_AND_CLASS_BYTES;
  for (let i = 0; i < HEADER_BYTES; i += 1) message[i] = 0;
  for (let i = nameEnd; i < message.length; i += 1) message[i] = 0;
  message[2] = RECURSION_DESIRED;
  message[5] = 1;
  message[nameEnd + 1] = type;
  message[nameEnd + 3] = CLASS_IN;
  if (hasEdns) {
    message[11] = 1;
    message[end + 2] = OPT;
    message[end + 3] = UDP_ANSWER_MAX_BYTES >> 8;
    message[end + 4] = UDP_ANSWER_MAX_BYTES & 0xff;
  }
  return { message, end };
}

/** Whether it was said to this question: its id, and its name, type and class sent back. */
export function isAnswerTo(message: Uint8Array, question: Question): boolean {
  const asked = question.message;
  if (message.length < HEADER_BYTES || message[0] !== asked[0] || message[1] !== asked[1]) return false;
  if ((message[2]! & IS_ANSWER_AND_OPCODE) !== IS_ANSWER) return false;
  if (message[4] !== 0) return false;
  if (message[5] === 0) {
    // A server that did not understand the question has nothing to send back.
    const rcode = message[3]! & 0x0f;
    return rcode === RCODE.format || rcode === RCODE.notImplemented;
  }
  if (message[5] !== 1 || message.length < question.end) return false;
  for (let i = HEADER_BYTES; i < question.end; i += 1) {
    const octet = message[i]!;
    if (octet !== asked[i] && (octet < 0x41 || octet > 0x5a || octet + 0x20 !== asked[i])) return false;
  }
  return true;
}

/** Of a message that `isAnswerTo` found to be one. `aliasesMax`: a longer chain of them is a failure. */
export function readAnswer<Row>(
  message: Buffer,
  question: Question,
  type: QuestionType<Row>,
  aliasesMax: number,
): MessageReading<Row> {
  const rcode = message[3]! & 0x0f;
  if (rcode === RCODE.format || rcode === RCODE.notImplemented) return FORMAT;
  if (rcode === RCODE.refused) return REFUSED;
  if (rcode !== RCODE.ok && rcode !== RCODE.nxdomain) return SERVFAIL;
  if ((message[2]! & IS_TRUNCATED) !== 0) return CUT;
  const found = findRecords(message, question.end, type.code);
  if (found === null) return SERVFAIL;
  // The name at the end of the chain does not exist, which is the same to the caller (RFC 6604).
  if (rcode === RCODE.nxdomain) return denied(message, question, found, aliasesMax);
  return conclude(message, question, type, found, aliasesMax);
}

interface RecordOffsets {
  /** Of each record that may count: where it begins, and where its name ends. */
  readonly rows: number[];
  readonly aliases: number[];
}

/** Walks the whole message; null: it is malformed, or its OPT record says that it is a failure. */
function findRecords(message: Buffer, start: number, type: number): RecordOffsets | null {
  const answers = uint16(message, 6);
  const all = answers + uint16(message, 8) + uint16(message, 10);
  const rows: number[] = [];
  const aliases: number[] = [];
  let at = start;
  // Bounded by the message: every record moves on by more than its head.
  for (let n = 0; n < all; n += 1) {
    const head = skipName(message, at);
    if (head < 0 || head + RECORD_HEAD_BYTES > message.length) return null;
    const end = head + RECORD_HEAD_BYTES + uint16(message, head + 8);
    if (end > message.length) return null;
    const itsType = uint16(message, head);
    if (n >= answers) {
      // The upper bits of the response code are where its TTL would be.
      if (itsType === OPT && message[head + 4] !== 0) return null;
    } else if (uint16(message, head + 2) === CLASS_IN) {
      if (itsType === type) rows.push(at, head);
      else if (itsType === CNAME) aliases.push(at, head);
    }
    at = end;
  }
  return aliases.length > 2 * ALIAS_RECORDS_MAX ? null : { rows, aliases };
}

function denied(
  message: Buffer,
  question: Question,
  { aliases }: RecordOffsets,
  aliasesMax: number,
): MessageReading<never> {
  const end = aliases.length === 0 ? null : endOfAliases(message, question, aliases, aliasesMax);
  const about = end === null || end.followed === 0 ? null : readNameText(message, end.aliasAt);
  return about === null ? NXDOMAIN : { kind: 'nxdomain', about };
}

/** The name that is left when every alias was followed. */
interface EndOfAliases {
  /** It lies flat: in what was asked, or in the last alias's target. */
  readonly name: Uint8Array;
  readonly nameAt: number;
  readonly aliasAt: number;
  readonly followed: number;
  readonly ttlSeconds: number;
}

/** Null: malformed, too many, or a circle. */
function endOfAliases(
  message: Buffer,
  question: Question,
  aliases: readonly number[],
  aliasesMax: number,
): EndOfAliases | null {
  let name: Uint8Array = question.message;
  let nameAt = HEADER_BYTES;
  let aliasAt = -1;
  let ttlSeconds = Number.POSITIVE_INFINITY;
  let followed = 0;
  for (;;) {
    const head = ownedBy(message, aliases, name, nameAt);
    if (head < 0) return { name, nameAt, aliasAt, followed, ttlSeconds };
    if (followed === aliasesMax) return null;
    followed += 1;
    ttlSeconds = Math.min(ttlSeconds, ttl(message, head));
    aliasAt = head + RECORD_HEAD_BYTES;
    const next = readFlatName(message, aliasAt);
    if (next === null || skipName(message, aliasAt) !== aliasAt + uint16(message, head + 8)) return null;
    name = next;
    nameAt = 0;
  }
}

function conclude<Row>(
  message: Buffer,
  question: Question,
  type: QuestionType<Row>,
  { rows, aliases }: RecordOffsets,
  aliasesMax: number,
): MessageReading<Row> {
  const end = endOfAliases(message, question, aliases, aliasesMax);
  if (end === null) return SERVFAIL;
  const { name, nameAt, aliasAt, followed } = end;
  let { ttlSeconds } = end;
  const records: Row[] = [];
  for (let i = 0; i < rows.length; i += 2) {
    if (!isNameAt(message, rows[i]!, name, nameAt)) continue;
    const head = rows[i + 1]!;
    const row = type.read(message, head + RECORD_HEAD_BYTES, uint16(message, head + 8));
    if (row === null) return SERVFAIL;
    records.push(row);
    ttlSeconds = Math.min(ttlSeconds, ttl(message, head));
  }
  if (records.length > 0) return { kind: 'records', records, ttlSeconds };
  if (followed === 0) return NODATA;
  return { kind: 'alias', name: readNameText(message, aliasAt) ?? '', aliases: followed, ttlSeconds };
}

/** The head of the first of these records that is the name's; -1: none. */
function ownedBy(message: Buffer, records: readonly number[], name: Uint8Array, nameAt: number): number {
  for (let i = 0; i < records.length; i += 2) {
    if (isNameAt(message, records[i]!, name, nameAt)) return records[i + 1]!;
  }
  return -1;
}

/** With the top bit set it counts as zero (RFC 2181, 8). */
function ttl(message: Buffer, head: number): number {
  if (message[head + 4]! >= 0x80) return 0;
  return uint16(message, head + 4) * 0x10000 + uint16(message, head + 6);
}

function uint16(message: Uint8Array, at: number): number {
  return (message[at]! << 8) | message[at + 1]!;
}
