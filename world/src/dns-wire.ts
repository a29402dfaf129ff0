// DNS messages as bytes, as much as a small authoritative server needs. Promise: whatever arrives is read within
// its own length or refused; what leaves over UDP fits, or says that it was cut.
import type { QuestionType, ZoneAnswer, ZoneRecord } from './zone.ts';

export interface DnsQuestion {
  readonly id: number;
  readonly name: string;
  readonly type: QuestionType;
  /** The question section as it came, to be sent back as it is. */
  readonly section: Uint8Array;
  readonly recursionDesired: boolean;
}

const HEADER_BYTES = 12;
const NAME_MAX_BYTES = 255;
const TYPE_CODES = { a: 1, cname: 5, mx: 15, aaaa: 28 } as const;
const QUESTION_TYPES: ReadonlyMap<number, QuestionType> = new Map([
  [1, 'a'],
  [5, 'cname'],
  [15, 'mx'],
  [28, 'aaaa'],
]);
const RESPONSE_CODES = { records: 0, truncated: 0, nodata: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;

/** Null: not a question we can answer. */
export function readQuestion(message: Buffer): DnsQuestion | null {
  if (message.length < HEADER_BYTES + 5 || message.readUInt16BE(4) !== 1) return null;
  const flags = message.readUInt16BE(2);
  if ((flags & 0xf800) !== 0) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63 || at - HEADER_BYTES > NAME_MAX_BYTES) return null;
    at += 1;
    if (length === 0) break;
    if (at + length > message.length) return null;
    labels.push(message.toString('latin1', at, at + length));
    at += length;
  }
  if (at + 4 > message.length) return null;
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: QUESTION_TYPES.get(message.readUInt16BE(at)) ?? 'other',
    section: message.subarray(HEADER_BYTES, at + 4),
    recursionDesired: (flags & 0x0100) !== 0,
  };
}

/** Null for a time-out: nothing is sent. */
export function writeAnswer(question: DnsQuestion, answer: ZoneAnswer, maxBytes: number): Buffer | null {
  if (answer.kind === 'timeout') return null;
  const records = answer.kind === 'records' ? answer.records.map(writeRecord) : [];
  const whole =
    HEADER_BYTES + question.section.length + records.reduce((sum, record) => sum + record.length, 0);
  const cut = answer.kind === 'truncated' || whole > maxBytes;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(question.id, 0);
  // QR, AA, RA; TC where the answer was cut.
  header.writeUInt16BE(
    0x8480 | (cut ? 0x0200 : 0) | (question.recursionDesired ? 0x0100 : 0) | RESPONSE_CODES[answer.kind],
    2,
  );
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(cut ? 0 : records.length, 6);
  return Buffer.concat([header, question.section, ...(cut ? [] : records)]);
}

function writeRecord(record: ZoneRecord): Buffer {
  const name = writeName(record.name);
  const data = writeData(record);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPE_CODES[record.type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(record.ttlSeconds, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

function writeData(record: ZoneRecord): Buffer {
  switch (record.type) {
    case 'a':
      return Buffer.from(record.address.split('.').map(Number));
    case 'aaaa':
      return writeIpv6(record.address);
    case 'cname':
      return writeName(record.target);
    case 'mx': {
      const preference = Buffer.alloc(2);
      preference.writeUInt16BE(record.preference, 0);
      return Buffer.concat([preference, writeName(record.exchange)]);
    }
  }
}

/** Full or `::` form, no embedded IPv4. */
function writeIpv6(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const left = groups(head);
  const right = groups(tail);
  const bytes = Buffer.alloc(16);
  left.forEach((group, i) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2);
  });
  right.forEach((group, i) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), 16 - (right.length - i) * 2);
  });
  return bytes;
}

function writeName(name: string): Buffer {
  if (name === '') return Buffer.from([0]);
  const parts = name.split('.').map((label) => {
    const bytes = Buffer.from(label, 'latin1');
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}
