// A place (a host's address, a provider) that has refused one of our sources, and which payers that keeps from asking there. Pure: time as
// an argument. Promise: one domain's refusals keep that domain out, several domains' of one payer that payer, and several
// domains' of several payers everyone, as does what is said before a recipient was named; what was answered ends the rests it
// falls into, and no others.
import { isFree } from '../../domain/free-providers.ts';
import { Breaker } from './breaker.ts';

/** The payer and the domain that something is asked for. */
export interface Behalf {
  readonly payer: string;
  readonly domain: string;
}

export interface Refusal extends Behalf {
  readonly ip: string;
  /** Said before a recipient was named: it is said to everyone. */
  readonly isToAll: boolean;
  /** In words that leave no doubt: no second is needed. */
  readonly isCertain: boolean;
}

/** What it takes to begin a first rest. */
export interface Needs {
  /** In a row. */
  readonly refusals: number;
  readonly hosts: number;
  /** For others than the domain itself. A domain of mailboxes for everyone, such as gmail.com, is its provider's own and enough. */
  readonly domains: number;
  /** Of a provider: what one of its hosts says to all is not said by all of them. */
  readonly isWide: boolean;
}

const SCOPES = ['domain', 'payer', 'everyone'] as const;
export type Scope = (typeof SCOPES)[number];

/** Beyond them the oldest is forgotten: its rest ends, and the next refusals begin another. */
const PARTS_MAX = 200;
/** More of a kind prove nothing more. */
const EVIDENCE_MAX = 5;

class Part {
  readonly breaker = new Breaker();
  readonly #hosts = new Set<string>();
  readonly #domains = new Set<string>();
  readonly #payers = new Set<string>();
  #isToAll = false;
  #isProvidersOwn = false;

  note({ ip, domain, payer, isToAll }: Refusal): void {
    keep(this.#hosts, ip);
    keep(this.#domains, domain);
    keep(this.#payers, payer);
    if (isToAll) this.#isToAll = true;
    if (isFree(domain)) this.#isProvidersOwn = true;
  }

  /** The latest refusal included. */
  proves(scope: Scope, { refusals, hosts, domains, isWide }: Needs, payers: number): boolean {
    if (this.breaker.refusals + 1 < refusals || this.#hosts.size < hosts) return false;
    if (scope === 'domain' || (this.#isToAll && !isWide)) return true;
    const hasDomains = this.#domains.size >= domains || this.#isProvidersOwn;
    return hasDomains && (scope === 'payer' || this.#payers.size >= payers);
  }
}

function keep(set: Set<string>, one: string): void {
  if (set.size < EVIDENCE_MAX) set.add(one);
}

export class RefusedPlace {
  #everyone = new Part();
  readonly #parts = new Map<string, Part>();

  /** What keeps everyone out. */
  get breaker(): Breaker {
    return this.#everyone.breaker;
  }

  /** When the last of its rests ends. */
  get untilMs(): number {
    let { untilMs } = this.breaker;
    for (const { breaker } of this.#parts.values()) untilMs = Math.max(untilMs, breaker.untilMs);
    return untilMs;
  }

  /** A payer or a domain may be kept out that others are not. */
  get hasParts(): boolean {
    return this.#parts.size > 0;
  }

  /** The widest rest that begins; null: none does. */
  refused(refusal: Refusal, needs: Needs, payers: number, nowMs: number): Scope | null {
    let widest: Scope | null = null;
    for (const scope of SCOPES) {
      if (scope !== 'everyone' && refusal.isToAll && !needs.isWide) continue;
      const part = this.#partOf(scope, refusal);
      part.note(refusal);
      if (part.breaker.refused(refusal.isCertain || part.proves(scope, needs, payers), nowMs)) widest = scope;
    }
    return widest;
  }

  /** Nothing is known of it any more. */
  get isEmpty(): boolean {
    return !this.hasParts && this.breaker.refusals === 0 && !this.breaker.hasRested;
  }

  /** It has answered about a recipient. Returns what that has ended; what was asked before a rest began does not end it. */
  answered(behalf: Behalf, nowMs: number): readonly Breaker[] {
    const ended: Breaker[] = [];
    for (const key of keysOf(behalf)) {
      const breaker = this.#parts.get(key)?.breaker;
      if (breaker === undefined || breaker.isResting(nowMs)) continue;
      this.#parts.delete(key);
      ended.push(breaker);
    }
    if (!this.breaker.isResting(nowMs)) {
      ended.push(this.breaker);
      this.#everyone = new Part();
    }
    return ended;
  }

  /** A session begins: where a rest is over it is the one that tries. */
  began(behalf: Behalf, nowMs: number): void {
    this.breaker.began(nowMs);
    for (const key of keysOf(behalf)) this.#parts.get(key)?.breaker.began(nowMs);
  }

  /** What keeps this payer or domain out, and not everyone. */
  keepsOut(behalf: Behalf, nowMs: number): Breaker | null {
    return this.#find(behalf, (breaker) => breaker.keepsOut(nowMs));
  }

  /** The same while no session tries. */
  isResting(behalf: Behalf, nowMs: number): boolean {
    return this.#find(behalf, (breaker) => breaker.isResting(nowMs)) !== null;
  }

  #find(behalf: Behalf, fits: (breaker: Breaker) => boolean): Breaker | null {
    if (this.#parts.size > 0)
      for (const key of keysOf(behalf)) {
        const breaker = this.#parts.get(key)?.breaker;
        if (breaker !== undefined && fits(breaker)) return breaker;
      }
    return null;
  }

  #partOf(scope: Scope, behalf: Behalf): Part {
    if (scope === 'everyone') return this.#everyone;
    const key = keyOf(scope, behalf);
    let part = this.#parts.get(key);
    if (part === undefined) {
      if (this.#parts.size >= PARTS_MAX) this.#parts.delete(this.#parts.keys().next().value!);
      part = new Part();
      this.#parts.set(key, part);
    }
    return part;
  }
}

function keyOf(scope: Exclude<Scope, 'everyone'>, behalf: Behalf): string {
  return `${scope} ${behalf[scope]}`;
}

function keysOf(behalf: Behalf): readonly string[] {
  return [keyOf('payer', behalf), keyOf('domain', behalf)];
}
