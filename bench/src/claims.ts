// What one claim of 40 jobs takes, by whose jobs wait. Promise: the statement that nodes use, on a database of its own, whose
// table is filled anew and analysed before each case; no target, since the machine decides.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../server/src/embedded/start-embedded.ts';
import { NO_RANK } from '../../server/src/store/claim-jobs.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { createJobs } from '../../server/src/store/jobs.ts';
import { migrate } from '../../server/src/store/migrate.ts';
import { type Bench, repeat, row } from './runner.ts';

const PLACES = 40;
const CLAIMS = 20;
const FIRST = 1;

interface WaitingJobs {
  readonly accounts: number;
  readonly each: number;
  readonly due?: boolean;
}

const CASES: readonly {
  readonly name: string;
  readonly waiting: readonly WaitingJobs[];
  readonly full?: boolean;
}[] = [
  { name: 'nothing', waiting: [] },
  { name: '100,000 jobs of 1 account', waiting: [{ accounts: 1, each: 100_000 }] },
  { name: '1,000 of each of 100 accounts', waiting: [{ accounts: 100, each: 1_000 }] },
  { name: '100 of each of 1,000 accounts', waiting: [{ accounts: 1_000, each: 100 }] },
  {
    name: '100,000 of one account, 1 of each of 1,000',
    waiting: [
      { accounts: 1, each: 100_000 },
      { accounts: 1_000, each: 1 },
    ],
  },
  {
    name: '100,000 of an account that has its share, 1 of each of 100',
    waiting: [
      { accounts: 1, each: 100_000 },
      { accounts: 100, each: 1 },
    ],
    full: true,
  },
  {
    name: '100,000 that are not due, 1,000 that are',
    waiting: [
      { accounts: 1, each: 100_000, due: false },
      { accounts: 1, each: 1_000 },
    ],
  },
];

export const run: Bench = async ({ log }) => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-bench-'));
  chmodSync(folder, 0o755);
  const store = await startEmbedded({
    dataDir: join(folder, 'store'),
    log: { debug() {}, info() {}, warn() {} },
  });
  const db = openDatabase({ url: store.connectionString, poolSize: 2 });
  try {
    await migrate(db);
    const jobs = createJobs(db, { safetyNetSeconds: 0 });
    const rows = [];
    for (const { name, waiting, full } of CASES) {
      await fill(db, waiting);
      const accounts = full ? [{ accountId: FIRST, lists: 2_000, singles: 0, minRank: NO_RANK }] : [];
      const [, ...times] = await repeat(CLAIMS + 1, async () => {
        const beganMs = performance.now();
        await jobs.claimChunks({ limit: PLACES, accounts, notFrom: [] });
        return performance.now() - beganMs;
      });
      log(`claims: ${name}`);
      rows.push(row(`a claim of ${PLACES}: ${name}`, 'ms', times));
    }
    return rows;
  } finally {
    await db.close();
    await store.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

async function fill(db: Database, waiting: readonly WaitingJobs[]): Promise<void> {
  await db.query('TRUNCATE mxproof.jobs');
  let first = FIRST;
  for (const { accounts, each, due = true } of waiting) {
    await db.query(
      `INSERT INTO mxproof.jobs (queue, account_id, list_id, rank, due_at, data)
       SELECT 'chunk', a, a, -n, CASE WHEN $4 THEN '-infinity' ELSE now() + interval '1 hour' END,
         jsonb_build_object('listId', a, 'accountId', a, 'n', n)
       FROM generate_series($1::bigint, $2::bigint) a, generate_series(0, $3::int - 1) n`,
      [first, first + accounts - 1, each, due],
    );
    if (due) first += accounts;
  }
  await db.query('VACUUM ANALYZE mxproof.jobs');
}
