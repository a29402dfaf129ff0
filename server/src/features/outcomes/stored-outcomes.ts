// What became of mail, in the database: by the hash of its address, never by the address.
import { readResults } from '../../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../../rules/clean-emails.ts';
import type { MailOutcome } from '../../rules/mail-outcome.ts';
import type { FoundAddress } from '../../store/checked-addresses.ts';
import type { Database, Row, Tx } from '../../store/database.ts';
import { BARE } from '../../store/outcome-settings.ts';
import type { AddressCount } from './accuracy.ts';
import type { BounceOutcome } from './read-bounce-outcome.ts';

/** An outcome counts for so long; what it suppresses stays suppressed. */
export const KEPT_DAYS = 366;
const CHUNKS_AT_ONCE = 40;
const SWEPT_AT_ONCE = 10_000;

export type KeptOutcome = Exclude<MailOutcome, 'bounced'> | BounceOutcome;

/** What a result said of an address when its mail was sent. */
export interface KnownVerdict {
  readonly listId: number;
  readonly position: number;
  readonly state: string;
  readonly detail: string;
  readonly provider: string;
}

export interface NewOutcome {
  readonly event: Buffer;
  readonly hash: Buffer;
  readonly outcome: KeptOutcome;
  /** In UTC, as `2026-11-19`. */
  readonly day: string;
  readonly suppresses: boolean;
  readonly domain: string;
  /** Null: no result of the address was found. */
  readonly verdict: KnownVerdict | null;
}

/** Which of these events are known, in hex. */
export async function knownEvents(
  tx: Tx,
  accountId: number,
  events: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ event: string }>(
    `SELECT encode(event, 'hex') AS event FROM mxproof.outcomes WHERE account_id = $1 AND event = ANY($2::bytea[])`,
    [accountId, events],
  );
  return new Set(rows.map(({ event }) => event));
}

/** What the results said, by place; those that are gone meanwhile are missing. */
export async function verdictsAt(
  tx: Tx,
  found: readonly FoundAddress[],
): Promise<ReadonlyMap<number, KnownVerdict>> {
  const verdicts = new Map<number, KnownVerdict>();
  const chunkOf = ({ position }: FoundAddress) => Math.floor(position / CHUNK_SIZE);
  const byChunk = [...Map.groupBy(found, (each) => `${each.listId} ${chunkOf(each)}`).values()];
  for (let from = 0; from < byChunk.length; from += CHUNKS_AT_ONCE) {
    const wanted = byChunk.slice(from, from + CHUNKS_AT_ONCE);
    const rows = await tx.query<{ place: number; size: number; results: string | null }>(
      `SELECT w.place::int - 1 AS place, c.size, c.results
       FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY AS w (list_id, n, place)
       JOIN mxproof.chunks c ON c.list_id = w.list_id AND c.n = w.n`,
      [wanted.map(([first]) => first!.listId), wanted.map(([first]) => chunkOf(first!))],
    );
    for (const { place, size, results } of rows) {
      const known = readResults(results, size);
      for (const { place: asked, listId, position } of wanted[place]!) {
        const verdict = known[position % CHUNK_SIZE];
        if (verdict?.detail)
          verdicts.set(asked, {
            listId,
            position,
            state: verdict.state,
            detail: verdict.detail,
            provider: verdict.provider,
          });
      }
    }
  }
  return verdicts;
}

/** Returns how many were not known. */
export async function insertOutcomes(
  tx: Tx,
  accountId: number,
  outcomes: readonly NewOutcome[],
): Promise<number> {
  const listIds = [...new Set(outcomes.flatMap(({ verdict }) => verdict?.listId ?? []))];
  // A list that is deleted from now on takes itself out of the rows.
  const lists = await tx.query<{ id: number }>(
    'SELECT id FROM mxproof.lists WHERE id = ANY($1) ORDER BY id FOR KEY SHARE',
    [listIds],
  );
  const there = new Set(lists.map(({ id }) => id));
  const rows = await tx.query(
    `INSERT INTO mxproof.outcomes
       (account_id, event, hash, outcome, day, suppresses, domain, provider, state, detail, list_id, position)
     SELECT $1, * FROM unnest($2::bytea[], $3::bytea[], $4::text[], $5::date[], $6::bool[], $7::text[], $8::text[], $9::text[],
       $10::text[], $11::bigint[], $12::int[])
     ON CONFLICT DO NOTHING RETURNING 1`,
    [
      accountId,
      outcomes.map(({ event }) => event),
      outcomes.map(({ hash }) => hash),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ day }) => day),
      outcomes.map(({ suppresses }) => suppresses),
      outcomes.map(({ domain }) => domain),
      outcomes.map(({ verdict }) => verdict?.provider ?? null),
      outcomes.map(({ verdict }) => verdict?.state ?? null),
      outcomes.map(({ verdict }) => verdict?.detail ?? null),
      outcomes.map(({ verdict }) => (verdict && there.has(verdict.listId) ? verdict.listId : null)),
      outcomes.map(({ verdict }) => verdict?.position ?? null),
    ],
  );
  return rows.length;
}

/**
 * One row for each address and verdict: that its mailbox does not exist, if it was said once; else that it complained; else what
 * happened last, and of a day that it was not delivered after all.
 */
export const lastSql = (...more: string[]) =>
  `SELECT DISTINCT ON (hash, state, provider, detail) ${['hash', 'state', 'provider', 'detail', 'domain', 'outcome', ...more].join()}
  FROM mxproof.outcomes
  WHERE account_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - $2::int AND domain IS NOT NULL
  ORDER BY hash, state, provider, detail, outcome = 'bounced' DESC, outcome = 'complained' DESC, day DESC, outcome = 'delivered'`;

export interface CountedAddresses {
  readonly counts: readonly AddressCount[];
  /** Addresses without a result. */
  readonly unmatched: number;
}

export async function countAddresses(tx: Tx, accountId: number, days: number): Promise<CountedAddresses> {
  const rows = await tx.query<AddressCount & Row & { state: string | null }>(
    `SELECT state, provider, detail, outcome, count(*) FROM (${lastSql()}) AS last GROUP BY 1, 2, 3, 4`,
    [accountId, days],
  );
  const counts = rows.filter(({ state }) => state !== null);
  const unmatched = rows.filter(({ state }) => state === null).reduce((sum, { count }) => sum + count, 0);
  return { counts, unmatched };
}

/** Of more domains only the largest are told apart from their provider. */
const DOMAINS_MAX = 20_000;

export interface GroupTally {
  readonly detail: string;
  /** Null: all of the detail. */
  readonly provider: string | null;
  /** Null: all of the provider. */
  readonly domain: string | null;
  readonly n: number;
  readonly bounced: number;
}

export async function tallies(tx: Tx, accountId: number): Promise<GroupTally[]> {
  return tx.query<GroupTally & Row>(
    `WITH last AS MATERIALIZED (SELECT * FROM (${lastSql()}) AS each
       WHERE state IS NOT NULL AND outcome IN ('delivered', 'complained', 'bounced')),
     grouped AS (
       SELECT detail, provider, domain, count(*) AS n, count(*) FILTER (WHERE outcome = 'bounced') AS bounced,
         grouping(domain) = 0 AS is_domain
       FROM last GROUP BY GROUPING SETS ((detail, provider, domain), (detail, provider), (detail)))
     (SELECT detail, provider, domain, n, bounced FROM grouped WHERE NOT is_domain)
     UNION ALL
     (SELECT detail, provider, domain, n, bounced FROM grouped WHERE is_domain ORDER BY n DESC LIMIT ${DOMAINS_MAX})`,
    [accountId, KEPT_DAYS],
  );
}

/** Old ones go; of what they suppress nothing else is kept. */
export async function sweepOldOutcomes(db: Database): Promise<void> {
  const old = (which: string) =>
    `ctid = ANY (ARRAY(SELECT ctid FROM mxproof.outcomes
       WHERE day < (now() AT TIME ZONE 'UTC')::date - ${KEPT_DAYS} AND ${which} LIMIT ${SWEPT_AT_ONCE}))`;
  await db.query(`DELETE FROM mxproof.outcomes WHERE ${old('NOT suppresses')}`);
  await db.query(`UPDATE mxproof.outcomes SET ${BARE} WHERE ${old('suppresses AND domain IS NOT NULL')}`);
}
