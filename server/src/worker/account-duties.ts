// What the nodes do for accounts by themselves: they grant monthly credits, and remove what is left of deleted accounts.
// Promise: one node at a time does it, in small steps with a pause behind each; accounts take turns, and one that fails keeps no
// other from its turn.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { removeAccountStep } from '../flow/delete-account.ts';
import { grantMonths } from '../flow/grant-months.ts';
import { accountsToRemove } from '../store/account-removal.ts';
import { takeDuty } from '../store/duty-lease.ts';
import { accountsDueMonthly } from '../store/monthly-credits.ts';
import { createIsolation } from './isolate.ts';
import { startLoop } from './loop.ts';

const LOOK_SECONDS = 5;
const REMOVED_EVERY_SECONDS = 30;
const GRANTED_EVERY_SECONDS = 60;
const STEPS_AT_ONCE = 500;
const PAUSE_MS = 50;

export function startAccountDuties(options: {
  readonly context: Pick<Context, 'db'>;
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { context, log } = options;
  const { db } = context;
  const granting = createIsolation<number>({ name: 'monthly credits', log });
  const removing = createIsolation<number>({ name: 'deleted accounts', log });
  let stopping = false;

  async function grant(): Promise<void> {
    for (let due = await nextDue(); due.length > 0; due = await nextDue())
      for (const id of due) {
        if (stopping) return;
        await granting.run(id, () => grantMonths(db, id, null));
      }
  }

  /** One that could not be granted rests, and is due again later. */
  const nextDue = () => accountsDueMonthly(db, null, granting.resting());

  async function remove(): Promise<void> {
    let due = await accountsToRemove(db, removing.resting());
    for (let steps = 0; due.length > 0; ) {
      const more: number[] = [];
      for (const id of due) {
        if (stopping || steps++ >= STEPS_AT_ONCE) return;
        await removing.run(id, async () => {
          if ((await removeAccountStep(context, id)).more) more.push(id);
        });
        await sleep(PAUSE_MS);
      }
      due = more;
    }
  }

  const loop = startLoop({
    name: 'accounts',
    everyMs: LOOK_SECONDS * 1000,
    log,
    async run() {
      if (await takeDuty(db, 'monthly credits', GRANTED_EVERY_SECONDS)) await grant();
      if (await takeDuty(db, 'deleted accounts', REMOVED_EVERY_SECONDS)) await remove();
    },
  });
  return {
    async stop() {
      stopping = true;
      await loop.stop();
    },
  };
}
