// What verifiers said of addresses, beside what became of mail to them. Pure.
// Promises: an address costs one entry, and there are at most MAX_ADDRESSES; of several outcomes of an address the one that says most
// counts, so that the order of a file changes nothing.
//
//   bounced       there is no such mailbox, whatever was delivered before: a server may accept first and bounce later
//   complained    it was delivered, and the recipient called it spam
//   delivered     the mailbox took a message, whatever was refused before
//   full, blocked, unclear   say nothing about whether a verdict was right

import { STATE_WORDS, type State } from '@mxproof/common/vocabulary/labels';
import { type Share, shareOf } from '@mxproof/common/wilson';
import type { BounceClass } from '@mxproof/engine';
import { OperatorError } from '@mxproof/server/operator-error';

export type Known = BounceClass | 'delivered' | 'complained';

/** Those that say little first. */
export const KNOWN: readonly Known[] = ['unclear', 'blocked', 'full', 'delivered', 'complained', 'bounced'];

/** About 200 bytes each. */
const MAX_ADDRESSES = 2_000_000;
/** What an entry has room for. */
export const MAX_FILES = 8;
const STATE_BITS = 3;
const STATE_MASK = (1 << STATE_BITS) - 1;
const KNOWN_AT = MAX_FILES * STATE_BITS;

/** Of one state of one file: how many addresses, by what became of mail to them. */
export type Row = Record<Known | 'none', number>;
export type Matrix = Readonly<Record<State, Row>>;

export interface Domain {
  readonly domain: string;
  readonly matrices: readonly Matrix[];
}

export class Tally {
  readonly #entries = new Map<string, number>();
  readonly #files: number;
  readonly #max: number;
  #unmatched = 0;

  constructor(files: number, max = MAX_ADDRESSES) {
    this.#files = files;
    this.#max = max;
  }

  /** Of an address that a file has twice, the first counts. */
  addState(file: number, email: string, state: State): void {
    const known = this.#entries.get(email);
    if (known === undefined && this.#entries.size >= this.#max)
      throw new OperatorError(
        `The files have more than ${this.#max.toLocaleString('en')} different addresses, which would not fit into memory: compare a part of them.`,
      );
    const at = file * STATE_BITS;
    if (known !== undefined && ((known >> at) & STATE_MASK) !== 0) return;
    this.#entries.set(email, (known ?? 0) | ((STATE_WORDS.indexOf(state) + 1) << at));
  }

  addOutcome(email: string, outcome: Known): void {
    const known = this.#entries.get(email);
    if (known === undefined) {
      this.#unmatched += 1;
      return;
    }
    const rank = KNOWN.indexOf(outcome) + 1;
    if (rank > known >> KNOWN_AT)
      this.#entries.set(email, (known & ((1 << KNOWN_AT) - 1)) | (rank << KNOWN_AT));
  }

  /** Outcomes of addresses that are in no file. */
  get unmatched(): number {
    return this.#unmatched;
  }

  /** Over the addresses that every file has, so that all are judged by the same. */
  sum(): { readonly matrices: readonly Matrix[]; readonly addresses: number; readonly leftOut: number } {
    const matrices = this.#empty();
    let addresses = 0;
    for (const entry of this.#entries.values()) if (this.#count(entry, matrices)) addresses += 1;
    return { matrices, addresses, leftOut: this.#entries.size - addresses };
  }

  /** The largest first. */
  byDomain(): readonly Domain[] {
    const domains = new Map<string, { matrices: readonly Matrix[]; addresses: number }>();
    for (const [email, entry] of this.#entries) {
      const domain = email.slice(email.lastIndexOf('@') + 1);
      const found = domains.get(domain) ?? { matrices: this.#empty(), addresses: 0 };
      if (!this.#count(entry, found.matrices)) continue;
      found.addresses += 1;
      domains.set(domain, found);
    }
    return [...domains]
      .toSorted(([, a], [, b]) => b.addresses - a.addresses)
      .map(([domain, { matrices }]) => ({ domain, matrices }));
  }

  #empty(): readonly Matrix[] {
    return Array.from({ length: this.#files }, emptyMatrix);
  }

  /** False: a file does not have it. */
  #count(entry: number, matrices: readonly Matrix[]): boolean {
    const states = matrices.map((_, file) => (entry >> (file * STATE_BITS)) & STATE_MASK);
    if (states.includes(0)) return false;
    const outcome = KNOWN[(entry >> KNOWN_AT) - 1] ?? 'none';
    for (const [file, state] of states.entries()) matrices[file]![STATE_WORDS[state - 1]!][outcome] += 1;
    return true;
  }
}

function emptyMatrix(): Matrix {
  const row = (): Row => ({
    unclear: 0,
    blocked: 0,
    full: 0,
    delivered: 0,
    complained: 0,
    bounced: 0,
    none: 0,
  });
  return Object.fromEntries(STATE_WORDS.map((state) => [state, row()])) as unknown as Matrix;
}

/** Of those that the outcome says something about. */
export function bouncedShare({ bounced, delivered, complained }: Row): Share {
  return shareOf(bounced, bounced + delivered + complained);
}

export function deliveredShare({ bounced, delivered, complained }: Row): Share {
  return shareOf(delivered + complained, bounced + delivered + complained);
}
