// `mxproof serve` from a checkout whose console cannot be built: the API is served all the same, and the error is reported once.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliService, startCliService } from '../../test/start-service.ts';

const ROOT = join(import.meta.dirname, '../../..');
const BUILT_FROM = [
  'cli',
  'client',
  'common',
  'console',
  'engine',
  'files',
  'server',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
/** Large, or made by tests. */
const LEFT_OUT = new Set(['node_modules', 'screenshots', 'dist', 'test']);

let checkout: string;
let service: CliService;
beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'mxproof-broken-'));
  for (const part of BUILT_FROM)
    cpSync(join(ROOT, part), join(checkout, part), {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
  // The packages, without what earlier builds left beside them.
  mkdirSync(join(checkout, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name));
  writeFileSync(join(checkout, 'console/src/main.tsx'), "import './nowhere.ts';\n");
  service = await startCliService({ domains: {} }, {}, join(checkout, 'cli/bin/mxproof.mjs'));
});
afterAll(async () => {
  await service?.close();
  rmSync(checkout, { recursive: true, force: true });
});

test('the API is served, the console’s address says what is wrong, and the log has one line about it', async () => {
  const line = await service.line(/the console could not be built/);
  expect(JSON.parse(line)).toMatchObject({ err: { message: expect.stringContaining('nowhere.ts') } });
  expect(await service.call('POST', '/verify', { email: 'not an address' })).toMatchObject({
    state: 'undeliverable',
  });
  const answer = await fetch(service.url);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('<p>The console could not be built: see the service’s log.');
  expect((await fetch(`${service.url}/docs`)).status).toBe(200);
  expect(service.lines().filter((each) => /could not be built|nowhere/.test(each))).toEqual([line]);
});
