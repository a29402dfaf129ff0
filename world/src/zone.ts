// What the world's DNS knows. Promise: one place answers for the wire server and for the virtual resolver alike;
// a name that is not in the spec does not exist.
import type { DnsFault, DnsLie } from './spec.ts';

export type QuestionType = 'a' | 'aaaa' | 'mx' | 'cname' | 'ptr' | 'txt' | 'other';

export type ZoneRecord =
  | {
      readonly type: 'a' | 'aaaa';
      readonly name: string;
      readonly ttlSeconds: number;
      readonly address: string;
    }
  | { readonly type: 'cname'; readonly name: string; readonly ttlSeconds: number; readonly target: string }
  | { readonly type: 'ptr'; readonly name: string; readonly ttlSeconds: number; readonly target: string }
  | {
      readonly type: 'txt';
      readonly name: string;
      readonly ttlSeconds: number;
      readonly strings: readonly string[];
    }
  | {
      readonly type: 'mx';
      readonly name: string;
      readonly ttlSeconds: number;
      readonly preference: number;
      readonly exchange: string;
    };

export type ZoneAnswer =
  | { readonly kind: 'records'; readonly records: readonly ZoneRecord[] }
  | { readonly kind: 'truncated'; readonly records: readonly ZoneRecord[] }
  /** `about`: the name at the end of its aliases, where there were any. */
  | {
      readonly kind: 'nxdomain' | 'nodata' | 'servfail' | 'refused' | 'timeout';
      readonly about?: string;
    };

const CNAME_HOPS_MAX = 10;

interface Name {
  readonly records: ZoneRecord[];
  fault: DnsFault | undefined;
  readonly failed: Map<QuestionType, number>;
}

/** For lies that lead somewhere. */
interface Decoy {
  readonly host: string;
  readonly address: string;
}

const LIE_TTL_SECONDS = 60;

export class Zone {
  readonly #names = new Map<string, Name>();
  readonly questions = new Map<string, number>();
  readonly #lie: DnsLie | undefined;
  #decoy: Decoy | null = null;
  #asked = 0;

  constructor(lie?: DnsLie) {
    this.#lie = lie;
  }

  /** A name that exists, whether or not it has records. */
  touch(name: string, fault?: DnsFault): void {
    const known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, { records: [], fault, failed: new Map() });
    else if (fault !== undefined) known.fault = fault;
  }

  add(record: ZoneRecord): void {
    this.touch(record.name);
    if (record.type === 'a') this.#decoy ??= { host: record.name, address: record.address };
    this.#names.get(record.name)!.records.push(record);
  }

  /** Counts the question; `tcp` lifts truncation. */
  answer(name: string, type: QuestionType, tcp: boolean): ZoneAnswer {
    const key = `${type} ${name}`;
    this.questions.set(key, (this.questions.get(key) ?? 0) + 1);
    this.#asked += 1;
    return this.#lied(name, type) ?? this.#truth(name, type, tcp);
  }

  /** Null: not this time. */
  #lied(name: string, type: QuestionType): ZoneAnswer | null {
    const lie = this.#lie;
    if (lie === undefined || this.#asked <= (lie.from ?? 0) || this.#asked > (lie.until ?? Infinity))
      return null;
    switch (lie.kind) {
      case 'nxdomain':
      case 'servfail':
        return { kind: lie.kind };
      case 'silent':
        return { kind: 'timeout' };
      case 'no_mx':
        return type === 'mx' ? { kind: 'nodata' } : null;
      case 'one_address':
        return type === 'a' ? this.#decoyAddress(name) : { kind: 'nodata' };
      case 'one_host':
        return type === 'a' ? this.#decoyAddress(name) : null;
      case 'one_mx':
        return type === 'mx' ? this.#decoyMxHost(name) : null;
      case 'rewrites':
        if (this.#names.has(name)) return null;
        return type === 'a' ? this.#decoyAddress(name) : { kind: 'nodata' };
      case 'no_de':
        return name.endsWith('.de') ? { kind: 'nxdomain' } : null;
      default:
        return lie.kind satisfies never;
    }
  }

  #decoyAddress(name: string): ZoneAnswer {
    if (this.#decoy === null) return { kind: 'nodata' };
    const { address } = this.#decoy;
    return { kind: 'records', records: [{ type: 'a', name, ttlSeconds: LIE_TTL_SECONDS, address }] };
  }

  #decoyMxHost(name: string): ZoneAnswer {
    if (this.#decoy === null) return { kind: 'nodata' };
    const record = {
      type: 'mx',
      name,
      ttlSeconds: LIE_TTL_SECONDS,
      preference: 10,
      exchange: this.#decoy.host,
    };
    return { kind: 'records', records: [record as ZoneRecord] };
  }

  #truth(name: string, type: QuestionType, tcp: boolean): ZoneAnswer {
    const found: ZoneRecord[] = [];
    let at = name;
    for (let hop = 0; hop < CNAME_HOPS_MAX; hop += 1) {
      const known = this.#names.get(at);
      const about = hop === 0 ? {} : { about: at };
      if (known === undefined) return { kind: 'nxdomain', ...about };
      const fault = faultNow(known, type);
      if (fault === 'truncate') {
        if (!tcp) return { kind: 'truncated', records: [] };
      } else if (fault !== null) return { kind: fault };
      const records = known.records.filter((record) => record.type === type);
      if (records.length > 0) return { kind: 'records', records: [...found, ...records] };
      const alias = known.records.find((record) => record.type === 'cname');
      if (alias === undefined) return { kind: 'nodata', ...about };
      found.push(alias);
      at = alias.target;
    }
    return { kind: 'servfail' };
  }
}

function faultNow(name: Name, type: QuestionType): Exclude<DnsFault, object> | null {
  const { fault } = name;
  if (fault === undefined) return null;
  if (typeof fault === 'string') return fault;
  const failed = name.failed.get(type) ?? 0;
  if (failed >= fault.times) return null;
  name.failed.set(type, failed + 1);
  return fault.first;
}
