// Erases what was asked for over HTTP, and keeps the files `erasures` of this machine's backups up to date.
// Promise: whichever node comes first does it, and another goes on where one has died; one that fails keeps no other waiting, and
// an account waits for at most one round of another; no address is in a line of the log.
import type { Logger } from 'pino';
import type { Context } from '../../flow/context.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { createIsolation } from '../../worker/isolate.ts';
import { startLoop } from '../../worker/loop.ts';
import { runErasures } from './erase-address.ts';
import { type SeenErasures, spreadErasures } from './erasures-file.ts';
import {
  claimErasures,
  latestErasure,
  type RunningErasure,
  readErasures,
  releaseErasures,
} from './stored-erasures.ts';

const LOOK_MS = 1_000;

export function startErasures(options: {
  readonly context: Context;
  readonly box: SecretBox;
  readonly dataDir: string;
  readonly log: Logger;
  readonly lookMs?: number;
}): { stop(): Promise<void> } {
  const { context, box, dataDir, log } = options;
  const { db } = context;
  const stopping = new AbortController();
  const erasures = createIsolation<number>({ name: 'erasures', log });
  const files = createIsolation<string>({ name: 'erasures', log });
  const seen: SeenErasures = new Map();
  let written = '';

  /** Erasures may have been asked for on any machine. */
  async function spread(): Promise<void> {
    const latest = await latestErasure(db);
    if (latest === written) return;
    const { failed } = await spreadErasures(db, dataDir, seen);
    for (const folder of failed)
      log.error({ folder }, 'the file erasures could not be written beside the backups in this folder');
    written = latest;
  }

  async function runRound(round: readonly RunningErasure[]): Promise<void> {
    const ids = round.map(({ id }) => id);
    const ran = await runErasures(context, box, round, stopping.signal)
      .catch((error: unknown) => ({ failed: new Map(ids.map((id) => [id, error])), again: [] }))
      .finally(() => releaseErasures(db, ids).catch(() => {}));
    for (const id of ids)
      await erasures.run(id, async () => {
        if (ran.failed.has(id)) throw ran.failed.get(id);
      });
    for (const { id, isDone, lists, rows } of await readErasures(db, ids))
      if (isDone) log.info({ id, lists, rows }, 'address erased');
  }

  const loop = startLoop({
    name: 'erasures',
    everyMs: options.lookMs ?? LOOK_MS,
    log,
    async run() {
      await files.run('files beside backups', spread);
      while (!stopping.signal.aborted) {
        const round = await claimErasures(db, erasures.resting());
        if (round.length === 0) return;
        await runRound(round);
      }
    },
  });
  return {
    stop() {
      stopping.abort();
      return loop.stop();
    },
  };
}
