// Grants an account the months that have begun.
// Promise: each month once, with its entry and its line of the audit trail, on however many nodes and after however long an outage;
// none that begins while the account is suspended, as it is when the month is looked at.
import { THE_SERVICE } from '../rules/audit.ts';
import { monthAfter, monthlyNote, monthsDue } from '../rules/monthly-credits.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { grantCredits } from '../store/ledger.ts';
import { lockMonths, setNextMonth } from '../store/monthly-credits.ts';

/** After years, some of them: the account is due still. Null: as it is now. */
export function grantMonths(db: Database, accountId: number, now: Date | null): Promise<void> {
  return db.transaction(async (tx) => {
    const found = await lockMonths(tx, accountId, now);
    if (found === null) return;
    const months = monthsDue(found.from, found.thisMonth);
    const granted = found.isSuspended ? [] : months;
    for (const [index, month] of granted.entries()) {
      const before = found.credits + index * found.amount;
      await grantCredits(tx, accountId, found.amount, monthlyNote(month));
      await writeAudit(tx, THE_SERVICE, {
        action: 'credits.granted',
        accountId,
        changes: { credits: [before, before + found.amount] },
      });
    }
    const last = months.at(-1);
    if (last !== undefined) await setNextMonth(tx, accountId, monthAfter(last));
  });
}
