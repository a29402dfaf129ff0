// Deletes what accounts keep for a while: results, evidence, callbacks and single checks past their retention.
// Promise: one node at a time does it, in small steps with a pause behind each, and accounts take turns: a list that runs
// meanwhile does not notice, and a year that is to be deleted for one account holds up no other,
// nor does a row that cannot be deleted.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Retention } from '../rules/retention.ts';
import type { Database } from '../store/database.ts';
import { takeDuty } from '../store/duty-lease.ts';
import { dueRetentions, tryExpireStep } from '../store/retention.ts';
import { createIsolation } from './isolate.ts';
import { startLoop } from './loop.ts';

const EVERY_SECONDS = 60;
const STEPS_AT_ONCE = 500;
const PAUSE_MS = 50;

export function startRetention(options: {
  readonly db: Database;
  readonly retention: Retention;
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { db, retention, log } = options;
  const expiring = createIsolation<string>({ name: 'retention', log });
  let stopping = false;

  async function expire(): Promise<void> {
    let due = await dueRetentions(db, retention);
    for (let steps = 0; due.length > 0; ) {
      const more: typeof due = [];
      for (const each of due) {
        if (stopping || steps++ >= STEPS_AT_ONCE) return;
        await expiring.run(`${each.kind} of account ${each.accountId}`, async () => {
          if ((await tryExpireStep(db, each)).more) more.push(each);
        });
        await sleep(PAUSE_MS);
      }
      due = more;
    }
  }

  const loop = startLoop({
    name: 'retention',
    everyMs: EVERY_SECONDS * 1000,
    log,
    async run() {
      if (await takeDuty(db, 'retention', EVERY_SECONDS)) await expire();
    },
  });
  return {
    async stop() {
      stopping = true;
      await loop.stop();
    },
  };
}
