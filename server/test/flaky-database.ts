// A database that breaks: before its n-th statement, in a transaction or out of one, or after a commit whose caller does
// not learn of it.
import type { Database, Tx } from '../src/store/database.ts';

export class Crash extends Error {}

export type DatabaseFault =
  | { readonly kind: 'none' }
  | { readonly kind: 'before_statement'; readonly n: number }
  | { readonly kind: 'after_commit' };

export function flakyDatabase(db: Database, how: DatabaseFault): Database {
  let statements = 0;
  const count = () => {
    if (how.kind === 'before_statement' && statements++ >= how.n) throw new Crash('crashed');
  };
  return {
    ...db,
    ...counting(db, count),
    async transaction(work) {
      const value = await db.transaction((tx) => work(counting(tx, count)));
      if (how.kind === 'after_commit') throw new Crash('crashed after the commit');
      return value;
    },
  };
}

function counting(tx: Tx, count: () => void): Tx {
  return {
    async query(text, values) {
      count();
      return tx.query(text, values);
    },
    async prepared(name, text, values) {
      count();
      return tx.prepared(name, text, values);
    },
  };
}
