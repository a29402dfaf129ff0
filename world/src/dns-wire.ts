// DNS messages as bytes, as much as a small authoritative server needs. dns-packet reads and writes them, so that the
// engine's own codec is tested against an independent one. Promise: what cannot be read is no question; what leaves over UDP
// fits, or says that it was cut.
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { QuestionType, ZoneAnswer, ZoneRecord } from './zone.ts';

export interface DnsQuestion {
  readonly name: string;
  readonly type: QuestionType;
  readonly packet: Packet;
}

const QUESTION_TYPES: ReadonlyMap<string, QuestionType> = new Map([
  ['A', 'a'],
  ['CNAME', 'cname'],
  ['MX', 'mx'],
  ['AAAA', 'aaaa'],
  ['PTR', 'ptr'],
  ['TXT', 'txt'],
]);
const RESPONSE_CODES = { records: 0, truncated: 0, nodata: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;

/** Null: not a question we can answer. */
export function readQuestion(message: Buffer): DnsQuestion | null {
  let packet: Packet;
  try {
    packet = decode(message);
  } catch {
    return null;
  }
  const [question, ...more] = packet.questions ?? [];
  if (packet.type !== 'query' || question === undefined || more.length > 0) return null;
  const type = QUESTION_TYPES.get(question.type) ?? 'other';
  return { name: question.name.toLowerCase(), type, packet };
}

/** Null for a time-out: nothing is sent. */
export function writeAnswer(question: DnsQuestion, answer: ZoneAnswer, maxBytes: number): Buffer | null {
  if (answer.kind === 'timeout') return null;
  const { id, questions, flags = 0 } = question.packet;
  const said =
    AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | (flags & RECURSION_DESIRED) | RESPONSE_CODES[answer.kind];
  const write = (answers: Answer[], isCut: boolean) =>
    encode({
      type: 'response',
      ...(id === undefined ? {} : { id }),
      flags: said | (isCut ? TRUNCATED_RESPONSE : 0),
      questions: questions ?? [],
      answers,
    });
  if (answer.kind === 'truncated') return write([], true);
  const whole = write(answer.kind === 'records' ? answer.records.map(toAnswer) : [], false);
  return whole.length <= maxBytes ? whole : write([], true);
}

function toAnswer(record: ZoneRecord): Answer {
  const { name, ttlSeconds: ttl } = record;
  switch (record.type) {
    case 'a':
      return { type: 'A', name, ttl, data: record.address };
    case 'aaaa':
      return { type: 'AAAA', name, ttl, data: record.address };
    case 'cname':
      return { type: 'CNAME', name, ttl, data: record.target };
    case 'ptr':
      return { type: 'PTR', name, ttl, data: record.target };
    case 'txt':
      return { type: 'TXT', name, ttl, data: record.strings.map((text) => Buffer.from(text, 'latin1')) };
    case 'mx':
      return {
        type: 'MX',
        name,
        ttl,
        data: { preference: record.preference, exchange: record.exchange || '.' },
      };
    default:
      return record satisfies never;
  }
}
