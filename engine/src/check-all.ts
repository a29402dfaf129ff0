// Many addresses, findings in the order of completion. Promise: never more than a window of addresses between the
// source and the consumer, so that a slow reader slows the reading; greylisted ones wait in memory, not in line;
// leaving the loop early hands everything back.
import { setImmediate } from 'node:timers/promises';
import type { AskOptions, Clock, Finding, Outcome, Question } from './types.ts';

const WINDOW = 50_000;
/** Reading goes on when so many are left: addresses that come in a trickle open sessions for a handful each. */
const REFILL_BELOW = 25_000;
const ROUND_MAX = 4_000;
/** Beyond the schedule, for hosts that ask for pauses and a world that cannot be reached. */
const EXTRA_PATIENCE_MS = 1_800_000;

export interface CheckAllOptions {
  readonly ask: (
    questions: readonly Question[],
    last: boolean,
    signal: AbortSignal,
    onOutcome: AskOptions['onOutcome'],
  ) => Promise<void>;
  readonly clock: Clock;
  readonly patienceMs: number;
}

export async function* checkAllOf(
  emails: Iterable<string> | AsyncIterable<string>,
  options: CheckAllOptions,
): AsyncGenerator<Finding> {
  const { ask, clock } = options;
  const stop = new AbortController();
  const ready: Finding[] = [];
  const timers = new Set<unknown>();
  let outstanding = 0;
  let exhausted = false;
  let failure: unknown = null;
  let wake: () => void = () => {};

  const round = (questions: readonly Question[], last: boolean): void => {
    ask(questions, last, stop.signal, (index, outcome) => told(questions[index], outcome)).catch((error) => {
      failure ??= error;
      wake();
    });
  };
  const told = (question: Question | undefined, outcome: Outcome): void => {
    if (outcome.kind === 'later' && question !== undefined) {
      again(question.email, outcome);
      return;
    }
    if (outcome.kind === 'final') ready.push(outcome.finding);
    else outstanding -= 1;
    wake();
  };
  const again = (email: string, outcome: Extract<Outcome, { kind: 'later' }>): void => {
    const nowMs = clock.now();
    const lateMs = outcome.resume.firstAskedAtMs + options.patienceMs + EXTRA_PATIENCE_MS;
    const timer = clock.setTimeout(
      () => {
        timers.delete(timer);
        round([{ email, resume: outcome.resume }], clock.now() >= lateMs);
      },
      Math.max(0, outcome.notBeforeMs - nowMs),
    );
    timers.add(timer);
  };
  const fill = async (): Promise<void> => {
    let questions: Question[] = [];
    const send = () => {
      if (questions.length > 0) round(questions, false);
      questions = [];
    };
    for await (const email of emails) {
      if (outstanding >= WINDOW) {
        send();
        while (outstanding >= REFILL_BELOW && !stop.signal.aborted)
          await new Promise<void>((resume) => {
            room = resume;
          });
      }
      if (stop.signal.aborted) return;
      outstanding += 1;
      questions.push({ email });
      if (questions.length >= ROUND_MAX) {
        send();
        // Others have a turn: a long list read in one go would hold up every session.
        await setImmediate();
      }
    }
    send();
  };
  let room: () => void = () => {};

  fill().then(
    () => {
      exhausted = true;
      wake();
    },
    (error) => {
      failure ??= error;
      wake();
    },
  );
  try {
    for (;;) {
      let at = 0;
      while (at < ready.length) {
        const finding = ready[at];
        at += 1;
        if (finding !== undefined) yield finding;
        outstanding -= 1;
        room();
      }
      ready.splice(0, at);
      if (ready.length > 0) continue;
      if (failure !== null) throw failure;
      if (exhausted && outstanding === 0) return;
      await new Promise<void>((resume) => {
        wake = resume;
      });
    }
  } finally {
    stop.abort();
    room();
    for (const timer of timers) clock.clearTimeout(timer);
  }
}
