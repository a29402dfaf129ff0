// Asks the engine about a claimed chunk's addresses.
// Promise: never rejects; what is thrown inside the service is kept with the chunk as its defect.
import { steadyNow } from '@mxproof/common/steady-now';
import type { AskedDomain, Checker, Outcome } from '@mxproof/engine';
import type { Observer } from '../flow/observer.ts';
import type { ClaimedChunk } from './claimed-chunk.ts';

/** Resolves when the checker has given every outcome it will give. */
export async function checkChunk(
  checker: Pick<Checker, 'ask'>,
  chunk: ClaimedChunk,
  askedBefore: readonly AskedDomain[] = [],
  observer?: Partial<Pick<Observer, 'checked'>>,
): Promise<void> {
  const counting = chunk.isTest ? undefined : observer;
  const kind = chunk.isSingle ? 'single' : 'list';
  const begunMs = steadyNow();
  try {
    await checker.ask(chunk.questions(), {
      priority: kind,
      account: chunk.accountId,
      askedBefore,
      lot: chunk.listId,
      signal: chunk.signal,
      onOutcome(index, outcome) {
        chunk.keepOutcome(index, onSteadyClock(outcome), steadyNow);
        if (outcome.kind === 'final') counting?.checked?.(outcome.finding, kind, steadyNow() - begunMs);
      },
    });
  } catch (error) {
    chunk.blame(error);
  }
  chunk.end();
}

/** The engine gives the time of the next attempt by the wall clock, whose steps must not move what waits here. */
export function onSteadyClock(outcome: Outcome): Outcome {
  if (outcome.kind !== 'later') return outcome;
  return { ...outcome, notBeforeMs: outcome.notBeforeMs - Date.now() + steadyNow() };
}
