// What sources have asked in the current hour and day, for all nodes of the database: the engine's port for the policy's
// limits (engine/src/smtp/hosts/source-permits.ts).
// Promise: what is granted is written before anyone uses it, and no hour and no day is granted more than its limit, which of
// a source that is being warmed up is that of its schedule (stored-warm-ups.ts); the hours are the database's, so that the clocks of
// nodes need not agree. Where there are several accounts, each has its share (engine/src/pace/permit-windows.ts), which two nodes
// that ask for it in the same moment may exceed; the limit they do not.
import {
  grantOf,
  type PermitGrant,
  type PermitRequest,
  type PermitStore,
  type Permits,
} from '@mxproof/engine';
import { batched } from '../../store/batched.ts';
import type { Database, Row, Tx } from '../../store/database.ts';
import { judgeDays } from './stored-warm-ups.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Requests in one statement. */
const BATCH_MAX = 200;
/** A row that is new, or was swept between two statements, is made; a day that begins is judged. */
const ATTEMPTS = 3;
const SWEPT_AT_ONCE = 5_000;

type GrantRow = Row & {
  place: number;
  granted: number;
  hour: number;
  day: number;
  now_ms: number;
  in_hour: number;
  in_day: number;
  own_hour: number;
  own_day: number;
  hour_payers: number;
  day_payers: number;
  day_limit: number | null;
};

export function createRecipientPermits(db: Database): PermitStore {
  return {
    take: batched(BATCH_MAX, (requests: readonly PermitRequest[]) => takeAll(db, requests)),
    giveBack: batched(BATCH_MAX, async (permits: readonly Permits[]) => {
      await giveBackAll(db, permits);
      return permits.map(() => undefined);
    }),
  };
}

async function takeAll(db: Database, requests: readonly PermitRequest[]): Promise<PermitGrant[]> {
  const grants: PermitGrant[] = [];
  let left = [...requests.keys()];
  for (let round = 0; left.length > 0; round++) {
    // A statement changes a row once: the next request of the same row is in the next one.
    const now = firstOfEach(left, requests);
    const rows = await takeOnce(db, now, requests);
    for (const row of rows) grants[row.place] = asGrant(row, requests[row.place]!);
    const done = new Set(rows.map(({ place }) => place));
    if (done.size < now.length) {
      if (round >= requests.length + ATTEMPTS) throw new Error('the windows of a source could not be made');
      const missing = now.filter((place) => !done.has(place)).map((place) => requests[place]!);
      await makeRows(db, missing);
      const warming = missing.flatMap(({ source, warmUp: settings }) =>
        settings === undefined ? [] : [{ source: source ?? '', settings }],
      );
      if (warming.length > 0) await judgeDays(db, warming);
    }
    left = left.filter((place) => !done.has(place));
  }
  return grants;
}

function firstOfEach(places: readonly number[], requests: readonly PermitRequest[]): number[] {
  const first = new Map<string, number>();
  for (const place of places) {
    const { source, key } = requests[place]!;
    const name = `${source ?? ''} ${key}`;
    if (!first.has(name)) first.set(name, place);
  }
  return [...first.values()];
}

/** Rows are locked in one order, so that two nodes never wait for each other; the clock is read once a row is locked. */
async function takeOnce(
  tx: Tx,
  places: readonly number[],
  requests: readonly PermitRequest[],
): Promise<GrantRow[]> {
  const asked = places.map((place) => requests[place]!);
  return tx.prepared<GrantRow>(
    'take-permits',
    `WITH locked AS MATERIALIZED (
       SELECT w.place, w.payer, w.wanted, w.per_hour, w.per_day, w.warm_up, w.until, r.*
       FROM mxproof.recipient_windows r
       JOIN unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[], $9::text[])
         AS w (place, source, budget, wanted, per_hour, per_day, warm_up, until, payer) ON r.source = w.source AND r.budget = w.budget
       ORDER BY r.source, r.budget FOR UPDATE OF r),
     timed AS MATERIALIZED (
       SELECT locked.*, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms FROM locked),
     rolled AS (
       SELECT timed.*,
         -- A clock that was stepped back a little is in the window before; one further ahead will never come.
         CASE WHEN hour = now_ms / ${HOUR_MS} + 1 THEN hour ELSE now_ms / ${HOUR_MS} END AS hour_now,
         CASE WHEN day = now_ms / ${DAY_MS} + 1 THEN day ELSE now_ms / ${DAY_MS} END AS day_now,
         CASE WHEN hour < now_ms / ${HOUR_MS} THEN 0 ELSE hour_count END AS in_hour,
         CASE WHEN day < now_ms / ${DAY_MS} THEN 0 ELSE day_count END AS in_day
       FROM timed),
     limited AS (
       -- A warm-up whose day has not been judged yet grants nothing and returns no row.
       SELECT rolled.*, CASE WHEN warm_up IS NULL THEN rolled.per_day WHEN u.per_day < until THEN u.per_day END AS day_limit
       FROM rolled LEFT JOIN mxproof.warm_ups u ON u.source = rolled.source AND u.provider = rolled.warm_up
       WHERE warm_up IS NULL OR u.day IN (day_now, day_now + 1)),
     shared AS (
       SELECT limited.*, s.*,
         (now_ms % ${HOUR_MS})::float8 / ${HOUR_MS} AS hour_part, (now_ms % ${DAY_MS})::float8 / ${DAY_MS} AS day_part
       FROM limited CROSS JOIN LATERAL (
         SELECT count(*) FILTER (WHERE s.payer <> limited.payer AND s.hour = hour_now) + own AS hour_payers,
           count(*) FILTER (WHERE s.payer <> limited.payer) + own AS day_payers,
           coalesce(sum(s.hour_count) FILTER (WHERE s.payer = limited.payer AND s.hour = hour_now), 0)::bigint AS own_hour,
           coalesce(sum(s.day_count) FILTER (WHERE s.payer = limited.payer), 0)::bigint AS own_day
         FROM (SELECT CASE WHEN limited.payer = '' THEN 0 ELSE 1 END AS own) AS one
         LEFT JOIN mxproof.recipient_shares s
           ON own = 1 AND s.source = limited.source AND s.budget = limited.budget AND s.day = day_now
         GROUP BY own) AS s),
     granting AS MATERIALIZED (
       -- least() leaves out a limit that is null.
       SELECT shared.*, greatest(0, least(wanted, per_hour - in_hour, day_limit - in_day,
         ${shareLeft('per_hour', 'hour')}, ${shareLeft('day_limit', 'day')})) AS granted FROM shared),
     shares AS (
       INSERT INTO mxproof.recipient_shares AS s
       SELECT source, budget, payer, hour_now, granted, day_now, granted FROM granting WHERE payer <> ''
       ON CONFLICT (source, budget, payer) DO UPDATE SET hour = excluded.hour, day = excluded.day,
         hour_count = CASE WHEN s.hour = excluded.hour THEN s.hour_count ELSE 0 END + excluded.hour_count,
         day_count = CASE WHEN s.day = excluded.day THEN s.day_count ELSE 0 END + excluded.day_count)
     UPDATE mxproof.recipient_windows r SET
       hour = g.hour_now, hour_count = g.in_hour + g.granted, day = g.day_now, day_count = g.in_day + g.granted
     FROM granting g WHERE r.source = g.source AND r.budget = g.budget
     RETURNING g.place, g.granted, g.hour_now AS hour, g.day_now AS day, g.now_ms, g.in_hour, g.in_day,
       g.own_hour, g.own_day, g.hour_payers, g.day_payers, g.day_limit`,
    [
      places,
      asked.map(({ source }) => source ?? ''),
      asked.map(({ key }) => key),
      asked.map(({ wanted }) => wanted),
      asked.map(({ perHour }) => perHour),
      asked.map(({ perDay }) => perDay),
      asked.map(({ warmUp }) => warmUp?.provider ?? null),
      asked.map(({ warmUp }) => warmUp?.until ?? null),
      asked.map(({ payer }) => payer),
    ],
  );
}

/** As `shareLeft` of the engine; null, and so no limit, without a limit or without payers to share it. */
function shareLeft(limit: string, window: 'hour' | 'day'): string {
  const [payers, part, own, taken] = [`${window}_payers`, `${window}_part`, `own_${window}`, `in_${window}`];
  const fair = `(1.0::float8 / (${payers} + 1))`;
  return `CASE WHEN payer <> '' AND ${limit} IS NOT NULL THEN greatest(
    least(greatest(1, floor(${limit} * greatest(${fair}, ${part}))) - ${own},
      greatest(floor(${limit} * greatest(${payers} * ${fair}, ${part})) - ${taken}, CASE WHEN ${own} = 0 THEN 1 ELSE 0 END)),
    least(floor(${limit} * ${fair}) - ${own}, floor(${limit} * (1 - (1 - ${part}) * ${fair})) - ${taken}))::bigint END`;
}

function asGrant(row: GrantRow, { perHour }: PermitRequest): PermitGrant {
  const { now_ms: nowMs, day_limit: perDay } = row;
  const limitOf = (limit: number | null, windowMs: number) => ({
    limit: limit ?? Number.POSITIVE_INFINITY,
    part: (nowMs % windowMs) / windowMs,
  });
  return grantOf(
    { ...row, nowMs, isHourly: perHour !== null },
    { ...limitOf(perHour, HOUR_MS), taken: row.in_hour, own: row.own_hour, payers: row.hour_payers },
    { ...limitOf(perDay, DAY_MS), taken: row.in_day, own: row.own_day, payers: row.day_payers },
  );
}

async function makeRows(tx: Tx, requests: readonly PermitRequest[]): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.recipient_windows (source, budget)
     SELECT * FROM unnest($1::text[], $2::text[]) ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [requests.map(({ source }) => source ?? ''), requests.map(({ key }) => key)],
  );
}

async function giveBackAll(tx: Tx, permits: readonly Permits[]): Promise<void> {
  await tx.prepared(
    'give-back-permits',
    `WITH given AS (
       SELECT source, budget, payer, hour, day, sum(count)::bigint AS count
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
         AS w (source, budget, hour, day, count, payer)
       GROUP BY 1, 2, 3, 4, 5),
     locked AS MATERIALIZED (
       SELECT r.source, r.budget,
         sum(given.count) FILTER (WHERE given.hour = r.hour) AS in_hour,
         sum(given.count) FILTER (WHERE given.day = r.day) AS in_day
       FROM (SELECT * FROM mxproof.recipient_windows l
             WHERE (l.source, l.budget) IN (SELECT source, budget FROM given)
             ORDER BY l.source, l.budget FOR UPDATE) r
       JOIN given ON given.source = r.source AND given.budget = r.budget GROUP BY 1, 2),
     given_shares AS (
       UPDATE mxproof.recipient_shares s SET
         hour_count = greatest(0, s.hour_count - b.in_hour), day_count = greatest(0, s.day_count - b.in_day)
       FROM (SELECT n.source, n.budget, n.payer,
               coalesce(sum(w.count) FILTER (WHERE w.hour = n.hour), 0) AS in_hour,
               coalesce(sum(w.count) FILTER (WHERE w.day = n.day), 0) AS in_day
             FROM given w JOIN mxproof.recipient_shares n USING (source, budget, payer)
             -- After the windows, as where they are taken.
             WHERE EXISTS (SELECT FROM locked) GROUP BY 1, 2, 3) AS b
       WHERE (s.source, s.budget, s.payer) = (b.source, b.budget, b.payer))
     UPDATE mxproof.recipient_windows r SET
       hour_count = greatest(0, r.hour_count - coalesce(l.in_hour, 0)),
       day_count = greatest(0, r.day_count - coalesce(l.in_day, 0))
     FROM locked l WHERE r.source = l.source AND r.budget = l.budget`,
    [
      permits.map(({ source }) => source ?? ''),
      permits.map(({ key }) => key),
      permits.map(({ hour }) => hour),
      permits.map(({ day }) => day),
      permits.map(({ count }) => count),
      permits.map(({ payer }) => payer),
    ],
  );
}

/** A day that is over limits nothing any more. */
export async function sweepRecipientWindows(tx: Tx): Promise<{ more: boolean }> {
  const isOver = `day < floor(extract(epoch FROM now()) / ${DAY_MS / 1_000})`;
  const sweep = (table: 'recipient_windows' | 'recipient_shares') =>
    tx.query(
      `DELETE FROM mxproof.${table} WHERE ${isOver} AND (source, budget) IN (
         SELECT source, budget FROM mxproof.${table} WHERE ${isOver} LIMIT ${SWEPT_AT_ONCE})
       RETURNING 1`,
    );
  const swept = [await sweep('recipient_windows'), await sweep('recipient_shares')];
  return { more: swept.some(({ length }) => length >= SWEPT_AT_ONCE) };
}
