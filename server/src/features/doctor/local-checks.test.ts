import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePolicy } from '@mxproof/engine';
import { afterAll, expect, test } from 'vitest';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../../world/src/test-only-certificate.ts';
import { connectionsOfNode } from '../../rules/node-connections.ts';
import { readConfig } from '../../settings/config.ts';
import { judgeBackups, judgeFolder } from './backup-check.ts';
import { judgeClock } from './clock-check.ts';
import { configCheck } from './config-check.ts';
import { judgeDescriptors } from './descriptors-check.ts';
import { diskCheck, judgeRoom } from './disk-check.ts';
import type { CheckResult, DoctorContext } from './doctor-check.ts';
import { judgeMemory, readMemory } from './memory-check.ts';
import { judgePolicy } from './policy-check.ts';
import { judgePostgres } from './postgres-check.ts';
import { judgeTls } from './tls-check.ts';

const folder = mkdtempSync(join(tmpdir(), 'mxproof-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `status about: detail`, and that whatever is wrong says what to do. */
function told(results: CheckResult | readonly CheckResult[]): string[] {
  return [results].flat().map((result) => {
    const { status, detail, advice, about } = result as CheckResult;
    expect(advice === null, detail).toBe(status === 'ok' || status === 'skipped');
    expect(detail).toMatch(/^[^\n]+[.?]$/);
    return `${status}${about === undefined ? '' : ` ${about}`}: ${detail}`;
  });
}

const KIND = /^\w+( [^:]+)?/;
const kinds = (results: CheckResult | readonly CheckResult[]) =>
  told(results).map((line) => KIND.exec(line)![0]);

const HEALTHY = {
  version: 180_004,
  hasFsync: true,
  isStandby: false,
  connectionsAllowed: 97,
  connectionsLeft: 80,
  oldestTransactionSeconds: 4,
  roundTripMs: 0.34,
};

test.each([
  ['none', {}, ['ok']],
  ['session', {}, ['ok']],
  ['transaction', {}, ['failure pooler']],
  ['none', { version: 130_012 }, ['failure version']],
  ['none', { version: 140_000 }, ['ok']],
  ['none', { hasFsync: false }, ['failure fsync']],
  ['none', { isStandby: true }, ['failure standby']],
  ['none', { connectionsLeft: 16 }, ['warning connections']],
  ['none', { connectionsLeft: 17 }, ['ok']],
  ['none', { connectionsLeft: 2 }, ['failure connections']],
  ['none', { oldestTransactionSeconds: 3_700 }, ['warning oldest transaction']],
  ['none', { oldestTransactionSeconds: null }, ['ok']],
  ['none', { roundTripMs: 31 }, ['warning latency']],
  [
    'transaction',
    { connectionsLeft: 4, hasFsync: false },
    ['failure fsync', 'failure pooler', 'warning connections'],
  ],
] as const)('postgres: %s, %j is %j', (pooler, sick, expected) => {
  expect(kinds(judgePostgres({ ...HEALTHY, ...sick }, pooler, connectionsOfNode(null), null))).toEqual(
    expected,
  );
});

test('postgres: a node with fewer connections of its own needs fewer', () => {
  const few = { ...HEALTHY, connectionsLeft: 5 };
  expect(kinds(judgePostgres(few, 'none', connectionsOfNode(4), null))).toEqual(['ok']);
  expect(told(judgePostgres(few, 'none', connectionsOfNode(null), null))[0]).toContain(
    'a node has up to 17.',
  );
});

test('postgres: a healthy one is named with what it has left', () => {
  expect(told(judgePostgres(HEALTHY, 'session', connectionsOfNode(null), null))).toEqual([
    'ok: PostgreSQL 18.4 answers in 0.3 ms, through a pooler in session mode; 80 of 97 connections are left.',
  ]);
});

test('postgres: the included one is told from a newer minor version, and the operator’s own is not', () => {
  const ask = (version: number, newest: number | null) =>
    told(judgePostgres({ ...HEALTHY, version }, 'none', connectionsOfNode(null), newest))[0];
  expect(ask(180_003, 180_004)).toBe(
    'warning version: The included PostgreSQL is 18.3, and 18.4 repairs faults of it.',
  );
  expect(ask(180_004, 180_004)).toMatch(/^ok: PostgreSQL 18\.4/);
  expect(ask(180_003, null)).toMatch(/^ok: PostgreSQL 18\.3/);
});

const GIB = 1024 ** 3;
const room = (bytes: number, ffree = 1e6, files = 2e6) => ({
  bsize: 4096,
  bavail: bytes / 4096,
  ffree,
  files,
});

test.each([
  [room(50 * GIB), 'ok: 50.0 GiB are left'],
  [room(3 * GIB), 'warning: 3.0 GiB are left'],
  [room(0.5 * GIB), 'failure: 512 MiB are left'],
  [room(50 * GIB, 5_000), 'warning: 5000 inodes are left'],
  [room(50 * GIB, 3), 'failure: 3 inodes are left'],
  // Btrfs and others make inodes as they are needed.
  [room(50 * GIB, 0, 0), 'ok: 50.0 GiB are left'],
])('disk: %j is "%s"', (free, expected) => {
  expect(told(judgeRoom('/data', free))[0]).toContain(`${expected} on the file system of /data`);
});

test('disk: a data folder that is not made yet has the room of the folder above it, and is not made', async () => {
  const dataDir = join(folder, 'not/there');
  const config = readConfig({ MXPROOF_DATA_DIR: dataDir });
  const [line] = told(await diskCheck.run({ config } as DoctorContext, AbortSignal.timeout(1_000)));
  expect(line).toContain(`left on the file system of ${dataDir}`);
  expect(() => rmSync(join(folder, 'not'))).toThrow('ENOENT');
});

test('disk: a database outside of the data folder is looked at as well', async () => {
  const [dataDir, home] = [join(folder, 'with-note'), join(folder, 'elsewhere')];
  for (const each of [dataDir, join(home, 'postgres')]) mkdirSync(each, { recursive: true });
  writeFileSync(join(dataDir, 'postgres-is-in'), `${home}\n`);
  const config = readConfig({ MXPROOF_DATA_DIR: dataDir });
  const results = await diskCheck.run({ config } as DoctorContext, AbortSignal.timeout(1_000));
  expect([results].flat().map((result) => (result as CheckResult).about)).toEqual([
    'data folder',
    'database',
  ]);
});

test.each([
  [
    { totalBytes: 8 * GIB, availableBytes: 5 * GIB, limitBytes: null },
    'ok: 5.0 GiB of memory are available.',
  ],
  [
    { totalBytes: 8 * GIB, availableBytes: 2 * GIB, limitBytes: 3 * GIB },
    'ok: 2.0 GiB of memory are available, within a limit of 3.0 GiB.',
  ],
  [{ totalBytes: GIB, availableBytes: 0.7 * GIB, limitBytes: null }, 'warning: The machine has 1.0 GiB'],
  [
    { totalBytes: 8 * GIB, availableBytes: 0.6 * GIB, limitBytes: GIB },
    'warning: The limit of this container or service has 1.0 GiB',
  ],
  [
    { totalBytes: 8 * GIB, availableBytes: 0.1 * GIB, limitBytes: null },
    'failure: 102 MiB of memory are available',
  ],
])('memory: %j is "%s"', (facts, expected) => {
  expect(told(judgeMemory(facts))[0]).toContain(expected);
});

test('memory: the narrowest limit of a control group counts, without what was only read from files', async () => {
  const root = join(folder, 'kernel');
  const write = (path: string, text: string | number) => {
    const file = join(root, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `${text}\n`);
  };
  write('proc/meminfo', `MemTotal: ${(8 * GIB) / 1024} kB\nMemAvailable:    ${(6 * GIB) / 1024} kB`);
  const unlimited = { totalBytes: 8 * GIB, availableBytes: 6 * GIB, limitBytes: null };
  expect(await readMemory(root)).toEqual(unlimited);
  write('proc/self/cgroup', '0::/system.slice/mxproof.service');
  write('sys/fs/cgroup/system.slice/mxproof.service/memory.max', 'max');
  write('sys/fs/cgroup/system.slice/mxproof.service/memory.current', GIB);
  expect(await readMemory(root)).toEqual(unlimited);
  write('sys/fs/cgroup/system.slice/memory.max', 2 * GIB);
  write('sys/fs/cgroup/system.slice/memory.current', 1.75 * GIB);
  write('sys/fs/cgroup/system.slice/memory.stat', `anon 1\ninactive_file ${GIB}`);
  expect(await readMemory(root)).toEqual({
    totalBytes: 8 * GIB,
    availableBytes: 1.25 * GIB,
    limitBytes: 2 * GIB,
  });
});

test.each([
  [
    'Max open files            20000                524288               files',
    'ok: A process may have 20,000',
  ],
  [
    'Max open files            unlimited            unlimited            files',
    'ok: A process may have any number of',
  ],
  [
    'Max open files            4096                 4096                 files',
    'warning: A process may have 4,096',
  ],
  [
    'Max open files            256                  256                  files',
    'failure: A process may have 256',
  ],
])('descriptors: %s', (limits, expected) => {
  expect(told(judgeDescriptors(`Limit   Soft Limit\n${limits}\n`))[0]).toContain(expected);
});

test.each([
  [0, 1, "ok: This machine's clock and PostgreSQL's agree."],
  [1_900, 1, 'ok'],
  [2_500, 1, "warning: This machine's clock is 2.5 s behind PostgreSQL's"],
  [-30_000, 1, "warning: This machine's clock is 30 s ahead of PostgreSQL's"],
  [61_000, 1, "failure: This machine's clock is 61 s behind PostgreSQL's"],
  // A slow answer proves nothing about the clock.
  [2_500, 2_000, 'ok'],
])('clock: %i ms off, known after %i ms, is "%s"', (offMs, roundTripMs, expected) => {
  expect(told(judgeClock({ serverMs: 1e12 + offMs, hereMs: 1e12, roundTripMs }))[0]).toContain(expected);
});

const CERTIFICATE = { cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY };
const VALID_TO_MS = new X509Certificate(TEST_ONLY_CERTIFICATE).validToDate.getTime();
const DAY_MS = 86_400_000;

test.each([
  [22, 'ok: The certificate is valid for 22 days more, until '],
  [20, 'warning: The certificate expires in 20 days, on '],
  [1, 'warning: The certificate expires in 1 day, on '],
  [0, 'failure: The certificate expired on '],
  [-3, 'failure: The certificate expired on '],
])('tls: %i days before the end is "%s"', (days, expected) => {
  expect(told(judgeTls({ tls: CERTIFICATE, publicUrl: null }, VALID_TO_MS - days * DAY_MS))[0]).toContain(
    expected,
  );
});

test('tls: no certificate, one that is none, one with the key of another or for another name', () => {
  const nowMs = VALID_TO_MS - 100 * DAY_MS;
  const otherKey = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  expect(kinds(judgeTls({ tls: null, publicUrl: null }, nowMs))).toEqual(['skipped']);
  for (const key of [otherKey, '-----BEGIN nonsense'])
    expect(told(judgeTls({ tls: { ...CERTIFICATE, key }, publicUrl: null }, nowMs))[0]).toContain(
      'failure: MXPROOF_TLS_KEY is not the key',
    );
  expect(
    told(judgeTls({ tls: { ...CERTIFICATE, cert: '-----BEGIN x' }, publicUrl: null }, nowMs))[0],
  ).toContain('failure: MXPROOF_TLS_CERT holds no certificate');
  expect(told(judgeTls({ tls: CERTIFICATE, publicUrl: 'https://other.example' }, nowMs))[0]).toContain(
    'warning: The certificate is not for other.example',
  );
  const beforeItsTime = new X509Certificate(TEST_ONLY_CERTIFICATE).validFromDate.getTime() - DAY_MS;
  expect(told(judgeTls({ tls: CERTIFICATE, publicUrl: null }, beforeItsTime))[0]).toContain('not valid yet');
});

test('backup: the age of the newest, and whether its secrets can be opened', () => {
  const nowMs = Date.UTC(2026, 10, 17, 12);
  const ago = (hours: number) => nowMs - hours * 3_600_000;
  const made = (hours: number, hasKey = true) => [
    { machine: 'a', path: '/b', isNightly: true, hasKey, bytes: 1, rows: 1, madeAt: new Date(ago(hours)) },
  ];
  const unwanted = { nightlySinceMs: null, newestMs: null, failure: null };
  const none = { backupDir: null, secretKey: null };
  const nightly = { backupDir: '/backups', secretKey: null };
  const judge = (kept: ReturnType<typeof made>, settings = nightly, state = {}) =>
    judgeBackups(kept, { ...unwanted, ...state }, settings as never, nowMs);
  expect(kinds(judge([], none as never))).toEqual(['skipped']);
  expect(told(judge([]))).toEqual(['warning: No backup was made yet.']);
  expect(told(judge(made(9)))).toEqual(['ok: The newest backup is 9 hours old.']);
  expect(told(judge(made(0), none as never))[0]).toContain('is less than an hour old');
  expect(told(judge(made(72), none as never))).toEqual(['warning: The newest backup is 3 days old.']);
  expect(kinds(judge(made(36)))).toEqual(['warning']);
  expect(told(judge(made(1, false)))[0]).toContain('does not hold the secret key');
  expect(kinds(judge(made(1, false), { ...nightly, secretKey: 'elsewhere' } as never))).toEqual(['ok']);

  // Wanted every night, here or on another machine.
  const since = { nightlySinceMs: ago(900) };
  for (const settings of [none as never, nightly]) {
    expect(told(judge(made(72), settings, { ...since, newestMs: ago(72) }))).toEqual([
      'failure: The newest backup is 3 days old.',
    ]);
    expect(told(judge([], settings, since))).toEqual([
      'failure: No backup was made in the 37 days since they were set up.',
    ]);
    expect(
      told(judge(made(9), settings, { ...since, newestMs: ago(9), failure: 'Cannot write /b (ENOSPC).' })),
    ).toEqual(['failure: The latest backup failed: Cannot write /b (ENOSPC).']);
  }
  expect(kinds(judge(made(36), nightly, { ...since, newestMs: ago(36) }))).toEqual(['warning']);
});

test('backup: a folder that is gone, or that is none, fails before a night does', async () => {
  const place = join(folder, 'backups');
  expect(told((await judgeFolder(place))!)).toEqual([
    `failure: No backup can be written to ${place} (ENOENT).`,
  ]);
  writeFileSync(place, '');
  expect(told((await judgeFolder(place))!)).toEqual([
    `failure: No backup can be written to ${place} (ENOTDIR).`,
  ]);
  expect(await judgeFolder(folder)).toBeNull();
});

function policyOf(json: unknown) {
  const parsed = parsePolicy(json);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

test('policy: what the file sets, and sources in it that there are not', () => {
  const sourceAddresses = [{ name: '192.0.2.10', ip: '192.0.2.10', helo: 'mx1.example.com', proxy: null }];
  expect(told(judgePolicy({ policy: null, sourceAddresses }))).toEqual([
    'ok: MXPROOF_POLICY_FILE is not set: the built-in limits hold.',
  ]);
  const file = {
    hosts: [{ provider: 'google', refusalsPerConnection: 3 }],
    never: ['example.org', 'example.net'],
    sources: { '192.0.2.10': { mailFrom: 'check@example.com' } },
  };
  expect(told(judgePolicy({ policy: policyOf(file), sourceAddresses }))).toEqual([
    'ok: The policy file sets limits for 1 host or provider, 2 names that are never asked, settings of 1 source address.',
  ]);
  expect(told(judgePolicy({ policy: policyOf({}), sourceAddresses }))).toEqual([
    'ok: The policy file sets nothing.',
  ]);
  const misspelt = { sources: { '192.0.2.10': {}, '192.0.2.11': {}, 'proxy.example:1080': {} } };
  expect(told(judgePolicy({ policy: policyOf(misspelt), sourceAddresses }))[0]).toContain(
    'warning: The policy file speaks of 192.0.2.11, proxy.example:1080, which',
  );
});

const CERT_FILES = () => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, TEST_ONLY_CERTIFICATE);
  writeFileSync(key, TEST_ONLY_KEY);
  return { MXPROOF_TLS_CERT: cert, MXPROOF_TLS_KEY: key };
};
const PUBLIC = { MXPROOF_PUBLIC_URL: 'https://verify.example.com' };

test.each([
  [{}, ['ok']],
  [{ MXPROOF_HELO: 'x' }, ['warning']],
  [{ ...PUBLIC, MXPROOF_TRUST_PROXY: '127.0.0.1' }, ['ok']],
  [{ ...PUBLIC, ...CERT_FILES() }, ['ok']],
  [PUBLIC, ['warning MXPROOF_TRUST_PROXY']],
  [{ ...CERT_FILES(), MXPROOF_PUBLIC_URL: 'http://verify.example.com' }, ['failure MXPROOF_PUBLIC_URL']],
  [{ MXPROOF_PUBLIC_URL: 'http://verify.example.com' }, ['warning MXPROOF_PUBLIC_URL']],
  [{ MXPROOF_PUBLIC_URL: 'http://localhost:8080' }, ['ok']],
  [{ HOST: '0.0.0.0' }, ['warning HOST']],
  [{ HOST: '0.0.0.0', MXPROOF_TRUST_PROXY: '10.0.0.0/8' }, ['ok']],
  [{ HOST: '::1' }, ['ok']],
  [{ HOST: '0.0.0.0', ...CERT_FILES() }, ['ok']],
  [
    { ...PUBLIC, MXPROOF_TRUST_PROXY: '1', MXPROOF_ALLOW_PRIVATE_TARGETS: '1' },
    ['warning MXPROOF_ALLOW_PRIVATE_TARGETS'],
  ],
  [{ MXPROOF_ALLOW_PRIVATE_TARGETS: '1' }, ['ok']],
  [
    { MXPROOF_HELO_NAME: 'probe.example.com', MXPROOF_SOURCE_ADDRESSES: '192.0.2.1=a.example.com' },
    ['warning MXPROOF_HELO_NAME'],
  ],
  [{ MXPROOF_DNS_SENTINELS: 'none' }, ['warning MXPROOF_DNS_SENTINELS']],
  [{ MXPROOF_DNS_SENTINELS: 'none', MXPROOF_SMTP_PORT: '2525' }, ['ok']],
  [{ MXPROOF_LIST_HOURS: '1', MXPROOF_SMTP_RETRY_SECONDS: '3600' }, ['warning MXPROOF_SMTP_RETRY_SECONDS']],
  [{ MXPROOF_DNS_SERVERS: '192.0.2.53' }, ['ok']],
])('config: %j is %j', async (env, expected) => {
  const config = readConfig({ MXPROOF_DATA_DIR: folder, ...env });
  const results = await configCheck.run({ config } as DoctorContext, AbortSignal.timeout(1_000));
  expect(kinds(results)).toEqual(expected);
});
