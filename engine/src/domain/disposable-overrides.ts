// What the operator says of disposable domains, above the lists: entries that make a domain disposable, and entries that keep
// it from being so. Promise: replaced as a whole, while checks run; of two entries the nearest to the domain decides, and of
// two for one name the one that allows it.
import { listedName } from './listed-name.ts';

export interface OverrideEntries {
  /** Disposable: names in ASCII, lower case. */
  readonly denied: ReadonlySet<string>;
  /** Never disposable. */
  readonly allowed: ReadonlySet<string>;
}

export interface OverrideFinding {
  readonly disposable: boolean;
  /** The entry that decided. */
  readonly name: string;
}

const NONE: OverrideEntries = { denied: new Set(), allowed: new Set() };

export class DisposableOverrides {
  #entries = NONE;
  #version = 0;

  /** Another number whenever the entries are others. */
  get version(): number {
    return this.#version;
  }

  replace(entries: OverrideEntries): void {
    this.#entries = entries;
    this.#version += 1;
  }

  /** Null: it has no entry, and the lists decide. */
  find(domain: string): OverrideFinding | null {
    const { denied, allowed } = this.#entries;
    if (denied.size + allowed.size === 0) return null;
    const name = listedName(domain, (one) => allowed.has(one) || denied.has(one));
    return name === null ? null : { name, disposable: !allowed.has(name) };
  }
}

/** Where the operator has none. Never to be replaced. */
export const NO_OVERRIDES: Pick<DisposableOverrides, 'find' | 'version'> = new DisposableOverrides();
