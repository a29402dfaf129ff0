// How source addresses fare at providers, for all nodes of the database: days of counts, the last refusal, and rests.
// Promise: the days and the times are the database's, so that the clocks of nodes need not agree; no address of a recipient
// is here.
import type { AskedPlace, KeptRest, Policy, RefusalKind } from '@mxproof/engine';
import type { Row, Tx } from '../../store/database.ts';
import { delistingLink } from './delisting-link.ts';
import { OWN_ADDRESS, type SourceCounts, type SourceHealth } from './source-health.ts';
import type { Tallied } from './source-tally.ts';
import { readWarmUps } from './stored-warm-ups.ts';
import { withWarmUps } from './warm-up.ts';

const DAY_SECONDS = 86_400;
const TODAY = `floor(extract(epoch FROM now()) / ${DAY_SECONDS})::bigint`;
const WEEK_DAYS = 7;
const DAYS_KEPT = 400;
const SWEPT_AT_ONCE = 5_000;
/** Sources times providers; more are of addresses that were given up. */
const ROWS_MAX = 5_000;

const KINDS: readonly RefusalKind[] = ['block', 'rate', 'ptr', 'policy'];
const COUNTS = [
  'asked',
  'accepted',
  'unknown_recipients',
  'deferred',
  ...KINDS.map((kind) => `refused_${kind}`),
];

/** One statement, whatever there is to add. */
export async function addCounts(tx: Tx, tallied: readonly Tallied[]): Promise<void> {
  const refused = tallied.flatMap(({ source, provider, refusal }) =>
    refusal === null ? [] : [{ source, provider, ...refusal }],
  );
  const ofPayers = tallied.flatMap(({ source, provider, payers }) =>
    [...payers].map(([payer, counts]) => ({ source, provider, payer, ...counts })),
  );
  await tx.prepared(
    'add-source-counts',
    // Rows are locked in one order, so that two nodes never wait for each other.
    `WITH counted AS (
       INSERT INTO mxproof.source_days AS d (source, provider, day, ${COUNTS.join(', ')})
       SELECT t.source, t.provider, ${TODAY}, ${COUNTS.map((name) => `t.${name}`).join(', ')}
       FROM unnest($1::text[], $2::text[], ${COUNTS.map((_, at) => `$${at + 3}::bigint[]`).join(', ')})
         AS t (source, provider, ${COUNTS.join(', ')})
       ORDER BY t.source, t.provider
       ON CONFLICT (source, provider, day) DO UPDATE
         SET ${COUNTS.map((name) => `${name} = d.${name} + excluded.${name}`).join(', ')}),
     payers AS (
       INSERT INTO mxproof.warm_up_payers AS p (source, provider, day, payer, asked, unknown_recipients, refused)
       SELECT t.source, t.provider, ${TODAY}, t.payer, t.asked, t.unknown_recipients, t.refused
       FROM unnest($16::text[], $17::text[], $18::text[], $19::bigint[], $20::bigint[], $21::bigint[])
         AS t (source, provider, payer, asked, unknown_recipients, refused)
       JOIN mxproof.warm_ups USING (source, provider)
       ORDER BY t.source, t.provider, t.payer
       ON CONFLICT (source, provider, day, payer) DO UPDATE SET asked = p.asked + excluded.asked,
         unknown_recipients = p.unknown_recipients + excluded.unknown_recipients, refused = p.refused + excluded.refused)
     INSERT INTO mxproof.source_states (source, provider, refused_at, refusal_kind, refusal_reply, refusal_link)
     SELECT r.source, r.provider, now(), r.kind, r.reply, r.link
     FROM unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       AS r (source, provider, kind, reply, link)
     ORDER BY r.source, r.provider
     ON CONFLICT (source, provider) DO UPDATE SET refused_at = excluded.refused_at,
       refusal_kind = excluded.refusal_kind, refusal_reply = excluded.refusal_reply, refusal_link = excluded.refusal_link`,
    [
      tallied.map(({ source }) => source),
      tallied.map(({ provider }) => provider),
      tallied.map(({ counts }) => counts.asked),
      tallied.map(({ counts }) => counts.accepted),
      tallied.map(({ counts }) => counts.unknownRecipients),
      tallied.map(({ counts }) => counts.deferred),
      ...KINDS.map((kind) => tallied.map(({ counts }) => counts.refused[kind])),
      refused.map(({ source }) => source),
      refused.map(({ provider }) => provider),
      refused.map(({ kind }) => kind),
      refused.map(({ reply }) => reply),
      refused.map(({ reply }) => delistingLink(reply)),
      ofPayers.map(({ source }) => source),
      ofPayers.map(({ provider }) => provider),
      ofPayers.map(({ payer }) => payer),
      ofPayers.map(({ asked }) => asked),
      ofPayers.map(({ unknownRecipients }) => unknownRecipients),
      ofPayers.map(({ refused }) => refused),
    ],
  );
}

// ---- rests ----

/** Of a row `s`, in SQL: an operator's rest is not over, and nothing but an operator ends it. */
const RESTS_BY_HAND = `(s.resting_since IS NOT NULL AND s.rested_by = 'operator'
  AND (s.resting_until IS NULL OR s.resting_until > now()))`;

/** `leftMs`: of the rest, not below 0. Of two nodes that were refused at once, the longer rest counts, once. */
export async function keepRest(
  tx: Tx,
  at: AskedPlace,
  rest: { readonly restMs: number; readonly leftMs: number; readonly refusals: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.source_states AS s
       (source, provider, resting_since, resting_until, rested_by, rest_ms, refusals)
     VALUES ($1, $2, now(), now() + make_interval(secs => $3::float8 / 1000), 'refusals', $4, $5)
     ON CONFLICT (source, provider) DO UPDATE SET
       resting_since = coalesce(s.resting_since, excluded.resting_since),
       resting_until = greatest(s.resting_until, excluded.resting_until),
       rest_ms = greatest(s.rest_ms, excluded.rest_ms), refusals = greatest(s.refusals, excluded.refusals),
       rested_by = 'refusals', trial_until = NULL
     WHERE NOT ${RESTS_BY_HAND}`,
    [at.source ?? OWN_ADDRESS, at.provider, rest.leftMs, rest.restMs, rest.refusals],
  );
}

const NOT_RESTING = `resting_since = NULL, resting_until = NULL, rested_by = NULL, rest_ms = 0, refusals = 0,
  trial_until = NULL`;

/** Answered. What was asked before another node's rest began does not end that. */
export async function endRest(tx: Tx, { source, provider }: AskedPlace): Promise<void> {
  await tx.query(
    `UPDATE mxproof.source_states SET ${NOT_RESTING}
     WHERE source = $1 AND provider = $2 AND resting_until <= now()`,
    [source ?? OWN_ADDRESS, provider],
  );
}

/** True: the caller tries, and no other node for so long. Where the rest is over for everyone there is nothing to claim. */
export async function claimTrial(tx: Tx, { source, provider }: AskedPlace, forMs: number): Promise<boolean> {
  const [row] = await tx.query<{ ours: boolean }>(
    `WITH claimed AS (
       UPDATE mxproof.source_states SET trial_until = now() + make_interval(secs => $3::float8 / 1000)
       WHERE source = $1 AND provider = $2 AND resting_until <= now()
         AND (trial_until IS NULL OR trial_until <= now())
       RETURNING 1)
     SELECT EXISTS (SELECT FROM claimed) OR NOT EXISTS (
       SELECT FROM mxproof.source_states WHERE source = $1 AND provider = $2 AND resting_since IS NOT NULL) AS ours`,
    [source ?? OWN_ADDRESS, provider, forMs],
  );
  return row?.ours === true;
}

/** What it rests by; null: it does not. Locked, where there is anything. */
export async function lockRest(tx: Tx, { source, provider }: AskedPlace): Promise<KeptRest['by'] | null> {
  const [row] = await tx.query<{ by: KeptRest['by'] | null }>(
    'SELECT rested_by AS by FROM mxproof.source_states WHERE source = $1 AND provider = $2 FOR UPDATE',
    [source ?? OWN_ADDRESS, provider],
  );
  return row?.by ?? null;
}

/** By hand. `seconds`: null: until it is resumed. What refusals have shown before stays: it is tried after this rest. */
export async function keepRestByHand(
  tx: Tx,
  { source, provider }: AskedPlace,
  seconds: number | null,
): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.source_states (source, provider, resting_since, resting_until, rested_by)
     VALUES ($1, $2, now(), now() + make_interval(secs => $3::float8), 'operator')
     ON CONFLICT (source, provider) DO UPDATE SET resting_since = excluded.resting_since,
       resting_until = excluded.resting_until, rested_by = 'operator', trial_until = NULL`,
    [source ?? OWN_ADDRESS, provider, seconds],
  );
}

/** By hand: whatever began it, it is over, and no trial is needed. */
export async function endRestByHand(tx: Tx, { source, provider }: AskedPlace): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.source_states (source, provider, resumed_at) VALUES ($1, $2, now())
     ON CONFLICT (source, provider) DO UPDATE SET ${NOT_RESTING}, resumed_at = now()`,
    [source ?? OWN_ADDRESS, provider],
  );
}

export interface KeptState {
  readonly at: AskedPlace;
  /** Null: it does not rest. */
  readonly rest: KeptRest | null;
  /** Null: never by hand. */
  readonly resumedAt: string | null;
}

type StateRow = Row & {
  source: string;
  provider: string;
  rested_by: KeptRest['by'] | null;
  ago_ms: number | null;
  left_ms: number | null;
  trial_left_ms: number | null;
  rest_ms: number;
  refusals: number;
  resumed_at: string | null;
};

const MS = (interval: string) => `floor(extract(epoch FROM ${interval}) * 1000)::bigint`;

/** Of these sources. */
export async function readStates(tx: Tx, sources: readonly (string | null)[]): Promise<KeptState[]> {
  const rows = await tx.prepared<StateRow>(
    'read-source-states',
    `SELECT source, provider, rested_by, ${MS('now() - resting_since')} AS ago_ms,
       ${MS('resting_until - now()')} AS left_ms, ${MS('trial_until - now()')} AS trial_left_ms, rest_ms, refusals,
       resumed_at::text
     FROM mxproof.source_states
     WHERE source = ANY($1) AND (resting_since IS NOT NULL OR resumed_at IS NOT NULL) LIMIT ${ROWS_MAX}`,
    [sources.map((source) => source ?? OWN_ADDRESS)],
  );
  return rows.map((row) => {
    const at = { source: row.source === OWN_ADDRESS ? null : row.source, provider: row.provider };
    return { at, rest: restOf(at, row), resumedAt: row.resumed_at };
  });
}

function restOf(at: AskedPlace, row: StateRow): KeptRest | null {
  if (row.ago_ms === null || row.rested_by === null) return null;
  return {
    ...at,
    by: row.rested_by,
    agoMs: row.ago_ms,
    leftMs: row.left_ms,
    restMs: row.rest_ms,
    refusals: row.refusals,
    trialLeftMs: row.trial_left_ms ?? 0,
  };
}

// ---- for people ----

type HealthRow = Row & {
  source: string;
  provider: string;
  resting_since: Date | null;
  resting_until: Date | null;
  rested_by: KeptRest['by'] | null;
  refused_at: Date | null;
  refusal_kind: RefusalKind | null;
  refusal_reply: string | null;
  refusal_link: string | null;
} & Record<`${'today' | 'week'}_${string}`, number>;

/** What a source without any row is shown at. */
const NO_PROVIDER = 'other';

/**
 * Every source that a live node has, and every one that has asked within a week, rests or was refused; by name. `policy`: says
 * which are being warmed up; null: none.
 */
export async function readSourceHealth(
  tx: Tx,
  policy: Policy | null = null,
): Promise<readonly SourceHealth[]> {
  const sums = (since: string, named: string) =>
    COUNTS.map(
      (name) => `coalesce(sum(${name}) FILTER (WHERE day >= ${since}), 0)::bigint AS ${named}_${name}`,
    );
  const rows = await tx.query<HealthRow>(
    `WITH days AS (
       SELECT source, provider, ${[...sums(TODAY, 'today'), ...sums(`${TODAY} - ${WEEK_DAYS - 1}`, 'week')].join(', ')}
       FROM mxproof.source_days WHERE day >= ${TODAY} - ${WEEK_DAYS - 1} GROUP BY 1, 2),
     states AS (
       SELECT * FROM mxproof.source_states WHERE resting_since IS NOT NULL OR refused_at IS NOT NULL)
     SELECT coalesce(days.source, states.source) AS source, coalesce(days.provider, states.provider) AS provider,
       resting_since, resting_until, rested_by, refused_at, refusal_kind, refusal_reply, refusal_link,
       ${['today', 'week'].flatMap((when) => COUNTS.map((name) => `coalesce(${when}_${name}, 0) AS ${when}_${name}`)).join(', ')}
     FROM days FULL JOIN states ON days.source = states.source AND days.provider = states.provider
     ORDER BY 1, 2 LIMIT ${ROWS_MAX}`,
  );
  const shown = rows.map(healthOf);
  const named = new Set(shown.map(({ source }) => source));
  const idle = (await liveSources(tx)).filter((source) => !named.has(source)).map(idleSource);
  const all = [...shown, ...idle].sort(
    (a, b) => compare(a.source, b.source) || compare(a.provider, b.provider),
  );
  if (policy === null) return all;
  const warming = await readWarmUps(tx, policy, [...new Set(all.map(({ source }) => source))]);
  return warming === null ? all : withWarmUps(all, warming.places);
}

/** Of nodes that were seen within the hour. A node that names none asks from its machine's own address. */
export async function liveSources(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ sources: string[] }>('SELECT sources FROM mxproof.nodes');
  const named = rows.map(({ sources }) => sources.filter((source) => !source.startsWith(MACHINE)));
  return [...new Set(named.flatMap((sources) => (sources.length === 0 ? [OWN_ADDRESS] : sources)))];
}

/** As jobs.ts names a machine. */
const MACHINE = 'host ';

function idleSource(source: string): SourceHealth {
  return {
    source,
    provider: NO_PROVIDER,
    today: NO_COUNTS,
    lastWeek: NO_COUNTS,
    refusal: null,
    rest: null,
    warmUp: null,
  };
}

const NO_COUNTS: SourceCounts = {
  asked: 0,
  accepted: 0,
  unknownRecipients: 0,
  deferred: 0,
  refused: { block: 0, rate: 0, ptr: 0, policy: 0 },
};

function healthOf(row: HealthRow): SourceHealth {
  const { refused_at: refusedAt, refusal_kind: kind, refusal_reply: reply } = row;
  const { resting_since: since, resting_until: until, rested_by: by } = row;
  return {
    source: row.source,
    provider: row.provider,
    today: countsOf(row, 'today'),
    lastWeek: countsOf(row, 'week'),
    refusal:
      refusedAt === null || kind === null || reply === null
        ? null
        : { kind, reply, link: row.refusal_link, at: refusedAt },
    rest: since === null || by === null ? null : { since, until, by },
    warmUp: null,
  };
}

function countsOf(row: HealthRow, when: 'today' | 'week'): SourceCounts {
  const count = (name: string) => row[`${when}_${name}`] ?? 0;
  return {
    asked: count('asked'),
    accepted: count('accepted'),
    unknownRecipients: count('unknown_recipients'),
    deferred: count('deferred'),
    refused: {
      block: count('refused_block'),
      rate: count('refused_rate'),
      ptr: count('refused_ptr'),
      policy: count('refused_policy'),
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export async function sweepSourceDays(tx: Tx): Promise<{ more: boolean }> {
  const isOld = `day < ${TODAY} - ${DAYS_KEPT}`;
  const swept = await tx.query(
    `DELETE FROM mxproof.source_days WHERE ${isOld} AND (source, provider, day) IN (
       SELECT source, provider, day FROM mxproof.source_days WHERE ${isOld} LIMIT ${SWEPT_AT_ONCE})
     RETURNING 1`,
  );
  return { more: swept.length === SWEPT_AT_ONCE };
}
