// Asks the engine about a held chunk's addresses.
// Promise: never rejects; what is thrown inside the service is kept with the chunk as its defect.
import type { Checker } from '@mxproof/engine';
import type { HeldChunk } from './held-chunk.ts';

/** Resolves when the checker has given every outcome it will give. */
export async function checkChunk(checker: Pick<Checker, 'ask'>, held: HeldChunk): Promise<void> {
  try {
    await checker.ask(held.questions(), {
      priority: held.isSingle ? 'single' : 'list',
      account: held.accountId,
      lot: held.listId,
      signal: held.signal,
      onOutcome: (index, outcome) => held.keepOutcome(index, outcome, Date.now()),
    });
  } catch (error) {
    held.blame(error);
  }
  held.end();
}
