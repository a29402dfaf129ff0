// Asks the engine about a held chunk's addresses.
// Promise: never rejects; what is thrown inside the service is kept with the chunk as its defect.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker, Outcome } from '@mxproof/engine';
import type { HeldChunk } from './held-chunk.ts';

/** Resolves when the checker has given every outcome it will give. */
export async function checkChunk(checker: Pick<Checker, 'ask'>, held: HeldChunk): Promise<void> {
  try {
    await checker.ask(held.questions(), {
      priority: held.isSingle ? 'single' : 'list',
      account: held.accountId,
      lot: held.listId,
      signal: held.signal,
      onOutcome: (index, outcome) => held.keepOutcome(index, onSteadyClock(outcome), steadyNow),
    });
  } catch (error) {
    held.blame(error);
  }
  held.end();
}

/** The engine tells the time of the next attempt by the wall clock; a step of that one must not move what waits here. */
export function onSteadyClock(outcome: Outcome): Outcome {
  if (outcome.kind !== 'later') return outcome;
  return { ...outcome, notBeforeMs: outcome.notBeforeMs - Date.now() + steadyNow() };
}
