// A checker in a virtual world: hours in milliseconds, no sockets. For tests.

import type { WorldSpec } from '../../world/src/index.ts';
import { createVirtualWorld, type VirtualWorld } from '../../world/src/virtual.ts';
import {
  type Checker,
  type CheckerOptions,
  createChecker,
  type Finding,
  type LogEvent,
  type Outcome,
  type Question,
} from '../src/index.ts';

/** A domain with a preferred MX host and a second one. */
export const TWO_MX_HOSTS = {
  mx: [
    { host: 'mx1.example', preference: 10 },
    { host: 'mx2.example', preference: 20 },
  ],
  mailboxes: ['anna'],
} as const;

export interface VirtualRig {
  readonly world: VirtualWorld;
  readonly checker: Checker;
  readonly log: LogEvent[];
  check(email: string): Promise<Finding>;
  checkAll(emails: readonly string[]): Promise<Map<string, Finding>>;
  sleep(ms: number): Promise<void>;
}

export function virtualChecker(spec: WorldSpec, options: CheckerOptions = {}): VirtualRig {
  const world = createVirtualWorld(spec, { seed: 1 });
  const log: LogEvent[] = [];
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    random: sequence(),
    log: (event) => log.push(event),
    ...options,
  });
  return {
    world,
    checker,
    log,
    check: (email) => world.run(checker.check(email)),
    checkAll: (emails) =>
      world.run(
        (async () => {
          const found = new Map<string, Finding>();
          for await (const finding of checker.checkAll(emails)) found.set(finding.email, finding);
          return found;
        })(),
      ),
    sleep: (ms) => world.run(new Promise<void>((resolve) => world.clock.setTimeout(resolve, ms))),
  };
}

/** Chance that repeats itself from test to test. */
function sequence(): () => number {
  let state = 12345;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** How often an address was asked about. */
export function asked(virtual: VirtualRig, email: string): number {
  return virtual.world.seen.asks.get(email)?.length ?? 0;
}

/** Recipients asked about that are not in the list: the catch-all probes. */
export function catchAllProbes(virtual: VirtualRig, named: readonly string[]): string[] {
  return [...virtual.world.seen.asks.keys()].filter((email) => !named.includes(email));
}

export const verdictOf = (finding: { state: string; reason: string } | undefined) =>
  `${finding?.state} ${finding?.reason}`;

/** One round of questions. */
export function ask(virtual: VirtualRig, questions: readonly Question[]): Promise<Outcome[]> {
  return askWith(virtual, virtual.checker, questions);
}

export async function askWith(
  virtual: VirtualRig,
  checker: Checker,
  questions: readonly Question[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await virtual.world.run(
    checker.ask(questions, {
      onOutcome: (index, outcome) => {
        outcomes[index] = outcome;
      },
    }),
  );
  return outcomes;
}

/** The same questions, taken up where they were left. */
export function resumed(questions: readonly Question[], outcomes: readonly Outcome[]): Question[] {
  return questions.map((question, index) => {
    const outcome = outcomes[index];
    return outcome?.kind === 'later' ? { ...question, resume: outcome.resume } : question;
  });
}
