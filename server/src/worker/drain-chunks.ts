// Empties a node that stops: hands back what is unasked at once, waits for what is on the wire, writes everything.
// Promise: bounded; what is still unwritten at the end is asked again by another node once its claim lapses.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Logger } from 'pino';
import type { ClaimedChunks } from './claimed-chunks.ts';
import { waitUntil } from './wait-until.ts';
import type { Writer } from './writer.ts';

const WRITE_LIMIT_MS = 5_000;

export async function drainChunks(options: {
  readonly claimedChunks: ClaimedChunks;
  readonly writer: Writer;
  readonly log: Logger;
  /** How long to wait for answers to what is on the wire. */
  readonly graceMs: number;
  /** How long to wait for the last writes. */
  readonly writeLimitMs?: number;
}): Promise<void> {
  const { claimedChunks, writer, log } = options;
  for (const chunk of claimedChunks.all()) chunk.stop();
  writer.tick(steadyNow());
  await waitUntil(() => claimedChunks.all().every((chunk) => chunk.isOver), options.graceMs);
  for (const chunk of claimedChunks.all()) if (!chunk.isOver) chunk.handBackOpen(steadyNow());
  writer.tick(steadyNow());
  await waitUntil(() => claimedChunks.size === 0 && writer.idle, options.writeLimitMs ?? WRITE_LIMIT_MS);
  if (claimedChunks.size > 0) log.warn({ chunks: claimedChunks.size }, 'stopped with unwritten chunks');
}
