// Compresses evidence for the table. Synchronously: for texts of this size a thread would cost more (ADR 0008).
// Promise: decompressing returns the text, whether or not it was worth compressing.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** A single check's evidence is below it: compressing that saves too little for its time (ADR 0008). */
const AS_IT_IS_BYTES = 2_000;
/** The first bytes of a zstd frame, with which no text begins. */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export function compress(text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.length <= AS_IT_IS_BYTES ? bytes : zstdCompressSync(bytes, FASTEST);
}

export function decompress(data: Buffer): string {
  const isCompressed = data.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC);
  return (isCompressed ? zstdDecompressSync(data) : data).toString();
}
