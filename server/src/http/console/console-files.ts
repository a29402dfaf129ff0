// The console's built files, in memory. Promise: what is served is what was read at the start; a requested path is looked up
// in a table, never on the disk.
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { type SharedFile, sharedFile } from '../shared-file.ts';

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
/** Where the build puts files whose names say what is in them. */
const NAMED_BY_CONTENT = '/assets/';

export interface ConsoleFiles {
  /** Of every page; a nonce takes the place of NONCE. */
  readonly index: string;
  /** By path from the root of the site. */
  readonly files: ReadonlyMap<string, SharedFile>;
}

export const NONCE = '__CSP_NONCE__';

export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  if (found.length > FILES_MAX) throw new Error(`${folder} holds more than ${FILES_MAX} files`);
  const files = new Map<string, SharedFile>();
  for (const entry of found) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).replaceAll(sep, '/')}`;
    // The build's own notes.
    if (path.startsWith('/.')) continue;
    const type = TYPES[extname(file)];
    if (type === undefined) throw new Error(`${file} is of a type that the console does not have`);
    const plain = await readFile(file);
    if (plain.length > FILE_MAX_BYTES) throw new Error(`${file} is larger than ${FILE_MAX_BYTES} bytes`);
    files.set(
      path,
      sharedFile({ type, plain, cached: path.startsWith(NAMED_BY_CONTENT) ? 'lasting' : 'hour' }),
    );
  }
  const index = files.get('/index.html')?.plain.toString('utf8');
  if (index === undefined || !index.includes(NONCE)) throw new Error(`${folder} holds no page`);
  files.delete('/index.html');
  return { index, files };
}
