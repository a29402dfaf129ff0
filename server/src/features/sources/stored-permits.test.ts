// Limits per hour and day on a real PostgreSQL: nodes that share a source, restarts, clocks, and what is swept.
import type { PermitRequest } from '@mxproof/engine';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createPermitWindows,
  giveBackPermits,
  takePermits,
} from '../../../../engine/src/pace/permit-windows.ts';
import { startTestService, type TestService } from '../../../test/service.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { createRecipientPermits, sweepRecipientWindows } from './stored-permits.ts';

const SOURCE = '192.0.2.1';
const KEY = 'provider google';

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
  for (const table of ['recipient_windows', 'recipient_shares'])
    await service.db.query(`DELETE FROM mxproof.${table}`);
  await earlyInTheHour();
});

/** No hour may end while a test counts what is asked in one. */
async function earlyInTheHour(): Promise<void> {
  await service.db.query(
    `SELECT pg_sleep(CASE WHEN left_s < 20 THEN left_s ELSE 0 END)
     FROM (SELECT 3600 - (extract(epoch FROM clock_timestamp())::numeric % 3600) AS left_s) AS hour`,
  );
}

const request = (wanted: number, more: Partial<PermitRequest> = {}): PermitRequest => ({
  source: SOURCE,
  key: KEY,
  payer: '',
  perHour: null,
  perDay: null,
  wanted,
  ...more,
});

const rows = () =>
  service.db.query<{ source: string; hour_count: number; day_count: number }>(
    'SELECT source, hour_count, day_count FROM mxproof.recipient_windows ORDER BY source, budget',
  );

test('nodes that ask at once get the limit between them, and not one more; the rest waits for the hour', async () => {
  // One for each request: none waits for another's statement.
  const node = (n: number) => createRecipientPermits(n % 2 === 0 ? service.db : other);
  const asks = Array.from({ length: 60 }, (_, n) => node(n).take(request(1 + (n % 9), { perHour: 100 })));
  const grants = await Promise.all(asks);
  expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
  const late = await node(0).take(request(1, { perHour: 100 }));
  expect(late.granted).toBe(0);
  expect(late.moreInMs).toBeGreaterThan(0);
  expect(late.moreInMs).toBeLessThanOrEqual(3_600_000);
  expect(await rows()).toEqual([{ source: SOURCE, hour_count: 100, day_count: 100 }]);
});

test('another source has a count of its own; nodes that name none share one', async () => {
  const permits = createRecipientPermits(service.db);
  const take = async (source: string | null) =>
    (await permits.take(request(5, { source, perDay: 7 }))).granted;
  const granted = [await take('192.0.2.1'), await take('192.0.2.2'), await take(null)];
  expect(granted).toEqual([5, 5, 5]);
  expect([await take('192.0.2.1'), await take(null)]).toEqual([2, 2]);
});

test('a node that starts in the middle of a window goes on where it was left; an hour later the day still counts', async () => {
  const limits = { perHour: 10, perDay: 15 };
  expect((await createRecipientPermits(service.db).take(request(8, limits))).granted).toBe(8);
  const restarted = createRecipientPermits(other);
  expect((await restarted.take(request(8, limits))).granted).toBe(2);
  await service.db.query('UPDATE mxproof.recipient_windows SET hour = hour - 1');
  const next = await restarted.take(request(8, limits));
  expect(next.granted).toBe(5);
  expect((await restarted.take(request(1, limits))).moreInMs).toBeGreaterThan(0);
  await service.db.query('UPDATE mxproof.recipient_windows SET hour = hour - 24, day = day - 1');
  expect((await restarted.take(request(8, limits))).granted).toBe(8);
});

test('what is given back counts for the windows it was taken from, and never below nothing', async () => {
  const permits = createRecipientPermits(service.db);
  const { hour, day } = await permits.take(request(8, { perHour: 10 }));
  const back = { source: SOURCE, key: KEY, payer: '', hour, day, count: 3 };
  await Promise.all([permits.giveBack(back), permits.giveBack({ ...back, hour: hour - 1 })]);
  expect(await rows()).toEqual([{ source: SOURCE, hour_count: 5, day_count: 2 }]);
  await permits.giveBack({ ...back, count: 100 });
  expect(await rows()).toEqual([{ source: SOURCE, hour_count: 0, day_count: 0 }]);
});

test('a clock that was stepped back frees nothing, and one that was far ahead locks nothing', async () => {
  const permits = createRecipientPermits(service.db);
  const limits = { perHour: 10 };
  await permits.take(request(8, limits));
  await service.db.query('UPDATE mxproof.recipient_windows SET hour = hour + 1');
  expect((await permits.take(request(8, limits))).granted).toBe(2);
  await service.db.query('UPDATE mxproof.recipient_windows SET hour = hour + 9000, day = day + 400');
  expect((await permits.take(request(8, limits))).granted).toBe(0);
  await service.db.query('UPDATE mxproof.recipient_windows SET hour = hour - 1');
  expect((await permits.take(request(8, limits))).granted).toBe(8);
});

test('it grants what the counting in memory grants', async () => {
  const anyStep = fc.record({
    wanted: fc.integer({ min: 1, max: 30 }),
    perHour: fc.option(fc.integer({ min: 2, max: 60 })),
    perDay: fc.option(fc.integer({ min: 2, max: 80 })),
    payer: fc.constantFrom('', '1', '2', '3'),
    back: fc.nat(30),
    hoursAgo: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
      await service.db.query('DELETE FROM mxproof.recipient_windows');
      await service.db.query('DELETE FROM mxproof.recipient_shares');
      const permits = createRecipientPermits(service.db);
      const windows = createPermitWindows();
      for (const { back, hoursAgo, ...limits } of steps) {
        const grant = await permits.take(request(limits.wanted, limits));
        const endsMs = limits.perHour === null ? (grant.day + 1) * 86_400_000 : (grant.hour + 1) * 3_600_000;
        const nowMs = endsMs - grant.validMs;
        const { granted, hour, day, moreInMs } = takePermits(windows, limits, nowMs);
        expect([grant.granted, grant.hour, grant.day]).toEqual([granted, hour, day]);
        if (granted < limits.wanted) expect(grant.moreInMs).toBeCloseTo(moreInMs);
        const { payer } = limits;
        const given = { source: SOURCE, key: KEY, payer, hour, day, count: Math.min(back, granted) };
        await permits.giveBack(given);
        giveBackPermits(windows, given);
        for (const table of ['recipient_windows', 'recipient_shares'])
          await service.db.query(`UPDATE mxproof.${table} SET hour = hour - $1::int`, [hoursAgo]);
        windows.hour -= hoursAgo;
        for (const counts of windows.payers.values()) counts.hour -= hoursAgo;
      }
    }),
    { numRuns: 30 },
  );
});

test('rows of days that are over are swept, and no others', async () => {
  const permits = createRecipientPermits(service.db);
  for (let n = 0; n < 5; n += 1) await permits.take(request(1, { key: `address 192.0.2.${n}`, perDay: 9 }));
  await service.db.query(
    `UPDATE mxproof.recipient_windows SET day = day - 1 WHERE budget <= 'address 192.0.2.2'`,
  );
  expect(await sweepRecipientWindows(service.db)).toEqual({ more: false });
  expect(await rows()).toHaveLength(2);
});
