// Notices who guesses addresses: a domain that rejects almost all recipients that one account asks about as unknown.
// Promise: asking such a domain on this account's behalf ends, for a day, after a fixed number of recipients, however many
// lists they are spread over, and only for this account; memory is bounded. What other processes have asked is learnt from
// the caller (`AskOptions.askedBefore`), who keeps what outcomes say (`Outcome.asked`); without either, it is counted here.
import { limitsFor, type Policy } from '../policy/policy.ts';
import type { AskedDomain, Meaning } from '../types.ts';
import { saysItExists } from '../verdict/verdict.ts';

/** Accounts' domains remembered; the one unused longest is forgotten first and counted afresh. */
const TALLIES_MAX = 50_000;
/** Of a hundred. A bought or old list has up to half unknown recipients; a dictionary has nearly all. */
const UNKNOWN_PERCENT = 95;
/** From the first recipient that was counted. */
const COUNTED_MS = 24 * 3_600_000;

export interface Tally {
  asked: number;
  unknown: number;
  sinceMs: number;
  /** Recipients after which it is judged; null: never; undefined: to be looked up in the policy. */
  judgedAfter: number | null | undefined;
  stopped: boolean;
}

interface GuessedDomain {
  readonly name: string;
  readonly provider: string;
  readonly facts: { readonly mx: string | null };
}

/** An account, or a lot that belongs to none. */
export type Asker = string;

export function askerOf(account: number | undefined, lot: number): Asker {
  return account === undefined ? `lot ${lot}` : `${account}`;
}

/** Null: it does not count. Free providers are exempt: of an old list they know fewer recipients than other domains do. */
export function isUnknown({ free }: { readonly free: boolean }, meaning: Meaning | null): boolean | null {
  if (free || (meaning !== 'no_mailbox' && !saysItExists(meaning))) return null;
  return meaning === 'no_mailbox';
}

export class GuessDetector {
  readonly #policy: Policy;
  readonly #now: () => number;
  readonly #tallies = new Map<string, Tally>();
  /** Some account was found to guess, here or elsewhere. */
  isOn = false;
  /** A cache of one: answers come a flight at a time, nearly always for the same asker and domain. */
  #last: { readonly asker: Asker; readonly domain: string; readonly tally: Tally } | null = null;

  constructor(policy: Policy, now: () => number) {
    this.#policy = policy;
    this.#now = now;
  }

  /** What was asked in all, as far as the caller knows: what is on its way here may be missing in it. */
  learn(asker: Asker, { domain, asked, unknown, ageMs }: AskedDomain): void {
    const tally = this.#tallyOf(asker, domain);
    if (asked <= tally.asked) return;
    tally.asked = asked;
    tally.unknown = unknown;
    tally.sinceMs = this.#now() - ageMs;
    this.isOn = true;
  }

  /** True once: for the recipient that crossed the limit, or the first one after it was crossed elsewhere. */
  note(asker: Asker, domain: GuessedDomain, isUnknown: boolean): boolean {
    const tally = this.#tallyOf(asker, domain.name);
    tally.asked += 1;
    if (isUnknown) tally.unknown += 1;
    if (tally.stopped) return false;
    tally.stopped = this.#isGuessed(tally, domain);
    this.isOn ||= tally.stopped;
    return tally.stopped;
  }

  /** The counts with which asking ended; null: it goes on. */
  stopped(asker: Asker, domain: GuessedDomain): Tally | null {
    const tally = this.#tallies.get(keyOf(asker, domain.name));
    if (tally === undefined || this.#isOver(tally)) return null;
    return tally.stopped || this.#isGuessed(tally, domain) ? tally : null;
  }

  #isGuessed(tally: Tally, { name, facts, provider }: GuessedDomain): boolean {
    if (tally.judgedAfter === undefined)
      tally.judgedAfter = limitsFor(this.#policy, facts.mx ?? name, provider).unknownRecipients;
    if (tally.judgedAfter === null || tally.asked < tally.judgedAfter) return false;
    return tally.unknown * 100 >= tally.asked * UNKNOWN_PERCENT;
  }

  #isOver({ sinceMs }: Tally): boolean {
    return this.#now() - sinceMs >= COUNTED_MS;
  }

  #tallyOf(asker: Asker, domain: string): Tally {
    const last = this.#last;
    if (last !== null && last.asker === asker && last.domain === domain && !this.#isOver(last.tally))
      return last.tally;
    const key = keyOf(asker, domain);
    let tally = this.#tallies.get(key);
    this.#tallies.delete(key);
    if (tally === undefined || this.#isOver(tally)) {
      tally = { asked: 0, unknown: 0, sinceMs: this.#now(), judgedAfter: undefined, stopped: false };
      const [oldest] = this.#tallies.size >= TALLIES_MAX ? this.#tallies.keys() : [];
      if (oldest !== undefined) this.#tallies.delete(oldest);
    }
    this.#tallies.set(key, tally);
    this.#last = { asker, domain, tally };
    return tally;
  }
}

function keyOf(asker: Asker, domain: string): string {
  return `${asker} ${domain}`;
}
