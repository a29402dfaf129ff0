// Answers as long as TCP carries, made of what costs most: names at the end of long chains of pointers, octets that
// become four characters each, aliases. Promise: twice the answer never costs much more than twice as much.
import { expect, test } from 'vitest';
import { expectLinear } from '../../test/doubling.ts';
import { encodeQuestion, isAnswerTo, MX, readAnswer } from './dns-message.ts';

const ANSWER_SIZES = [8_192, 16_384, 32_768, 65_535];
const ALIASES_MAX = 8;
const CNAME = 5;
const TXT = 16;
const POINTERS = 126;
const NAME_BYTES = 255;

const asked = encodeQuestion('a.example', MX.code, false);
if (asked === null) throw new Error('it can be asked for');
const question = asked;
const QUESTION_NAME = 12;

/** Writes records behind the question until the answer is full. */
class Answer {
  readonly #message: Buffer;
  #at = question.end;
  #records = 0;

  constructor(size: number) {
    this.#message = Buffer.alloc(size);
    question.message.copy(this.#message);
    this.#message.writeUInt16BE(0x8180, 2);
  }

  /** Each name is a pointer; `data` writes what follows. False: no room. */
  record(owner: number, type: number, data: Buffer): boolean {
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xc000 | owner, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(60, 6);
    head.writeUInt16BE(data.length, 10);
    if (this.#at + head.length + data.length > this.#message.length) return false;
    this.#at += head.copy(this.#message, this.#at);
    this.#at += data.copy(this.#message, this.#at);
    this.#records += 1;
    return true;
  }

  /** A chain of pointers that ends at `target`; where it begins. */
  chainTo(target: number): number {
    const start = this.#at + 12;
    const data = Buffer.alloc(2 * POINTERS);
    for (let i = 0; i < POINTERS; i += 1)
      data.writeUInt16BE(0xc000 | (i === 0 ? target : start + 2 * (i - 1)), 2 * i);
    this.record(QUESTION_NAME, TXT, data);
    return start + 2 * (POINTERS - 1);
  }

  /** A name as long as one may be; where it is. */
  longName(octet: number): number {
    const at = this.#at + 12;
    const data = Buffer.alloc(NAME_BYTES, octet);
    for (const [label, length] of [63, 63, 63, 61].entries()) data[label * 64] = length;
    data[NAME_BYTES - 1] = 0;
    this.record(QUESTION_NAME, TXT, data);
    return at;
  }

  done(): Buffer {
    this.#message.writeUInt16BE(this.#records, 6);
    return this.#message.subarray(0, this.#at);
  }
}

function exchange(target: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt16BE(10, 0);
  data.writeUInt16BE(0xc000 | target, 2);
  return data;
}

const pointer = (target: number) => Buffer.from([0xc0 | (target >> 8), target & 0xff]);

const KINDS: readonly (readonly [string, string, (answer: Answer) => void])[] = [
  [
    'exchanges behind 127 pointers, of octets that are written as four',
    'records',
    (answer) => {
      const target = answer.chainTo(answer.longName(1));
      while (answer.record(QUESTION_NAME, MX.code, exchange(target)));
    },
  ],
  [
    'owners behind 127 pointers that are almost the name asked for',
    'nodata',
    (answer) => {
      const owner = answer.chainTo(answer.longName(0x61));
      while (answer.record(owner, MX.code, exchange(QUESTION_NAME)));
    },
  ],
  [
    'as many aliases as are looked at, in a circle, and records of other names',
    'servfail',
    (answer) => {
      for (let n = 0; n < 32; n += 1) answer.record(QUESTION_NAME, CNAME, pointer(QUESTION_NAME));
      while (answer.record(QUESTION_NAME, MX.code, exchange(QUESTION_NAME)));
    },
  ],
  [
    'aliases without end',
    'servfail',
    (answer) => {
      while (answer.record(QUESTION_NAME, CNAME, pointer(QUESTION_NAME)));
    },
  ],
  [
    'records of another type',
    'nodata',
    (answer) => {
      while (answer.record(QUESTION_NAME, TXT, Buffer.alloc(0)));
    },
  ],
];

test.each(KINDS)('%s', async (what, kind, fill) => {
  const words = await expectLinear({
    what,
    sizes: ANSWER_SIZES,
    make(size) {
      const answer = new Answer(size);
      fill(answer);
      return answer.done();
    },
    look(message) {
      expect(isAnswerTo(message, question)).toBe(true);
      const reading = readAnswer(message, question, MX, ALIASES_MAX);
      expect(reading.kind).toBe(kind);
    },
  });
  console.info(`DNS, ${what}: ${words}`);
});
