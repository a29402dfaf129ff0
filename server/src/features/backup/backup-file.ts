// A backup as a file: frames, each with its length, its kind and a checksum, and one over all of them at the end.
// Promise: what is read is what was written, or one sentence says that it is not: a flipped bit, a cut, bytes behind the
// end; neither side holds more than a few frames in memory, whatever the file says of itself.
//
//   magic  { length u32 · kind u8 · payload · crc32 u32 }…  the last frame: how many, and the SHA-256 of all before
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { OperatorError } from '../../rules/operator-error.ts';

const MAGIC = Buffer.from('MXPROOF BACKUP 1\n');
const HEAD_BYTES = 5;
const CRC_BYTES = 4;
/** Far above what is written: a length that is larger was not written by us. */
const PAYLOAD_MAX_BYTES = 16 * 1024 * 1024;

/** Each word's first letter stands in the file. */
export type FrameKind = 'header' | 'table' | 'data' | 'rows' | 'sequences' | 'end';

const CODES: Readonly<Record<FrameKind, number>> = {
  header: 0x48,
  table: 0x54,
  data: 0x44,
  rows: 0x52,
  sequences: 0x53,
  end: 0x45,
};
const KINDS = new Map(Object.entries(CODES).map(([kind, code]) => [code, kind as FrameKind]));

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

/** What is wrong with the file; the caller names it. */
export class BrokenBackup extends OperatorError {}

export class BackupWriter {
  readonly #write: (bytes: Buffer) => Promise<void>;
  readonly #hash = createHash('sha256');
  #frames = 0;
  #bytes = 0;

  constructor(write: (bytes: Buffer) => Promise<void>) {
    this.#write = write;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async begin(): Promise<void> {
    await this.#put(MAGIC);
  }

  async frame(kind: Exclude<FrameKind, 'end'>, payload: Buffer): Promise<void> {
    this.#frames += 1;
    await this.#put(encodeFrame(kind, payload));
  }

  json(kind: Exclude<FrameKind, 'end'>, value: unknown): Promise<void> {
    return this.frame(kind, Buffer.from(JSON.stringify(value)));
  }

  async end(): Promise<void> {
    const sha256 = this.#hash.copy().digest('hex');
    await this.#put(encodeFrame('end', Buffer.from(JSON.stringify({ frames: this.#frames, sha256 }))));
  }

  async #put(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#write(bytes);
  }
}

function encodeFrame(kind: FrameKind, payload: Buffer): Buffer {
  if (payload.length > PAYLOAD_MAX_BYTES) throw new RangeError('a frame of a backup is too long');
  const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.length + CRC_BYTES);
  frame.writeUInt32BE(payload.length, 0);
  frame.writeUInt8(CODES[kind], 4);
  payload.copy(frame, HEAD_BYTES);
  frame.writeUInt32BE(crc32(frame.subarray(0, HEAD_BYTES + payload.length)), HEAD_BYTES + payload.length);
  return frame;
}

/** The frames before the end, which is checked when it is reached; throws `BrokenBackup`. */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame, void, void> {
  const bytes = new ByteSource(source);
  const magic = await bytes.take(MAGIC.length);
  if (magic === null || !magic.equals(MAGIC))
    throw new BrokenBackup('is not a backup of MXProof, or one of a version that this one cannot read');
  const hash = createHash('sha256').update(magic);
  for (let frames = 0; ; frames += 1) {
    const at = bytes.taken;
    const head = await bytes.take(HEAD_BYTES);
    if (head === null) throw new BrokenBackup(`is cut off after ${at} bytes`);
    const length = head.readUInt32BE(0);
    const kind = KINDS.get(head.readUInt8(4));
    if (kind === undefined || length > PAYLOAD_MAX_BYTES) throw new BrokenBackup(`is damaged at byte ${at}`);
    const rest = await bytes.take(length + CRC_BYTES);
    if (rest === null) throw new BrokenBackup(`is cut off after byte ${at}`);
    const payload = rest.subarray(0, length);
    if (crc32(payload, crc32(head)) !== rest.readUInt32BE(length))
      throw new BrokenBackup(`is damaged at byte ${at}`);
    if (kind === 'end') {
      const said = readJson(payload) as { frames?: unknown; sha256?: unknown } | null;
      if (said?.frames !== frames || said.sha256 !== hash.digest('hex'))
        throw new BrokenBackup('is damaged: its checksum does not match');
      if ((await bytes.take(1)) !== null) throw new BrokenBackup('has bytes behind its end');
      return;
    }
    hash.update(head).update(rest);
    yield { kind, payload };
  }
}

/** Null: it is no JSON. */
export function readJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return null;
  }
}

/** So many bytes at a time, however they arrive. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #heldBytes = 0;
  taken = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Null: there are fewer. */
  async take(count: number): Promise<Buffer | null> {
    while (this.#heldBytes < count) {
      const { done, value } = await this.#chunks.next();
      if (done) return null;
      this.#held.push(value);
      this.#heldBytes += value.length;
    }
    const all = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    this.#held = all.length > count ? [all.subarray(count)] : [];
    this.#heldBytes = all.length - count;
    this.taken += count;
    return all.subarray(0, count);
  }
}
