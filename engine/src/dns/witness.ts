// One name server as a witness. Promise: its denial is trusted only once it has, queried afterwards, named the
// exchangers of a sentinel and denied a made-up name; its affirmation, once it has, queried afterwards, not invented an
// answer. At most one sentinel query per second, and none while no caller waits.
import type { DnsAnswer, MxRecord, NamedServer } from '../ports.ts';
import type { Clock } from '../types.ts';
import { Rounds } from './rounds.ts';
import { topLevelOf } from './sentinels.ts';

const SENTINEL_EVERY_MS = 1_000;
/** Asked beside lookups, never in their way; the server has the answer at hand, since the name stays for a minute. */
const MADE_UP_EVERY_MS = 50;
const MADE_UP_KEPT_MS = 60_000;
/** A server that has not answered by then has invented nothing: no verdict waits longer for it. */
const MADE_UP_WAIT_MS = 3_000;
const MADE_UP_CHARS = 20;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** What a server says about a name that cannot exist. */
export type Candour =
  | { readonly kind: 'honest' }
  /** It answers with these addresses, or even with exchangers. */
  | { readonly kind: 'invents'; readonly addresses: ReadonlySet<string>; readonly exchangers: boolean }
  /** It has not denied the name, but has not made anything up either. */
  | { readonly kind: 'silent' };

/** What keeps a server from being believed. */
export type Doubt =
  | {
      readonly kind: 'sentinel';
      readonly name: string;
      readonly said: DnsAnswer<MxRecord>['kind'] | 'null_mx';
    }
  | { readonly kind: 'invents' }
  | { readonly kind: 'no_denial' }
  | { readonly kind: 'closed' };

/** Null: believed. */
type Proof = Doubt | null;

export interface WitnessOptions {
  readonly server: NamedServer;
  readonly sentinels: readonly string[];
  readonly clock: Clock;
  /** 0 ≤ n < 1, unpredictable. */
  readonly random: () => number;
}

const CLOSED: Doubt = { kind: 'closed' };
const SILENT: Candour = { kind: 'silent' };
const HONEST: Candour = { kind: 'honest' };

export class Witness {
  readonly #options: WitnessOptions;
  /** By top-level domain. */
  readonly #sentinels = new Map<string, string>();
  readonly #sentinelRounds: Rounds<Proof>;
  readonly #madeUpRounds: Rounds<Candour>;
  /** Whose sentinel was not answered rightly when it was last asked about. */
  readonly #failed = new Set<string>();
  /** For names without a sentinel of their own: each in turn, so that a server that knows some of them only is found out. */
  #turn = 0;
  /** One question about a made-up name at a time. */
  #timer: unknown = null;
  #madeUp = '';
  #madeUpUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: WitnessOptions) {
    this.#options = options;
    const { clock } = options;
    for (const name of options.sentinels) {
      const topLevel = topLevelOf(name);
      if (!this.#sentinels.has(topLevel)) this.#sentinels.set(topLevel, name);
    }
    this.#sentinelRounds = new Rounds({
      clock,
      everyMs: SENTINEL_EVERY_MS,
      closed: CLOSED as Proof,
      ask: (topLevel) => this.#askSentinel(topLevel),
      serves: (proof) => proof === null,
    });
    this.#madeUpRounds = new Rounds({
      clock,
      everyMs: MADE_UP_EVERY_MS,
      closed: SILENT,
      ask: () => this.#askMadeUp(),
      serves: () => true,
    });
  }

  /** Whether it may be believed that something about this name is not there. */
  async proves(name: string): Promise<Proof> {
    const [proof, candour] = await Promise.all([this.#asksSentinel(this.groupOf(name)), this.candour()]);
    if (proof !== null || candour.kind === 'honest') return proof;
    return { kind: candour.kind === 'invents' ? 'invents' : 'no_denial' };
  }

  /** The top-level domain whose sentinel speaks for the name; `` where any does. */
  groupOf(name: string): string {
    const topLevel = topLevelOf(name);
    return this.#sentinels.has(topLevel) ? topLevel : '';
  }

  candour(): Promise<Candour> {
    return this.#madeUpRounds.next();
  }

  close(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#sentinelRounds.close();
    this.#madeUpRounds.close();
  }

  /** One sentinel that fails speaks for its own top-level domain alone: others are asked about before any is. */
  async #asksSentinel(group: string): Promise<Proof> {
    let proof = await this.#sentinelRounds.next(group);
    for (let tries = 1; tries < this.#sentinels.size; tries += 1) {
      const isOver = proof === null || group !== '' || proof.kind === 'closed';
      if (isOver || this.#failed.size === this.#sentinels.size) break;
      proof = await this.#sentinelRounds.next(group);
    }
    return proof;
  }

  async #askSentinel(topLevel: string): Promise<Proof> {
    const own = topLevel === '' ? this.#nextTopLevel() : topLevel;
    const name = this.#sentinels.get(own)!;
    const answer = await this.#options.server.mx(name);
    const isRight = answer.kind === 'records' && answer.records.some(({ exchange }) => exchange !== '');
    if (isRight) this.#failed.delete(own);
    else this.#failed.add(own);
    if (isRight) return null;
    return { kind: 'sentinel', name, said: answer.kind === 'records' ? 'null_mx' : answer.kind };
  }

  #nextTopLevel(): string {
    const all = [...this.#sentinels.keys()];
    const good = all.filter((topLevel) => !this.#failed.has(topLevel));
    const those = good.length > 0 ? good : all;
    this.#turn += 1;
    return those[(this.#turn - 1) % those.length]!;
  }

  /** Where a made-up name would be denied: under one whose sentinel was not wrong. */
  #goodTopLevel(): string {
    const all = [...this.#sentinels.keys()];
    return all.find((topLevel) => !this.#failed.has(topLevel)) ?? all[0]!;
  }

  async #askMadeUp(): Promise<Candour> {
    const said = await this.#inTime(this.#madeUpName());
    if (said === null) return SILENT;
    const [a, mx] = said;
    const exchangers = mx.kind === 'records';
    if (a.kind === 'records') return { kind: 'invents', addresses: new Set(a.records), exchangers };
    if (exchangers) return { kind: 'invents', addresses: new Set(), exchangers };
    return a.kind === 'nxdomain' && mx.kind === 'nxdomain' ? HONEST : SILENT;
  }

  #inTime(name: string): Promise<[DnsAnswer<string>, DnsAnswer<MxRecord>] | null> {
    const { server, clock } = this.#options;
    return new Promise((tell, fail) => {
      this.#timer = clock.setTimeout(() => tell(null), MADE_UP_WAIT_MS);
      Promise.all([server.a(name), server.mx(name)])
        .finally(() => clock.clearTimeout(this.#timer))
        .then(tell, fail);
    });
  }

  #madeUpName(): string {
    const nowMs = this.#options.clock.now();
    const isFresh = nowMs < this.#madeUpUntilMs && this.#madeUpUntilMs - nowMs <= MADE_UP_KEPT_MS;
    if (isFresh && !this.#failed.has(topLevelOf(this.#madeUp))) return this.#madeUp;
    let label = '';
    for (let i = 0; i < MADE_UP_CHARS; i += 1)
      label += LETTERS.charAt(Math.floor(this.#options.random() * LETTERS.length));
    this.#madeUp = `${label}.${this.#goodTopLevel()}`;
    this.#madeUpUntilMs = nowMs + MADE_UP_KEPT_MS;
    return this.#madeUp;
  }
}
