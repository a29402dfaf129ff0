// What a file holds, counted before anything is paid. Pure. Promise: `unique` is what is sent and what the service charges
// for, since the addresses are told apart by the same rule (trimmed, in lower case), and what is said of one is what the
// engine says: what has its verdict before anything is asked is shown with it, and not sent unless its owner wants to.
import { domainText, type Fixes, NO_FIXES } from '@mxproof/files/address-text';
import { UniqueAddresses } from '@mxproof/files/addresses';
import type { Survey } from '@mxproof/files/open-table';

/** Enough to mend a file by hand; beyond, a program has to. */
export const MAX_FAULTS = 200;
const MAX_DOMAINS = 6;
/** Fixed at once, the commonest first. */
const MAX_MISSPELT_DOMAINS = 500;
/** Of a cell that is shown. */
const MAX_SHOWN_CHARACTERS = 80;

/** A domain as it is written, and what is likelier. */
export interface MisspeltDomain {
  readonly domain: string;
  readonly suggestion: string;
  /** Different ones at this domain. */
  readonly addresses: number;
}

export interface Fault {
  /** Of the file, as a spreadsheet counts. */
  readonly row: number;
  /** Undefined: the sheet that is chosen, or no workbook. */
  readonly sheet?: string;
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
  /** In cells, each as often as it stands there, also those that are not sent. */
  readonly addresses: number;
  /** Different ones that are sent as they were meant. */
  readonly corrected: number;
  /** Cells with something in them that cannot be an address, duplicates included. */
  readonly invalid: number;
  /** Of those, the cells that are not sent. */
  readonly leftOut: number;
  /** How many different ones have an @, so that they could be sent. */
  readonly sendable: number;
  /** The first of the invalid. */
  readonly faults: readonly Fault[];
  readonly disposable: number;
  readonly role: number;
  /** The commonest first, whether or not they are fixed. */
  readonly misspelt: readonly MisspeltDomain[];
  /** Cells with more than one address. */
  readonly several: number;
  /** Largest first. */
  readonly domains: readonly { readonly domain: string; readonly count: number }[];
  readonly otherDomains: number;
}

interface AddressTraits {
  readonly role: boolean;
  readonly disposable: boolean;
  readonly suggestion: string | null;
}

/** The engine's. */
interface Judges {
  readonly inspectAddress: (address: string) => AddressTraits;
  /** Null: it has to be checked. */
  readonly certainVerdict: (address: string) => { readonly reason: string } | null;
}

interface SummaryChoices {
  /** What cannot be an address is sent too. */
  readonly sendsInvalid?: boolean;
  readonly fixes?: Fixes;
}

export class FileSummaryBuilder {
  readonly #judges: Judges;
  readonly #sendsInvalid: boolean;
  /** All with an @, as they are meant. */
  readonly #addresses: UniqueAddresses;
  /** Of domains as they are written; null: nothing is likelier. */
  readonly #misspelt = new Map<string, { suggestion: string; addresses: Set<string> } | null>();
  readonly #reasons = new Map<string, InvalidReason>();
  readonly #domains = new Map<string, number>();
  readonly #faults: Fault[] = [];
  readonly #corrected = new Set<string>();
  #found = 0;
  #blank = 0;
  #invalid = 0;
  #invalidAddresses = 0;
  #disposable = 0;
  #role = 0;

  constructor(judges: Judges, { sendsInvalid = false, fixes = NO_FIXES }: SummaryChoices) {
    this.#judges = judges;
    this.#sendsInvalid = sendsInvalid;
    this.#addresses = new UniqueAddresses(fixes);
  }

  /** In the order of the file. */
  *sent(): Iterable<string> {
    for (const address of this.#addresses.all())
      if (this.#sendsInvalid || !this.#reasons.has(address)) yield address;
  }

  address(text: string, row: number, sheet?: string): void {
    this.#found += 1;
    const before = this.#addresses.size;
    this.#addresses.add(text);
    const written = text.trim().toLowerCase();
    this.#noteSpelling(written);
    const key = this.#addresses.meant(text);
    if (key !== written) this.#corrected.add(written);
    if (this.#addresses.size > before) this.#first(key);
    const reason = this.#reasons.get(key);
    if (reason === undefined) return;
    this.#invalidAddresses += 1;
    this.#fault({ text, row, reason, sheet });
  }

  other(cell: string, row: number, sheet?: string): void {
    if (cell.trim() === '') this.#blank += 1;
    else this.#fault({ text: cell, row, reason: 'invalid_email', sheet });
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
      addresses: this.#found,
      corrected: this.#corrected.size,
      invalid: this.#invalid,
      leftOut: this.#invalid - (this.#sendsInvalid ? this.#invalidAddresses : 0),
      sendable,
      faults: this.#faults,
      disposable: this.#disposable,
      role: this.#role,
      misspelt: this.#misspeltDomains(),
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
    const { role, disposable, suggestion } = this.#judges.inspectAddress(key);
    if (role) this.#role += 1;
    // Lists of disposable domains have many misspelt ones, which mostly do not exist.
    if (disposable && suggestion === null) this.#disposable += 1;
    const domain = domainText(key);
    this.#domains.set(domain, (this.#domains.get(domain) ?? 0) + 1);
  }

  #noteSpelling(written: string): void {
    const domain = domainText(written);
    let found = this.#misspelt.get(domain);
    if (found === undefined) {
      const suggestion = this.#likelier(domain);
      found = suggestion === null ? null : { suggestion, addresses: new Set() };
      this.#misspelt.set(domain, found);
    }
    found?.addresses.add(written);
  }

  /** `gmail,com`, whose comma stands for a dot, is no domain to the engine. */
  #likelier(domain: string): string | null {
    const dotted = domain.replace(',', '.');
    const { suggestion } = this.#judges.inspectAddress(`a@${dotted}`);
    return suggestion ?? (dotted === domain ? null : dotted);
  }

  #misspeltDomains(): readonly MisspeltDomain[] {
    return [...this.#misspelt]
      .flatMap(([domain, found]) =>
        found === null ? [] : [{ domain, suggestion: found.suggestion, addresses: found.addresses.size }],
      )
      .sort((a, b) => b.addresses - a.addresses || (a.domain < b.domain ? -1 : 1))
      .slice(0, MAX_MISSPELT_DOMAINS);
  }

  #fault({ text, sheet, ...fault }: Omit<Fault, 'sheet'> & { readonly sheet: string | undefined }): void {
    this.#invalid += 1;
    if (this.#faults.length === MAX_FAULTS) return;
    const shown = text.trim().slice(0, MAX_SHOWN_CHARACTERS);
    this.#faults.push({ ...fault, text: shown, ...(sheet !== undefined && { sheet }) });
  }
}
