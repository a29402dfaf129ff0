// A node that serves HTTP says where, as long as it does.
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { type HttpNode, SEEN_EVERY_SECONDS, sayWhere, servesNoMore } from '../store/http-nodes.ts';
import { startLoop } from './loop.ts';

export function startHttpPresence(options: {
  readonly context: Context;
  readonly node: HttpNode;
  readonly log: Logger;
  /** Fingerprints of the secret keys that this process has. */
  readonly keys?: () => readonly Buffer[];
}): {
  /** Resolves when it was said for the first time. */
  readonly isKnown: Promise<void>;
  stop(): Promise<void>;
} {
  const { context, node, log, keys = () => [] } = options;
  const known = Promise.withResolvers<void>();
  const { nodeId } = context.jobs;
  const loop = startLoop({
    name: 'presence',
    everyMs: SEEN_EVERY_SECONDS * 1000,
    log,
    async run() {
      await sayWhere(context.db, nodeId, node, keys());
      known.resolve();
    },
  });
  return {
    isKnown: known.promise,
    async stop() {
      await loop.stop();
      // Without a database it is forgotten by itself.
      await servesNoMore(context.db, nodeId).catch(() => {});
    },
  };
}
