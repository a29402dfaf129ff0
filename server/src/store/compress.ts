// Compresses evidence for the table. Synchronously: for texts of this size a thread would cost three times as much.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function compress(text: string): Buffer {
  return zstdCompressSync(Buffer.from(text), FASTEST);
}

export function decompress(data: Buffer): string {
  return zstdDecompressSync(data).toString();
}
