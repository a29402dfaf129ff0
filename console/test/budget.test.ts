// The size of the console. Sign-in and Check are loaded by every visit; other pages when they are opened.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ENTRY_MAX_BYTES = 150_000;
const ENTRY = 'index.html';
const BUILD_LIMIT_MS = 120_000;

interface Piece {
  readonly file: string;
  readonly name?: string;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'mxproof-budget-'));
let pieces: Record<string, Piece>;
beforeAll(() => {
  execFileSync(process.execPath, [join(import.meta.dirname, '../build.ts'), folder]);
  pieces = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as typeof pieces;
}, BUILD_LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A piece and what it cannot do without. */
function withImports(key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of pieces[key]?.imports ?? []) withImports(imported, found);
  return found;
}

const gzipped = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
const sum = (files: Iterable<string>) =>
  [...new Set(files)].reduce((bytes, file) => bytes + gzipped(file), 0);

test('sign-in and Check need at most 150 kB of script; spreadsheets, charts and other pages come later', () => {
  const first = [...withImports(ENTRY)];
  const script = sum(first.map((key) => pieces[key]!.file));
  const table = [row('sign-in and Check', script, sum(first.flatMap((key) => pieces[key]!.css ?? [])))];
  for (const [key, piece] of Object.entries(pieces)) {
    if (!piece.isDynamicEntry) continue;
    const more = [...withImports(key)].filter((one) => !first.includes(one));
    table.push(
      row(
        `+ ${piece.name ?? key}`,
        sum(more.map((one) => pieces[one]!.file)),
        sum(more.flatMap((one) => pieces[one]!.css ?? [])),
      ),
    );
  }
  console.log(['gzipped, kB                    script    style', ...table].join('\n'));
  expect(script).toBeGreaterThan(0);
  expect(script).toBeLessThanOrEqual(ENTRY_MAX_BYTES);
  expect(first.filter((key) => /xlsx|worker|chart|list-page/.test(key))).toEqual([]);
});

function row(name: string, script: number, style: number): string {
  const kB = (bytes: number) => (bytes / 1_000).toFixed(1).padStart(8);
  return `${name.padEnd(28)} ${kB(script)} ${kB(style)}`;
}
