// Warm-ups on a real PostgreSQL: nodes that begin a day together, restarts, days that went badly, and how many still fit.
import {
  type PermitRequest,
  type Policy,
  type ProviderWarmUp,
  parsePolicy,
  type RecipientOutcome,
  warmUpKey,
} from '@mxproof/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { SourceTally } from './source-tally.ts';
import { addCounts, readSourceHealth } from './stored-health.ts';
import { createRecipientPermits, sweepRecipientWindows } from './stored-permits.ts';
import { readWarmUps, sweepWarmUps } from './stored-warm-ups.ts';

const SOURCE = '192.0.2.1';
const WARM_UP: ProviderWarmUp = { provider: 'google', perDay: 50, growth: 2, until: 400, unknownPercent: 50 };

let service: TestService;
let other: Database;
beforeAll(async () => {
  service = await startTestService();
  other = openDatabase({ url: service.url, poolSize: 4 });
});
afterAll(async () => {
  await other.close();
  await service.close();
});
beforeEach(async () => {
  for (const table of ['recipient_windows', 'warm_ups', 'warm_up_payers', 'source_days'])
    await service.db.query(`DELETE FROM mxproof.${table}`);
  // No day may end while a test counts what is asked in one.
  await service.db.query(
    `SELECT pg_sleep(CASE WHEN left_s < 20 THEN left_s ELSE 0 END)
     FROM (SELECT 86400 - (extract(epoch FROM clock_timestamp())::numeric % 86400) AS left_s) AS day`,
  );
});

const request = (wanted: number, more: Partial<ProviderWarmUp> = {}): PermitRequest => {
  const warmUp = { ...WARM_UP, ...more };
  const key = warmUpKey(warmUp.provider, '198.51.100.7');
  return { source: SOURCE, key, payer: '', perHour: null, perDay: null, wanted, warmUp };
};

/** All that is left today, as a node that has just started sees it. */
async function takeAll(more: Partial<ProviderWarmUp> = {}): Promise<number> {
  const permits = createRecipientPermits(other);
  let sum = 0;
  for (;;) {
    const { granted } = await permits.take(request(100, more));
    sum += granted;
    if (granted === 0 || sum > 5_000) return sum;
  }
}

/** A day passes after what was counted on it. */
async function dayOf(
  asked: number,
  more: { unknown?: number; block?: number } = {},
  days = 1,
): Promise<void> {
  await service.db.query(
    `INSERT INTO mxproof.source_days (source, provider, day, asked, unknown_recipients, refused_block)
     SELECT source, provider, day, $1, $2, $3 FROM mxproof.warm_ups`,
    [asked, more.unknown ?? 0, more.block ?? 0],
  );
  await passDays(days);
}

async function passDays(days: number): Promise<void> {
  await service.db.query(
    `WITH a AS (UPDATE mxproof.source_days SET day = day - $1::int),
       b AS (UPDATE mxproof.warm_up_payers SET day = day - $1::int),
       c AS (UPDATE mxproof.warm_ups SET day = day - $1::int, begun_day = begun_day - $1::int)
     UPDATE mxproof.recipient_windows SET day = day - $1::int, hour = hour - 24 * $1::int`,
    [days],
  );
}

function policyOf(sources: unknown): Policy {
  const parsed = parsePolicy({ sources });
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

test('a month is the schedule, whichever node asks and however often they start anew', async () => {
  const days = [];
  for (const day of [
    { asked: 50 },
    { asked: 100 },
    { asked: 200, block: 60 },
    { asked: 100, unknown: 60 },
    { asked: 20 },
    { asked: 100 },
    { asked: 200 },
  ]) {
    days.push(await takeAll());
    await dayOf(day.asked, day);
  }
  expect(days).toEqual([50, 100, 200, 100, 100, 100, 200]);
  // It has reached its end: no limit, and none after a bad day either.
  expect(await takeAll()).toBeGreaterThan(5_000);
  await dayOf(9_000, { block: 9_000 });
  expect(await takeAll()).toBeGreaterThan(5_000);
});

/** A day passes after what two accounts have asked, as a node tells it. */
async function dayOfTwo(attacker: RecipientOutcome, neighbour: RecipientOutcome): Promise<void> {
  const tally = new SourceTally();
  const place = { source: SOURCE, provider: 'google' };
  for (const [payer, outcome] of [
    ['1', attacker],
    ['2', neighbour],
  ] as const)
    for (let n = 0; n < 40; n += 1) {
      tally.recipient(place, outcome, payer);
      if (outcome === 'refused') tally.refusal(place, 'block', '554 no', payer);
    }
  // It could not be written at first.
  tally.putBack(tally.take());
  await addCounts(service.db, tally.take());
  await passDays(1);
}

test.each([
  ['is refused', 'refused'],
  ['asks about unknown recipients', 'unknown'],
] as const)('an account that %s does not hold back the day of another one', async (_, outcome) => {
  expect(await takeAll()).toBe(50);
  await dayOfTwo(outcome, 'accepted');
  expect(await takeAll()).toBe(100);
  // Both are: it is the source.
  await dayOfTwo(outcome, outcome);
  expect(await takeAll()).toBe(outcome === 'refused' ? 50 : 100);
});

test('what each account has asked is kept for the day that is not judged yet, and only at a source that is warmed up', async () => {
  const kept = () =>
    service.db.query(
      'SELECT provider, payer, asked, unknown_recipients, refused FROM mxproof.warm_up_payers',
    );
  const tally = new SourceTally();
  tally.recipient({ source: SOURCE, provider: 'yahoo' }, 'accepted', '1');
  tally.recipient({ source: SOURCE, provider: 'google' }, 'accepted', '');
  await takeAll();
  await addCounts(service.db, tally.take());
  expect(await kept()).toEqual([]);
  await dayOfTwo('unknown', 'refused');
  await sweepWarmUps(service.db);
  expect(await kept()).toHaveLength(2);
  await takeAll();
  await sweepWarmUps(service.db);
  expect(await kept()).toEqual([]);
});

test('nodes that begin a day at once judge it once, and get its limit between them and not one more', async () => {
  await takeAll();
  await dayOf(50);
  const node = (n: number) => createRecipientPermits(n % 2 === 0 ? service.db : other);
  const grants = await Promise.all(Array.from({ length: 40 }, (_, n) => node(n).take(request(1 + (n % 9)))));
  expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
  const late = await node(0).take(request(1));
  expect(late.granted).toBe(0);
  expect(late.moreInMs).toBeLessThanOrEqual(86_400_000);
  const rows = await service.db.query(
    `SELECT w.per_day, w.held_back, r.day_count FROM mxproof.warm_ups w JOIN mxproof.recipient_windows r USING (source, day)`,
  );
  expect(rows).toEqual([{ per_day: 100, held_back: null, day_count: 100 }]);
});

test('each source at each provider has a schedule of its own, beside limits that do not grow', async () => {
  expect([await takeAll(), await takeAll({ provider: 'other', perDay: 9 })]).toEqual([50, 9]);
  const permits = createRecipientPermits(service.db);
  const elsewhere = await permits.take({ ...request(80), source: null });
  const { warmUp: _, ...plain } = { ...request(80), key: 'provider google', perDay: 60 };
  expect([elsewhere.granted, (await permits.take(plain)).granted]).toEqual([50, 60]);
});

test('after a month without use it begins anew, whether or not it was swept', async () => {
  await takeAll();
  await dayOf(50);
  expect(await takeAll()).toBe(100);
  await dayOf(100, {}, 29);
  await sweepWarmUps(service.db);
  expect(await takeAll()).toBe(200);
  await dayOf(200, {}, 30);
  expect(await takeAll()).toBe(50);
  await dayOf(50, {}, 30);
  await sweepWarmUps(service.db);
  expect(await service.db.query('SELECT 1 FROM mxproof.warm_ups')).toEqual([]);
});

test('a clock that was stepped back frees nothing, and one that was far ahead locks nothing', async () => {
  await takeAll();
  await service.db.query('UPDATE mxproof.warm_ups SET day = day + 1');
  await service.db.query('UPDATE mxproof.recipient_windows SET day = day + 1');
  expect(await takeAll()).toBe(0);
  await service.db.query('UPDATE mxproof.warm_ups SET day = day + 400');
  await service.db.query('DELETE FROM mxproof.recipient_windows');
  expect(await takeAll()).toBe(50);
});

test('how many fit today is what is granted today; reading it judges nothing', async () => {
  const policy = policyOf({
    [SOURCE]: { warmUp: { perDay: 50, growth: 2, until: 400, providers: { yahoo: { perDay: 30 } } } },
  });
  const read = () => readWarmUps(service.db, policy, [SOURCE, '192.0.2.2']);
  const yahoo = { source: SOURCE, provider: 'yahoo', today: { day: 1, perDay: 30, used: 0, heldBack: null } };
  const cold = await read();
  expect(cold?.places).toEqual([yahoo]);
  expect(cold?.elsewhere).toBe(50);
  expect(cold?.dayEndsAt).toBeGreaterThan(Date.now() / 1_000);
  await createRecipientPermits(service.db).take(request(20));
  const google = { source: SOURCE, provider: 'google' };
  const today = { day: 1, perDay: 50, used: 20, heldBack: null };
  expect((await read())?.places).toEqual([{ ...google, today }, yahoo]);
  // Nothing was asked on the new day yet, and reading neither sweeps nor judges.
  await dayOf(50, { block: 2 });
  await sweepRecipientWindows(service.db);
  const held = { day: 2, perDay: 50, used: 0, heldBack: 'refused the day before' };
  expect((await read())?.places).toEqual([{ ...google, today: held }, yahoo]);
  expect(await takeAll()).toBe(50);
  expect((await read())?.places[0]?.today).toEqual({ ...held, used: 50 });
  // The matrix has it beside the counts.
  const health = await readSourceHealth(service.db, policy);
  expect(health.map(({ provider, warmUp }) => [provider, warmUp])).toEqual([
    ['google', { ...held, used: 50 }],
  ]);
  expect((await readSourceHealth(service.db)).map(({ warmUp }) => warmUp)).toEqual([null]);
  // Warm, or without a warm-up: nothing to say.
  await service.db.query('UPDATE mxproof.warm_ups SET per_day = 400');
  const warm = policyOf({ [SOURCE]: { warmUp: { perDay: 400, until: 400 } } });
  expect(await readWarmUps(service.db, warm, [SOURCE])).toBeNull();
  expect(await readWarmUps(service.db, policyOf({}), [SOURCE])).toBeNull();
});
