import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NONCE, readConsoleFiles } from './console-files.ts';

const INDEX = `<!doctype html><script nonce="${NONCE}"></script>`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mxproof-console-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

test('every file is found by its path, compressed where that pays, and the index is none of them', async () => {
  const long = 'const x = 1;\n'.repeat(500);
  write({ 'index.html': INDEX, 'assets/a-1.js': long, 'assets/b-2.css': 'b{}', 'favicon.svg': '<svg/>' });
  const { index, files } = await readConsoleFiles(`${folder}/`);
  expect(index).toBe(INDEX);
  expect([...files.keys()].sort()).toEqual(['/assets/a-1.js', '/assets/b-2.css', '/favicon.svg']);
  const script = files.get('/assets/a-1.js')!;
  expect(script.type).toBe('text/javascript; charset=utf-8');
  expect(gunzipSync(await script.compressed!('gzip')).toString()).toBe(long);
  expect(brotliDecompressSync(await script.compressed!('br')).toString()).toBe(long);
  expect(await script.compressed!('br')).toBe(await script.compressed!('br'));
  expect(files.get('/assets/b-2.css')).toMatchObject({ compressed: null, cached: 'lasting' });
  expect(files.get('/favicon.svg')).toMatchObject({ type: 'image/svg+xml', cached: 'hour' });
});

test('the build’s own notes are not served', async () => {
  write({ 'index.html': INDEX, '.vite/manifest.json': '{}', 'assets/a.js': '' });
  expect([...(await readConsoleFiles(folder)).files.keys()]).toEqual(['/assets/a.js']);
});

test.each([
  ['no index', { 'assets/a.js': '' }, 'holds no page'],
  ['an index without a place for the nonce', { 'index.html': '<!doctype html>' }, 'holds no page'],
  ['a file of an unknown type', { 'index.html': INDEX, 'assets/a.exe': '' }, 'a.exe is of a type'],
  [
    'a file that is too large',
    { 'index.html': INDEX, 'a.js': ' '.repeat(4 * 1024 * 1024 + 1) },
    'larger than',
  ],
  [
    'too many files',
    Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`${n}.js`, ''])),
    'more than 500 files',
  ],
])('%s is no page', async (_, files, words) => {
  write(files as Record<string, string>);
  await expect(readConsoleFiles(folder)).rejects.toThrow(words);
});
