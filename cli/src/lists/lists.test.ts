import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { mxproof, onTerminal, startMxproof } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

/** A name that would clear the screen, colour what follows and turn its direction. */
const HOSTILE = 'Ann\u001b[2J\u001b[31m\u009b5m\u202e & Co';
const EMAILS = [
  'ann@shop.example',
  'bob@shop.example',
  'info@shop.example',
  'x@gone.example',
  'ann@down.example',
];
const folder = mkdtempSync(join(tmpdir(), 'mxproof-lists-'));
let service: CliService;
let done: number;
let slow: number;

beforeAll(async () => {
  service = await startCliService({
    domains: {
      'shop.example': { host: {}, mailboxes: { known: ['ann', 'info'] } },
      'gone.example': { dns: 'nxdomain' },
      'later.example': { host: { everyRcpt: 'tempfail' } },
    },
  });
  const create = async (name: string, emails: string[]) =>
    (await service.call('POST', '/lists', { name, emails })).id as number;
  done = await create(HOSTILE, EMAILS.slice(0, 4));
  slow = await create('slow', ['ann@later.example', 'ann@shop.example']);
  await until(async () => (await service.call('GET', `/lists/${done}`)).status === 'done');
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => mxproof(args, service.shell);

test('list retry charges nothing unasked, and checks what has no answer', async () => {
  const unasked = await run('list', 'retry', String(done));
  expect([unasked.status, unasked.stdout]).toEqual([2, '']);
  expect(unasked.stderr).toContain('pass --yes');
  const nothing = await run('list', 'retry', String(done), '--yes');
  expect(nothing.status).not.toBe(0);
  expect(nothing.stderr).toContain('nothing to retry');
});

test('list ls shows lists newest first, a page at a time', async () => {
  const { status, stdout, stderr } = await run('list', 'ls');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^list +status +checked .* name$/);
  expect(lines[1]).toMatch(new RegExp(`^${slow} +(processing|checking) +[01]/2 .*slow$`));
  expect(lines[2]).toMatch(new RegExp(`^${done} +done +4/4 +1 .*Ann`));

  const page = await run('list', 'ls', '--limit', '1', '--json');
  expect((JSON.parse(page.stdout) as { id: number }[]).map(({ id }) => id)).toEqual([slow]);
  const first = await run('list', 'ls', '--limit', '1');
  expect(first.stderr).toBe('Older lists: --offset 1\n');
  const second = await run('list', 'ls', '--limit', '1', '--offset', '1', '--json');
  expect((JSON.parse(second.stdout) as { id: number }[]).map(({ id }) => id)).toEqual([done]);
  expect(JSON.parse((await run('list', 'ls', '--status', 'failed', '--json')).stdout)).toEqual([]);
});

test('list ls shows the lists of a group in one line, where the newest is', async () => {
  const { api_key } = JSON.parse(
    (await mxproof(['account', 'create', '--name', 'Grouped', '--credits', '9', '--json'], service.operator))
      .stdout,
  );
  const submit = async (name: string, group?: string) => {
    const answer = await fetch(`${service.url}/v1/lists`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}` },
      body: JSON.stringify({ name, emails: ['not an address'], ...(group && { group }) }),
    });
    return ((await answer.json()) as { id: number }).id;
  };
  const ids = [
    await submit('big.csv (1 of 3)', 'big'),
    await submit('other'),
    await submit('big.csv (2 of 3)', 'big'),
  ];
  ids.push(await submit('newest'), await submit('big.csv (3 of 3)', 'big'), await submit('last'));
  const names = async (...args: string[]) => {
    const { stdout } = await mxproof(['list', 'ls', ...args], { ...service.shell, MXPROOF_API_KEY: api_key });
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => /\d\d:\d\d +(.*)$/.exec(line)![1]);
  };
  const big = `big.csv (3 lists: ${ids[0]}, ${ids[2]}, ${ids[4]})`;
  expect(await names()).toEqual(['last', big, 'newest', 'other']);
  expect(await names('--limit', '2')).toEqual(['last', big]);
  expect(await names('--limit', '2', '--offset', '2')).toEqual(['newest']);
  expect(await names('--limit', '2', '--offset', '4')).toEqual(['other']);
});

test('what others have named reaches no terminal and no JSON reader as control characters', async () => {
  const controls = /[^\P{C}\n\r]/u;
  for (const args of [
    ['list', 'ls'],
    ['list', 'show', String(done)],
    ['list', 'ls', '--json'],
  ]) {
    const { stdout } = await run(...args);
    expect(stdout).toContain('& Co');
    expect(stdout).not.toMatch(controls);
  }
  const [, list] = JSON.parse((await run('list', 'ls', '--json')).stdout) as { name: string }[];
  expect(list!.name).toBe(HOSTILE);
});

test('on a narrow terminal every list keeps to one line', async () => {
  const { stdout } = await onTerminal(['list', 'ls'], service.shell, 70).ran;
  const lines = stdout.trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(70);
  expect(lines[2]).toMatch(/…$/);
});

test('list show tells one list; --json is the summary of the API', async () => {
  const { stdout } = await run('list', 'show', String(done));
  expect(stdout).toMatch(/^status +done$/m);
  expect(stdout).toMatch(/^undeliverable +2$/m);
  const shown = JSON.parse((await run('list', 'show', String(done), '--json')).stdout);
  expect(shown).toEqual(await service.call('GET', `/lists/${done}`));
});

test('list waiting says what an unfinished list waits for; --json is the answer of the API', async () => {
  await until(async () => {
    const { waiting } = await service.call('GET', `/lists/${slow}/waiting`);
    expect(waiting).toMatchObject([{ why: 'temporary', addresses: 1, attempt: 2 }]);
  });
  const { stdout, status } = await run('list', 'waiting', String(slow));
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^1 of 2 left: 1 at \S+later\.example, which has a temporary problem, next attempt in \d+ (s|min)\.\nDone by \S+Z at the latest, in (4 h|3 h \d+ min)\.\n$/,
  );
  const printed = JSON.parse((await run('list', 'waiting', String(slow), '--json')).stdout);
  expect(printed).toMatchObject({ pending: 1, checking: 0, waiting: [{ why: 'temporary' }] });
  const nothing = await run('list', 'waiting', String(done));
  expect(nothing.stdout).toBe(`List ${done} is done: it is not waiting for anything.\n`);
  expect(await run('list', 'waiting', '999999')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^List not found: /),
  });
});

test('list show --watch follows a list to its end', async () => {
  const finished = await run('list', 'show', String(done), '--watch');
  expect(finished).toMatchObject({ status: 0, stdout: expect.stringMatching(/^status +done$/m) });

  const { id } = await service.call('POST', '/lists', { emails: ['ann@later.example'] });
  const watching = startMxproof(['list', 'show', String(id), '--watch', '--json'], service.shell);
  await watching.saw('"checked":0');
  expect((await run('list', 'cancel', String(id))).status).toBe(0);
  const { status, stdout } = await watching.ran;
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: string });
  expect(lines.at(-1)).toMatchObject({ id, status: 'failed' });
  expect(status).toBe(1);
});

test('Ctrl-C ends the watching, not the list', async () => {
  const watching = startMxproof(['list', 'show', String(slow), '--watch'], service.shell);
  await watching.saw('of 2 checked');
  watching.kill('SIGINT');
  const { status, stderr } = await watching.ran;
  expect(stderr).toContain(
    `List ${slow} keeps running: follow it with "mxproof list show ${slow} --watch".\n`,
  );
  expect(status).toBe(130);
  expect((await service.call('GET', `/lists/${slow}`)).finished_at).toBeNull();
});

test('list results prints the CSV of the API, or JSON lines, all rows or those that match', async () => {
  const csv = await run('list', 'results', String(done));
  expect(csv.stdout.split('\r\n').map((line) => line.split(',').slice(0, 3).join(','))).toEqual([
    'email,state,reason',
    'ann@shop.example,deliverable,accepted_email',
    'bob@shop.example,undeliverable,rejected_email',
    'info@shop.example,risky,low_quality',
    'x@gone.example,undeliverable,invalid_domain',
    '',
  ]);
  const emails = async (...filters: string[]) => {
    const { stdout } = await run('list', 'results', String(done), '--json', ...filters);
    const lines = stdout.split('\n').filter(Boolean);
    return lines.map((line) => (JSON.parse(line) as { email: string }).email);
  };
  expect(await emails()).toEqual(EMAILS.slice(0, 4));
  expect(await emails('--state', 'risky,deliverable')).toEqual(['ann@shop.example', 'info@shop.example']);
  expect(await emails('--reason', 'invalid_domain')).toEqual(['x@gone.example']);
  expect(await emails('--detail', 'role,no_such_mailbox')).toEqual(['bob@shop.example', 'info@shop.example']);
  const more = await run('list', 'results', String(done), '--include', 'detail,suggestion', '--q', 'bob');
  expect(more.stdout).toMatch(/,provider,detail,suggestion\r\nbob@.*,no_such_mailbox,\r\n$/);
  expect((await run('list', 'results', String(done), '--include', 'details')).status).toBe(2);
  expect(await emails('--flag', 'role')).toEqual(['info@shop.example']);
  expect(await emails('--provider', 'other', '--q', 'BOB')).toEqual(['bob@shop.example']);
});

test('a reader that has gone ends it quietly', () => {
  const script = 'set -o pipefail; "$0" "$1" list results "$2" | true; echo $?';
  const args = [
    '-c',
    script,
    process.execPath,
    join(import.meta.dirname, '../../bin/mxproof.mjs'),
    String(done),
  ];
  const env = { PATH: process.env.PATH, ...service.shell };
  const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8', env });
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
});

test('--output writes a whole file or leaves what was there, also behind a link', async () => {
  const file = join(folder, 'results.csv');
  const link = join(folder, 'link.csv');
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  const missing = await run('list', 'results', '999999', '--output', file);
  expect(missing).toMatchObject({ status: 1, stderr: expect.stringMatching(/^List not found: /) });
  expect(readFileSync(file, 'utf8')).toBe('old');
  const written = await run('list', 'results', String(done), '--state', 'risky', '--output', link);
  expect(written).toEqual({ status: 0, stdout: '', stderr: `Results of list ${done}: ${link}\n` });
  expect(readFileSync(file, 'utf8')).toMatch(/^email,state.*\r\ninfo@shop\.example,risky,.*\r\n$/);
  expect(readdirSync(folder).sort()).toEqual(['link.csv', 'results.csv']);
  const device = await run('list', 'results', String(done), '--output', '/dev/null');
  expect(device.status).toBe(0);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(await run('list', 'results', String(done), '--output', '/nowhere/x.csv')).toMatchObject({
    status: 1,
    stderr: 'Cannot write /nowhere/x.csv (ENOENT).\n',
  });
});

test('list cancel ends a list and says what comes back; a finished one is refused', async () => {
  const { id } = await service.call('POST', '/lists', { emails: ['ann@later.example', 'eve@later.example'] });
  const cancelled = await run('list', 'cancel', String(id));
  expect(cancelled.stdout).toBe(`List ${id} cancelled: 0 of 2 were checked, 2 credits refunded.\n`);
  const again = await run('list', 'cancel', String(id));
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('list is finished') });
});

test('list pause and list resume say what is left; both are told of in list show and list waiting', async () => {
  const id = String(
    (await service.call('POST', '/lists', { emails: ['ann@later.example', 'bob@later.example'] })).id,
  );
  const paused = await run('list', 'pause', id);
  expect([paused.status, paused.stdout]).toEqual([
    0,
    expect.stringMatching(`^List ${id} paused: 0 of 2 are checked. "mxproof list resume ${id}" goes on.\n$`),
  ]);
  expect((await run('list', 'pause', id)).stderr).toContain('list is paused');
  expect((await run('list', 'show', id)).stdout).toMatch(
    /status +(processing|checking), paused since 20\d\d-/,
  );
  const shown = await mxproof(['list', 'show', id, '--any'], service.operator);
  expect(shown.stdout).toMatch(/status +(processing|checking), paused since 20\d\d-/);
  await until(async () =>
    expect((await run('list', 'waiting', id)).stdout).toBe(
      `2 of 2 left: 2 paused.\nIt is paused: "mxproof list resume ${id}" goes on.\n`,
    ),
  );
  expect((await run('list', 'resume', id)).stdout).toBe(`List ${id} goes on: 2 addresses are left.\n`);
  expect((await run('list', 'resume', id)).stderr).toContain('list is not paused');
  expect((await run('list', 'cancel', id)).status).toBe(0);
});

test('list retry needs --yes where it cannot ask, and makes a list of what is open', async () => {
  const { id } = await service.call('POST', '/lists', { emails: ['ann@later.example', 'bob@later.example'] });
  const early = await run('list', 'retry', String(id), '--yes');
  expect([early.status, early.stderr]).toEqual([1, expect.stringContaining('list is not finished')]);
  await run('list', 'cancel', String(id));
  expect((await run('list', 'retry', String(id))).stderr).toContain('pass --yes');
  const { status, stdout } = await run('list', 'retry', String(id), '--yes');
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^List \d+: 2 addresses, charged. "mxproof list show \d+ --watch" follows it.\n$/,
    ),
  });
  const again = await run('list', 'retry', String(id), '--yes');
  expect(again.stderr).toContain('nothing to retry');
  await run('list', 'cancel', /^List (\d+)/.exec(stdout)![1]!);
});

test('list rm asks at a terminal, needs --yes elsewhere, and deletes', async () => {
  const { id } = await service.call('POST', '/lists', { name: 'old', emails: ['ann@shop.example'] });
  const args = ['list', 'rm', String(id)];
  expect(await run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('pass --yes') });
  for (const [answer, status] of [
    ['n', 1],
    ['y', 0],
  ] as const) {
    const terminal = onTerminal(args, service.shell);
    await terminal.saw(`Delete list ${id} "old"`);
    terminal.stdin!.write(`${answer}\r`);
    expect((await terminal.ran).status, answer).toBe(status);
  }
  expect(await service.call('GET', `/lists/${id}`)).toEqual({ error: 'list not found' });
  const other = await service.call('POST', '/lists', { emails: ['ann@shop.example'] });
  const gone = await run('list', 'rm', String(other.id), '--yes', '--json');
  expect(JSON.parse(gone.stdout)).toEqual({ list_id: other.id, deleted: true });
});

test('list rm --undo deletes without a question, and list undelete brings the list back', async () => {
  const { id } = await service.call('POST', '/lists', { emails: ['ann@later.example'] });
  const unfinished = await run('list', 'rm', String(id), '--undo', '60');
  expect(unfinished).toMatchObject({ status: 1, stderr: expect.stringContaining('list is not finished') });
  await run('list', 'cancel', String(id));
  expect((await run('list', 'rm', String(id), '--undo', '60')).stdout).toBe(
    `List ${id} deleted; "mxproof list undelete ${id}" restores it within 60 seconds.\n`,
  );
  expect(await service.call('GET', `/lists/${id}`)).toEqual({ error: 'list not found' });
  expect((await run('list', 'undelete', String(id))).stdout).toBe(`List ${id} restored.\n`);
  expect(await service.call('GET', `/lists/${id}`)).toMatchObject({ id, status: 'failed' });
  const tooLong = await run('list', 'rm', String(id), '--undo', '3601');
  expect(tooLong).toMatchObject({ status: 1, stderr: expect.stringContaining('from 1 to 3600') });
});

test('an operator who has no key is told the form that reads the store, and it works', async () => {
  for (const verb of ['show', 'cancel']) {
    const { status, stderr } = await mxproof(['list', verb, String(slow)], service.operator);
    expect(stderr).toBe(
      `No API key for http://127.0.0.1:8080: run "mxproof login" once, or set MXPROOF_API_KEY; as the operator, run "mxproof list ${verb} ${slow} --any".\n`,
    );
    expect(status).toBe(4);
  }
  const shown = await mxproof(['list', 'show', String(slow), '--any', '--json'], service.operator);
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: slow, name: 'slow', account_id: 1 });
  expect(await mxproof(['--json', 'admin', 'list', 'show', String(slow)], service.operator)).toEqual({
    ...shown,
    stderr: '"mxproof admin list show" is now "mxproof list show --any".\n',
  });
  for (const more of [['--watch'], ['--url', service.shell.MXPROOF_URL!]])
    expect(await mxproof(['list', 'show', String(slow), '--any', ...more], service.operator)).toMatchObject({
      status: 2,
      stderr: '--any reads the store, not a service: leave out --url and --watch.\n',
    });
  const ended = await mxproof(['list', 'cancel', String(slow), '--any'], service.operator);
  expect(ended).toEqual({
    status: 0,
    stdout: `List ${slow} cancelled; unused credits refunded.\n`,
    stderr: '',
  });
});
