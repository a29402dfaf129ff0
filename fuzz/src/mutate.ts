// An input made of others: bytes changed, words of the reader's language put in, pieces doubled, cut and swapped.
// Promise: never longer than `maxBytes`, never the given buffer itself, and the same chance gives the same input.
import type { Random } from '../../world/src/random.ts';

const CHANGES_MAX = 6;
const ONE_MORE_SHARE = 0.55;
const PIECE_MAX_BYTES = 64;
/** Bytes at which parsers branch: line ends, signs, the ends of ASCII, lengths and pointers of DNS. */
const TURNING_BYTES = [
  0, 1, 9, 10, 13, 32, 34, 44, 45, 46, 61, 63, 64, 92, 127, 128, 0xbf, 0xc0, 0xc3, 0xed, 0xf0, 0xff,
];
/** Boundary values of counts and lengths. */
const TURNING_NUMBERS = [
  0, 1, 2, 12, 13, 63, 64, 127, 128, 255, 256, 511, 512, 1232, 0x7fff, 0x8000, 0xc00c, 0xffff,
];

export interface Material {
  readonly dictionary: readonly Buffer[];
  /** Another input to take a piece of. */
  readonly other: Buffer;
  readonly maxBytes: number;
}

type Change = (input: Buffer, random: Random, material: Material) => Buffer;

export function mutate(input: Buffer, random: Random, material: Material): Buffer {
  let changed: Buffer = Buffer.from(input);
  for (let n = 0; n < CHANGES_MAX; n += 1) {
    changed = random.pick(CHANGES)(changed, random, material).subarray(0, material.maxBytes);
    if (!random.chance(ONE_MORE_SHARE)) break;
  }
  return changed;
}

const place = (input: Buffer, random: Random) => random.between(0, input.length);

function put(input: Buffer, from: number, to: number, ...pieces: readonly Buffer[]): Buffer {
  return Buffer.concat([input.subarray(0, from), ...pieces, input.subarray(to)]);
}

/** A piece of it, as a pair of places. */
function piece(input: Buffer, random: Random, maxBytes = PIECE_MAX_BYTES): [number, number] {
  const from = place(input, random);
  return [from, Math.min(input.length, from + random.between(1, maxBytes))];
}

const flipBit: Change = (input, random) => {
  if (input.length > 0) input[random.between(0, input.length - 1)]! ^= 1 << random.between(0, 7);
  return input;
};
const setByte: Change = (input, random) => {
  if (input.length > 0) input[random.between(0, input.length - 1)] = random.pick(TURNING_BYTES);
  return input;
};
const anyByte: Change = (input, random) => {
  const at = place(input, random);
  return put(input, at, at, Buffer.from([random.between(0, 255)]));
};
const setNumber: Change = (input, random) => {
  if (input.length > 1)
    input.writeUInt16BE(random.pick(TURNING_NUMBERS), random.between(0, input.length - 2));
  return input;
};
/** 549 becomes 550, and `1` may become `10`. */
const setDigit: Change = (input, random) => {
  const at = place(input, random);
  const isDigit = (input[at] ?? 0) >= 0x30 && (input[at] ?? 0) <= 0x39;
  return put(input, at, isDigit ? at + 1 : at, Buffer.from(String(random.between(0, 9))));
};
const addWord: Change = (input, random, { dictionary }) => {
  const at = place(input, random);
  return put(input, at, at, random.pick(dictionary));
};
const setWord: Change = (input, random, { dictionary }) => {
  const [from, to] = piece(input, random, 16);
  return put(input, from, to, random.pick(dictionary));
};
const drop: Change = (input, random) => put(input, ...piece(input, random));
const cut: Change = (input, random) => input.subarray(0, place(input, random));
const double: Change = (input, random) => {
  const [from, to] = piece(input, random);
  return put(input, to, to, input.subarray(from, to));
};
/** Quadratic cost shows only in long inputs. */
const repeat: Change = (input, random, { dictionary, maxBytes }) => {
  const [from, to] = piece(input, random, 12);
  const unit = random.chance(0.5) || from === to ? random.pick(dictionary) : input.subarray(from, to);
  const room = Math.max(1, maxBytes - input.length);
  const size = random.chance(0.3) ? room : Math.min(room, random.between(1, 40) * unit.length);
  return put(input, to, to, Buffer.alloc(size, unit));
};
const move: Change = (input, random) => {
  const [from, to] = piece(input, random);
  const taken = Buffer.from(input.subarray(from, to));
  const rest = put(input, from, to);
  const at = place(rest, random);
  return put(rest, at, at, taken);
};
const splice: Change = (input, random, { other }) => {
  const [from, to] = piece(other, random, Math.max(1, other.length));
  const at = place(input, random);
  return put(input, at, random.chance(0.5) ? input.length : at, other.subarray(from, to));
};

const CHANGES: readonly Change[] = [
  flipBit,
  setByte,
  anyByte,
  setNumber,
  setDigit,
  addWord,
  addWord,
  setWord,
  drop,
  cut,
  double,
  repeat,
  move,
  splice,
];
