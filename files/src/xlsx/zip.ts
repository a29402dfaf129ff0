// A ZIP archive in memory: its parts read one by one, and the archive written again with some of them changed; or a new one.
// Promise: a part that is not changed keeps its very bytes, compressed as they were; what a part unpacks to is bounded, by
// itself and by what it is packed in; no byte belongs to two parts; an archive whose directory lies is one sentence.

import { FileError, shown } from '../file-error.ts';
import { refusalOf } from '../foreign-file.ts';
import { through } from '../through-stream.ts';
import { crc32 } from './crc32.ts';

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
/** Names of parts are paths of a few folders, and every relation repeats its owner's. */
const MAX_NAME_BYTES = 1_024;
const SLICE_BYTES = 16_384;
/** Sheets unpack to ten or thirty times their size. A small part may be as regular as it likes. */
const MAX_RATIO = 100;
const FREE_OF_RATIO_BYTES = 1_024 * 1_024;
const STORED = 0;
const DEFLATED = 8;
const FLAG_ENCRYPTED = 1;
const FLAG_UTF8 = 1 << 11;
/** 16 and 32 bits full: the true value is in ZIP64 fields, which no workbook within our bounds needs. */
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;
/** 2.0: deflate. */
const VERSION = 20;
/** 1 January 1980, the first that can be written: equal content gives equal bytes. */
const FIRST_DAY = 0x21;

interface Entry {
  readonly name: string;
  /** Its record in the central directory. */
  readonly record: Uint8Array;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly unpackedSize: number;
  /** From its local header to where the next part begins. */
  readonly from: number;
  readonly to: number;
  readonly dataAt: number;
}

export class Zip {
  readonly #bytes: Uint8Array;
  /** By name, in the order of their bytes. */
  readonly #entries = new Map<string, Entry>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    for (const entry of readEntries(bytes)) {
      if (this.#entries.has(entry.name)) throw damaged(`it has the part ${shown(entry.name)} twice`);
      this.#entries.set(entry.name, entry);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Unpacked as it is read. */
  async *read(name: string, maxBytes: number): AsyncIterable<Uint8Array> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw damaged(`it has no part ${shown(name)}`);
    const packed = this.#bytes.subarray(entry.dataAt, entry.dataAt + entry.size);
    const mostByRatio = FREE_OF_RATIO_BYTES + MAX_RATIO * entry.size;
    let length = 0;
    let crc = 0;
    for await (const chunk of entry.method === DEFLATED ? inflated(packed) : slices(packed)) {
      length += chunk.length;
      if (length > maxBytes)
        throw new FileError(
          'too_large',
          `The part ${shown(name)} of the workbook unpacks to more than ${Math.round(maxBytes / 1_048_576)} MiB: save the sheet as CSV.`,
        );
      if (length > mostByRatio)
        throw new FileError(
          'too_large',
          `The part ${shown(name)} of the workbook unpacks to more than ${MAX_RATIO} times its size: save the sheet as CSV.`,
        );
      // Before the rest of it is unpacked.
      if (length > entry.unpackedSize) break;
      crc = crc32(chunk, crc);
      yield chunk;
    }
    if (crc !== entry.crc || length !== entry.unpackedSize)
      throw damaged(`the part ${shown(name)} was changed or cut off`);
  }

  /** `changed`: the new content of a part, or null to leave it out. */
  async *rewrite(changed: ReadonlyMap<string, AsyncIterable<Uint8Array> | null>): AsyncIterable<Uint8Array> {
    const records: Uint8Array[] = [];
    let offset = 0;
    for (const entry of this.#entries.values()) {
      const content = changed.get(entry.name);
      if (content === null) continue;
      const record = entry.record.slice();
      const pieces =
        content === undefined
          ? [this.#bytes.subarray(entry.from, entry.to)]
          : await packedPart(record, content);
      viewOf(record).setUint32(42, offset, true);
      records.push(record);
      for (const piece of pieces) {
        offset += piece.length;
        yield piece;
      }
    }
    yield* directory(records, offset);
  }
}

/** A new archive of these parts, in their order. */
export async function* writeZip(
  parts: Iterable<readonly [string, AsyncIterable<Uint8Array>]>,
): AsyncIterable<Uint8Array> {
  const records: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of parts) {
    const record = newRecord(name);
    const pieces = await packedPart(record, content);
    viewOf(record).setUint32(42, offset, true);
    records.push(record);
    for (const piece of pieces) {
      offset += piece.length;
      yield piece;
    }
  }
  yield* directory(records, offset);
}

function newRecord(name: string): Uint8Array {
  const nameBytes = new TextEncoder().encode(name);
  const record = new Uint8Array(CENTRAL_BYTES + nameBytes.length);
  const view = viewOf(record);
  view.setUint32(0, CENTRAL, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, VERSION, true);
  view.setUint16(14, FIRST_DAY, true);
  view.setUint16(28, nameBytes.length, true);
  record.set(nameBytes, CENTRAL_BYTES);
  return record;
}

function* directory(records: readonly Uint8Array[], offset: number): Iterable<Uint8Array> {
  yield* records;
  const end = new Uint8Array(END_BYTES);
  const view = viewOf(end);
  view.setUint32(0, END, true);
  view.setUint16(8, records.length, true);
  view.setUint16(10, records.length, true);
  view.setUint32(
    12,
    records.reduce((sum, record) => sum + record.length, 0),
    true,
  );
  view.setUint32(16, offset, true);
  yield end;
}

function readEntries(bytes: Uint8Array): Entry[] {
  const view = viewOf(bytes);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const directory = view.getUint32(end + 16, true);
  if (count === FULL_16)
    throw new FileError(
      'too_large',
      `The workbook has more than ${(FULL_16 - 1).toLocaleString('en')} parts: save the sheet as CSV.`,
    );
  if (directory === FULL_32) throw damaged('it is a ZIP64 archive');
  const decoder = new TextDecoder();
  const heads: { name: string; at: number; length: number; from: number }[] = [];
  let at = directory;
  for (let read = 0; read < count; read += 1) {
    if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== CENTRAL)
      throw damaged('its directory is broken');
    const nameBytes = view.getUint16(at + 28, true);
    const length = CENTRAL_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (at + length > end || nameBytes > MAX_NAME_BYTES) throw damaged('its directory is broken');
    const name = decoder.decode(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes));
    heads.push({ name, at, length, from: view.getUint32(at + 42, true) });
    at += length;
  }
  // Parts that the count leaves out would be lost.
  if (at !== directory + view.getUint32(end + 12, true)) throw damaged('its directory is broken');
  heads.sort((a, b) => a.from - b.from);
  return heads.map((head, index) => {
    const to = heads[index + 1]?.from ?? directory;
    if (view.getUint16(head.at + 8, true) & FLAG_ENCRYPTED)
      throw refusalOf({ format: 'password', name: 'an archive with a password' });
    const method = view.getUint16(head.at + 10, true);
    const size = view.getUint32(head.at + 20, true);
    if (method !== STORED && method !== DEFLATED)
      throw damaged(`the part ${shown(head.name)} is packed in an unknown way`);
    if (head.from + LOCAL_BYTES > to || to > end || view.getUint32(head.from, true) !== LOCAL)
      throw damaged('its directory is broken');
    const dataAt =
      head.from + LOCAL_BYTES + view.getUint16(head.from + 26, true) + view.getUint16(head.from + 28, true);
    // Parts that overlap are how a small archive unpacks to a vast one.
    if (dataAt + size > to) throw damaged(`the part ${shown(head.name)} is cut off`);
    return {
      name: head.name,
      record: bytes.subarray(head.at, head.at + head.length),
      method,
      crc: view.getUint32(head.at + 16, true),
      size,
      unpackedSize: view.getUint32(head.at + 24, true),
      from: head.from,
      to,
      dataAt,
    };
  });
}

function findEnd(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1)
    if (view.getUint32(at, true) === END) return at;
  throw damaged('it is cut off');
}

/** Fills in what the record says of the content; the local header says the same. */
async function packedPart(
  record: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): Promise<readonly Uint8Array[]> {
  let crc = 0;
  let unpackedSize = 0;
  const pieces: Uint8Array[] = [];
  const counted = async function* () {
    for await (const chunk of content) {
      crc = crc32(chunk, crc);
      unpackedSize += chunk.length;
      yield chunk;
    }
  };
  let size = 0;
  for await (const piece of through(counted(), new CompressionStream('deflate-raw'))) {
    size += piece.length;
    pieces.push(piece);
  }
  if (unpackedSize >= FULL_32)
    throw new FileError('too_large', 'The sheet would grow beyond 4 GiB: save it as CSV.');
  const view = viewOf(record);
  view.setUint16(8, view.getUint16(8, true) & FLAG_UTF8, true);
  view.setUint16(10, DEFLATED, true);
  view.setUint32(16, crc, true);
  view.setUint32(20, size, true);
  view.setUint32(24, unpackedSize, true);
  const nameBytes = view.getUint16(28, true);
  const header = new Uint8Array(LOCAL_BYTES + nameBytes);
  viewOf(header).setUint32(0, LOCAL, true);
  // Version needed up to the length of the name: the same fields in the same order.
  header.set(record.subarray(6, 30), 4);
  header.set(record.subarray(CENTRAL_BYTES, CENTRAL_BYTES + nameBytes), LOCAL_BYTES);
  return [header, ...pieces];
}

async function* inflated(packed: Uint8Array): AsyncIterable<Uint8Array> {
  try {
    yield* through(slices(packed), new DecompressionStream('deflate-raw'));
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw damaged('a part cannot be unpacked');
  }
}

/** A slice unpacks to a thousand times its size at most: a bomb is noticed before it fills the memory. */
function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(why: string): FileError {
  return new FileError('damaged', `The workbook cannot be read, since ${why}: open it and save it again.`);
}
