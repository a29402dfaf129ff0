// A second source address over a simulated month: the engine in simulated time, the permits, counts and schedule of the service
// on a PostgreSQL of its own. Promise: the same month every time; it writes docs/guide/warm-up.svg and prints the days.
//   node scripts/with-node.mjs node bench/src/warm-up.ts
//
// A day is a process that starts, is given a list, and stops; then everything in the database is a day older.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Checker, type Clock, createChecker, type Question } from '../../engine/src/index.ts';
import { parsePolicy } from '../../engine/src/policy/parse-policy.ts';
import { startEmbedded } from '../../server/src/embedded/start-embedded.ts';
import { SourceTally } from '../../server/src/features/sources/source-tally.ts';
import { addCounts } from '../../server/src/features/sources/stored-health.ts';
import { createRecipientPermits } from '../../server/src/features/sources/stored-permits.ts';
import { readWarmUps } from '../../server/src/features/sources/stored-warm-ups.ts';
import type { HeldBack } from '../../server/src/features/sources/warm-up.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/migrate.ts';
import { createRandom } from '../../world/src/random.ts';
import type { WorldSpec } from '../../world/src/spec.ts';
import { createVirtualWorld } from '../../world/src/virtual.ts';
import { GUIDE } from './fill.ts';
import { type ChartDay, warmChart } from './warm-chart.ts';

const DAYS = 30;
const OLD = '127.0.0.2';
const NEW = '127.0.0.3';
const PROVIDER = 'google';
const DOMAINS = 80;
const ADDRESSES = 80;
const SETTINGS = { perDay: 50, growth: 1.3, until: 3_000 };
/** An old list: half of its mailboxes are gone. */
const OLD_LIST_DAY = 9;
/** The provider refuses the new address. */
const BLOCKED_DAY = 14;
const MAILBOXES = { usual: 0.85, oldList: 0.5 };
const BLOCK =
  '550 5.7.1 [127.0.0.3] Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been blocked.';
/** As the service ends lists. */
const LIST_HOURS_MS = 4 * 3_600_000;
const LABELS: Readonly<Record<HeldBack, string>> = {
  unused: 'stays: hardly used',
  unknown_recipients: 'stays: unknown recipients',
  refused: 'stays: refused',
  refused_often: 'halved: refused',
};

interface Day extends ChartDay {
  readonly day: number;
  readonly counted: { readonly asked: number; readonly unknown: number; readonly refused: number };
  readonly waiting: number;
  readonly askedFromOld: number;
}

function specOf(day: number): WorldSpec {
  const names = Array.from({ length: DOMAINS }, (_, at) => ({
    domain: `d${at}.example`,
    mx: `mx${at}.google.com`,
  }));
  const share = day === OLD_LIST_DAY ? MAILBOXES.oldList : MAILBOXES.usual;
  const host = day === BLOCKED_DAY ? { at: { mail: { reply: BLOCK, sources: [NEW] } } } : {};
  return {
    hosts: Object.fromEntries(names.map(({ mx }) => [mx, host])),
    domains: Object.fromEntries(names.map(({ domain, mx }) => [domain, { mx: [mx], mailboxes: { share } }])),
  };
}

async function runDay(db: Database, day: number): Promise<Day> {
  const parsed = parsePolicy({ sources: { [NEW]: { warmUp: SETTINGS } } });
  if (!parsed.ok) throw new Error(parsed.why);
  const { policy } = parsed;
  const world = createVirtualWorld(specOf(day), { seed: day });
  const store = createRecipientPermits(db);
  const tally = new SourceTally();
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(day).next,
    allowPrivateTargets: true,
    policy,
    sources: [OLD, NEW].map((ip) => ({ ip, heloName: 'bench.example.com' })),
    permits: {
      take: (request) => world.clock.hold(store.take(request)),
      giveBack: (permits) => world.clock.hold(store.giveBack(permits)),
    },
    observer: tally,
  });
  const emails = Array.from(
    { length: DOMAINS * ADDRESSES },
    (_, at) => `p${day * ADDRESSES + Math.floor(at / DOMAINS)}@d${at % DOMAINS}.example`,
  );
  const ask = async () => {
    const waiting = await askUntil(checker, world.clock, emails, world.clock.now() + LIST_HOURS_MS);
    await checker.close(0);
    return waiting;
  };
  const waiting = await world.run(ask());
  const counts = tally.take();
  await addCounts(db, counts);
  const of = (source: string) =>
    counts.find((one) => one.source === source && one.provider === PROVIDER)?.counts;
  const warmUp = (await readWarmUps(db, policy, [NEW]))?.places.find(
    ({ provider }) => provider === PROVIDER,
  )?.today;
  const [row] = await db.query<{ held_back: HeldBack | null }>(
    'SELECT held_back FROM mxproof.warm_ups WHERE source = $1 AND provider = $2',
    [NEW, PROVIDER],
  );
  const own = of(NEW);
  return {
    day,
    limit: warmUp?.perDay ?? null,
    asked: warmUp?.used ?? own?.asked ?? 0,
    heldBack: row?.held_back ? LABELS[row.held_back] : null,
    counted: {
      asked: own?.asked ?? 0,
      unknown: own?.unknownRecipients ?? 0,
      refused: Object.values(own?.refused ?? {}).reduce((sum, count) => sum + count, 0),
    },
    waiting,
    askedFromOld: of(OLD)?.asked ?? 0,
  };
}

/** With the attempts that come before the list's time is over; how many end for lack of room. */
async function askUntil(
  checker: Checker,
  clock: Clock,
  emails: readonly string[],
  endsAtMs: number,
): Promise<number> {
  let questions: Question[] = emails.map((email) => ({ email }));
  let waiting = 0;
  while (questions.length > 0) {
    const again: Question[] = [];
    let notBeforeMs = 0;
    await checker.ask(questions, {
      onOutcome: (index, outcome) => {
        if (outcome.kind !== 'later') return;
        if (outcome.resume.detail === 'budget') {
          waiting += 1;
          return;
        }
        if (outcome.notBeforeMs >= endsAtMs) return;
        again.push({ ...questions[index]!, resume: outcome.resume });
        notBeforeMs = Math.max(notBeforeMs, outcome.notBeforeMs);
      },
    });
    questions = again;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, notBeforeMs - clock.now()));
  }
  return waiting;
}

async function midnight(db: Database): Promise<void> {
  await db.query('UPDATE mxproof.source_days SET day = day - 1000');
  await db.query('UPDATE mxproof.source_days SET day = day + 999');
  await db.query('UPDATE mxproof.warm_ups SET day = day - 1, begun_day = begun_day - 1');
  await db.query('UPDATE mxproof.recipient_windows SET day = day - 1, hour = hour - 24');
}

async function runMonth(db: Database): Promise<Day[]> {
  const days: Day[] = [];
  for (let day = 1; day <= DAYS; day += 1) {
    days.push(await runDay(db, day));
    await midnight(db);
  }
  return days;
}

const folder = mkdtempSync(join(tmpdir(), 'mxproof-bench-'));
chmodSync(folder, 0o755);
const store = await startEmbedded({
  dataDir: join(folder, 'store'),
  log: { debug() {}, info() {}, warn() {} },
});
const db = openDatabase({ url: store.connectionString, poolSize: 2 });
try {
  await migrate(db);
  const startedOn = new Date().getUTCDate();
  const days = await runMonth(db);
  if (new Date().getUTCDate() !== startedOn) throw new Error('a real day ended meanwhile: run it again');
  console.table(days.map(({ counted, ...day }) => ({ ...day, ...counted })));
  const title = 'Recipients asked a day at one provider from a new source address, and its limit';
  writeFileSync(new URL('warm-up.svg', GUIDE), warmChart(title, days));
} finally {
  await db.close();
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
}
