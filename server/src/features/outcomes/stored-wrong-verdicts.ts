// Verdicts that mail has shown to be wrong, with their addresses, which only the results of their list have.
// Promise: read in steps of the account's turn, a bounded number of chunks at a time; what is deleted meanwhile is left out.
import type { Reading } from '../../flow/reading-turns.ts';
import { CHUNK_SIZE } from '../../rules/clean-emails.ts';
import type { Database } from '../../store/database.ts';
import { lastSql } from './stored-outcomes.ts';

const CHUNKS_AT_ONCE = 40;

/** What mail says of the mailbox, against the verdict. A complaint comes of mail that was delivered. */
const IS_WRONG = `(state = 'deliverable' AND outcome = 'bounced')
  OR (state = 'undeliverable' AND outcome IN ('delivered', 'complained'))`;

interface WrongPlace {
  readonly list_id: number;
  readonly position: number;
  readonly state: string;
  readonly detail: string;
  readonly provider: string;
  readonly outcome: string;
  /** In UTC, as `2026-11-19`. */
  readonly day: string;
}

export interface WrongVerdicts {
  /** Of which the results are there. */
  readonly total: number;
  readonly gone: number;
  /** The latest first. */
  readonly wrong: readonly (WrongPlace & { readonly email: string })[];
}

export async function readWrongVerdicts(
  db: Database,
  reading: Reading,
  accountId: number,
  { days, offset, limit }: { readonly days: number; readonly offset: number; readonly limit: number },
): Promise<WrongVerdicts> {
  const { total, gone, page } = await reading.step(() => findWrong(db, accountId, days, offset, limit));
  const chunkOf = ({ position }: WrongPlace) => Math.floor(position / CHUNK_SIZE);
  const byChunk = [...Map.groupBy(page, (each) => `${each.list_id} ${chunkOf(each)}`).values()];
  const emails = new Map<WrongPlace, string>();
  for (let from = 0; from < byChunk.length; from += CHUNKS_AT_ONCE)
    await reading.step(async () => {
      const wanted = byChunk.slice(from, from + CHUNKS_AT_ONCE);
      const rows = await db.query<{ place: number; emails: string }>(
        `SELECT w.place::int - 1 AS place, c.emails
         FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY AS w (list_id, n, place)
         JOIN mxproof.chunks c ON c.list_id = w.list_id AND c.n = w.n`,
        [wanted.map(([first]) => first!.list_id), wanted.map(([first]) => chunkOf(first!))],
      );
      for (const { place, emails: text } of rows) {
        const ofChunk = JSON.parse(text) as string[];
        for (const each of wanted[place]!) emails.set(each, ofChunk[each.position % CHUNK_SIZE] ?? '');
      }
    });
  // An erased address leaves an empty one.
  const wrong = page.flatMap((each) => (emails.get(each) ? [{ email: emails.get(each)!, ...each }] : []));
  return { total, gone, wrong };
}

async function findWrong(
  db: Database,
  accountId: number,
  days: number,
  offset: number,
  limit: number,
): Promise<{ readonly total: number; readonly gone: number; readonly page: readonly WrongPlace[] }> {
  const [row] = await db.query<{ total: number; gone: number; page: string }>(
    `WITH wrong AS MATERIALIZED (
       SELECT last.*, l.id IS NOT NULL AS is_there FROM (${lastSql('list_id', 'position', 'day')}) AS last
       LEFT JOIN mxproof.lists l ON l.id = last.list_id AND l.account_id = $1 AND l.results_expired_at IS NULL
       WHERE ${IS_WRONG})
     SELECT count(*) FILTER (WHERE is_there) AS total, count(*) FILTER (WHERE NOT is_there) AS gone,
       (SELECT coalesce(json_agg(page), '[]')::text FROM (
          SELECT list_id, position, state, detail, provider, outcome, day FROM wrong WHERE is_there
          ORDER BY day DESC, list_id DESC, position OFFSET $3 LIMIT $4) AS page) AS page
     FROM wrong`,
    [accountId, days, offset, limit],
  );
  return { ...row!, page: JSON.parse(row!.page) as WrongPlace[] };
}
