// What became of the mail of an account, as its page shows it: many outcomes in the store of a running service, and a few wrong
// verdicts whose list is there.
import { insertOutcomeRows, MONTH } from '../../server/test/outcome-rows.ts';
import { makeList, untilDone } from './lists.ts';
import { inStore } from './operator-rows.ts';
import type { Account, Rig } from './rig.ts';

/** With 40 addresses of which no result is known. */
export const addMonth = (rig: Rig, account: Account): Promise<void> =>
  inStore(rig, (db) => insertOutcomeRows(db, account.id, MONTH, 40));

export async function switchOn(rig: Rig, account: Account): Promise<void> {
  await rig.call(account, 'PATCH', '/account', { outcomes: true });
}

/** Outcomes are on: one called deliverable has bounced, one called undeliverable was delivered. The list of both. */
export async function addWrongVerdicts(rig: Rig, account: Account): Promise<number> {
  const id = await makeList(rig, account, {
    name: 'Newsletter, March',
    emails: ['ann@shop.example', 'ben@shop.example', 'nobody@shop.example'],
  });
  await untilDone(rig, account, id);
  await rig.call(account, 'POST', '/outcomes', {
    outcomes: [
      { email: 'ann@shop.example', outcome: 'bounced', reply: '550 5.1.1 User unknown' },
      { email: 'ben@shop.example', outcome: 'delivered' },
      { email: 'nobody@shop.example', outcome: 'delivered' },
    ],
  });
  return id;
}
