import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { OperatorError } from '../rules/operator-error.ts';
import { readConfig } from './config.ts';

test('an empty environment is the documented defaults', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: null,
    databaseUrl: null,
    databaseConnections: null,
    dataDir: resolve(import.meta.dirname, '../../../data'),
    secretKey: null,
    dnsServers: [],
    dnsSentinels: null,
    smtpPort: 25,
    heloName: null,
    abuseContact: null,
    mailFrom: '',
    sourceAddresses: [],
    policy: null,
    allowPrivateTargets: false,
    verifyWaitMs: 20_000,
    listLimitMs: 4 * 3_600_000,
    retention: { results: null, evidence: 30, callbacks: null, single_checks: null },
    callbackRetryMs: [30_000, 300_000],
    callbackPorts: null,
    smtpRetryMs: null,
    rateRequests: 600,
    rateAddresses: 500_000,
    rateAccount: 10,
    backupDir: null,
    backupKeep: 14,
    backupPassphrase: null,
    backupRecipient: null,
    backupIdentity: null,
    backupHook: null,
    upgradeBackup: true,
    showFirstKey: null,
    trustProxy: 0,
    tls: null,
    disposableFile: null,
    alertWays: { post: null, mail: null },
    mailSender: null,
    alertUnknownPercent: 30,
    alertQueueMs: 3_600_000,
    metrics: null,
    logLevel: 'info',
    isNpmScript: false,
    logFormat: null,
    blockLists: [],
    warnings: [],
  });
});

test('sentinels can be done without', () => {
  expect(readConfig({ MXPROOF_DNS_SENTINELS: 'None' }).dnsSentinels).toEqual([]);
});

test('a variable that is empty counts as not set', () => {
  const names = [
    'PORT',
    'DATABASE_URL',
    'MXPROOF_DATA_DIR',
    'MXPROOF_DNS_SERVERS',
    'MXPROOF_DNS_SENTINELS',
    'MXPROOF_SMTP_RETRY_SECONDS',
    'LOG_LEVEL',
  ];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ' '])))).toEqual(readConfig({}));
});

test('every variable is read', () => {
  const config = readConfig({
    HOST: '0.0.0.0',
    PORT: '0',
    DATABASE_URL: 'postgres://u:p@db/x',
    MXPROOF_DATA_DIR: 'some/where',
    MXPROOF_SECRET_KEY: 'any text',
    MXPROOF_DNS_SERVERS: '127.0.0.1:5353, ::1, [::1]:54, dns.internal:53',
    MXPROOF_DNS_SENTINELS: 'mail.internal.example, example.org',
    MXPROOF_SMTP_PORT: '2525',
    MXPROOF_HELO_NAME: 'probe.example.com',
    MXPROOF_MAIL_FROM: '<probe@example.com>',
    MXPROOF_SOURCE_ADDRESSES: '127.0.0.2=a.example.com,::1=b.example.com',
    MXPROOF_BLOCKLISTS: 'BL.example, zen.example.org.',
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_VERIFY_WAIT_SECONDS: '0.5',
    MXPROOF_LIST_HOURS: '0.5',
    MXPROOF_RESULTS_DAYS: '30',
    MXPROOF_EVIDENCE_DAYS: '0.5',
    MXPROOF_CALLBACKS_DAYS: '3650',
    MXPROOF_SINGLE_CHECKS_DAYS: '1',
    MXPROOF_CALLBACK_RETRY_SECONDS: '1, 20',
    MXPROOF_CALLBACK_PORTS: '443, 8000-8999',
    MXPROOF_SMTP_RETRY_SECONDS: '1,2,3',
    MXPROOF_RATE_REQUESTS: '10',
    MXPROOF_RATE_ADDRESSES: '20',
    MXPROOF_RATE_ACCOUNT: '2.5',
    MXPROOF_DATABASE_CONNECTIONS: '12',
    MXPROOF_TRUST_PROXY: '127.0.0.1,10.0.0.0/8',
    MXPROOF_METRICS_PORT: '9464',
    MXPROOF_METRICS_HOST: '::',
    MXPROOF_METRICS_TOKEN: 'sixteen-letters!',
    MXPROOF_METRICS_NAMES: 'Metrics.example.com, a',
    LOG_LEVEL: 'DEBUG',
    LOG_FORMAT: 'json',
  });
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    databaseUrl: 'postgres://u:p@db/x',
    dataDir: resolve('some/where'),
    dnsServers: [
      { host: '127.0.0.1', port: 5353 },
      { host: '::1', port: 53 },
      { host: '::1', port: 54 },
      { host: 'dns.internal', port: 53 },
    ],
    dnsSentinels: ['mail.internal.example', 'example.org'],
    smtpPort: 2525,
    heloName: 'probe.example.com',
    mailFrom: 'probe@example.com',
    allowPrivateTargets: true,
    sourceAddresses: [
      { ip: '127.0.0.2', helo: 'a.example.com' },
      { ip: '::1', helo: 'b.example.com' },
    ],
    blockLists: ['bl.example', 'zen.example.org'],
    verifyWaitMs: 500,
    listLimitMs: 1_800_000,
    retention: { results: 30, evidence: 0.5, callbacks: 3_650, single_checks: 1 },
    metrics: { host: '::', port: 9464, token: 'sixteen-letters!', names: ['metrics.example.com', 'a'] },
    callbackRetryMs: [1_000, 20_000],
    callbackPorts: [
      { from: 443, to: 443 },
      { from: 8_000, to: 8_999 },
    ],
    smtpRetryMs: [1_000, 2_000, 3_000],
    rateRequests: 10,
    rateAddresses: 20,
    rateAccount: 2.5,
    databaseConnections: 12,
    trustProxy: ['127.0.0.1', '10.0.0.0/8'],
    logLevel: 'debug',
    logFormat: 'json',
  });
});

test.each([
  ['PORT', '80a'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['DATABASE_URL', 'mysql://u:hunter2@db/x'],
  ['HOST', 'not a host'],
  ['MXPROOF_DNS_SERVERS', '127.0.0.1:0'],
  ['MXPROOF_DNS_SERVERS', '1.2.3'],
  ['MXPROOF_DNS_SERVERS', 'http://x'],
  ['MXPROOF_DNS_SENTINELS', 'localhost'],
  ['MXPROOF_DNS_SENTINELS', 'gmail.com,none'],
  ['MXPROOF_DNS_SENTINELS', ','],
  ['MXPROOF_BLOCKLISTS', 'https://bl.example'],
  ['MXPROOF_BLOCKLISTS', Array.from({ length: 21 }, (_, i) => `bl${i}.example`).join(',')],
  ['MXPROOF_SMTP_PORT', '0'],
  ['MXPROOF_HELO_NAME', 'localhost'],
  ['MXPROOF_HELO_NAME', '192.0.2.1'],
  ['MXPROOF_MAIL_FROM', 'no address'],
  ['MXPROOF_ABUSE_CONTACT', 'http://example.com'],
  ['MXPROOF_POLICY_FILE', '/nowhere/policy.json'],
  ['MXPROOF_SOURCE_ADDRESSES', '127.0.0.1=localhost'],
  ['MXPROOF_SOURCE_ADDRESSES', 'mx1.example.com'],
  ['MXPROOF_SOURCE_ADDRESSES', '127.0.0.1='],
  ['MXPROOF_SOURCE_ADDRESSES', 'socks5://h.example:1080'],
  ['MXPROOF_SOURCE_ADDRESSES', 'http://h.example:1080=out.example.com'],
  ['MXPROOF_SOURCE_ADDRESSES', 'socks5://h.example:1=a.example.com,socks5://u:p@H.example:1=b.example.com'],
  ['MXPROOF_ALLOW_PRIVATE_TARGETS', 'yes please'],
  ['MXPROOF_VERIFY_WAIT_SECONDS', '1e3'],
  ['MXPROOF_LIST_HOURS', '-4'],
  ['MXPROOF_EVIDENCE_DAYS', 'NaN'],
  ['MXPROOF_RESULTS_DAYS', '0'],
  ['MXPROOF_CALLBACKS_DAYS', '1.5'],
  ['MXPROOF_SINGLE_CHECKS_DAYS', '3651'],
  ['MXPROOF_AUDIT_MONTHS', '121'],
  ['MXPROOF_AUDIT_MONTHS', '0'],
  ['MXPROOF_CALLBACK_RETRY_SECONDS', '30;300'],
  ['MXPROOF_CALLBACK_RETRY_SECONDS', '30'],
  ['MXPROOF_CALLBACK_RETRY_SECONDS', '30,300,3000'],
  ['MXPROOF_CALLBACK_RETRY_SECONDS', '0,300'],
  ['MXPROOF_CALLBACK_RETRY_SECONDS', '0.5,300'],
  ['MXPROOF_CALLBACK_RETRY_SECONDS', '30,'],
  ['MXPROOF_CALLBACK_PORTS', '0'],
  ['MXPROOF_CALLBACK_PORTS', '443-80'],
  ['MXPROOF_CALLBACK_PORTS', '443,https'],
  ['MXPROOF_CALLBACK_PORTS', '65536'],
  ['MXPROOF_CALLBACK_PORTS', ','],
  ['MXPROOF_SMTP_RETRY_SECONDS', '60,,60'],
  ['MXPROOF_RATE_REQUESTS', '0'],
  ['MXPROOF_RATE_ADDRESSES', '1.5'],
  ['MXPROOF_RATE_ACCOUNT', '0.5'],
  ['MXPROOF_DATABASE_CONNECTIONS', '3'],
  ['MXPROOF_METRICS_PORT', '65536'],
  ['MXPROOF_METRICS_HOST', 'not a host'],
  ['MXPROOF_METRICS_NAMES', 'a b'],
  ['MXPROOF_METRICS_NAMES', 'a:9464'],
  ['MXPROOF_METRICS_TOKEN', 'short'],
  ['MXPROOF_METRICS_TOKEN', 'sixteen letters with spaces'],
  ['MXPROOF_TRUST_PROXY', '10.0.0.0/33'],
  ['MXPROOF_TRUST_PROXY', '10.0.0.1/8'],
  ['MXPROOF_TRUST_PROXY', '11'],
  ['MXPROOF_TRUST_PROXY', '1.5'],
  ['MXPROOF_TRUST_PROXY', '-1'],
  ['MXPROOF_TRUST_PROXY', 'yes'],
  ['MXPROOF_TLS_CERT', '/nowhere/cert.pem'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_FORMAT', 'xml'],
])('a malformed %s (%s) is refused in one sentence that names it', (name, value) => {
  // The pair to a TLS file, so that the malformed one is what is complained about.
  const env = { MXPROOF_TLS_KEY: name === 'MXPROOF_TLS_CERT' ? '/nowhere/key.pem' : '', [name]: value };
  expect(() => readConfig(env)).toThrow(OperatorError);
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name} [^\n]*\\.$`));
});

test.each([
  ['0', 0],
  ['false', 0],
  ['1', 1],
  ['true', 1],
  ['2', 2],
  ['::1, 10.0.0.0/8', ['::1', '10.0.0.0/8']],
])('MXPROOF_TRUST_PROXY=%s trusts %j', (value, trusted) => {
  expect(readConfig({ MXPROOF_TRUST_PROXY: value }).trustProxy).toEqual(trusted);
});

test('a refused DATABASE_URL does not show its password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://u:hunter2@db/x' })).not.toThrow(/hunter2/);
});

test('proxies stand beside addresses as sources', () => {
  const value = '192.0.2.10=mx1.example.com, socks5://me:s%2Cecret@proxy.example.com:1080=mx2.example.com';
  expect(readConfig({ MXPROOF_SOURCE_ADDRESSES: value }).sourceAddresses).toEqual([
    { name: '192.0.2.10', ip: '192.0.2.10', helo: 'mx1.example.com', proxy: null },
    {
      name: 'proxy.example.com:1080',
      ip: null,
      helo: 'mx2.example.com',
      proxy: { host: 'proxy.example.com', port: 1080, login: { user: 'me', password: 's,ecret' } },
    },
  ]);
});

test.each([
  'socks5://me:hunter2@proxy.example.com=mx1.example.com',
  'socks5://me:hunter=2@proxy.example.com:1080',
  'socks5://me:hunter,2@proxy.example.com:1080=mx1.example.com',
  'socks5://me:hunter@2@proxy.example.com:1080=mx1.example.com',
  'sock5://me:hunter2@proxy.example.com:1080=mx1.example.com',
  'me:hunter=2@proxy.example.com:1080=mx1.example.com',
  'socks5://me:hunter2@h.example:1=a.example.com,socks5://me:hunter2@h.example:1=b.example.com',
])('a refused proxy (%s) does not show its login', (value) => {
  expect(() => readConfig({ MXPROOF_SOURCE_ADDRESSES: value })).toThrow(
    /^MXPROOF_SOURCE_ADDRESSES [^\n]*\.$/,
  );
  expect(() => readConfig({ MXPROOF_SOURCE_ADDRESSES: value })).not.toThrow(/hunter|2@|me:/);
});

test('a policy file is read, and a wrong one refused with what is wrong in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-config-'));
  const file = join(folder, 'policy.json');
  writeFileSync(file, '{"never": ["example.org"]}');
  expect(readConfig({ MXPROOF_POLICY_FILE: file }).policy?.never.has('example.org')).toBe(true);
  writeFileSync(file, '{"nevr": []}');
  expect(() => readConfig({ MXPROOF_POLICY_FILE: file })).toThrow(/^MXPROOF_POLICY_FILE .*nevr/);
  rmSync(folder, { recursive: true });
});

test('a certificate needs its key, and both are read from their files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-config-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, '-----BEGIN CERTIFICATE-----');
  writeFileSync(key, '-----BEGIN PRIVATE KEY-----');
  expect(readConfig({ MXPROOF_TLS_CERT: cert, MXPROOF_TLS_KEY: key }).tls).toEqual({
    cert: '-----BEGIN CERTIFICATE-----',
    key: '-----BEGIN PRIVATE KEY-----',
  });
  expect(() => readConfig({ MXPROOF_TLS_CERT: cert })).toThrow(/^MXPROOF_TLS_KEY must be set/);
  rmSync(folder, { recursive: true });
});

test('a secret can be named by a file, whose last line end is not part of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-config-'));
  const file = join(folder, 'database-url');
  writeFileSync(file, 'postgresql://me:hunter2@db.example/x\n');
  expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgresql://me:hunter2@db.example/x');
  expect(readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: ' ' }).databaseUrl).toContain('db.example');
  expect(readConfig({ MXPROOF_SECRET_KEY_FILE: file }).warnings).toEqual([]);
  const refused: readonly (readonly [Record<string, string>, RegExp])[] = [
    [
      { DATABASE_URL_FILE: file, DATABASE_URL: 'postgresql://db/x' },
      /^DATABASE_URL and DATABASE_URL_FILE are both set/,
    ],
    [
      { DATABASE_URL_FILE: join(folder, 'gone') },
      /^DATABASE_URL_FILE names a file that cannot be read \(ENOENT\)/,
    ],
    [
      { MXPROOF_METRICS_TOKEN_FILE: file.replace('database-url', '') },
      /^MXPROOF_METRICS_TOKEN_FILE .*EISDIR/,
    ],
    [{ MXPROOF_ALERT_SECRET_FILE: file }, /^MXPROOF_ALERT_SECRET must be "whsec_"/],
  ];
  for (const [env, sentence] of refused) {
    expect(() => readConfig(env)).toThrow(sentence);
    expect(() => readConfig(env)).not.toThrow(/hunter2/);
  }
  writeFileSync(file, ' \n');
  expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow(
    /^DATABASE_URL_FILE names a file that is empty/,
  );
  writeFileSync(file, 'x'.repeat(65_537));
  expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow(
    /^DATABASE_URL_FILE names a file of more than 65536 bytes/,
  );
  rmSync(folder, { recursive: true });
});

test('only secrets have such a form', () => {
  expect(readConfig({ MXPROOF_LIST_HOURS_FILE: '/etc/hours' }).warnings).toEqual([
    'MXPROOF_LIST_HOURS_FILE is not a setting of MXProof and has no effect.',
  ]);
});
