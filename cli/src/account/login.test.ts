import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../server/test/http-service.ts';
import { mxproof, onTerminal } from '../../test/run-mxproof.ts';
import { isInTheClear, readServiceUrl } from './service-account.ts';

let service: TestService;
let url: string;
let home: string;

beforeAll(async () => {
  service = await startService({ credits: 500 });
  url = `http://127.0.0.1:${service.port}`;
});
afterAll(() => service.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mxproof-login-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const saved = () => join(home, '.config/mxproof/login.json');
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a key on standard input is checked, then saved where only the user can read it; logout deletes it', async () => {
  const folder = join(home, '.config/mxproof');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const { apiKey } = service.account;
  const ran = await mxproof(['login', '--url', `${url}/v1/`], { HOME: home }, `${apiKey}\n`);
  expect(ran).toEqual({
    status: 0,
    stdout: `Logged in to ${url} as "tests" with a live key: 500 credits.\nSaved in ${saved()}; "mxproof logout" deletes it.\n`,
    stderr: '',
  });
  expect(JSON.parse(readFileSync(saved(), 'utf8'))).toEqual({ url, api_key: apiKey });
  expect([modeOf(folder), modeOf(saved())]).toEqual(['700', '600']);
  expect(readdirSync(folder)).toEqual(['login.json']);

  const gone = await mxproof(['logout'], { HOME: home });
  expect(gone).toEqual({ status: 0, stdout: `Logged out: ${saved()} is deleted.\n`, stderr: '' });
  expect(readdirSync(folder)).toEqual([]);
  expect((await mxproof(['logout', '--json'], { HOME: home })).stdout).toBe('{"deleted":false}\n');
});

test('XDG_CONFIG_HOME is the folder, unless it is a relative path', async () => {
  const { apiKey } = service.account;
  const xdg = join(home, 'settings');
  const env = { HOME: home, MXPROOF_URL: url };
  const { stdout } = await mxproof(['login', '--json'], { ...env, XDG_CONFIG_HOME: xdg }, apiKey);
  const file = join(xdg, 'mxproof/login.json');
  expect(JSON.parse(stdout)).toEqual({ url, account: 'tests', mode: 'live', credits: 500, file });
  await mxproof(['login'], { ...env, XDG_CONFIG_HOME: 'settings' }, apiKey);
  expect(readFileSync(saved(), 'utf8')).toBe(readFileSync(file, 'utf8'));
});

test('at a terminal the key is typed unseen', async () => {
  const { apiKey } = service.account;
  const terminal = onTerminal(['login', '--url', url], { HOME: home });
  await terminal.saw('(input is hidden): ');
  terminal.stdin!.write(`${apiKey}\r`);
  const { status, stdout } = await terminal.ran;
  expect(stdout).toContain('as "tests" with a live key');
  expect(stdout).not.toContain(apiKey.slice(8));
  expect(status).toBe(0);
});

test('Ctrl-C at the question ends it with 130 and saves nothing', async () => {
  const terminal = onTerminal(['login', '--url', url], { HOME: home });
  await terminal.saw('(input is hidden): ');
  terminal.stdin!.write('\u0003');
  expect((await terminal.ran).status).toBe(130);
  expect(() => statSync(saved())).toThrow('ENOENT');
});

test.each([
  ['a key that the service refuses', ['login'], 'mx_live_wrong', 4, /^The service refused the API key/],
  [
    'no key',
    ['login'],
    '',
    2,
    /^No API key for .* given: type it when asked, or pass it on standard input\.$/,
  ],
  [
    'something else',
    ['login'],
    'hunter2',
    2,
    /^This is not an API key: keys start with mx_live_ or mx_test_\.$/,
  ],
  ['endless input', ['login'], 'x'.repeat(100_000), 2, /is longer than 4096 characters\.$/],
  [
    'a key as an option',
    ['login', '--key', 'mx_live_x'],
    '',
    2,
    /^A key among the arguments stays in the history/,
  ],
  [
    'a key as an argument',
    ['login', 'mx_live_x'],
    '',
    2,
    /run "mxproof login" and paste the key when it asks/,
  ],
  ['no service', ['login', '--url', 'http://127.0.0.1:1'], 'mx_live_x', 3, /^No answer from/],
  ['no url', ['login', '--url', 'ftp://x'], 'mx_live_x', 2, /^--url must be an http or https address/],
  [
    'a password in the url',
    ['login', '--url', 'http://a:b@x'],
    '',
    2,
    /^--url must be an http or https address without a user name/,
  ],
])('login with %s is refused in one sentence, and nothing is saved', async (_, args, stdin, status, sentence) => {
  const ran = await mxproof(args, { HOME: home, MXPROOF_URL: url }, stdin);
  expect(ran.stderr.trimEnd()).toMatch(sentence);
  expect(ran).toMatchObject({ status, stdout: '' });
  expect(() => statSync(saved())).toThrow('ENOENT');
});

test('with --json an error is JSON too', async () => {
  const ran = await mxproof(['login', '--json'], { HOME: home, MXPROOF_URL: url }, 'mx_live_wrong');
  expect(JSON.parse(ran.stderr)).toEqual({
    error: expect.stringMatching(/^The service refused the API key/),
  });
});

test('a saved key is sent to the service it was saved for and to no other', async () => {
  const other = await service.open({ name: 'other' });
  const env = { HOME: home };
  await mxproof(['login', '--url', url], env, service.account.apiKey);
  expect(JSON.parse((await mxproof(['account', '--json'], env)).stdout)).toMatchObject({ name: 'tests' });
  const elsewhere = await mxproof(['account', '--url', 'http://127.0.0.1:1'], env);
  expect(elsewhere).toEqual({
    status: 4,
    stdout: '',
    stderr:
      'No API key for http://127.0.0.1:1: run "mxproof login --url http://127.0.0.1:1" once, or set MXPROOF_API_KEY.\n',
  });
  const withKey = { ...env, MXPROOF_API_KEY: other.apiKey };
  expect(JSON.parse((await mxproof(['account', '--json'], withKey)).stdout)).toMatchObject({ name: 'other' });
  expect((await mxproof(['logout'], withKey)).stderr).toBe(
    'MXPROOF_API_KEY is set in this shell and is used instead of a saved login.\n',
  );
});

test('a damaged login says what to do, and that works', async () => {
  mkdirSync(join(home, '.config/mxproof'), { recursive: true });
  writeFileSync(saved(), '{"url":');
  const ran = await mxproof(['account'], { HOME: home });
  const sentence = `${saved()} is damaged: run "mxproof logout", then "mxproof login".\n`;
  expect(ran).toEqual({ status: 1, stdout: '', stderr: sentence });
  expect((await mxproof(['logout'], { HOME: home })).status).toBe(0);
  await mxproof(['login', '--url', url], { HOME: home }, service.account.apiKey);
  expect((await mxproof(['account'], { HOME: home })).status).toBe(0);
});

test.each([
  ['http://127.0.0.1:8080', false],
  ['http://localhost', false],
  ['http://[::1]:8080', false],
  ['https://verify.example.com', false],
  ['http://verify.example.com', true],
  ['http://127.0.0.1.example.com', true],
  ['http://localhost.example.com', true],
])('%s sends the key in the clear: %s', (address, isClear) => {
  expect(isInTheClear(readServiceUrl('--url', address))).toBe(isClear);
});

test('before a key goes to another machine over http, a warning says so', async () => {
  // Refused there: nothing listens on the discard port, and the warning comes before anything is sent.
  const ran = await mxproof(['login', '--url', 'http://0.0.0.0:9'], { HOME: home }, 'mx_live_x');
  expect(ran.stderr).toMatch(/^Warning: http:\/\/0\.0\.0\.0:9 is not encrypted: .*\nNo answer from/);
});
