import { DEFAULT_POLICY, type Policy } from '@mxproof/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.ts';
import type { Database } from '../../store/database.ts';
import { noteNightly, sayNightly } from '../backup/stored-nightly.ts';
import { createExposition } from './exposition.ts';
import { databaseFamilies, poolFamilies } from './state-families.ts';
import { createStoredState } from './stored-state.ts';

const LABELS = { sources: ['192.0.2.1'], providers: ['google', 'microsoft'] };
const POLICY: Policy = {
  ...DEFAULT_POLICY,
  rows: [{ provider: 'google', limits: { recipientsPerHour: 100, recipientsPerDay: 400 }, reason: 'a test' }],
};

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

/** Lines of the families that come from the database, as they are scraped. */
async function scrape(db: Database = service.db, keptMs = 0): Promise<string[]> {
  const stored = createStoredState(db, { keptMs });
  let now: Awaited<ReturnType<typeof stored.read>> = null;
  const families = [...databaseFamilies(() => now, LABELS, POLICY), ...poolFamilies(db)];
  const exposition = createExposition(families, async () => {
    now = await stored.read();
  });
  const ours = new RegExp(`^(${families.map(({ name }) => name).join('|')})[ {]`);
  return (await exposition.text()).split('\n').filter((line) => ours.test(line));
}

test('jobs, waits, rests, budgets and credits are what the database says', async () => {
  const list = await service.submit(['ann@example.com', 'bob@example.com']);
  await service.db.query(
    `UPDATE mxproof.lists SET created_at = now() - interval '90 seconds' WHERE id = ${list.id}`,
  );
  await service.db.query(
    `INSERT INTO mxproof.deferred (list_id, n, owner, not_before, groups) VALUES ($1, 0, 1, now() + interval '1 h', $2)`,
    [
      list.id,
      JSON.stringify([
        { why: 'greylisted', host: 'mx.secret.example', provider: 'google', addresses: 3, attempt: 2 },
        { why: 'a new word', host: 'mx.secret.example', provider: 'a new one', addresses: 4, attempt: 2 },
      ]),
    ],
  );
  await service.db.query(
    `INSERT INTO mxproof.source_states (source, provider, resting_since, resting_until) VALUES
       ('192.0.2.1', 'google', now(), null), ('192.0.2.1', 'microsoft', now(), now() - interval '1 s'),
       ('198.51.100.7', 'google', now(), now() + interval '1 h')`,
  );
  await service.db.query(
    `INSERT INTO mxproof.recipient_windows (source, budget, hour, hour_count, day, day_count)
     SELECT '192.0.2.1', key, s / 3600 - past, 25, s / 86400, 200
     FROM (SELECT floor(extract(epoch FROM now()))::bigint AS s) now,
       (VALUES ('provider google', 0), ('host mx.secret.example', 1)) AS k (key, past)`,
  );
  await service.db.query(
    `INSERT INTO mxproof.webhook_endpoints (account_id, url, description, events, secret, failing_since, off_at, off_reason)
     VALUES ($1, '', '', '{}', '', now(), null, null), ($1, '', '', '{}', '', now(), now(), 'failing')`,
    [service.accountId],
  );
  await service.db.query(`UPDATE mxproof.money_days SET day = day - 40`);
  const lines = await scrape();
  expect(lines).toEqual(
    expect.arrayContaining([
      'mxproof_database_up 1',
      'mxproof_jobs{kind="chunk",state="due"} 1',
      'mxproof_jobs{kind="callback",state="due"} 0',
      expect.stringMatching(/^mxproof_jobs_oldest_age_seconds\{kind="chunk"\} 9\d\./),
      'mxproof_jobs_oldest_age_seconds{kind="callback"} 0',
      'mxproof_addresses_deferred{why="greylisted",provider="google"} 3',
      'mxproof_addresses_deferred{why="other",provider="other"} 4',
      'mxproof_callbacks_pending 0',
      'mxproof_webhook_endpoints{state="on"} 0',
      'mxproof_webhook_endpoints{state="failing"} 1',
      'mxproof_webhook_endpoints{state="paused"} 0',
      'mxproof_webhook_endpoints{state="off"} 1',
      'mxproof_source_resting{source="192.0.2.1",provider="google"} 1',
      'mxproof_source_resting{source="192.0.2.1",provider="microsoft"} 0',
      'mxproof_source_resting{source="other",provider="google"} 1',
      'mxproof_budget_used_recipients{source="192.0.2.1",provider="google",window="hour"} 25',
      'mxproof_budget_used_recipients{source="192.0.2.1",provider="other",window="hour"} 0',
      'mxproof_budget_used_ratio{source="192.0.2.1",provider="google",window="hour"} 0.25',
      'mxproof_budget_used_ratio{source="192.0.2.1",provider="google",window="day"} 0.5',
      'mxproof_credits_total{kind="grant",mode="live"} 1000000',
      'mxproof_credits_total{kind="charge",mode="live"} 2',
      'mxproof_credits_total{kind="refund",mode="live"} 0',
    ]),
  );
  expect(lines.join('\n')).not.toMatch(/secret|198\.51/);
});

test('backups: when the newest was made, since when they are expected, and whether they fail', async () => {
  const { db } = service;
  const ours = async () => (await scrape()).filter((line) => line.includes('_backup_'));
  expect(await ours()).toEqual(['mxproof_backup_failing 0']);
  await sayNightly(db, 'a', '/backups');
  await noteNightly(db, 'a', 'Cannot write.');
  await db.query(`UPDATE mxproof.nightly_backups SET since = 'epoch'::timestamptz + interval '1000 seconds'`);
  expect(await ours()).toEqual([
    'mxproof_backup_expected_since_timestamp_seconds 1000',
    'mxproof_backup_failing 1',
  ]);
  await db.query(
    `INSERT INTO mxproof.backups (machine, path, is_nightly, has_key, bytes, rows, made_at)
     VALUES ('a', '/backups/b', true, true, 1, 1, now()), ('a', '/backups/c', true, true, 1, 1, now() + interval '1 year')`,
  );
  await noteNightly(db, 'a', null);
  const [success, ...rest] = await ours();
  expect(success).toMatch(/^mxproof_backup_last_success_timestamp_seconds 1\.?\d{9}/);
  expect(Number(success!.split(' ')[1])).toBeLessThan(Date.now() / 1_000 + 60);
  expect(rest).toEqual(['mxproof_backup_expected_since_timestamp_seconds 1000', 'mxproof_backup_failing 0']);
});

test('without a database what comes from it is left out, and the rest is answered', async () => {
  const away: Database = { ...service.db, transaction: () => Promise.reject(new Error('away')) };
  const lines = await scrape(away);
  expect(lines).toContain('mxproof_database_up 0');
  expect(lines).toContain('mxproof_database_connections_max 8');
  expect(lines.filter((line) => /jobs|credits|resting|deferred|budget|pending|backup/.test(line))).toEqual(
    [],
  );
});

test('what takes the database too long is left out alone', async () => {
  const other = await service.db.connectAlone();
  try {
    await other.query('BEGIN; LOCK TABLE mxproof.deferred');
    const lines = await scrape();
    expect(lines).toContain('mxproof_database_up 1');
    expect(lines).toContain('mxproof_jobs{kind="chunk",state="due"} 0');
    expect(lines).toContain('mxproof_credits_total{kind="grant",mode="live"} 1000000');
    expect(lines.filter((line) => line.startsWith('mxproof_addresses_deferred'))).toEqual([]);
  } finally {
    await other.end();
  }
});

test('a database that hangs is asked once, and waited for no longer than the limit', async () => {
  let begun = 0;
  const hanging: Database = {
    ...service.db,
    transaction: () => {
      begun += 1;
      return new Promise(() => {});
    },
  };
  const stored = createStoredState(hanging, { limitMs: 20 });
  expect(await Promise.all([stored.read(), stored.read()])).toEqual([null, null]);
  expect(await stored.read()).toBeNull();
  expect(begun).toBe(1);
});

test('scrapes within a few seconds share one reading', async () => {
  let begun = 0;
  const counted: Database = {
    ...service.db,
    transaction: (work) => {
      begun += 1;
      return service.db.transaction(work);
    },
  };
  const stored = createStoredState(counted);
  const [first, second] = [await stored.read(), await stored.read()];
  expect(first?.jobs).toEqual([]);
  expect(second).toBe(first);
  expect(begun).toBe(1);
});
