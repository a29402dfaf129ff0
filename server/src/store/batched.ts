// Natural batching: calls made while a statement is in flight share the next one.
// Promise: an idle system adds no wait; a busy one pays for one round trip and one flush instead of many. A call with a
// defect fails alone.
import { isUnavailable } from './database.ts';

interface PendingCall<In, Out> {
  readonly input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

/** `work` answers in the order of its inputs. It is a transaction: when it throws, each input is tried alone. */
export function batched<In, Out>(
  most: number,
  work: (inputs: readonly In[]) => Promise<readonly Out[]>,
): (input: In) => Promise<Out> {
  let waiting: PendingCall<In, Out>[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const together = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await settle(together);
    }
    running = false;
  }

  async function settle(together: readonly PendingCall<In, Out>[]): Promise<void> {
    try {
      const outputs = await work(together.map(({ input }) => input));
      for (const [index, { resolve }] of together.entries()) resolve(outputs[index]!);
    } catch (error) {
      if (together.length > 1 && !isUnavailable(error)) for (const one of together) await settle([one]);
      else for (const { reject } of together) reject(error);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      // A microtask later, so that requests read in one turn of the loop share the first statement too.
      if (!running) {
        running = true;
        queueMicrotask(run);
      }
    });
}
