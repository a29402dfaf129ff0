// Source addresses of live nodes. Greylisting remembers who asked first, so work goes on from the same address as long
// as a node that owns it lives; afterwards any node takes it.
import type { Tx } from './database.ts';

/** Longer than any hiccup of a node, shorter than most greylisting waits. */
const ALIVE_SECONDS = 30;
const FORGOTTEN_AFTER_DAYS = 7;

/** Says that this node lives; answers the sources that other live nodes alone own. */
export async function sourcesOfOthers(tx: Tx, own: readonly string[]): Promise<string[]> {
  await tx.prepared(
    'source-seen',
    `INSERT INTO mxproof.sources (source) SELECT unnest($1::text[]) ORDER BY 1
     ON CONFLICT (source) DO UPDATE SET seen_at = now()`,
    [own],
  );
  const rows = await tx.prepared<{ source: string }>(
    'sources-of-others',
    `SELECT source FROM mxproof.sources
     WHERE source <> ALL($1::text[]) AND seen_at > now() - make_interval(secs => ${ALIVE_SECONDS})`,
    [own],
  );
  return rows.map(({ source }) => source);
}

export async function sweepSources(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.sources WHERE seen_at < now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS})`,
  );
}
