// Whether several hosts of a provider say that we ask too much. Pure: time as an argument. Promise: what one host says, or what
// is said to one payer of several, slows down that host and not its provider.
import { type Payers, payersNeeded } from '../../../policy/payers.ts';

const HOSTS_NEEDED = 2;
const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED_MAX = 20;

export class StrainedHosts {
  readonly #payers: Payers;
  /** The latest sign of each host and payer. */
  readonly #signs = new Map<string, { readonly ip: string; readonly payer: string; readonly atMs: number }>();

  constructor(payers: Payers) {
    this.#payers = payers;
  }

  /** A host has given a sign. */
  isProven(ip: string, payer: string, nowMs: number): boolean {
    const key = `${ip} ${payer}`;
    this.#signs.delete(key);
    this.#signs.set(key, { ip, payer, atMs: nowMs });
    if (this.#signs.size > REMEMBERED_MAX) this.#signs.delete(this.#signs.keys().next().value!);
    const recent = [...this.#signs.values()].filter(({ atMs }) => nowMs - atMs < REMEMBERED_MS);
    const hosts = new Set(recent.map((sign) => sign.ip));
    const payers = new Set(recent.map((sign) => sign.payer));
    return hosts.size >= HOSTS_NEEDED && payers.size >= payersNeeded(this.#payers);
  }
}
