import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOTLESS_RULE } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, startNode } from '../../../server/test/child.ts';
import { startWorld, type World } from '../../../world/src/index.ts';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mxproof-check-'));
let world: World;

beforeAll(async () => {
  world = await startWorld({
    domains: {
      'shop.example': { host: {}, mailboxes: { known: ['ann', 'info'] } },
      'gone.example': { dns: 'nxdomain' },
      'down.example': { host: { down: true } },
      'later.example': { host: { everyRcpt: 'tempfail' } },
    },
  });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function check(args: readonly string[]): Promise<{ status: unknown; lines: readonly string[] }> {
  const child = startCheck(args);
  return { status: await child.ended, lines: child.lines };
}

function startCheck(args: readonly string[]): Child {
  return startNode([launcher, 'check', ...args], {
    PATH: process.env.PATH,
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_HELO_NAME: 'probe.example.com',
  });
}

test('with --syntax-only, a domain without a dot is reported without any network access', async () => {
  const { status, lines } = await check(['--syntax-only', 'anna@localhost', 'anna@shop.example', 'anna']);
  expect(lines).toEqual([
    '✗ invalid domain  anna@localhost',
    `    ${DOTLESS_RULE}`,
    '✓ well-formed  anna@shop.example',
    '✗ invalid  anna',
    expect.any(String),
  ]);
  expect(status).toBe(1);
  const rows = (await check(['--syntax-only', '--json', 'info@localhost'])).lines.map((line) =>
    JSON.parse(line),
  );
  expect(rows).toMatchObject([
    { state: 'undeliverable', reason: 'invalid_domain', detail: 'no_such_domain', role: true, valid: true },
  ]);
});

test('names, brackets and several addresses in a word or a line are read; one word is judged as it is', async () => {
  const words = ['Ann Lee <Ann@x.org>, b@y.org', 'mailto:c@z.org', 'd@x.org.'];
  const { lines } = await check(['--syntax-only', ...words]);
  expect(lines).toEqual([
    '✓ well-formed  ann@x.org',
    '✓ well-formed  b@y.org',
    '✓ well-formed  c@z.org',
    '✗ invalid  d@x.org.',
    expect.stringMatching(/dot/),
  ]);
  const file = join(folder, 'heap.txt');
  writeFileSync(file, 'Ann Lee <a@x.org>; b@y.org\nno address\nd@x.org e@x.org');
  expect(
    (await check(['--syntax-only', '--file', file])).lines.filter((line) => !line.startsWith(' ')),
  ).toEqual([
    expect.stringContaining('looks like a table: every address in it is checked'),
    '✓ well-formed  a@x.org',
    '✓ well-formed  b@y.org',
    '✗ invalid  no address',
    '✓ well-formed  d@x.org',
    '✓ well-formed  e@x.org',
  ]);
});

test('an address that takes mail is told with its reason, and status 0', async () => {
  const { status, lines } = await check(['ann@shop.example']);
  expect(lines.join('\n')).toMatch(
    /^✓ deliverable {2}ann@shop\.example\n.*accepts mail for this address.*\n.*accepted_email, score \d+ · mx mx\.shop\.example.*\n {4}detail: accepted \(the server accepts the mailbox\)\n/,
  );
  expect(status).toBe(0);
});

test('a file of addresses gives one row a line, and status 1 when some are not deliverable', async () => {
  const file = join(folder, 'addresses.txt');
  writeFileSync(file, 'ann@shop.example\r\nbob@shop.example\n\ninfo@shop.example\nx@gone.example');
  const { status, lines } = await check(['--json', '--file', file]);
  const rows = lines.map((line) => JSON.parse(line) as { email: string; state: string; reason: string });
  expect(new Map(rows.map((row) => [row.email, `${row.state} ${row.reason}`]))).toEqual(
    new Map([
      ['ann@shop.example', 'deliverable accepted_email'],
      ['bob@shop.example', 'undeliverable rejected_email'],
      ['info@shop.example', 'risky low_quality'],
      ['x@gone.example', 'undeliverable invalid_domain'],
    ]),
  );
  expect(Object.keys(rows[0]!)).toEqual([
    'email',
    'state',
    'reason',
    'score',
    'accept_all',
    'role',
    'free',
    'disposable',
    'mx',
    'provider',
    'detail',
  ]);
  expect(status).toBe(1);
});

test('--explain shows what was said', async () => {
  const { lines } = await check(['--explain', 'bob@shop.example']);
  expect(lines.join('\n')).toMatch(/DNS: .*mx\.shop\.example.*→ RCPT TO:<bob@shop\.example>.*← 550/s);
});

test('one address whose MX host is down is reported at once; what cannot be read is a wrong call', async () => {
  const { status, lines } = await check(['--json', 'ann@down.example']);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ state: 'unknown', reason: 'no_connect' });
  expect(status).toBe(1);
  expect((await check(['--file', join(folder, 'nowhere.txt')])).status).toBe(2);
  expect((await check([])).status).toBe(2);
});

test('a file given as an address is recognised, and --file suggested', async () => {
  const file = join(folder, 'list.txt');
  writeFileSync(file, 'ann@shop.example');
  const hint = `"${file}" is a file, not an e-mail address. Did you mean "--file ${file}"?`;
  expect(await check([file])).toEqual({ status: 2, lines: [hint] });
  expect(await check(['--syntax-only', 'ann@shop.example', file])).toEqual({ status: 2, lines: [hint] });
  // What is an address is checked as one, even where a file has its name; what is neither is an invalid address.
  writeFileSync(join(folder, 'ann@shop.example'), '');
  const args = [launcher, 'check', '--syntax-only', 'ann@shop.example'];
  expect(spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: '✓ well-formed  ann@shop.example\n',
  });
  for (const word of ['nowhere.txt', 'x'.repeat(300), folder])
    expect((await check(['--syntax-only', word])).status, word).toBe(1);
});

test('a reader that closes the pipe early does not make the addresses deliverable', () => {
  const file = join(folder, 'many.txt');
  writeFileSync(file, Array.from({ length: 20_000 }, (_, i) => `no address ${i}\n`).join(''));
  const script = 'set -o pipefail; "$0" "$1" check --syntax-only --file "$2" | head -1; echo $?';
  const { stdout } = spawnSync('bash', ['-c', script, process.execPath, launcher, file], {
    encoding: 'utf8',
  });
  expect(stdout.trim().split('\n').at(-1)).toBe('1');
});

test('while servers defer some of several addresses, it says so, and Ctrl-C ends it', async () => {
  const child = startCheck(['ann@shop.example', 'x@later.example']);
  await child.line(/Still waiting: some servers deferred their answer/);
  expect(child.lines.join('\n')).toMatch(/✓ deliverable {2}ann@shop\.example/);
  child.process.kill('SIGINT');
  expect(await child.ended).toBe(130);
});
