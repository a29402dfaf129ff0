// Services that mean harm, against the commands that speak to one with a key: each ends with a sentence or does its work, and
// nothing of theirs reaches the terminal as it is.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ACCOUNT,
  LIST as ANY_LIST,
  ROW as ANY_ROW,
  type FakeService,
  json,
  type SeenRequest,
  startFake,
} from '../../../client/test/fake-service.ts';
import { type CommandResult, mxproof } from '../../test/run-mxproof.ts';

const KEY = 'mx_test_hostile';
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e';
const MEGABYTE = 'x'.repeat(1024 * 1024);
const LIST = {
  ...ANY_LIST,
  id: 7,
  name: '../../../.profile',
  status: 'done',
  checked: 1,
  counts: { ...ANY_LIST.counts, deliverable: 1 },
  finished_at: 2,
};
const ROW = { ...ANY_ROW, email: 'anna@example.com', mx: `mx.example.com${ESCAPES}` };

let home: string;
let fake: FakeService | undefined;
let elsewhere: FakeService | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mxproof-hostile-'));
});
afterEach(async () => {
  await fake?.close();
  await elsewhere?.close();
  rmSync(home, { recursive: true, force: true });
});

type Answer = (response: ServerResponse, request: SeenRequest) => void;

const commands = {
  login: (url: string) => mxproof(['login', '--url', url], { HOME: home }, `${KEY}\n`),
  listen: (url: string) =>
    mxproof(['listen', '--url', url], {
      HOME: home,
      MXPROOF_API_KEY: KEY,
      MXPROOF_WEBHOOK_SECRET: 'whsec_MDEyMzQ1',
    }),
  clean: (url: string) => {
    writeFileSync(join(home, 'in.csv'), 'email\nanna@example.com\n');
    return mxproof(['clean', join(home, 'in.csv'), '--yes', '--url', url], {
      HOME: home,
      MXPROOF_API_KEY: KEY,
    });
  },
};

async function against(command: keyof typeof commands, answer: Answer): Promise<CommandResult> {
  fake = await startFake((response, request) => answer(response, request));
  return commands[command](fake.url);
}

/** One sentence, no stack, nothing that moves a cursor. */
function expectSentence({ status, stdout, stderr }: CommandResult, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect([1, 3, 4, 5]).toContain(status);
}

const streaming = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
function endless(response: ServerResponse, piece: string): void {
  const more = () => void (response.destroyed || response.write(piece, more));
  more();
}

const hostile: Record<string, [Answer, RegExp]> = {
  'sends a body without end': [
    (response) => endless(response.writeHead(200, { 'content-type': 'application/json' }), MEGABYTE),
    /not an MXProof service/,
  ],
  'sends headers without end': [
    (response) => response.socket!.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1024 * 1024)}`),
    /No answer from/,
  ],
  'sends sixteen million brackets': [
    (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(16 * 1024 * 1024)),
    /not an MXProof service/,
  ],
  'answers with other types': [
    (response) => json(response, 200, { name: 7, credits: ESCAPES, lists: null }),
    /not an MXProof service/,
  ],
  'answers with null': [(response) => json(response, 200, null), /not an MXProof service/],
  'refuses in escape sequences': [
    (response) => json(response, 400, { error: ESCAPES + MEGABYTE }, { 'x-request-id': 'a\u009bb' }),
    /The service (refused|answered)/,
  ],
  'refuses with a page without end': [
    (response) => endless(response.writeHead(403, { 'content-type': 'text/html' }), MEGABYTE),
    /not an MXProof service/,
  ],
};

for (const command of ['login', 'clean', 'listen'] as const)
  test.each(Object.entries(hostile))(`${command}, where the service %s, ends with a sentence`, async (_, [
    answer,
    sentence,
  ]) => {
    const ran = await against(command, answer);
    expectSentence(ran, sentence);
    if (command === 'login') expect(readdirSync(home)).toEqual([]);
    if (command === 'clean') expect(readdirSync(home)).not.toContain('in.cleaned.csv');
  });

test.each(['login', 'clean', 'listen'] as const)('%s takes the key to no other place', async (command) => {
  elsewhere = await startFake((response) => json(response, 200, ACCOUNT));
  const target = elsewhere.url;
  const ran = await against(command, (response) => {
    response.writeHead(307, { location: `${target}/v1/account` }).end();
  });
  expectSentence(ran, /not an MXProof service \(status 307\)/);
  expect(elsewhere.seen).toEqual([]);
});

test('login shows a name without its escape sequences', async () => {
  const { status, stdout } = await against('login', (response) =>
    json(response, 200, { ...ACCOUNT, name: `a${ESCAPES}b` }),
  );
  expect(status).toBe(0);
  expect(stdout).toContain('as "a�[2J�]0;owned��31m�b" with a test key');
});

test.each([
  ['a line without end', (response: ServerResponse) => endless(streaming(response), MEGABYTE)],
  [
    'something else than callbacks',
    (response: ServerResponse) => streaming(response).write('event: callback\ndata: [[[\n\n'),
  ],
  [
    'callbacks of other types',
    (response: ServerResponse) =>
      streaming(response).write(
        `event: callback\ndata: {"list_id":"${'1'}","headers":null,"body":7,"url":[]}\n\n`,
      ),
  ],
])('listen, where the stream is %s, ends with a sentence', async (_, answer) => {
  expectSentence(await against('listen', answer), /not an MXProof service/);
});

const NOBODY_SUPPRESSED = { total: 0, bounced: 0, complained: 0, uploaded: 0 };

/** As a service that is well until the list is read. */
const until =
  (list: unknown, results: Answer, suppressed: unknown = NOBODY_SUPPRESSED): Answer =>
  (response, request) => {
    if (request.path === '/v1/account') return json(response, 200, ACCOUNT);
    if (request.path === '/v1/suppressions') return json(response, 200, suppressed);
    if (request.method === 'POST') return json(response, 201, LIST);
    if (request.path.endsWith('/events'))
      return void streaming(response).end(`event: done\nid: 1\ndata: ${JSON.stringify(list)}\n\n`);
    if (request.path.includes('/results')) return results(response, request);
    json(response, 200, list);
  };

test('clean writes only beside its own file, whatever the list is called', async () => {
  const ran = await against(
    'clean',
    until(LIST, (response) => json(response, 200, { results: [ROW] })),
  );
  expect(ran.status).toBe(0);
  expect(readdirSync(home).sort()).toEqual(['.local', 'in.cleaned.csv', 'in.csv']);
  expect(readFileSync(join(home, 'in.cleaned.csv'), 'utf8')).toContain('deliverable,accepted_email');
});

test('clean reads no more pages than its list can have', async () => {
  const page = { results: Array.from({ length: 10_000 }, () => ROW) };
  const ran = await against(
    'clean',
    until(LIST, (response) => json(response, 200, page)),
  );
  expect(ran.status).toBe(0);
  expect(fake!.seen.filter(({ path }) => path.includes('/results'))).toHaveLength(10);
});

test.each([
  ['counts in words', { ...NOBODY_SUPPRESSED, total: ESCAPES }],
  // Where it asks what of its file is on the list, it is answered by another list.
  ['has no places', { ...NOBODY_SUPPRESSED, total: 1 }],
])('clean, where the suppression list %s, ends with a sentence', async (_, suppressed) => {
  expectSentence(
    await against(
      'clean',
      until(LIST, () => {}, suppressed),
    ),
    /not an MXProof service/,
  );
  expect(readdirSync(home)).not.toContain('in.cleaned.csv');
});

test.each([
  ['is another list', { ...LIST, id: 8 }],
  ['has no counts', { ...LIST, counts: null }],
  ['has an id that is a path', { ...LIST, id: '../account' }],
])('clean, where the list that ends %s, ends with a sentence', async (_, list) => {
  expectSentence(
    await against(
      'clean',
      until(list, () => {}),
    ),
    /not an MXProof service/,
  );
});

test.each([
  ['a formula for a state', { ...ROW, state: '=HYPERLINK("http://evil.example")' }],
  ['an object for an address', { ...ROW, email: { toString: 1 } }],
])('clean, where a row has %s, writes nothing', async (_, row) => {
  expectSentence(
    await against(
      'clean',
      until(LIST, (response) => json(response, 200, { results: [row] })),
    ),
    /not an MXProof service/,
  );
  expect(readdirSync(home)).not.toContain('in.cleaned.csv');
});

test('what a service warns of is printed, and none of its control characters with it', async () => {
  const warning = 'unknown field: group\u009b31m';
  fake = await startFake((response) => json(response, 200, ACCOUNT, { 'mxproof-warning': warning }));
  const ran = await mxproof(['account', '--url', fake.url], { HOME: home, MXPROOF_API_KEY: KEY });
  expect(ran.status).toBe(0);
  expect(ran.stderr).toMatch(/^Warning: unknown field: group[^\p{Cc}]*31m\n$/u);
});
