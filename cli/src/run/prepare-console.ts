// Where the console's built files are. A package contains them; in a checkout they are built at the first start and cached
// under a hash of their sources. Promise: built in a separate process that the service never waits for; a build appears
// whole or not at all; when it fails, only the console is missing.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Places {
  /** Where a package has them. */
  readonly packed: string;
  /** The checkout. */
  readonly root: string;
  /** Where builds are kept. */
  readonly kept: string;
}

const PLACES: Places = {
  // Next to the compiled command.
  packed: fileURLToPath(new URL('../../console', import.meta.url)),
  root: ROOT,
  kept: join(ROOT, 'node_modules/.cache/mxproof-console'),
};

/** Everything that a build reads. */
const SOURCES = [
  'console/*.{html,json,ts}',
  'console/{public,src}/**/*',
  '{client,common,engine,files}/{package.json,src/**/*.ts}',
  'package-lock.json',
];
const UNFINISHED = 'building-';
const BUILD_LIMIT_MS = 120_000;
/** Of what a failed build says. */
const SAID_MAX_CHARACTERS = 2_000;

export interface PreparedConsole {
  readonly folder: string;
  /** Null: it was there already. */
  readonly builtInMs: number | null;
  /** To be called when the files have been read: where nothing could be kept, they are removed. */
  done(): Promise<void>;
}

/** @param onBuild called when it must be built */
export async function prepareConsole(
  { packed, root, kept }: Places = PLACES,
  onBuild: () => void = () => {},
): Promise<PreparedConsole> {
  const asItIs = { builtInMs: null, done: async () => {} };
  if (existsSync(join(packed, 'index.html'))) return { folder: packed, ...asItIs };
  const name = await hashOf(root);
  const folder = join(kept, name);
  if (existsSync(folder)) return { folder, ...asItIs };
  onBuild();
  const beganMs = performance.now();
  const { made, isKept } = await makeFolder(kept);
  const discard = () => rm(made, { recursive: true, force: true });
  try {
    await build(root, made);
    if (isKept) await keep(made, folder);
  } catch (error) {
    await discard();
    throw error;
  }
  const builtInMs = performance.now() - beganMs;
  if (!isKept) return { folder: made, builtInMs, done: discard };
  await removeOthers(kept, name);
  return { folder, builtInMs, done: discard };
}

/** Of its own for every build. A checkout that cannot be written to is built anew at each start. */
async function makeFolder(kept: string): Promise<{ made: string; isKept: boolean }> {
  try {
    await mkdir(kept, { recursive: true });
    return { made: await mkdtemp(join(kept, UNFINISHED)), isKept: true };
  } catch {
    return { made: await mkdtemp(join(tmpdir(), 'mxproof-console-')), isKept: false };
  }
}

async function keep(made: string, folder: string): Promise<void> {
  // mkdtemp's are for their maker alone; another user may be the next to start.
  await chmod(made, 0o755);
  try {
    await rename(made, folder);
  } catch (error) {
    // A concurrent start has already put the same build there.
    if (!existsSync(folder)) throw error;
  }
}

/** Builds of other sources, and remains of a start that was killed. */
async function removeOthers(kept: string, name: string): Promise<void> {
  for (const other of await readdir(kept)) {
    const path = join(kept, other);
    const isInWork =
      other.startsWith(UNFINISHED) &&
      Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? 0) < 2 * BUILD_LIMIT_MS;
    if (other !== name && !isInWork) await rm(path, { recursive: true, force: true });
  }
}

async function build(root: string, folder: string): Promise<void> {
  const child = fork(join(root, 'console/build.ts'), [folder], {
    cwd: root,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: BUILD_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  // The build ends with this process, also where it exits by itself.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_MAX_CHARACTERS);
  });
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw new Error(`the build ended with ${code ?? signal}: ${said.trim()}`);
  } finally {
    process.off('exit', end);
  }
}

async function hashOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for await (const entry of glob(SOURCES, { cwd: root, withFileTypes: true }))
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  for (const file of files.sort())
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(await readFile(file))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}
