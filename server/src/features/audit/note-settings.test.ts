// Starts of a machine with settings that differ, and what the trail says of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writtenBy } from '../../../test/audit-rows.ts';
import { startTestService, type TestService } from '../../../test/service.ts';
import { createContext } from '../../flow/context.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readConfig } from '../../settings/config.ts';
import { secretKeys } from '../../settings/secret-key.ts';
import { createJobs } from '../../store/jobs.ts';
import { createSecretBox } from '../../store/secret-box.ts';
import { rotateSecretKey } from '../rotation/rotate-secret-key.ts';
import { noteSettings } from './note-settings.ts';
import { sweepStartedSettings } from './stored-settings.ts';

let s: TestService;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mxproof-settings-'));
  writeFileSync(join(folder, 'secret-key'), 'test\n', { mode: 0o600 });
  s = await startTestService();
});
afterEach(async () => {
  await s.close();
  rmSync(folder, { recursive: true, force: true });
});

const config = (env: Record<string, string> = {}) => readConfig({ MXPROOF_DATA_DIR: folder, ...env });

/** The rows of a start with these settings. */
async function started(env: Record<string, string> = {}, machine = 'mx1') {
  const settings = config(env);
  const box = createSecretBox(() => secretKeys(settings));
  const context = createContext(s.db, createJobs(s.db, { safetyNetSeconds: 0 }), box);
  const { rows } = await writtenBy(s.db, () => noteSettings(context, settings, machine));
  return rows;
}

const SECRETS = {
  MXPROOF_SOURCE_ADDRESSES: 'socks5://anna:secret@proxy.private.example:1080=mx1.example.com',
  MXPROOF_HEARTBEAT_URL: 'https://private.example/beat/secret',
  MXPROOF_METRICS_TOKEN: 'secretsecretsecret',
  MXPROOF_DNS_SERVERS: '192.0.2.1',
};

test('the first start says all, the next one only what differs, the same again nothing', async () => {
  const [first, ...more] = await started(SECRETS);
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    ...{ account_id: null, action: 'settings.changed', actor: 'service', client: 'mx1', subject_id: null },
    facts: {
      changes: {
        MXPROOF_LIST_HOURS: [null, 4],
        MXPROOF_EVIDENCE_DAYS: [null, 30],
        MXPROOF_ALLOW_PRIVATE_TARGETS: [null, false],
        MXPROOF_AUDIT_MONTHS: [null, 12],
        LOG_LEVEL: [null, 'info'],
        PORT: [null, 8080],
      },
      changed: expect.arrayContaining(Object.keys(SECRETS)),
    },
  });
  expect(await started(SECRETS)).toEqual([]);
  const [second] = await started({
    ...SECRETS,
    MXPROOF_LIST_HOURS: '0.5',
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_METRICS_PORT: '9100',
    LOG_LEVEL: 'debug',
    MXPROOF_METRICS_TOKEN: 'anothersecretsecret',
    MXPROOF_TRUST_PROXY: '10.0.0.0/8',
  });
  expect(second!.facts).toEqual({
    changes: {
      MXPROOF_LIST_HOURS: [4, 0.5],
      MXPROOF_ALLOW_PRIVATE_TARGETS: [false, true],
      MXPROOF_METRICS_PORT: [null, 9100],
      LOG_LEVEL: ['info', 'debug'],
    },
    changed: ['MXPROOF_TRUST_PROXY', 'MXPROOF_METRICS_TOKEN'],
  });
  // Unset again.
  const [third] = await started();
  expect(third!.facts).toMatchObject({
    changes: { LOG_LEVEL: ['debug', 'info'] },
    changed: expect.arrayContaining([
      'MXPROOF_TRUST_PROXY',
      'MXPROOF_METRICS_TOKEN',
      'MXPROOF_HEARTBEAT_URL',
    ]),
  });
});

test('another content of a policy file is another setting', async () => {
  const file = join(folder, 'policy.json');
  const policy = (json: object) => writeFileSync(file, JSON.stringify(json));
  const env = { MXPROOF_POLICY_FILE: file };
  policy({ never: ['example.com'] });
  await started(env);
  expect(await started(env)).toEqual([]);
  policy({ never: ['example.com', 'example.net'] });
  expect(await started(env)).toMatchObject([{ facts: { changed: ['MXPROOF_POLICY_FILE'] } }]);
});

test('another machine is one of its own, and two processes of a machine leave one row', async () => {
  await started();
  const settings = config({ LOG_LEVEL: 'warn' });
  const context = createContext(s.db, createJobs(s.db, { safetyNetSeconds: 0 }), s.box);
  const { rows } = await writtenBy(s.db, () =>
    Promise.all([1, 2, 3].map(() => noteSettings(context, settings, 'mx1'))),
  );
  expect(rows).toHaveLength(1);
  expect(await started({ LOG_LEVEL: 'warn' }, 'mx2')).toMatchObject([
    { client: 'mx2', facts: { changes: { LOG_LEVEL: [null, 'warn'] } } },
  ]);
});

test('a rotation of the secret key changes no setting', async () => {
  await started(SECRETS);
  await rotateSecretKey({ db: s.db, actor: THE_SERVICE, config: config(SECRETS), waitMs: 0 });
  expect(await started(SECRETS)).toEqual([]);
});

test('nothing of a text is stored, and a text cannot be guessed without the key', async () => {
  await started(SECRETS);
  const [row] = await s.db.query<{ text: string }>(
    `SELECT (SELECT string_agg(a::text, ' ') FROM mxproof.audit a) ||
       (SELECT string_agg(t::text, ' ') FROM mxproof.started_settings t) AS text`,
  );
  expect(row!.text).not.toMatch(/secretsecret|private\.example|socks5|192\.0\.2\.1/);
  const hashes = async () =>
    (
      await s.db.query<{ hash: string }>(
        `SELECT settings -> 'MXPROOF_METRICS_TOKEN' ->> 'hash' AS hash FROM mxproof.started_settings`,
      )
    )[0]!.hash;
  const own = await hashes();
  const other = await startTestService();
  try {
    const context = createContext(other.db, createJobs(other.db, { safetyNetSeconds: 0 }), other.box);
    await noteSettings(context, config(SECRETS), 'mx1');
    const [stored] = await other.db.query<{ hash: string }>(
      `SELECT settings -> 'MXPROOF_METRICS_TOKEN' ->> 'hash' AS hash FROM mxproof.started_settings`,
    );
    expect(own).toHaveLength(44);
    expect(stored!.hash).not.toBe(own);
  } finally {
    await other.close();
  }
});

test('of machines that start under a new name each time, those of the last thousand starts are known', async () => {
  await s.db.query(
    `INSERT INTO mxproof.started_settings SELECT 'pod ' || n, '{}', now() - n * interval '1 second' FROM generate_series(1, 1003) n`,
  );
  await sweepStartedSettings(s.db);
  const [row] = await s.db.query(
    `SELECT count(*) AS left, bool_or(machine = 'pod 1000') AS thousandth, bool_or(machine = 'pod 1001') AS older
     FROM mxproof.started_settings`,
  );
  expect(row).toEqual({ left: 1000, thousandth: true, older: false });
});
