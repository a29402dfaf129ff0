// A table is dropped by mistake, and the database is set back by pgBackRest to a moment before, with the commands of
// docs/guide/point-in-time-recovery.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FailoverRig, ledgerDifferences, startFailoverRig } from './failover-rig.ts';
import { people } from './faults/fault-rig.ts';
import { type ArchivedPostgres, hasPgBackRest, startArchivedPostgres } from './pgbackrest.ts';
import { until } from './until.ts';

const FIRST = people(1, 0)[0]!;

let postgres: ArchivedPostgres;
let rig: FailoverRig;
let backups: string;
beforeAll(async () => {
  if (!hasPgBackRest) return;
  backups = mkdtempSync(join(tmpdir(), 'mxproof-backups-'));
  postgres = await startArchivedPostgres();
  rig = await startFailoverRig(postgres.url);
});
afterAll(async () => {
  await rig?.close();
  postgres?.stop();
  if (backups) rmSync(backups, { recursive: true, force: true });
});

async function mxproof(...args: string[]): Promise<string> {
  const child = rig.run(postgres.url, ...args);
  expect(await child.ended, child.lines.join('\n')).toBe(0);
  return child.lines.join('\n');
}

test.runIf(hasPgBackRest)(
  'a dropped table: what was committed before is there, what was erased or revoked since is not',
  async () => {
    postgres.run('stanza-create');
    const node = await rig.serve(postgres.url);
    const done = await node.submitted();
    await until(async () => (await node.call(`/v1/lists/${done}`)).json.status === 'done');
    await mxproof('backup', join(backups, 'own.backup'));
    const key = JSON.parse(await mxproof('key', 'create', '1', '--json'));
    const isValid = async (at: typeof node) =>
      (await at.call('/v1/account', undefined, 'GET', { authorization: `Bearer ${key.api_key}` })).status ===
      200;
    expect(await isValid(node)).toBe(true);
    const running = await node.submitted();
    // It is charged, and hardly anything of it is asked about.
    const target = new Date().toISOString().replace('T', ' ').replace('Z', '+00');

    const lost = await node.submitted();
    await until(async () => (await node.call(`/v1/lists/${lost}`)).json.status === 'done');
    expect(await mxproof('erase', FIRST, '--yes')).toMatch(/^Erased from 1 list \(1 row\)/m);
    await mxproof('key', 'revoke', String(key.key_id));
    // The service has to have written it beside the backup: within ten seconds.
    await mxproof('backup', join(backups, 'later.backup'));
    postgres.psql('DROP TABLE mxproof.ledger CASCADE');
    node.child.process.kill('SIGTERM');
    await node.child.ended;

    postgres.run('--type=time', { '2026-11-19 04:59:30+00': target });
    await until(() => {
      if (postgres.run('pg_is_in_recovery').trim() !== 'f') throw new Error('still in recovery');
    });
    expect(postgres.psql(`SELECT status FROM mxproof.lists WHERE id = ${running}`)).not.toBe('done');
    const emails = () =>
      postgres.psql(`SELECT count(*) FROM mxproof.chunks WHERE emails LIKE '%\\"${FIRST}\\"%'`);
    expect(emails(), 'back again').toBe('1');
    const set = await mxproof('reapply', backups);
    expect(set).toMatch(/^Erased again: 1 address \(1 row\)\.$/m);
    expect(set).toMatch(/^Everyone is signed out\. Revoked again, .+: mx_live_/m);
    expect(emails()).toBe('0');
    expect(await mxproof('reapply', backups)).toMatch(/^The store knows of every erasure in the file\.$/m);
    await mxproof('ledger', 'verify');

    const after = await rig.serve(postgres.url);
    expect(await after.statusOf(`/v1/lists/${lost}`)).toBe(404);
    expect(await isValid(after)).toBe(false);
    await rig.settled(after, [done, running], 1);
    expect(await ledgerDifferences(postgres.url)).toEqual([]);
    const next = await after.submitted();
    await rig.settled(after, [done, running, next], 1);
    expect(await ledgerDifferences(postgres.url)).toEqual([]);
    postgres.run('stanza-create');
  },
  600_000,
);
