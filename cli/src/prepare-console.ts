// Where the web page's built files are. A package brings them; in a checkout they are built at the first start and kept by
// what they were built from. Promise: built in a process of its own beside the service, which never waits for it; a build
// appears whole or not at all; a failed one costs only the page.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Next to the compiled command. */
const PACKED = fileURLToPath(new URL('../console', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEPT = join(ROOT, 'node_modules/.cache/mxproof-console');
/** Everything that a build reads. */
const SOURCES = [
  'console/{index.html,package.json,vite.config.ts}',
  'console/{public,src}/**/*',
  '{client,engine,files}/src/**/*.ts',
  'package-lock.json',
];
const BUILD_LIMIT_MS = 120_000;

export interface PreparedConsole {
  readonly folder: string;
  /** Null: it was there already. */
  readonly builtInMs: number | null;
}

export async function prepareConsole(): Promise<PreparedConsole> {
  if (existsSync(join(PACKED, 'index.html'))) return { folder: PACKED, builtInMs: null };
  const name = hashOf(SOURCES);
  const folder = join(KEPT, name);
  if (existsSync(folder)) return { folder, builtInMs: null };
  const beganMs = performance.now();
  mkdirSync(KEPT, { recursive: true });
  const made = mkdtempSync(join(KEPT, 'building-'));
  try {
    await build(made);
    // Another start may have been quicker.
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  for (const old of readdirSync(KEPT))
    if (old !== name && !old.startsWith('building-'))
      rmSync(join(KEPT, old), { recursive: true, force: true });
  return { folder, builtInMs: performance.now() - beganMs };
}

async function build(folder: string): Promise<void> {
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const args = [vite, 'build', join(ROOT, 'console'), '--outDir', folder, '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: BUILD_LIMIT_MS });
}

function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  const files = globSync([...patterns], { cwd: ROOT, withFileTypes: true }).filter((one) => one.isFile());
  for (const file of files.map((one) => join(one.parentPath, one.name)).sort())
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}
