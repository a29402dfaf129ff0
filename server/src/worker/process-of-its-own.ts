// A process that asks about one chunk at a time, as seen from its node, and what the two say to each other.
// Promise: bounded in memory, CPU time and silence; it ends with its node, however that ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type {
  AskedPlace,
  AskOptions,
  KeptRests,
  LogEvent,
  Outcome,
  PermitGrant,
  PermitRequest,
  PermitStore,
  Permits,
  Question,
  RestStore,
  WireObserver,
} from '@mxproof/engine';

const HEAP_MB = 256;
/** A chunk needs a few. It ends a process that computes without end after its node was killed, and so cannot end it. */
const CPU_SECONDS = 300;
const ALIVE_EVERY_MS = 1_000;
/** Counted in turns of the node's event loop: a machine that was suspended does not make the process silent. */
const SILENT_TURNS = 60;

export interface AloneQuestions {
  readonly questions: readonly Question[];
  readonly how: Pick<AskOptions, 'priority' | 'account' | 'lot' | 'askedBefore'>;
  readonly isTest: boolean;
}

export type ToAlone =
  | { readonly kind: 'settings'; readonly settings: unknown; readonly aliveEveryMs: number }
  | ({ readonly kind: 'ask' } & AloneQuestions)
  | { readonly kind: 'granted'; readonly id: number; readonly grant: PermitGrant }
  | { readonly kind: 'not_granted'; readonly id: number; readonly why: string }
  | { readonly kind: 'may_try'; readonly id: number; readonly isOurs: boolean | null }
  | { readonly kind: 'rests'; readonly kept: KeptRests }
  | { readonly kind: 'stop' };

export type FromAlone =
  | { readonly kind: 'ready' | 'alive' | 'done' }
  | { readonly kind: 'outcome'; readonly index: number; readonly outcome: Outcome }
  | { readonly kind: 'take'; readonly id: number; readonly request: PermitRequest }
  | { readonly kind: 'give_back'; readonly permits: Permits }
  | {
      readonly kind: 'rest_began';
      readonly at: AskedPlace;
      readonly restMs: number;
      readonly refusals: number;
    }
  | { readonly kind: 'rest_ended'; readonly at: AskedPlace }
  | { readonly kind: 'claim_trial'; readonly id: number; readonly at: AskedPlace; readonly forMs: number }
  | { readonly kind: 'wire'; readonly told: WireFact }
  | { readonly kind: 'defect'; readonly message: string }
  | { readonly kind: 'log'; readonly level: LogEvent['level']; readonly line: string };

/** What its engine's observer was told. */
type WireFact = {
  [Name in keyof WireObserver]: { readonly name: Name; readonly told: Parameters<WireObserver[Name]> };
}[keyof WireObserver];

export class AloneProcess {
  readonly #child: ChildProcess;
  /** Resolves, with how it ended, once everything it had sent has been read. */
  readonly ended: Promise<string>;
  isReady = false;
  onMessage: (message: FromAlone) => void = () => {};

  constructor(options: {
    readonly program: URL;
    readonly settings: unknown;
    readonly permits?: PermitStore;
    readonly observer?: WireObserver;
    readonly rests?: RestStore;
    readonly aliveEveryMs?: number;
  }) {
    const { program, settings, permits, observer, rests, aliveEveryMs = ALIVE_EVERY_MS } = options;
    const node = [process.execPath, ...process.execArgv, `--max-old-space-size=${HEAP_MB}`];
    this.#child = spawn(
      '/bin/sh',
      ['-c', `ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`, ...node, fileURLToPath(program)],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' },
    );
    let silentTurns = 0;
    const watching = setInterval(() => {
      if (++silentTurns > SILENT_TURNS) this.#child.kill('SIGKILL');
    }, aliveEveryMs);
    this.#child.on('message', (message: FromAlone) => {
      silentTurns = 0;
      if (message.kind === 'ready') this.isReady = true;
      if (permits !== undefined) this.#pass(message, permits);
      if (rests !== undefined) this.#passRests(message, rests);
      if (observer !== undefined && message.kind === 'wire') observe(observer, message.told);
      this.onMessage(message);
    });
    this.ended = endOf(this.#child).finally(() => clearInterval(watching));
    this.tell({ kind: 'settings', settings, aliveEveryMs });
  }

  /** Also while it is idle: it may give back what it did not use. */
  #pass(message: FromAlone, permits: PermitStore): void {
    if (message.kind === 'give_back') permits.giveBack(message.permits).catch(() => {});
    if (message.kind !== 'take') return;
    const { id, request } = message;
    permits.take(request).then(
      (grant) => this.tell({ kind: 'granted', id, grant }),
      (error: Error) => this.tell({ kind: 'not_granted', id, why: error.message }),
    );
  }

  #passRests(message: FromAlone, rests: RestStore): void {
    if (message.kind === 'rest_began') rests.began(message.at, message.restMs, message.refusals);
    if (message.kind === 'rest_ended') rests.ended(message.at);
    if (message.kind !== 'claim_trial') return;
    const { id, at, forMs } = message;
    rests.claimTrial(at, forMs).then(
      (isOurs) => this.tell({ kind: 'may_try', id, isOurs }),
      () => this.tell({ kind: 'may_try', id, isOurs: null }),
    );
  }

  tell(message: ToAlone): void {
    // One that has died meanwhile is noticed by its end.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

function observe(observer: WireObserver, { name, told }: WireFact): void {
  if (name === 'session') observer.session(...told);
  else if (name === 'recipient') observer.recipient(...told);
  else observer.refusal(...told);
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [[status, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    return signal === null ? `exit status ${status}` : String(signal);
  } catch (error) {
    return (error as Error).message;
  }
}
