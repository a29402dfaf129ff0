// What a file holds, counted before anything is paid. Pure. Promise: `unique` is what the service charges for, since the
// addresses are told apart by the same rule (trimmed, in lower case), and what is said of one is what the engine says.
import type { UniqueAddresses } from '@mxproof/files/addresses';

/** Enough to mend a file by hand; beyond, a program has to. */
export const MAX_FAULTS = 200;
const MAX_DOMAINS = 6;
/** Of a cell that is shown. */
const MAX_SHOWN_CHARACTERS = 80;

export interface Fault {
  readonly line: number;
  readonly text: string;
}

export interface FileSummary {
  readonly rows: number;
  readonly unique: number;
  readonly duplicates: number;
  /** Cells with nothing in them. */
  readonly blank: number;
  /** Cells with something in them that is no address, duplicates included. */
  readonly invalid: number;
  /** Of those, the ones without an @, which are not sent. */
  readonly notSent: number;
  /** The first of the invalid. */
  readonly faults: readonly Fault[];
  readonly disposable: number;
  readonly role: number;
  /** Largest first. */
  readonly domains: readonly { readonly domain: string; readonly count: number }[];
  readonly otherDomains: number;
}

export interface AddressTraits {
  readonly valid: boolean;
  readonly role: boolean;
  readonly disposable: boolean;
}

export class FileSummaryBuilder {
  readonly #addresses: UniqueAddresses;
  readonly #inspect: (address: string) => AddressTraits;
  readonly #malformed = new Set<string>();
  readonly #domains = new Map<string, number>();
  readonly #faults: Fault[] = [];
  #found = 0;
  #blank = 0;
  #invalid = 0;
  #notSent = 0;
  #disposable = 0;
  #role = 0;

  constructor(addresses: UniqueAddresses, inspect: (address: string) => AddressTraits) {
    this.#addresses = addresses;
    this.#inspect = inspect;
  }

  address(text: string, line: number): void {
    this.#found += 1;
    const before = this.#addresses.size;
    this.#addresses.add(text);
    const key = text.trim().toLowerCase();
    if (this.#addresses.size > before) this.#first(key);
    if (this.#malformed.has(key)) this.#fault(text, line);
  }

  other(cell: string, line: number): void {
    if (cell.trim() === '') this.#blank += 1;
    else {
      this.#notSent += 1;
      this.#fault(cell, line);
    }
  }

  finish(rows: number): FileSummary {
    const domains = [...this.#domains]
      .map(([domain, count]) => ({ domain, count }))
      .sort((a, b) => b.count - a.count);
    const shown = domains.slice(0, MAX_DOMAINS);
    const unique = this.#addresses.size;
    return {
      rows,
      unique,
      duplicates: this.#found - unique,
      blank: this.#blank,
      invalid: this.#invalid,
      notSent: this.#notSent,
      faults: this.#faults,
      disposable: this.#disposable,
      role: this.#role,
      domains: shown,
      otherDomains: domains.slice(MAX_DOMAINS).reduce((sum, { count }) => sum + count, 0),
    };
  }

  #first(key: string): void {
    const { valid, role, disposable } = this.#inspect(key);
    if (!valid) {
      this.#malformed.add(key);
      return;
    }
    if (role) this.#role += 1;
    if (disposable) this.#disposable += 1;
    const domain = key.slice(key.lastIndexOf('@') + 1);
    this.#domains.set(domain, (this.#domains.get(domain) ?? 0) + 1);
  }

  #fault(text: string, line: number): void {
    this.#invalid += 1;
    if (this.#faults.length < MAX_FAULTS)
      this.#faults.push({ line, text: text.trim().slice(0, MAX_SHOWN_CHARACTERS) });
  }
}
