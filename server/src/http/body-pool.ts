// The threads larger bodies are understood in: one kind for ordinary lists, kept; one for huge bodies, ended after each,
// so that the memory one of them took goes back.
// Promise: at most MAX_WAITING bodies wait in each; more are told to come back. A thread that dies takes only its own
// body along.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Bodies } from './read-bodies.ts';

const MAX_WAITING = 64;
/** A hundred thousand ordinary addresses are below. */
const ORDINARY_BODY_BYTES = 8 * 1024 * 1024;

interface LaneOptions {
  readonly threads: number;
  /** The worst shape json-shape.ts lets through fits; a small heap is swept before it grows. */
  readonly heapMb: number;
  readonly endsAfterEach: boolean;
}
const ORDINARY: LaneOptions = {
  ...{ threads: availableParallelism() > 2 ? 2 : 1, heapMb: 192, endsAfterEach: false },
};
const HUGE: LaneOptions = { threads: 1, heapMb: 1_536, endsAfterEach: true };
/** Addresses live until the list is made: a large nursery would only be copied around. */
const NURSERY_MB = 12;

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
  const ordinary = createLane(ORDINARY);
  const huge = createLane(HUGE);
  return {
    run: (route, blocks) =>
      new Promise((resolve, reject) => {
        const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
        const lane = bytes > ORDINARY_BODY_BYTES ? huge : ordinary;
        const job = { job: { route, blocks }, resolve: resolve as Waiting['resolve'], reject };
        if (!lane.take(job)) resolve({ kind: 'refused', why: 'unavailable' });
      }),
    async close() {
      await Promise.all([ordinary.close(), huge.close()]);
    },
  };
}

function createLane({ threads: most, heapMb, endsAfterEach }: LaneOptions) {
  const threads = new Set<Thread>();
  const waiting: Waiting[] = [];

  function next(): void {
    while (waiting.length > 0) {
      const idle = [...threads].find(({ busy }) => busy === null) ?? (threads.size < most ? start() : null);
      if (!idle) return;
      const taken = waiting.shift()!;
      try {
        idle.worker.postMessage(
          taken.job,
          taken.job.blocks.map((block) => block.buffer as ArrayBuffer),
        );
        idle.busy = taken;
        idle.worker.ref();
      } catch (error) {
        taken.reject(error);
      }
    }
  }

  function start(): Thread {
    const worker = new Worker(new URL('./body-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: NURSERY_MB },
    });
    const thread: Thread = { worker, busy: null };
    threads.add(thread);
    worker.on('message', (understood: Understood) => {
      thread.busy?.resolve(understood);
      thread.busy = null;
      if (endsAfterEach) {
        threads.delete(thread);
        void worker.terminate();
      }
      // An idle thread keeps no process alive.
      worker.unref();
      next();
    });
    const end = (error: unknown) => {
      threads.delete(thread);
      thread.busy?.reject(error);
      thread.busy = null;
      next();
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('a body thread ended')));
    return thread;
  }

  return {
    take(job: Waiting): boolean {
      if (waiting.length >= MAX_WAITING) return false;
      waiting.push(job);
      next();
      return true;
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
