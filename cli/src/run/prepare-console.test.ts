// On a minimal checkout, whose build does what the test says: the real one is built by the console's own tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { type Places, prepareConsole } from './prepare-console.ts';

const BUILDS = `
import { appendFileSync, writeFileSync } from 'node:fs';
appendFileSync('builds.log', 'build\\n');
writeFileSync(process.argv[2] + '/index.html', 'the page');
process.exit(0);
`;
const FAILS = `
import { writeFileSync } from 'node:fs';
writeFileSync(process.argv[2] + '/index.html', 'half a p');
console.error('an import is missing');
process.exit(1);
`;
/** Never ends by itself, unless the process that started it is gone. */
const HANGS = `
import { writeFileSync } from 'node:fs';
process.once('disconnect', () => process.exit(1));
writeFileSync(process.argv[2] + '/index.html', 'half a p');
writeFileSync('build.pid', String(process.pid));
setInterval(() => {}, 1000);
`;

let root: string;
let places: Places;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mxproof-checkout-'));
  mkdirSync(join(root, 'console/src'), { recursive: true });
  writeFileSync(join(root, 'console/package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'console/src/main.ts'), '1');
  write('console/build.ts', BUILDS);
  places = { root, packed: join(root, 'packed'), kept: join(root, 'kept') };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}
const builds = () => readFileSync(join(root, 'builds.log'), 'utf8').trim().split('\n').length;
const kept = () => readdirSync(places.kept);
const pageIn = (folder: string) => readFileSync(join(folder, 'index.html'), 'utf8');

test('a package’s own page is taken as it is', async () => {
  mkdirSync(places.packed);
  write('packed/index.html', 'packed');
  const page = await prepareConsole(places);
  expect(page).toMatchObject({ folder: places.packed, builtInMs: null });
  await page.done();
  expect(pageIn(places.packed)).toBe('packed');
});

test('the console is built once, kept, and built anew when a source has changed, which replaces the old build', async () => {
  const first = await prepareConsole(places);
  expect(first.builtInMs).not.toBeNull();
  await first.done();
  expect(pageIn(first.folder)).toBe('the page');
  expect(statSync(first.folder).mode & 0o777).toBe(0o755);
  expect(await prepareConsole(places)).toMatchObject({ folder: first.folder, builtInMs: null });
  expect(builds()).toBe(1);

  write('console/src/main.ts', '2');
  const second = await prepareConsole(places);
  expect(builds()).toBe(2);
  expect(kept()).toEqual([second.folder.split('/').at(-1)]);
});

test('two starts at once both get the console', async () => {
  const pages = await Promise.all([prepareConsole(places), prepareConsole(places)]);
  for (const { folder } of pages) expect(pageIn(folder)).toBe('the page');
  await Promise.all(pages.map((page) => page.done()));
  expect(kept()).toHaveLength(1);
  expect(pageIn(pages[0]!.folder)).toBe('the page');
});

test('a failed build says why, leaves nothing, and is tried again at the next start', async () => {
  write('console/build.ts', FAILS);
  await expect(prepareConsole(places)).rejects.toThrow('the build ended with 1: an import is missing');
  expect(kept()).toEqual([]);
  write('console/build.ts', BUILDS);
  expect(pageIn((await prepareConsole(places)).folder)).toBe('the page');
});

test('a start that is killed leaves no half of a page and no process, and what it leaves is removed in time', async () => {
  write('console/build.ts', HANGS);
  const module = new URL('./prepare-console.ts', import.meta.url);
  const program = `import(${JSON.stringify(module.href)}).then((m) => m.prepareConsole(${JSON.stringify(places)}))`;
  const start = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  const build = Number(await until(() => readFileSync(join(root, 'build.pid'), 'utf8') || false));
  start.kill('SIGKILL');
  await once(start, 'close');
  await until(() => !existsSync(`/proc/${build}`) || isZombie(build));

  const [left] = kept();
  expect(left).toMatch(/^building-/);
  write('console/build.ts', BUILDS);
  await prepareConsole(places);
  // It might be the build of another start.
  expect(kept()).toContain(left);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(places.kept, left!), longAgo, longAgo);
  write('console/src/main.ts', '2');
  const { folder } = await prepareConsole(places);
  expect(kept()).toEqual([folder.split('/').at(-1)]);
});

/** Its parent is gone, and a container may have no init that reaps it. */
function isZombie(pid: number): boolean {
  return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('where nothing can be kept, the console is built elsewhere and removed after it was read', async () => {
  // A file where the folder should be: for root no folder is read-only.
  write('kept', '');
  const page = await prepareConsole(places);
  expect(page.folder.startsWith(root)).toBe(false);
  expect(pageIn(page.folder)).toBe('the page');
  expect(statSync(page.folder).mode & 0o777).toBe(0o700);
  await page.done();
  expect(existsSync(page.folder)).toBe(false);
});

test('without a working builder only the console is missing', async () => {
  rmSync(join(root, 'console/build.ts'));
  await expect(prepareConsole(places)).rejects.toThrow(/the build ended with 1: [\s\S]*build\.ts/);
});
