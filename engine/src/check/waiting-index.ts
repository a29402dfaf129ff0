// Which checks wait for which domain, host or network: one index for every address check that waits for something other
// than its turn at a host. Promise: a check is in it exactly while its state says so, under the keys its state names;
// those of a key come out in the order they went in.
//
//   dns ─ its domain's lookup      dns_trust ─ its domain's DNS answer      catch_all ─ what is known of its domain
//   comparison ─ its host, and its domain there                             network ─ DNS or mail hosts as a whole
import type { CheckState, Network } from '../state/check-state.ts';

interface Waiter {
  readonly state: CheckState;
}

/** Objects stand for themselves; texts are made by the functions below. */
export type WaitKey = object | string;

export const hostKey = (ip: string): WaitKey => `host ${ip}`;
export const comparedKey = (domain: string): WaitKey => `compared ${domain}`;
export const networkKey = (what: Network): WaitKey => `network ${what}`;

/** Null: it waits for nothing but its turn, or is being moved on. */
export function keyOf(state: CheckState): WaitKey | null {
  switch (state.at) {
    case 'dns':
      return state.lookup;
    case 'dns_trust':
      return state.trust;
    case 'catch_all':
      return state.knowledge;
    case 'comparison':
      return hostKey(state.refusal.ip);
    case 'network':
      return networkKey(state.what);
    case 'queued':
    case 'sent':
    case 'unsealed':
    case 'answered':
    case 'heard':
    case 'concluding':
    case 'later':
    case 'done':
      return null;
    default:
      return state satisfies never;
  }
}

/** A comparison is found by its domain as well. */
export function secondKeyOf(state: CheckState): WaitKey | null {
  return state.at === 'comparison' ? comparedKey(state.refusal.domain) : null;
}

export class WaitingIndex<Check extends Waiter> {
  readonly #byKey = new Map<WaitKey, Set<Check>>();

  /** The check has left `before` for the state it is in. */
  moved(check: Check, before: CheckState): void {
    this.#remove(check, keyOf(before));
    this.#add(check, keyOf(check.state));
    if (before.at === 'comparison') this.#remove(check, secondKeyOf(before));
    if (check.state.at === 'comparison') this.#add(check, secondKeyOf(check.state));
  }

  /** Those that wait for it now, in the order they came: a copy, since moving one on takes it out. */
  at(key: WaitKey): readonly Check[] {
    const checks = this.#byKey.get(key);
    return checks === undefined ? [] : [...checks];
  }

  has(key: WaitKey): boolean {
    return this.#byKey.has(key);
  }

  count(key: WaitKey): number {
    return this.#byKey.get(key)?.size ?? 0;
  }

  #add(check: Check, key: WaitKey | null): void {
    if (key === null) return;
    const checks = this.#byKey.get(key);
    if (checks === undefined) this.#byKey.set(key, new Set([check]));
    else checks.add(check);
  }

  #remove(check: Check, key: WaitKey | null): void {
    if (key === null) return;
    const checks = this.#byKey.get(key);
    if (checks === undefined) return;
    checks.delete(check);
    if (checks.size === 0) this.#byKey.delete(key);
  }
}
