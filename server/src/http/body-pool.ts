// The threads large bodies are understood in. Started when first needed, ended with the service.
// Promise: at most MAX_WAITING bodies wait; more are told to come back. A thread that dies takes only its own body along.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Bodies } from './read-bodies.ts';

const MAX_THREADS = availableParallelism() > 2 ? 2 : 1;
const MAX_WAITING = 64;
/** A 64 MiB body of the worst shape that json-shape.ts lets through fits. */
const THREAD_HEAP_MB = 1_024;

export interface BodyJob {
  readonly route: keyof Bodies;
  readonly blocks: readonly Uint8Array[];
}

type Understood = Bodies[keyof Bodies];

interface Waiting {
  readonly job: BodyJob;
  resolve(understood: Understood): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  busy: Waiting | null;
}

export interface BodyPool {
  run<Route extends keyof Bodies>(
    route: Route,
    blocks: readonly Buffer[],
  ): Promise<Bodies[Route] | { readonly kind: 'refused'; readonly why: 'unavailable' }>;
  close(): Promise<void>;
}

export function createBodyPool(): BodyPool {
  const threads = new Set<Thread>();
  const waiting: Waiting[] = [];

  function next(): void {
    while (waiting.length > 0) {
      const idle =
        [...threads].find((each) => each.busy === null) ?? (threads.size < MAX_THREADS ? start() : null);
      if (!idle) return;
      const taken = waiting.shift()!;
      idle.busy = taken;
      idle.worker.ref();
      idle.worker.postMessage(
        taken.job,
        taken.job.blocks.map((block) => block.buffer as ArrayBuffer),
      );
    }
  }

  function start(): Thread {
    const worker = new Worker(new URL('./body-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    const thread: Thread = { worker, busy: null };
    threads.add(thread);
    worker.on('message', (understood: Understood) => {
      thread.busy?.resolve(understood);
      thread.busy = null;
      // An idle thread keeps no process alive.
      worker.unref();
      next();
    });
    worker.on('error', (error) => end(error));
    worker.on('exit', () => end(new Error('a body thread ended')));
    function end(error: unknown): void {
      threads.delete(thread);
      thread.busy?.reject(error);
      thread.busy = null;
      next();
    }
    return thread;
  }

  return {
    run: (route, blocks) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MAX_WAITING) return resolve({ kind: 'refused', why: 'unavailable' });
        waiting.push({ job: { route, blocks }, resolve: resolve as Waiting['resolve'], reject });
        next();
      }),
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
