// Which node does the work that only one node needs to do.
import type { Tx } from './database.ts';

/** True for one caller of all nodes in each period. */
export async function takeDuty(tx: Tx, duty: string, everySeconds: number): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO mxproof.turns AS t (duty) VALUES ($1)
     ON CONFLICT (duty) DO UPDATE SET taken_at = now()
       WHERE t.taken_at <= now() - make_interval(secs => $2::float8)
         -- A clock that has stepped back must not leave the duty undone until it is there again.
         OR t.taken_at > now() + make_interval(secs => $2::float8)
     RETURNING duty`,
    [duty, everySeconds * 0.9],
  );
  return rows.length === 1;
}

/** For work that takes longer than the period, by the node that has it. */
export async function renewDuty(tx: Tx, duty: string): Promise<void> {
  await tx.query('UPDATE mxproof.turns SET taken_at = now() WHERE duty = $1', [duty]);
}
