import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { mxproof, startMxproof } from '../../test/run-mxproof.ts';

interface Reported {
  readonly email: string;
  readonly outcome: string;
  readonly reply?: string;
  readonly at?: number;
  readonly id: string;
}

/** A service as POST /v1/outcomes promises it: each event once, by its id. */
let server: Server;
let url = '';
let batches: Reported[][] = [];
let known = new Map<string, Reported>();
/** Statuses to be answered before the ordinary ones. */
let faults: number[] = [];
/** After so many batches the next is not answered, and this is told. */
let hanging = { after: Number.POSITIVE_INFINITY, begun: () => {} };
let folder = '';

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fault = faults.shift();
    const isOurs = request.url === '/v1/outcomes' && request.headers.authorization === 'Bearer mx_live_key';
    const { outcomes } = JSON.parse(Buffer.concat(chunks).toString()) as { outcomes: Reported[] };
    if (batches.length >= hanging.after) {
      hanging.begun();
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (fault !== undefined || !isOurs) {
      if (fault === 409) response.setHeader('MXProof-Error', 'outcomes_off');
      if (fault === 503) response.setHeader('Retry-After', '0');
      response.writeHead(fault ?? 404).end(JSON.stringify({ error: 'outcomes are off' }));
      return;
    }
    batches.push(outcomes);
    const fresh = outcomes.filter(({ id }) => !known.has(id));
    for (const each of fresh) known.set(each.id, each);
    const errors = outcomes.flatMap(({ email }, index) =>
      email.startsWith('bad') ? [{ index, error: 'email is too strange' }] : [],
    );
    const duplicates = outcomes.length - fresh.length;
    const accepted = fresh.length - errors.length;
    response.writeHead(200).end(JSON.stringify({ accepted, ignored: 0, duplicates, errors }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mxproof-import-'));
  [batches, known, faults] = [[], new Map(), []];
  hanging = { after: Number.POSITIVE_INFINITY, begun: () => {} };
});
afterEach(() => rmSync(folder, { recursive: true }));

const env = () => ({
  HOME: folder,
  XDG_STATE_HOME: folder,
  MXPROOF_URL: url,
  MXPROOF_API_KEY: 'mx_live_key',
});
const run = (...args: string[]) => mxproof(['outcomes', 'import', ...args], env());

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const line = (n: number, status = 'sent') =>
  `Nov 17 10:00:00 mail postfix/smtp[1]: 4F${n}A: to=<user${n}@b.example>, relay=mx.b.example[192.0.2.1]:25, delay=1, dsn=2.0.0, status=${status} (250 Ok)\n`;
const logOf = (lines: number) => Array.from({ length: lines }, (_, n) => line(n)).join('');

test('a log is reported in batches, each event once, however often it is imported', async () => {
  const file = write('mail.log.gz', gzipSync(logOf(2_500) + line(0, 'deferred')));
  const first = await run(file);
  expect(first.stderr).toContain(
    'Read: 2,500 delivered, 0 bounced, 0 complained.\nPassed over: 1 deferred.\n',
  );
  expect(first.stderr).toContain('Reported: 2,500 taken, 0 known before');
  expect(first.status).toBe(0);
  expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(known.size).toBe(2_500);
  const again = JSON.parse((await run(file, '--json')).stdout) as unknown;
  expect(again).toMatchObject({
    delivered: 2_500,
    reported: { accepted: 0, duplicates: 2_500, before: 0 },
  });
});

test('what is reported is what the file says, with an id of its own or one made of it', async () => {
  const file = write(
    'events.csv',
    'Address,Event,Reason,When,Event ID\nAnn@b.example,bounce,550 5.1.1 User unknown,2026-11-17T10:00:00Z,e1\nbob@b.example,delivered,250 ok,,\n',
  );
  expect((await run(file, '--at-column', 'When', '--yes')).status).toBe(0);
  expect(batches[0]).toEqual([
    {
      ...{ email: 'ann@b.example', outcome: 'bounced', reply: '550 5.1.1 User unknown' },
      ...{ at: Date.UTC(2026, 10, 17, 10) / 1_000, id: 'e1' },
    },
    { email: 'bob@b.example', outcome: 'delivered', id: expect.stringMatching(/^import-[\w-]{32}$/) },
  ]);
});

test('columns that were guessed are accepted first; without a terminal, by --yes or by name', async () => {
  const file = write('events.csv', 'email,event\nann@b.example,delivered\n');
  const asked = await run(file);
  expect([asked.status, batches]).toEqual([2, []]);
  expect(asked.stderr).toContain('email from "email", outcome from "event"');
  expect((await run(file, '--email-column', 'email', '--outcome-column', '2')).status).toBe(0);
  expect(batches).toHaveLength(1);
});

test('an import that is interrupted goes on where the service has taken it, but not for a file that changed', async () => {
  const file = write('mail.log', logOf(1_500));
  // The answer to the second batch never comes; the first one is given at the second attempt.
  faults = [503];
  const second = new Promise<void>((resolve) => {
    hanging = { after: 1, begun: resolve };
  });
  const running = startMxproof(['outcomes', 'import', file], env());
  await second;
  running.kill('SIGINT');
  const { status, stderr } = await running.ran;
  expect([status, stderr]).toEqual([130, expect.stringContaining('Run the same command again to go on')]);
  expect(batches.map(({ length }) => length)).toEqual([1_000]);

  hanging = { after: Number.POSITIVE_INFINITY, begun: () => {} };
  const resumed = JSON.parse((await run(file, '--json')).stdout) as unknown;
  expect(resumed).toMatchObject({ reported: { accepted: 500, duplicates: 0, before: 1_000 } });
  expect(known.size).toBe(1_500);

  utimesSync(file, 1, 1);
  const other = JSON.parse((await run(file, '--json')).stdout) as unknown;
  expect(other).toMatchObject({ reported: { duplicates: 1_500, before: 0 } });
});

test('a service that has outcomes switched off, refuses some or is away is said in a sentence', async () => {
  const file = write('events.ndjson', '{"email":"bad@b.example","outcome":"delivered"}\n');
  const refused = await run(file);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('Refused: 1 email is too strange.'),
  ]);
  faults = [409];
  const off = await run(file);
  expect([off.status, off.stderr]).toEqual([1, expect.stringContaining('outcomes are off')]);
});

test('a dry run needs no key and asks nothing', async () => {
  const file = write('mail.log', logOf(3));
  const { status, stderr } = await mxproof(['outcomes', 'import', file, '--dry-run'], { HOME: folder });
  expect([status, stderr]).toEqual([0, expect.stringContaining('Read: 3 delivered')]);
  expect(batches).toEqual([]);
});
