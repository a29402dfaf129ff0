// The steps that a piece of work takes: every block of our sources that runs, as V8 counts them, and what the methods of
// the language look at for it. Promise: the same work takes the same steps on any machine; before `startCounting` nothing
// of what is counted may have been loaded.
import { Session } from 'node:inspector';
import { countCalls } from './count-calls.ts';

const OURS = /\/(?:files|common)\/src\//;

const session = new Session();

export function startCounting(): void {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** Infinity: more than `max`, and given up. */
export async function countSteps(work: () => Promise<unknown>, max: number): Promise<number> {
  takeBlocks();
  const counted = await countCalls(work, max);
  return takeBlocks() + (counted?.steps ?? Number.POSITIVE_INFINITY);
}

/** Of what has run since the last call. */
function takeBlocks(): number {
  let blocks = 0;
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error !== null) throw error;
    for (const { url, functions } of taken.result)
      if (OURS.test(url)) for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  });
  return blocks;
}
