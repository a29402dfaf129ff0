// What a file holds, counted before anything is paid. Pure. Promise: `unique` is what is sent and what the service charges
// for, since the addresses are told apart by the same rule (trimmed, in lower case), and what is said of one is what the
// engine says: what has its verdict before anything is asked is shown with it, and not sent unless its owner wants to.
import { UniqueAddresses } from '@mxproof/files/addresses';
import type { Survey } from '@mxproof/files/open-table';

/** Enough to mend a file by hand; beyond, a program has to. */
export const MAX_FAULTS = 200;
const MAX_DOMAINS = 6;
/** Of a cell that is shown. */
const MAX_SHOWN_CHARACTERS = 80;

export interface Fault {
  readonly line: number;
  readonly text: string;
  readonly reason: InvalidReason;
}

/** Of a verdict that stands before DNS is asked. */
export type InvalidReason = 'invalid_email' | 'invalid_domain';

export interface FileSummary {
  readonly rows: number;
  /** To be sent. */
  readonly unique: number;
  /** Of those, the cells that repeat one. */
  readonly duplicates: number;
  /** Cells with nothing in them. */
  readonly blank: number;
  /** Cells with something in them that cannot be an address, duplicates included. */
  readonly invalid: number;
  /** How many different ones have an @, so that they could be sent. */
  readonly sendable: number;
  /** The first of the invalid. */
  readonly faults: readonly Fault[];
  readonly disposable: number;
  readonly role: number;
  /** Cells with more than one address, of which the first counts. */
  readonly several: number;
  /** Largest first. */
  readonly domains: readonly { readonly domain: string; readonly count: number }[];
  readonly otherDomains: number;
}

interface AddressTraits {
  readonly role: boolean;
  readonly disposable: boolean;
}

/** The engine's. */
interface Judges {
  readonly inspectAddress: (address: string) => AddressTraits;
  /** Null: it has to be checked. */
  readonly certainVerdict: (address: string) => { readonly reason: string } | null;
}

export class FileSummaryBuilder {
  readonly #judges: Judges;
  readonly #sendsInvalid: boolean;
  /** All with an @. */
  readonly #addresses = new UniqueAddresses();
  readonly #reasons = new Map<string, InvalidReason>();
  readonly #domains = new Map<string, number>();
  readonly #faults: Fault[] = [];
  #found = 0;
  #blank = 0;
  #invalid = 0;
  #invalidAddresses = 0;
  #disposable = 0;
  #role = 0;

  constructor(judges: Judges, sendsInvalid: boolean) {
    this.#judges = judges;
    this.#sendsInvalid = sendsInvalid;
  }

  /** In the order of the file. */
  *sent(): Iterable<string> {
    for (const address of this.#addresses.all())
      if (this.#sendsInvalid || !this.#reasons.has(address)) yield address;
  }

  address(text: string, line: number): void {
    this.#found += 1;
    const before = this.#addresses.size;
    this.#addresses.add(text);
    const key = text.trim().toLowerCase();
    if (this.#addresses.size > before) this.#first(key);
    const reason = this.#reasons.get(key);
    if (reason === undefined) return;
    this.#invalidAddresses += 1;
    this.#fault(text, line, reason);
  }

  other(cell: string, line: number): void {
    if (cell.trim() === '') this.#blank += 1;
    else this.#fault(cell, line, 'invalid_email');
  }

  finish({ rows, withMore }: Pick<Survey, 'rows' | 'withMore'>): FileSummary {
    const domains = [...this.#domains]
      .map(([domain, count]) => ({ domain, count }))
      .sort((a, b) => b.count - a.count);
    const shown = domains.slice(0, MAX_DOMAINS);
    const sendable = this.#reasons.size;
    const unique = this.#addresses.size - (this.#sendsInvalid ? 0 : sendable);
    const found = this.#found - (this.#sendsInvalid ? 0 : this.#invalidAddresses);
    return {
      rows,
      several: withMore,
      unique,
      duplicates: found - unique,
      blank: this.#blank,
      invalid: this.#invalid,
      sendable,
      faults: this.#faults,
      disposable: this.#disposable,
      role: this.#role,
      domains: shown,
      otherDomains: domains.slice(MAX_DOMAINS).reduce((sum, { count }) => sum + count, 0),
    };
  }

  #first(key: string): void {
    const certain = this.#judges.certainVerdict(key);
    if (certain !== null) {
      this.#reasons.set(key, certain.reason === 'invalid_domain' ? 'invalid_domain' : 'invalid_email');
      return;
    }
    const { role, disposable } = this.#judges.inspectAddress(key);
    if (role) this.#role += 1;
    if (disposable) this.#disposable += 1;
    const domain = key.slice(key.lastIndexOf('@') + 1);
    this.#domains.set(domain, (this.#domains.get(domain) ?? 0) + 1);
  }

  #fault(text: string, line: number, reason: InvalidReason): void {
    this.#invalid += 1;
    if (this.#faults.length < MAX_FAULTS)
      this.#faults.push({ line, text: text.trim().slice(0, MAX_SHOWN_CHARACTERS), reason });
  }
}
