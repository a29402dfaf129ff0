import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../server/test/http-service.ts';
import { mxproof } from '../../test/run-mxproof.ts';
import { COMMANDS } from '../commands.ts';
import { EXIT } from './exit-status.ts';

const HOME = '/nowhere';
let service: TestService;
let env: { HOME: string; MXPROOF_URL: string; MXPROOF_API_KEY: string };

beforeAll(async () => {
  service = await startService({ credits: 0 });
  env = {
    HOME,
    MXPROOF_URL: `http://127.0.0.1:${service.port}`,
    MXPROOF_API_KEY: service.account.apiKey,
  };
});
afterAll(() => service.close());

test.each([
  ['ok', ['account'], {}],
  ['failed', ['list', 'show', '999999'], {}],
  ['usage', ['list', 'show', 'seven'], {}],
  ['unavailable', ['account'], { MXPROOF_URL: 'http://127.0.0.1:1' }],
  ['notAllowed', ['account'], { MXPROOF_API_KEY: 'mx_live_wrong' }],
  ['notAllowed', ['account'], { MXPROOF_API_KEY: '' }],
  ['shortOfCredits', ['check', '--explain', '--service', 'ann@example.com'], {}],
] as const)('"%s" is the status of mxproof %j', async (name, args, more) => {
  const ran = await mxproof([...args], { ...env, ...more });
  expect(ran.status, ran.stderr).toBe(EXIT[name]);
  if (name !== 'ok') {
    expect(ran.stdout).toBe('');
    // One sentence, and the same with --json.
    expect(ran.stderr).toMatch(/^[^\n]+\.\n$|^[^\n]+\?\n$/);
    const json = await mxproof([...args, '--json'], { ...env, ...more });
    expect({ ...json, stderr: JSON.parse(json.stderr) }).toEqual({
      ...ran,
      stderr: { error: ran.stderr.trimEnd() },
    });
  }
});

test.each([
  [429, { 'retry-after': '120' }, '{"error":"rate limit exceeded"}', 3, /rate limit: try again in 120 s\.$/],
  [
    429,
    { 'retry-after': '120', 'mxproof-error': 'too_many_streams' },
    '{"error":"any words"}',
    3,
    /^The key has too many open event streams: try again in 120 s\.$/,
  ],
  [
    402,
    { 'mxproof-error': 'insufficient_credits', 'mxproof-credits-needed': '7' },
    '{"error":"any words"}',
    5,
    /^Not enough credits: 7 needed; nothing was charged\.$/,
  ],
  [402, {}, '{"error":"any words"}', 5, /^Not enough credits; nothing was charged\.$/],
  [
    400,
    { 'mxproof-error': 'invalid_json', 'mxproof-error-detail': 'unexpected byte at position 17' },
    '{"error":"invalid JSON"}',
    1,
    /^The service refused: 400, invalid JSON \(unexpected byte at position 17\)\.$/,
  ],
  [
    503,
    { 'retry-after': '120' },
    '{"error":"service unavailable"}',
    3,
    /^The service is not available \(503,/,
  ],
  [403, {}, '{"error":"key may not manage keys"}', 4, /^Refused: 403, key may not manage keys\.$/],
  [
    200,
    { 'content-type': 'text/html' },
    '<html>\u001b[2J',
    1,
    /^This is not an MXProof service \(status 200\)/,
  ],
  [302, { location: 'http://127.0.0.1:1/' }, '', 1, /^This is not an MXProof service|^The service refused/],
])('an answer of %i %j ends in one sentence and its status', async (status, headers, body, exit, sentence) => {
  let authorization: string | undefined;
  const server = createServer((request, response) => {
    authorization = request.headers.authorization;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const ran = await mxproof(['account'], { ...env, MXPROOF_URL: `http://127.0.0.1:${port}` });
    expect(ran.stderr.trimEnd()).toMatch(sentence);
    expect(ran).toMatchObject({ status: exit, stdout: '' });
    expect(authorization).toBe(`Bearer ${env.MXPROOF_API_KEY}`);
  } finally {
    server.close();
  }
});

test('the guide has every status, and no other', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/command-line.md'), 'utf8');
  const table = guide.slice(guide.indexOf('## Exit status')).split('\n## ')[0]!;
  const documented = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, status]) => Number(status));
  expect(documented).toEqual(Object.values(EXIT).sort((one, other) => one - other));
});

/** They run for days and log JSON, print a script, or what another command prints. */
const WITHOUT_JSON = ['serve', 'work', 'demo', 'completion', 'service run'];

test('every command that prints something can print JSON', () => {
  const without = Object.values(COMMANDS)
    .flat()
    .filter(({ options = [] }) => !options.some(({ flags }) => flags === '--json'))
    .map(({ name }) => name);
  expect(without.sort()).toEqual(WITHOUT_JSON.sort());
});

test('the guide names every command', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/command-line.md'), 'utf8');
  for (const { name } of Object.values(COMMANDS).flat()) expect(guide).toContain(`mxproof ${name}`);
});
