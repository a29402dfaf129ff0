// What /llms.txt says, tried by its letter against the real service, with a test key: a model has nothing else. Its Python is run by
// clients/python/tests/test_guides.py.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliService, startCliService } from '../test/start-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const RUN_LIMIT_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-llms-'));

let service: CliService;
let text: string;
let testKey: string;
beforeAll(async () => {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  service = await startCliService({ domains: {} });
  text = await (await fetch(`${service.url}/llms.txt`)).text();
  testKey = (await service.call('POST', '/keys', { label: 'model', test: true })).api_key as string;
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const blocks = (language: string) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, lang]) => lang === language)
    .map(([, , code]) => code!);

async function run(command: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, MXPROOF_URL: service.url, MXPROOF_API_KEY: testKey };
  const { stdout } = await promisify(execFile)(command, [...args], {
    cwd: folder,
    env,
    timeout: RUN_LIMIT_MS,
  });
  return stdout;
}

const post = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${testKey}` };
  return fetch(`${service.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
};

test('there is no block that is not run', () => {
  const languages = [...text.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
  expect(languages).toEqual(['sh', 'json', 'sh', 'ts', 'python']);
});

test('its commands answer what it shows, and follow a list to its end', async () => {
  const [one, many] = await Promise.all(
    blocks('sh').map((code) => run('bash', ['-euo', 'pipefail', '-c', code])),
  );
  expect(JSON.parse(one!)).toEqual(JSON.parse(blocks('json')[0]!));
  expect(many).toContain('event: done');
  const { results } = JSON.parse(many!.trimEnd().split('\n').at(-1)!) as { results: { state: string }[] };
  expect(results.map(({ state }) => state)).toEqual(['deliverable', 'undeliverable']);
});

test('its program in TypeScript prints what it says', async () => {
  const [program] = blocks('ts');
  writeFileSync(join(folder, 'program.ts'), program!);
  expect((await run(process.execPath, [join(folder, 'program.ts')])).split('\n')).toEqual([
    /\/\/ (deliverable .+)$/m.exec(program!)![1],
    'ann@example.com deliverable accepted_email',
    'rejected-email@example.com undeliverable rejected_email',
    '',
  ]);
});

test('its test addresses and list names get what it says', async () => {
  const addresses = [...text.matchAll(/^- `([a-z-]+)`: `(\w+)`, `(\w+)`, `(\w+)`$/gm)];
  expect(addresses.length).toBeGreaterThan(8);
  for (const [line, word, state, reason, detail] of addresses) {
    const answer = await post('/verify?include=detail', { email: `ann+${word}@example.com` });
    expect(await answer.json(), line).toMatchObject({ state, reason, detail });
  }
  const refusals = (line: RegExp) => [...line.exec(text)![1]!.matchAll(/`([a-z-]+)` \(`(\w+)`\)/g)];
  for (const [, word, code] of refusals(/^- refused by `POST \/v1\/verify`: (.+)$/m))
    expect((await post('/verify', { email: `${word}@example.com` })).headers.get('mxproof-error')).toBe(code);
  for (const [, name, code] of refusals(/^- names of lists that `POST \/v1\/lists` refuses: (.+)$/m))
    expect((await post('/lists', { emails: ['a@b.test'], name })).headers.get('mxproof-error')).toBe(code);
  const slow = await post('/verify', { email: 'slow@example.com' });
  expect([slow.status, await slow.json()]).toMatchObject([202, { state: 'pending' }]);
  expect(slow.headers.get('content-location')).toMatch(/^\/v1\/lists\/\d+\/results$/);
});
