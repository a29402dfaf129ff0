// Asks about a chunk in a process that asks about nothing else meanwhile: the chunk may be what ended two nodes (ADR 0050).
// Promise: whatever the process does, this one goes on. What it answered before its death is kept. Its death counts once
// it has the chunk, and only while it was not told to stop; a process that did not start says nothing about the chunk.
//
//   starting ──ready──▶ idle ──ask──▶ asking ──done──▶ idle ──a while──▶ (ended)
//      │                                └──dies, falls silent──▶ DiedAlone, or handed back if it was told to stop
//      └──dies──▶ handed back after a while
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskOptions, Checker, KeptRests, PermitStore, RestStore, WireObserver } from '@mxproof/engine';
import type { Logger } from 'pino';
import { DiedAlone } from '../flow/fail-chunk.ts';
import { AloneProcess, type AloneQuestions, type FromAlone } from './process-of-its-own.ts';

/** An idle process knows hosts already, and need not be started. */
const IDLE_MS = 10_000;
/** Before a chunk whose process did not start is claimed again. */
const START_AGAIN_MS = 15_000;

interface AloneHow {
  /** Of a test list. */
  readonly isTest: boolean;
  /** In a process that has asked about nothing before: what an earlier chunk left behind must not count against this one. */
  readonly isFresh: boolean;
}

export interface AskAlone {
  checker(how: AloneHow): Pick<Checker, 'ask'>;
  /** For those that run, and those to come. */
  learnRests(kept: KeptRests): void;
  /** Ends the processes. */
  close(): void;
}

export function createAskAlone(options: {
  /** What the processes run. */
  readonly program: URL;
  /** Handed to the program. */
  readonly settings: unknown;
  /** Counts what they ask with what their node does. */
  readonly permits?: PermitStore | undefined;
  /** Told what happens on their wires, as on the node's own. */
  readonly observer?: WireObserver | undefined;
  /** Where they rest is where the node does. */
  readonly rests?: RestStore | undefined;
  readonly log: Logger;
  readonly aliveEveryMs?: number;
}): AskAlone {
  const { log } = options;
  const processes = new Set<AloneProcess>();
  const idle: AloneProcess[] = [];
  let kept: KeptRests = { rests: [], resumed: [] };

  function start(): AloneProcess {
    const started = new AloneProcess(options);
    // Before the first question, since messages keep their order.
    started.tell({ kind: 'rests', kept });
    processes.add(started);
    void started.ended.then(() => processes.delete(started));
    return started;
  }

  function rest(done: AloneProcess): void {
    idle.push(done);
    setTimeout(() => {
      const at = idle.indexOf(done);
      if (at < 0) return;
      idle.splice(at, 1);
      done.end();
    }, IDLE_MS).unref();
  }

  async function ask(asked: AloneQuestions, isFresh: boolean, how: AskOptions): Promise<void> {
    const { signal, onOutcome, lot } = how;
    const open = new Set(asked.questions.keys());
    const running = (isFresh ? undefined : idle.pop()) ?? start();
    const { promise: done, resolve: finish } = Promise.withResolvers<null>();
    let defect: string | null = null;
    const begin = () => {
      running.tell({ kind: 'ask', ...asked });
      if (signal?.aborted) stop();
    };
    const stop = () => running.tell({ kind: 'stop' });
    running.onMessage = (message: FromAlone) => {
      switch (message.kind) {
        case 'ready':
          return begin();
        case 'outcome':
          try {
            if (open.delete(message.index)) onOutcome(message.index, message.outcome);
          } catch (error) {
            defect ??= (error as Error).message;
          }
          return;
        case 'log':
          return log[message.level]({ listId: lot }, message.line);
        case 'defect':
          defect ??= message.message;
          return;
        case 'done':
          finish(null);
      }
    };
    if (running.isReady) begin();
    signal?.addEventListener('abort', stop);
    const end = await Promise.race([done, running.ended]);
    signal?.removeEventListener('abort', stop);
    running.onMessage = () => {};
    if (end === null) rest(running);

    if (defect !== null) throw new Error(defect);
    if (end !== null && !signal?.aborted) {
      if (running.isReady) throw new DiedAlone(end);
      log.error({ listId: lot, end }, 'no process could be started for a chunk that is asked about alone');
      await sleep(START_AGAIN_MS, undefined, signal && { signal }).catch(() => {});
    }
    for (const index of open) onOutcome(index, { kind: 'unasked' });
  }

  return {
    checker: ({ isTest, isFresh }) => ({
      ask(questions, how) {
        const { priority, account, lot, askedBefore } = how;
        return ask({ questions, how: { priority, account, lot, askedBefore }, isTest }, isFresh, how);
      },
    }),
    learnRests(now) {
      kept = { ...now, resumed: [] };
      for (const each of processes) each.tell({ kind: 'rests', kept: now });
    },
    close() {
      for (const each of processes) each.end();
    },
  };
}
