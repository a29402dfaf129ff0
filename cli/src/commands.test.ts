import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode } from '../../server/test/child.ts';
import { freshDatabase, type TestDatabase } from '../../server/test/database.ts';

const launcher = join(import.meta.dirname, '../bin/mxproof.mjs');
const dataDir = mkdtempSync(join(tmpdir(), 'mxproof-cli-'));
let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface CommandResult {
  readonly status: number | NodeJS.Signals;
  readonly lines: readonly string[];
}

async function mxproof(args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const all = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    HOME: dataDir,
    MXPROOF_DATA_DIR: dataDir,
    MXPROOF_SECRET_KEY: 'a key of the tests',
    ...env,
  };
  const child = startNode([launcher, ...args], all);
  return { status: await child.ended, lines: child.lines };
}

async function json(args: readonly string[]): Promise<unknown> {
  const { status, lines } = await mxproof([...args, '--json']);
  expect({ status, lines: lines.length }, lines.join('\n')).toEqual({ status: 0, lines: 1 });
  return JSON.parse(lines[0]!);
}

test('an operator opens an account, adds credits and keys, rotates the secret, and the ledger agrees', async () => {
  const opened = (await json(['account', 'create', '--name', 'Ann’s shop', '--credits', '50'])) as Record<
    string,
    unknown
  >;
  expect(opened).toEqual({
    account_id: expect.any(Number),
    name: 'Ann’s shop',
    external_id: null,
    credits: 50,
    api_key: expect.stringMatching(/^mx_live_.{40,}$/),
    webhook_secret: expect.stringMatching(/.{32,}/),
  });
  const id = String(opened.account_id);
  expect(await json(['credits', 'add', id, '25'])).toMatchObject({
    account_id: opened.account_id,
    credits: 75,
  });
  expect(await json(['credits', 'add', '--account', id, '--credits', '5'])).toMatchObject({ credits: 80 });
  expect(await json(['nodes'])).toEqual([]);
  expect(await json(['list', 'ls', '--any', '--stuck'])).toEqual([]);
  const take = (credits: string, key: string) =>
    json(['credits', 'take', id, credits, '--note', 'an invoice', '--idempotency-key', key]);
  expect(await take('30', 'one')).toMatchObject({ credits: 50, credits_used: 0, repeated: false });
  expect(await take('30', 'one')).toMatchObject({ credits: 50, repeated: true });
  const refused = async (...args: string[]) => (await mxproof(['credits', ...args])).lines;
  expect(await refused('take', id, '51')).toEqual([
    `Account ${id} has 50 credits: no more than that can be taken back.`,
  ]);
  expect(await refused('add', id, '30', '--idempotency-key', 'one')).toEqual([
    'The idempotency key "one" was already used to take 30 credits: use another one.',
  ]);
  expect(await json(['credits', 'add', id, '30', '--idempotency-key', 'two'])).toMatchObject({ credits: 80 });
  expect(await json(['account', 'show', id])).toMatchObject({
    name: 'Ann’s shop',
    credits: 80,
    credits_used: 0,
    lists: 0,
  });
  expect(await json(['account', 'rename', id, ' Ann’s books '])).toMatchObject({
    name: 'Ann’s books',
    credits: 80,
  });
  expect(await json(['account', 'show', id])).toMatchObject({ name: 'Ann’s books' });
  expect(await json(['account', 'list'])).toHaveLength(1);
  const days = ['--results-days', '30', '--single-checks-days', '7'];
  const retention = { results: 30, evidence: null, callbacks: null, single_checks: 7 };
  const noMail = { mail: null, mail_failing_since: null, mail_error: null, mail_stopped_at: null };
  expect(await json(['account', 'set', id, ...days])).toMatchObject({
    account_id: opened.account_id,
    retention,
    ...noMail,
    outcomes: false,
  });
  expect(await json(['account', 'set', id, '--mail', ' Anna@Example.COM '])).toMatchObject({
    retention,
    mail: 'anna@example.com',
  });
  expect((await mxproof(['account', 'show', id])).lines.at(-1)).toBe('Mail: anna@example.com');
  expect(await json(['account', 'set', id, '--no-mail'])).toMatchObject(noMail);
  expect(await json(['account', 'set', id, '--outcomes', 'on'])).toMatchObject({ retention, outcomes: true });
  expect(await json(['account', 'set', id])).toMatchObject({ outcomes: true });
  expect(await json(['account', 'set', id, '--outcomes', 'off'])).toMatchObject({ outcomes: false });
  await json(['account', 'set', id, '--evidence-days', '1', '--results-days', 'default']);
  expect((await mxproof(['account', 'set', id])).lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['kind', 'kept'],
    ['results', 'as the deployment says'],
    ['evidence', '1 day'],
    ['callbacks', 'as the deployment says'],
    ['single checks', '7 days'],
    ['External ID: none'],
    ['Requests a minute for each key: as the deployment says'],
    ['Addresses a minute for each key: as the deployment says'],
    ['Monthly credits: none'],
    ['Outcomes: off'],
    ['Mail: none'],
  ]);

  const second = (await json(['key', 'create', id, '--label', 'new server'])) as Record<string, unknown>;
  expect(second.api_key).not.toBe(opened.api_key);
  expect((await mxproof(['key', 'revoke', String(second.key_id)])).status).toBe(0);
  const keys = (await json(['key', 'list', id])) as Array<Record<string, unknown>>;
  expect(keys.map((key) => [key.label, key.revoked_at === null])).toEqual([
    ['first', true],
    ['new server', false],
  ]);
  expect(JSON.stringify(keys)).not.toContain(opened.api_key);

  const rotated = (await json(['secret', 'rotate', id])) as Record<string, unknown>;
  expect(rotated.webhook_secret).not.toBe(opened.webhook_secret);
  expect(await json(['ledger', 'verify'])).toMatchObject({ accounts: 1, differences: [] });
  expect((await mxproof(['migrate'])).lines.join()).toMatch(/^The database is already at version \d+\.$/);
});

test('an operator limits keys, and test keys show in no count of accounts', async () => {
  const { account_id } = (await json(['account', 'create', '--name', 'limits'])) as { account_id: number };
  const id = String(account_id);
  const options = ['--expires', '2099-12-31', '--allow-ip', '203.0.113.0/24, 2001:db8::1', '--no-manage'];
  await json(['key', 'create', id, '--label', 'limited', ...options]);
  const made = (await json(['key', 'create', id, '--test'])) as { api_key: string };
  expect(made.api_key).toMatch(/^mx_test_/);
  const keys = (await json(['key', 'list', id])) as Array<Record<string, unknown>>;
  expect(keys).toMatchObject([
    { label: 'first', test: false, manage: true, expires_at: null, allowed_ips: null, last_used_at: null },
    {
      label: 'limited',
      test: false,
      manage: false,
      expires_at: Date.parse('2099-12-31') / 1000,
      allowed_ips: ['203.0.113.0/24', '2001:db8::1'],
    },
    { label: '', test: true, manage: true },
  ]);
  const accounts = (await json(['account', 'list'])) as Array<{ account_id: number }>;
  const twin = String(account_id + 1);
  expect(accounts.map((account) => account.account_id)).not.toContain(account_id + 1);
  for (const args of [
    ['show', twin],
    ['rename', twin, 'x'],
    ['set', twin, '--results-days', '1'],
  ])
    expect((await mxproof(['account', ...args])).lines[0]).toMatch(/^Account not found/);
  expect((await mxproof(['credits', 'add', twin, '5'])).lines[0]).toMatch(/^Account not found/);
  expect((await mxproof(['key', 'create', twin])).lines[0]).toMatch(/^Account not found/);
  expect((await mxproof(['secret', 'rotate', twin])).lines[0]).toMatch(/^Account not found/);
  expect(await json(['ledger', 'verify'])).toMatchObject({ accounts: accounts.length, differences: [] });
});

test('a command works on the embedded store without a service, and leaves it stopped', async () => {
  const env = { DATABASE_URL: '', MXPROOF_SECRET_KEY: '' };
  const opened = await mxproof(['account', 'create', '--name', 'alone', '--credits', '1', '--json'], env);
  expect(opened.status).toBe(0);
  const listed = await mxproof(['account', 'list', '--json'], env);
  expect(JSON.parse(listed.lines[0]!)).toMatchObject([{ name: 'alone', credits: 1 }]);
});

test('without a command the usage is told on standard error, and the status is 2', async () => {
  const { status, lines } = await mxproof([]);
  expect([status, lines[0]]).toEqual([2, 'Usage: mxproof <command> [arguments] [options]']);
});

test.each([
  [['bananas'], 2, /^Unknown command "bananas"\. Run "mxproof help" to see all commands\.$/],
  [['chekc'], 2, /^Unknown command "chekc"\. Did you mean "check"\?$/],
  [['account', 'creat'], 2, /^Unknown command "creat"\. Did you mean "create"\?$/],
  [['check', '--jsno', 'x'], 2, /^Unknown option "--jsno"\. Did you mean "--json"\?$/],
  [
    ['account'],
    4,
    /^No API key for http:\/\/127\.0\.0\.1:8080: run "mxproof login" once, or set MXPROOF_API_KEY\.$/,
  ],
  [['admin'], 2, /^"mxproof admin" needs a command: link, sign-out, key\.$/],
  [['list', 'shw', '1'], 2, /^Unknown command "shw"\. Did you mean "show"\?$/],
  [['account', 'create'], 2, /^Missing required option --name <name>\.$/],
  [['account', 'create', '--name', ' '], 2, /^--name must not be empty\.$/],
  [['account', 'create', '--name', 'x', '--credits', '-1'], 2, /^Numbers cannot be negative: -1\.$/],
  [['account', 'create', '--name', 'x', '--credits', '1.5'], 2, /^--credits must be a whole number/],
  [['account', 'create', '--nane', 'x'], 2, /^Unknown option "--nane"\. Did you mean "--name"\?$/],
  [['account', 'set', '1', '--mail', 'a@b@c'], 2, /^--mail must be a mail address/],
  [['account', 'set', '1', '--results-days', '0'], 2, /^--results-days must be a whole number of days/],
  [['account', 'show'], 2, /^Missing required argument <account>\.$/],
  [['account', 'show', 'ann'], 2, /^<account> must be a numeric ID\.$/],
  [['account', 'show', '1', '2'], 2, /^Unexpected argument "2"\.$/],
  [['account', 'show', '999999'], 1, /^Account not found/],
  [['key', 'create', '1', '--expires', '2001-01-01'], 2, /^--expires must be a date in the future, such as /],
  [['key', 'create', '1', '--expires', 'tomorrow'], 2, /^--expires must be a date in the future, such as /],
  [
    ['key', 'create', '1', '--allow-ip', '10.0.0.1/8'],
    2,
    /^--allow-ip must be IP addresses and CIDR ranges /,
  ],
  [['key', 'revoke', '999999'], 1, /^Key not found or already revoked/],
  [['list', 'show', '999999', '--any'], 1, /^List not found\.$/],
  [['callback', 'resend', '999999'], 1, /^The list was not found or has no callback\.$/],
  [['serve', '--fast'], 2, /^Unknown option "--fast"\.$/],
])('mxproof %j ends with %i and one sentence', async (args, status, sentence) => {
  const ran = await mxproof(args);
  expect(ran.lines).toHaveLength(1);
  expect(ran.lines[0]).toMatch(sentence);
  expect(ran.status).toBe(status);
});

test.each([
  [{ PORT: 'eighty' }, /^PORT must be/],
  [{ MXPROOF_HELO_NAME: 'localhost' }, /^MXPROOF_HELO_NAME is invalid/],
  [
    { DATABASE_URL: 'postgresql://nobody:hunter2@127.0.0.1:1/x' },
    /^Cannot connect to the database: (?!.*hunter2)/,
  ],
])('with %j a command ends with 1 and one sentence', async (env, sentence) => {
  const ran = await mxproof(['account', 'list'], env);
  expect(ran.lines).toHaveLength(1);
  expect(ran.lines[0]).toMatch(sentence);
  expect(ran.status).toBe(1);
});

test('check tells syntax apart without a network, and its exit status says whether all are well', async () => {
  const good = await mxproof(['check', '--syntax-only', 'ann@example.com']);
  expect(good).toEqual({ status: 0, lines: ['✓ well-formed  ann@example.com'] });
  const mixed = await mxproof(['check', '--syntax-only', '--json', 'Ann@Example.com', 'not an address']);
  expect(mixed.status).toBe(1);
  expect(mixed.lines.map((line) => JSON.parse(line))).toMatchObject([
    { email: 'ann@example.com', state: 'pending', valid: true },
    { email: 'not an address', state: 'undeliverable', reason: 'invalid_email', valid: false },
  ]);
  expect((await mxproof(['check', '--file', '/nowhere'])).status).toBe(2);
});

test('a shell with another secret key is told what to do before it seals anything; looking needs no key', async () => {
  await json(['account', 'create', '--name', 'first']);
  const accounts = (await json(['account', 'list'])) as unknown[];
  const other = mkdtempSync(join(tmpdir(), 'mxproof-cli-'));
  try {
    const env = { MXPROOF_SECRET_KEY: '', MXPROOF_DATA_DIR: other };
    expect((await mxproof(['account', 'list'], env)).status).toBe(0);
    expect(readdirSync(other)).toEqual([]);
    const { status, lines } = await mxproof(['account', 'create', '--name', 'second'], env);
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatch(/^MXPROOF_SECRET_KEY is not the key .*: set it to the service's value, or/);
    expect(await json(['account', 'list'])).toHaveLength(accounts.length);
  } finally {
    rmSync(other, { recursive: true });
  }
});

test('an operator makes a sign-in link, for the address that the browser uses, and signs an account out', async () => {
  const opened = (await json(['account', 'create', '--name', 'Page'])) as { account_id: number };
  const id = String(opened.account_id);
  expect(await json(['account', 'link', id])).toEqual({
    account_id: opened.account_id,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/sign-in\/[\w-]{43}$/),
    running: false,
  });
  const shown = await mxproof(['account', 'link', id, '--url', 'https://mx.example.com/']);
  expect(shown.lines).toEqual([
    expect.stringMatching(/^https:\/\/mx\.example\.com\/sign-in\/[\w-]{43}$/),
    'It signs in one browser, once, within 15 minutes.',
    'No service is running on this store: start it first ("mxproof serve").',
  ]);
  expect(await mxproof(['account', 'link', id, '--url', 'mx.example.com'])).toMatchObject({ status: 2 });
  expect(await mxproof(['account', 'link', '999999'])).toMatchObject({ status: 1 });
  expect(await json(['account', 'sign-out', id])).toEqual({
    account_id: opened.account_id,
    sessions_ended: 0,
  });
  expect(await mxproof(['account', 'sign-out', '999999'])).toMatchObject({ status: 1 });
});

test('a setting that nothing reads is named once, with the one that may be meant, and stops nothing', async () => {
  const { status, lines } = await mxproof(['account', 'list'], { MXPROOF_HELO_NAM: 'probe.example.com' });
  expect(status).toBe(0);
  expect(lines.filter((line) => line.includes('MXPROOF_'))).toEqual([
    'MXPROOF_HELO_NAM is not a setting of MXProof and has no effect: did you mean MXPROOF_HELO_NAME?',
  ]);
});

test('config shows every setting without its secrets, and which are invalid', async () => {
  const shown = await mxproof(['config', '--json']);
  expect(shown.status, shown.lines.join('\n')).toBe(0);
  const { ok, settings } = JSON.parse(shown.lines[0]!) as {
    ok: boolean;
    settings: { name: string; value: string | null; from: string; error: string | null; default: string }[];
  };
  expect(ok).toBe(true);
  expect(settings.find(({ name }) => name === 'MXPROOF_SECRET_KEY')).toMatchObject({
    value: 'set',
    from: 'environment',
  });
  expect(shown.lines[0]).not.toContain('a key of the tests');
  const broken = await mxproof(['config'], { PORT: 'eighty', MXPROOF_HELO_NAM: 'x' });
  expect(broken.status).toBe(1);
  expect(broken.lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^PORT +eighty +environment, invalid$/),
      expect.stringMatching(/^HOST +\(127\.0\.0\.1\) +default$/),
      '✗ PORT must be a whole number from 0 to 65535.',
      '! MXPROOF_HELO_NAM is not a setting and has no effect: did you mean MXPROOF_HELO_NAME?',
    ]),
  );
});

test('alerts are listed, and tried in every way that is configured', async () => {
  const none = 'Alerts are not configured';
  expect(await json(['alerts'])).toEqual({ configured: false, alerts: [], unsent: [] });
  expect((await mxproof(['alerts'])).lines).toEqual([expect.stringContaining(none)]);
  expect(await mxproof(['alerts', 'test'])).toMatchObject({
    status: 1,
    lines: [expect.stringContaining(none)],
  });
  const env = {
    MXPROOF_ALERT_URL: 'https://127.0.0.1:1/?token=hunter2',
    MXPROOF_ALERT_SECRET: `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`,
    MXPROOF_ALERT_MAIL: 'ops@example.com',
    MXPROOF_ALERT_FROM: 'mxproof@example.com',
    MXPROOF_SMTP_RELAY: 'smtp://me:hunter2@127.0.0.1:1',
  };
  const tried = await mxproof(['alerts', 'test'], env);
  expect(tried).toEqual({
    status: 1,
    lines: [
      'POST to MXPROOF_ALERT_URL: The receiver at MXPROOF_ALERT_URL was not reached: private target.',
      'Mail to MXPROOF_ALERT_MAIL: There was no connection with the relay of MXPROOF_SMTP_RELAY (ECONNREFUSED).',
    ],
  });
});

test('healthcheck says by its exit status and one line whether the service works', async () => {
  const { status, lines } = await mxproof(['healthcheck', '--json'], { PORT: '0' });
  expect([status, lines.length]).toEqual([1, 1]);
  expect(JSON.parse(lines[0]!)).toEqual({ ok: false, role: 'work', detail: expect.stringMatching(/\.$/) });
});
