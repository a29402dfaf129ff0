// How one name server proves itself to the guard (dns-guard.ts). Promise: its denial is proven once it has, queried
// afterwards, named the MX hosts of a sentinel and denied a made-up name. At most one sentinel query per second and one
// made-up name every 50 ms, and none while no caller waits.
import type { DnsAnswer, MxRecord, NamedServer, Resolver } from '../ports.ts';
import type { Clock } from '../types.ts';
import { topLevelOf } from './sentinels.ts';
import { SharedQuery } from './shared-query.ts';

const SENTINEL_EVERY_MS = 1_000;
/** Asked beside lookups, never in their way; the server has the answer at hand, since the name stays for a minute. */
const MADE_UP_EVERY_MS = 50;
const MADE_UP_KEPT_MS = 60_000;
/** A server that has not answered by then has invented nothing: no verdict waits longer for it. */
const MADE_UP_WAIT_MS = 3_000;
const MADE_UP_CHARS = 20;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** It answers about a made-up name, with these addresses or even with MX hosts. */
export interface Invention {
  readonly kind: 'invents';
  readonly addresses: ReadonlySet<string>;
  readonly hasMx: boolean;
}

/** What a server says about a made-up name; `silent`: it has not denied it, but has not invented anything either. */
type MadeUpNameAnswer = Invention | { readonly kind: 'honest' } | { readonly kind: 'silent' };

type SentinelFailure = DnsAnswer<MxRecord>['kind'] | 'null_mx';

/** It says nothing, or that it has found nothing out: a server that lies or refuses says something. */
const MUTE: ReadonlySet<SentinelFailure | undefined> = new Set<SentinelFailure>(['timeout', 'servfail']);

/** What keeps a server from being believed. */
export type Doubt =
  | {
      readonly kind: 'sentinel';
      readonly name: string;
      readonly said: SentinelFailure;
    }
  | { readonly kind: 'invents' }
  | { readonly kind: 'no_denial' }
  | { readonly kind: 'closed' };

/** Null: believed. */
type Proof = Doubt | null;

interface ServerProofOptions {
  readonly server: NamedServer;
  readonly sentinels: readonly string[];
  readonly clock: Clock;
  /** 0 ≤ n < 1, unpredictable. */
  readonly random: () => number;
}

const CLOSED: Doubt = { kind: 'closed' };
const SILENT: MadeUpNameAnswer = { kind: 'silent' };
const HONEST: MadeUpNameAnswer = { kind: 'honest' };

export class ServerProof {
  readonly #options: ServerProofOptions;
  /** By top-level domain. */
  readonly #sentinels = new Map<string, string>();
  readonly #sentinelQuery: SharedQuery<Proof>;
  readonly #madeUpQuery: SharedQuery<MadeUpNameAnswer>;
  /** Top-level domains whose sentinel it was wrong about when last asked, and what it said. */
  readonly #failed = new Map<string, SentinelFailure>();
  /** For names without a sentinel of their own: each in turn, so that a server that knows some of them only is found out. */
  #sentinelsTaken = 0;
  /** One question about a made-up name at a time. */
  #timer: unknown = null;
  #madeUp = '';
  #madeUpUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: ServerProofOptions) {
    this.#options = options;
    const { clock } = options;
    for (const name of options.sentinels) {
      const topLevel = topLevelOf(name);
      if (!this.#sentinels.has(topLevel)) this.#sentinels.set(topLevel, name);
    }
    this.#sentinelQuery = new SharedQuery({
      clock,
      everyMs: SENTINEL_EVERY_MS,
      closed: CLOSED as Proof,
      ask: (topLevel) => this.#querySentinel(topLevel),
      serves: (proof) => proof === null,
    });
    this.#madeUpQuery = new SharedQuery({
      clock,
      everyMs: MADE_UP_EVERY_MS,
      closed: SILENT,
      ask: () => this.#queryMadeUp(),
      serves: () => true,
    });
  }

  /** Whether it may be believed that something about this name is not there. */
  async proves(name: string): Promise<Proof> {
    const [proof, said] = await Promise.all([this.#proveBySentinel(this.groupOf(name)), this.askMadeUp()]);
    if (proof !== null || said.kind === 'honest') return proof;
    return { kind: said.kind === 'invents' ? 'invents' : 'no_denial' };
  }

  /** The top-level domain whose sentinel applies to the name; `` where any does. */
  groupOf(name: string): string {
    const topLevel = topLevelOf(name);
    return this.#sentinels.has(topLevel) ? topLevel : '';
  }

  /** What it says about a made-up name from now on. */
  askMadeUp(): Promise<MadeUpNameAnswer> {
    return this.#madeUpQuery.next();
  }

  /**
   * Whether it answers about nothing at all, which it has just failed to prove for the name: one sentinel may be away itself, so
   * another one is asked, if there is one.
   */
  async isMute(name: string): Promise<boolean> {
    const group = this.groupOf(name);
    const isMuteAbout = (topLevel: string) => MUTE.has(this.#failed.get(topLevel));
    // All of them have been tried.
    if (group === '') return [...this.#sentinels.keys()].every(isMuteAbout);
    if (!isMuteAbout(group)) return false;
    const others = [...this.#sentinels.keys()].filter((topLevel) => topLevel !== group);
    const other = others.find((topLevel) => !this.#failed.has(topLevel)) ?? others[0];
    if (other === undefined) return true;
    const proof = await this.#sentinelQuery.next(other);
    return proof !== null && proof.kind !== 'closed' && isMuteAbout(other);
  }

  close(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#sentinelQuery.close();
    this.#madeUpQuery.close();
  }

  /** A failing sentinel counts against its own top-level domain only: others are tried first. */
  async #proveBySentinel(group: string): Promise<Proof> {
    let proof = await this.#sentinelQuery.next(group);
    for (let tries = 1; tries < this.#sentinels.size; tries += 1) {
      const isOver = proof === null || group !== '' || proof.kind === 'closed';
      if (isOver || this.#failed.size === this.#sentinels.size) break;
      proof = await this.#sentinelQuery.next(group);
    }
    return proof;
  }

  async #querySentinel(topLevel: string): Promise<Proof> {
    const own = topLevel === '' ? this.#nextTopLevel() : topLevel;
    const name = this.#sentinels.get(own)!;
    const answer = await this.#options.server.mx(name);
    const isRight = answer.kind === 'records' && answer.records.some(({ exchange }) => exchange !== '');
    if (isRight) this.#failed.delete(own);
    if (isRight) return null;
    const said = answer.kind === 'records' ? 'null_mx' : answer.kind;
    this.#failed.set(own, said);
    return { kind: 'sentinel', name, said };
  }

  #nextTopLevel(): string {
    const all = [...this.#sentinels.keys()];
    const good = all.filter((topLevel) => !this.#failed.has(topLevel));
    const those = good.length > 0 ? good : all;
    this.#sentinelsTaken += 1;
    return those[(this.#sentinelsTaken - 1) % those.length]!;
  }

  /** Where a made-up name would be denied: under one whose sentinel was not wrong. */
  #goodTopLevel(): string {
    const all = [...this.#sentinels.keys()];
    return all.find((topLevel) => !this.#failed.has(topLevel)) ?? all[0]!;
  }

  async #queryMadeUp(): Promise<MadeUpNameAnswer> {
    const said = await this.#inTime(this.#madeUpName());
    if (said === null) return SILENT;
    const [a, mx] = said;
    const hasMx = mx.kind === 'records';
    if (a.kind === 'records') return { kind: 'invents', addresses: new Set(a.records), hasMx };
    if (hasMx) return { kind: 'invents', addresses: new Set(), hasMx };
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

/** What is wrong with a server, to be said behind its name. */
export function describeDoubt(doubt: Doubt): string {
  switch (doubt.kind) {
    case 'sentinel':
      return doubt.said === 'servfail' || doubt.said === 'refused' || doubt.said === 'timeout'
        ? `does not answer for ${doubt.name} (${doubt.said})`
        : `reports no mail server for ${doubt.name} (${doubt.said})`;
    case 'invents':
      return 'returns an answer for a made-up name';
    case 'no_denial':
      return 'does not report a made-up name as missing';
    case 'closed':
      return 'is no longer queried';
    default:
      return doubt satisfies never;
  }
}

/** One that does not tell them apart counts as one. */
export function serversOf(resolver: Resolver): readonly NamedServer[] {
  const whole: NamedServer = {
    name: 'the DNS resolver',
    mx: (name) => resolver.mx(name),
    a: (name) => resolver.a(name),
  };
  return resolver.servers ?? [whole];
}
