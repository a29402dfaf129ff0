// Erases what was asked for over HTTP, and keeps the files `erasures` of this machine's backups up to date.
// Promise: whichever node comes first does it, and another goes on where one has died; one that fails keeps no other waiting; no
// address is in a line of the log.
import type { Logger } from 'pino';
import type { Context } from '../../flow/context.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { createIsolation } from '../../worker/isolate.ts';
import { startLoop } from '../../worker/loop.ts';
import { runErasure } from './erase-address.ts';
import { spreadErasures } from './erasures-file.ts';
import { claimErasure, latestErasure, releaseErasure } from './stored-erasures.ts';

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
  let written = '';

  /** Erasures may have been asked for on any machine. */
  async function spread(): Promise<void> {
    const latest = await latestErasure(db);
    if (latest === written) return;
    const { failed } = await spreadErasures(db, dataDir);
    for (const folder of failed)
      log.error({ folder }, 'the file erasures could not be written beside the backups in this folder');
    written = latest;
  }

  const loop = startLoop({
    name: 'erasures',
    everyMs: options.lookMs ?? LOOK_MS,
    log,
    async run() {
      await files.run('files beside backups', spread);
      for (;;) {
        if (stopping.signal.aborted) return;
        const erasure = await claimErasure(db, erasures.resting());
        if (erasure === null) return;
        await erasures.run(erasure.id, async () => {
          try {
            const { id, isDone, lists, rows } = await runErasure(context, box, erasure, stopping.signal);
            if (isDone) log.info({ id, lists, rows }, 'address erased');
          } finally {
            await releaseErasure(db, erasure.id).catch(() => {});
          }
        });
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
