// Natural batching: calls made while a statement is in flight share the next one.
// Promise: an idle system adds no wait; a busy one pays for one round trip and one flush instead of many.

interface PendingCall<In, Out> {
  readonly input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

/** `work` answers in the order of its inputs. When it throws, every call that shared it rejects. */
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
      try {
        const outputs = await work(together.map(({ input }) => input));
        for (const [index, { resolve }] of together.entries()) resolve(outputs[index]!);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    running = false;
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
