// What an account's own mail has taught, in the files that it cleans: who is not mailed, and who probably bounces.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Env, mxproof } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

let service: CliService;
let key: string;
let home: string;
let file: string;

beforeAll(async () => {
  service = await startCliService({ domains: {} });
});
afterAll(() => service.close());
/** An account's test mode is one: each test has addresses of its own. */
beforeEach(async () => {
  key = (await service.call('POST', '/keys', { label: 'tests', test: true, manage: true })).api_key as string;
  home = mkdtempSync(join(tmpdir(), 'mxproof-suppressed-test-'));
  file = join(home, 'contacts.csv');
  return () => rmSync(home, { recursive: true, force: true });
});

const shell = (): Env => ({ HOME: home, MXPROOF_URL: service.url, MXPROOF_API_KEY: key });
const run = (...args: string[]) => mxproof(['clean', file, ...args], shell());
const written = () => readFileSync(join(home, 'contacts.cleaned.csv'), 'utf8').trimEnd().split('\n');

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status, path).toBeLessThan(300);
  return (await answer.json()) as Record<string, unknown>;
}
const credits = async () => (await call('GET', '/account')).credits as number;
const suppress = (...emails: string[]) => call('POST', '/suppressions', { emails });
const release = (...emails: string[]) => call('POST', '/suppressions/remove', { emails });

test('until an account has a suppression list, a file has the columns of every file', async () => {
  writeFileSync(file, 'email\nann@none.test\n');
  await run('--yes');
  expect(written()[0]!.split(',').at(-1)).toBe('checked_as');
});

test('a suppressed address is neither sent nor charged, and no good row; the whole file says so', async () => {
  writeFileSync(
    file,
    'email,town\nann@list.test,Ulm\nBob@List.test,Bonn\n"ann@list.test, bob@list.test",Kiel\n',
  );
  await suppress('bob@list.test');
  const before = await credits();
  expect((await run('--dry-run')).stdout).toMatch(
    /1 unique address in 3 rows \(column "email", 1 on your suppression list, not sent, 1 with several addresses, each checked\), 1 credit;/,
  );
  const ran = await run('--yes', '--words', 'people');
  expect(ran.stderr).toMatch(
    /3 rows\. 1 unique address: 1 deliverable.*; 1 on your suppression list, not sent\n$/,
  );
  expect(await credits()).toBe(before - 1);
  const [head, ann, bob, both] = written();
  expect(head!.split(',').slice(-2)).toEqual(['email: checked as', 'email: suppressed']);
  expect(ann).toMatch(/^ann@list\.test,Ulm,Send,Deliverable,.*,no$/);
  expect(bob).toMatch(/^Bob@List\.test,Bonn,Do not send,,,,,,,,,,,,,yes$/);
  expect(both).toMatch(/^"ann@list\.test, bob@list\.test",Kiel,Send,/);

  // The same command again goes on, also when what is suppressed has changed in between: what was sent is marked as well.
  await release('bob@list.test');
  await suppress('ann@list.test');
  const again = await run('--force', '--json');
  expect(again.status, again.stderr).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ unique: 1, not_sent: 1, suppressed: 1 });
  expect(await credits()).toBe(before - 1);
  expect(written()[1]).toMatch(/^ann@list\.test,Ulm,deliverable,.*,True$/);
  expect(written()[2]).toMatch(/^Bob@List\.test,Bonn,,,,,,,,,,,,,True$/);
  await run('--force', '--keep', 'deliverable,risky,undeliverable,unknown', '--words', 'none');
  expect(written()).toEqual(['email,town']);

  await release('ann@list.test');
  await run('--force', '--keep', 'deliverable', '--words', 'none');
  expect(written()).toEqual(['email,town', 'ann@list.test,Ulm', '"ann@list.test",Kiel']);
  expect(await credits()).toBe(before - 1);
});

test('where all are suppressed, nothing is sent, and the file is written', async () => {
  writeFileSync(file, 'email\nann@all.test\nfoo@bar\n');
  await suppress('ann@all.test');
  const before = await credits();
  const ran = await run();
  expect(ran.status, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('0 unique addresses in 2 rows');
  expect(await credits()).toBe(before);
  expect(written().map((line) => [line.split(',')[1], line.split(',').at(-1)])).toEqual([
    ['state', 'suppressed'],
    ['', 'True'],
    ['undeliverable', ''],
  ]);
});

test('what was left out is remembered: a run whose list is lost here goes on, and is charged once', async () => {
  writeFileSync(file, Array.from({ length: 40 }, (_, at) => `a${at}@cut.test`).join('\n'));
  await suppress('a0@cut.test', 'a17@cut.test', 'a39@cut.test');
  const before = await credits();
  const first = JSON.parse((await run('--yes', '--json')).stdout);
  expect(first).toMatchObject({ unique: 37, suppressed: 3 });
  await suppress('a5@cut.test');
  const folder = join(home, '.local/state/mxproof/clean');
  const state = join(folder, readdirSync(folder)[0]!);
  const saved = JSON.parse(readFileSync(state, 'utf8'));
  writeFileSync(state, JSON.stringify({ ...saved, parts: [{ ...saved.parts[0], listId: null }] }));
  const again = JSON.parse((await run('--yes', '--json', '--force')).stdout);
  expect(again.lists).toEqual(first.lists);
  expect(await credits()).toBe(before - 37);
  // With nothing there at all another list would be sent: the service refuses it.
  rmSync(state);
  const lost = await run('--yes', '--force');
  expect([lost.status, lost.stderr]).toEqual([
    1,
    expect.stringContaining('or when other ones were suppressed'),
  ]);
  expect(await credits()).toBe(before - 37);
});

test.each([
  [404, 'This service keeps no suppression list, so every address is sent.\n'],
  [403, 'This key may not read the suppression list, so every address is sent.\n'],
])('a service that answers %i for the list is used as before, and it is told', async (status, note) => {
  const before: Server = createServer((request, response) => {
    const isAccount = request.url?.startsWith('/v1/account') === true;
    const account = { name: 'n', credits: 5, credits_used: 0, lists: 0, checked: 0 };
    response.writeHead(isAccount ? 200 : status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAccount ? account : { error: 'no such thing' }));
  });
  await new Promise<void>((resolve) => before.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(before.address() as AddressInfo).port}`;
  writeFileSync(file, 'email\nann@before.test\n');
  const ran = await mxproof(['clean', file, '--dry-run'], { ...shell(), MXPROOF_URL: url });
  before.close();
  expect(ran).toMatchObject({ status: 0, stderr: note });
  expect(ran.stdout).toContain('1 unique address in 1 row');
});

test('"send carefully" is cut by what became of the own mail, and what is not known is left out', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `a${at}+catch-all`);
  const emails = ['fine.test', 'poor.test'].flatMap((domain) => names.map((name) => `${name}@${domain}`));
  const rows = ['b+catch-all@fine.test', 'b+catch-all@poor.test', 'b+low-deliverability@fine.test'];
  rows.push('b@fine.test', 'b+rejected-email@fine.test', 'b+low-quality@fine.test');
  writeFileSync(file, ['email', ...rows, ''].join('\n'));
  const before = await credits();
  const off = await run('--yes', '--max-bounce', '5');
  expect([off.status, off.stderr]).toEqual([
    1,
    expect.stringMatching(/^Outcomes are off, .*"mxproof outcomes on"/),
  ]);
  await call('PATCH', '/account', { outcomes: true });
  const nothing = await run('--yes', '--max-bounce', '5');
  expect([nothing.status, nothing.stderr]).toEqual([
    1,
    expect.stringMatching(/^No bounce risk is known yet: /),
  ]);
  expect(await credits()).toBe(before);

  const { id } = await call('POST', '/lists', { emails });
  while ((await call('GET', `/lists/${id}`)).status !== 'done') await new Promise((go) => setTimeout(go, 50));
  const reply = '550 5.1.1 No such user';
  const outcomes = emails.map((email) =>
    email.endsWith('@poor.test') && Number(/\d+/.exec(email)) < 20
      ? { email, outcome: 'bounced', reply }
      : { email, outcome: 'delivered' },
  );
  expect(await call('POST', '/outcomes', { outcomes })).toMatchObject({ accepted: 80 });

  const ran = await run('--yes', '--max-bounce', '20%', '--words', 'people');
  expect(ran.stderr).toContain(
    'Send carefully, 3 addresses: 1 below 20 % kept, 1 above and 1 of unknown risk left out\n',
  );
  const [head, ...good] = written();
  expect(head).toContain(',email: checked as,email: bounce risk');
  expect(good.map((line) => line.split(',')[0])).toEqual([rows[0], rows[3]]);
  expect(good[0]).toMatch(/,Send carefully,.*,17 % \([\d.]+–\d+ %\),/);
  // The states that are named are kept whatever they risk, but for that group.
  const json = JSON.parse((await run('--force', '--json', '--keep', 'risky', '--max-bounce', '100')).stdout);
  expect(json.send_carefully).toEqual({ max_bounce: 100, kept: 2, above: 0, unknown: 1 });
  expect(written().map((line) => line.split(',')[0])).toEqual(['email', rows[0], rows[1], rows[5]]);
  expect(written()[0]).toContain('bounce_probability,bounce_low,bounce_high,bounce_n,bounce_basis');
  await call('PATCH', '/account', { outcomes: false });
});

test.each([
  [['--max-bounce', '0'], '--max-bounce must be a percentage above 0 and up to 100, such as 5.'],
  [['--max-bounce', 'few'], '--max-bounce must be a percentage'],
  [['--max-bounce', '5', '--keep', 'deliverable'], '--max-bounce chooses among risky rows'],
])('%j is refused', async (args, sentence) => {
  writeFileSync(file, 'email\nann@refuse.test\n');
  const ran = await run('--yes', ...args);
  expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
