// Attempts at callback receivers that have never answered: few for each account, and counted by all nodes together.
// Promise: an attempt that cannot be noted, since the node or the database is gone, is not made again for that.
import { mayTryTargets } from '../rules/callback-targets.ts';
import { noteTargets, readTargets } from '../store/callback-targets.ts';
import type { Database } from '../store/database.ts';

interface Trial {
  mayTry(ips: readonly string[], port: string): Promise<'yes' | 'later' | 'no'>;
  /** Whether the receiver gave any status; null: nothing was sent. Never rejects. */
  end(hasAnswered: boolean | null): Promise<void>;
}

export function createTargetTrials(db: Database): { begin(accountId: number): Trial } {
  /** By account: attempts of this node at targets that are not known. */
  const underWay = new Map<number, number>();
  /** Of all accounts, since the start. */
  let begun = 0;

  function count(accountId: number, by: number): void {
    const now = (underWay.get(accountId) ?? 0) + by;
    if (now > 0) underWay.set(accountId, now);
    else underWay.delete(accountId);
  }

  return {
    begin(accountId) {
      let tried: readonly string[] = [];
      let counted = 0;
      return {
        async mayTry(ips, port) {
          // A name may have an address twice.
          const targets = [...new Set(ips)].map((ip) => `${ip} ${port}`);
          // One that ends while the database is read may be in neither: all that were under way meanwhile count.
          const before = underWay.get(accountId) ?? 0;
          const begunBefore = begun;
          const { unknown, silent } = await readTargets(db, accountId, targets);
          const may = mayTryTargets({ unknown, silent, underWay: before + begun - begunBefore });
          if (may !== 'yes') return may;
          tried = targets;
          counted = unknown;
          begun += counted;
          count(accountId, counted);
          return may;
        },
        async end(hasAnswered) {
          if (hasAnswered !== null && tried.length > 0)
            await noteTargets(db, accountId, tried, hasAnswered).catch(() => {});
          count(accountId, -counted);
        },
      };
    },
  };
}
