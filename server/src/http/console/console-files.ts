// The console's built files, in memory. Promise: what is served is what was read at the start, compressed once, when it
// is first requested; a requested path is looked up in a table, never on the disk.
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** More is not what we build. */
const FILES_MAX = 500;
const FILE_MAX_BYTES = 4 * 1024 * 1024;
/** What a packet holds anyway need not be compressed. */
const COMPRESS_FROM_BYTES = 1_024;
/**
 * Higher levels take several times as long for a percent or less (ADR 0039).
 */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
/** Where the build puts files whose names say what is in them. */
const NAMED_BY_CONTENT = '/assets/';

export type Encoding = 'br' | 'gzip';

interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Null: too small to gain by it. */
  readonly compressed: ((encoding: Encoding) => Promise<Buffer>) | null;
  /** It never changes under its name. */
  readonly isLasting: boolean;
}

export interface ConsoleFiles {
  /** Of every page; a nonce takes the place of NONCE. */
  readonly index: string;
  /** By path from the root of the site. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

export const NONCE = '__CSP_NONCE__';

export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  if (found.length > FILES_MAX) throw new Error(`${folder} holds more than ${FILES_MAX} files`);
  const files = new Map<string, ConsoleFile>();
  for (const entry of found) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).replaceAll(sep, '/')}`;
    // The build's own notes.
    if (path.startsWith('/.')) continue;
    const type = TYPES[extname(file)];
    if (type === undefined) throw new Error(`${file} is of a type that the console does not have`);
    const plain = await readFile(file);
    if (plain.length > FILE_MAX_BYTES) throw new Error(`${file} is larger than ${FILE_MAX_BYTES} bytes`);
    files.set(path, {
      type,
      plain,
      compressed: plain.length < COMPRESS_FROM_BYTES ? null : compressedOnce(plain),
      isLasting: path.startsWith(NAMED_BY_CONTENT),
    });
  }
  const index = files.get('/index.html')?.plain.toString('utf8');
  if (index === undefined || !index.includes(NONCE)) throw new Error(`${folder} holds no page`);
  files.delete('/index.html');
  return { index, files };
}

/** Not at the start, when lists go on that a restart interrupted. */
function compressedOnce(plain: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const known = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    let compressed = known.get(encoding);
    if (compressed === undefined) {
      compressed = compress(plain, encoding);
      known.set(encoding, compressed);
      // A compression that failed, perhaps for lack of memory, is tried again by the next request.
      compressed.catch(() => known.delete(encoding));
    }
    return compressed;
  };
}

function compress(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(plain, { level: GZIP_LEVEL });
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
