// Writes single checks back: many in one statement, since each is a list with one address. One statement is a
// transaction by itself, and costs one round trip to the database instead of four.
import { refundOf } from '@mxproof/common/refund';
import type { AskedRecipient, State } from '@mxproof/engine';
import { noCounts } from '../rules/chunk-results.ts';
import { type AccountAsked, countAskedSql, RETURNING_ASKED } from './asked-domains.ts';
import { keepCatchAllsSql } from './catch-alls.ts';
import { indexSinglesSql, shortHash } from './checked-addresses.ts';
import type { Tx } from './database.ts';
import { withoutSafetyNets } from './jobs.ts';
import { refundCtes } from './ledger.ts';
import { COUNT_RESULTS } from './usage.ts';

/** The statement's time. */
const NOW_SECONDS = 'floor(extract(epoch FROM now()))::bigint';

export interface FoundSingle {
  readonly listId: number;
  readonly state: State;
  /** The chunk's results, around the time at which they are stored. */
  readonly results: readonly [before: string, after: string];
  readonly evidence: Buffer | null;
  /** Of its address (rules/erased-hash.ts). Unset: it is not to be found by it. */
  readonly hash?: Buffer;
  /** Unset: no mail server said whether the recipient exists. */
  readonly asked?: AskedRecipient | undefined;
}

export interface FinishedSingles {
  /** The time it stored, in Unix seconds. */
  readonly atSeconds: number;
  /** What the accounts have asked in all, with these and at any node, about domains with many recipients. */
  readonly asked: readonly AccountAsked[];
}

/**
 * What finishing a list does, for lists of one address: result, counters, refund, end of the list and of its job. Lists
 * that were deleted or finished elsewhere stay as they are.
 */
export async function finishSingles(tx: Tx, found: readonly FoundSingle[]): Promise<FinishedSingles> {
  const [row] = await tx.prepared<{ atSeconds: number; asked: AccountAsked[] }>(
    'finish-singles',
    `WITH found AS (
       SELECT list_id, state, before || now.seconds || after AS results, evidence, refund, domain, is_unknown, is_catch_all, hash
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::int[], $7::text[], $8::bool[], $9::bool[],
         $10::bigint[]) AS f (list_id, state, before, after, evidence, refund, domain, is_unknown, is_catch_all, hash), (SELECT ${NOW_SECONDS} AS seconds) now),
     open AS (
       SELECT l.id, l.account_id, f.state, f.results, f.evidence, f.refund, f.domain, f.is_unknown, f.is_catch_all, f.hash
       FROM mxproof.lists l JOIN found f ON f.list_id = l.id
       WHERE l.finished_at IS NULL AND l.total = 1 AND l.checked = 0 ORDER BY l.id FOR UPDATE OF l),
     closed AS (
       UPDATE mxproof.lists l SET status = 'done', finished_at = now(), checked = 1,
         deliverable = (o.state = 'deliverable')::int, risky = (o.state = 'risky')::int,
         undeliverable = (o.state = 'undeliverable')::int, unknown = (o.state = 'unknown')::int
       FROM open o WHERE l.id = o.id),
     stored AS (
       UPDATE mxproof.chunks c SET results = o.results FROM open o WHERE c.list_id = o.id AND c.n = 0),
     kept AS (
       INSERT INTO mxproof.evidence (list_id, n, data) SELECT id, 0, evidence FROM open WHERE evidence IS NOT NULL),
     indexed AS (${indexSinglesSql('open')}),
     ${refundCtes('open')},
     -- Behind the lock of an account that is refunded, as everywhere.
     counted AS (
       ${COUNT_RESULTS.into} account_id, count(*) FILTER (WHERE state = 'deliverable'),
         count(*) FILTER (WHERE state = 'risky'), count(*) FILTER (WHERE state = 'undeliverable'),
         count(*) FILTER (WHERE state = 'unknown')
       FROM open LEFT JOIN refunded ON refunded.id = account_id GROUP BY account_id ORDER BY account_id
       ${COUNT_RESULTS.onConflict} RETURNING account_id),
     asked AS (
       SELECT account_id, domain, count(*)::int AS asked, count(*) FILTER (WHERE is_unknown)::int AS unknown
       FROM open JOIN counted USING (account_id) WHERE is_unknown IS NOT NULL GROUP BY 1, 2),
     added AS (${countAskedSql('asked')} ${RETURNING_ASKED}),
     -- Behind the rows of asked domains, as everywhere.
     learnt AS (
       SELECT DISTINCT ON (account_id, domain) account_id, domain, is_catch_all, id AS list_id
       FROM open, (SELECT count(*) FROM added) AS behind WHERE is_catch_all IS NOT NULL ORDER BY account_id, domain, id DESC),
     kept_catch_alls AS (${keepCatchAllsSql('learnt')}),
     freed AS (${withoutSafetyNets('$1')})
     SELECT ${NOW_SECONDS} AS "atSeconds",
       (SELECT coalesce(json_agg(added), '[]') FROM added WHERE "isMany") AS asked`,
    [
      found.map(({ listId }) => listId),
      found.map(({ state }) => state),
      found.map(({ results: [before] }) => before),
      found.map(({ results: [, after] }) => after),
      found.map(({ evidence }) => evidence),
      found.map(({ state }) => refundOf({ total: 1, checked: 1, counts: { ...noCounts(), [state]: 1 } })),
      found.map(({ asked }) => asked?.domain ?? null),
      found.map(({ asked }) => asked?.isUnknown ?? null),
      found.map(({ asked }) => (asked?.catchAll ? asked.catchAll === 'yes' : null)),
      found.map(({ hash }) => (hash ? shortHash(hash) : null)),
    ],
  );
  return row!;
}
