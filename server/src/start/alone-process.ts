// The program of worker/ask-alone.ts: asks about one chunk at a time.
// Promise: it ends with the node that started it; a signal that the node has got as well is the node's to act on.
import { writeFileSync } from 'node:fs';
import type {
  Checker,
  KeptRests,
  PermitGrant,
  PermitStore,
  RestStore,
  SourceOption,
  WireObserver,
} from '@mxproof/engine';
import type { Config, DnsServer } from '../settings/config.ts';
import type { AloneQuestions, FromAlone, ToAlone } from '../worker/process-of-its-own.ts';
import { testChecker } from '../worker/test-checker.ts';
import { compileReplyPatterns, createCheckerFor, type SayEvent } from './checker.ts';
import { startWatchdog } from './event-loop-watchdog.ts';

export interface AloneSettings {
  readonly config: Config;
  readonly dnsServers: readonly DnsServer[];
  readonly sources: readonly SourceOption[];
  readonly probeKey: string;
}

/** For the connections to mail servers to be closed in. */
const END_LIMIT_MS = 1_000;

let checker: Checker;
let stopping = new AbortController();

const send = (message: FromAlone) => process.connected && process.send!(message);
const say: SayEvent = (level, line) => void send({ kind: 'log', level, line });

/** Requests to the node that are not answered yet, by number. */
const asked = new Map<number, { grant(grant: PermitGrant): void; fail(why: Error): void }>();
let lastId = 0;

/** The node's, by message: this process has no connection to the database. */
const permits: PermitStore = {
  take: (request) =>
    new Promise((grant, fail) => {
      lastId += 1;
      asked.set(lastId, { grant, fail });
      send({ kind: 'take', id: lastId, request });
    }),
  giveBack: async (given) => void send({ kind: 'give_back', permits: given }),
};

/** Trials that the node was asked about, by number. */
const trials = new Map<number, { tell(isOurs: boolean): void; fail(why: Error): void }>();
let kept: KeptRests | null = null;

/** The node's, likewise. */
const rests: RestStore = {
  began: (at, restMs, refusals) => void send({ kind: 'rest_began', at, restMs, refusals }),
  ended: (at) => void send({ kind: 'rest_ended', at }),
  claimTrial: (at, forMs) =>
    new Promise((tell, fail) => {
      lastId += 1;
      trials.set(lastId, { tell, fail });
      send({ kind: 'claim_trial', id: lastId, at, forMs });
    }),
};

const observer: WireObserver = {
  session: (...told) => void send({ kind: 'wire', told: { name: 'session', told } }),
  recipient: (...told) => void send({ kind: 'wire', told: { name: 'recipient', told } }),
  refusal: (...told) => void send({ kind: 'wire', told: { name: 'refusal', told } }),
};

async function prepare({ config, dnsServers, sources, probeKey }: AloneSettings): Promise<void> {
  compileReplyPatterns();
  const { watchdog, watchTurns } = startWatchdog({
    warn: (fields, line) => say('warn', `${line}: ${JSON.stringify(fields)}`),
  });
  watchTurns();
  checker = await createCheckerFor(config, dnsServers, say, probeKey, {
    watchdog,
    permits,
    sources,
    observer,
    rests,
  });
  if (kept !== null) checker.learnRests(kept);
  send({ kind: 'ready' });
}

async function ask({ questions, how, isTest }: AloneQuestions): Promise<void> {
  stopping = new AbortController();
  try {
    await (isTest ? testChecker : checker).ask(questions, {
      ...how,
      signal: stopping.signal,
      onOutcome: (index, outcome) => void send({ kind: 'outcome', index, outcome }),
    });
  } catch (error) {
    send({ kind: 'defect', message: (error as Error).message });
  }
  send({ kind: 'done' });
}

function end(): void {
  setTimeout(() => process.exit(), END_LIMIT_MS);
  void checker?.close(0).finally(() => process.exit());
}

/** Where memory runs out, the kernel ends this process and not the node. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux.
  }
}

// SIGUSR1 would have Node open its inspector.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1'] as const) process.on(signal, () => {});
process.on('disconnect', end);
process.on('message', (message: ToAlone) => {
  switch (message.kind) {
    case 'settings':
      setInterval(() => send({ kind: 'alive' }), message.aliveEveryMs);
      void prepare(message.settings as AloneSettings);
      return;
    case 'ask':
      void ask(message);
      return;
    case 'granted':
      asked.get(message.id)?.grant(message.grant);
      asked.delete(message.id);
      return;
    case 'not_granted':
      asked.get(message.id)?.fail(new Error(message.why));
      asked.delete(message.id);
      return;
    case 'may_try':
      if (message.isOurs === null) trials.get(message.id)?.fail(new Error('the node does not know'));
      else trials.get(message.id)?.tell(message.isOurs);
      trials.delete(message.id);
      return;
    case 'rests':
      kept = message.kept;
      checker?.learnRests(kept);
      return;
    case 'stop':
      stopping.abort();
  }
});
dieFirst();
