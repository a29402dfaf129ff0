// What the world's DNS knows. Promise: one place answers for the wire server and for the virtual resolver alike;
// a name nobody wrote down does not exist.
import type { DnsFault } from './spec.ts';

export type QuestionType = 'a' | 'aaaa' | 'mx' | 'cname' | 'other';

export type ZoneRecord =
  | {
      readonly type: 'a' | 'aaaa';
      readonly name: string;
      readonly ttlSeconds: number;
      readonly address: string;
    }
  | { readonly type: 'cname'; readonly name: string; readonly ttlSeconds: number; readonly target: string }
  | {
      readonly type: 'mx';
      readonly name: string;
      readonly ttlSeconds: number;
      readonly preference: number;
      readonly exchange: string;
    };

export type ZoneAnswer =
  | { readonly kind: 'records' | 'truncated'; readonly records: readonly ZoneRecord[] }
  | { readonly kind: 'nxdomain' | 'nodata' | 'servfail' | 'refused' | 'timeout' };

const CNAME_HOPS_MAX = 10;

interface Name {
  readonly records: ZoneRecord[];
  fault: DnsFault | undefined;
  readonly failed: Map<QuestionType, number>;
}

export class Zone {
  readonly #names = new Map<string, Name>();
  readonly questions = new Map<string, number>();

  /** A name that exists, whether or not it has records. */
  touch(name: string, fault?: DnsFault): void {
    const known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, { records: [], fault, failed: new Map() });
    else if (fault !== undefined) known.fault = fault;
  }

  add(record: ZoneRecord): void {
    this.touch(record.name);
    this.#names.get(record.name)!.records.push(record);
  }

  /** Counts the question; `tcp` lifts truncation. */
  answer(name: string, type: QuestionType, tcp: boolean): ZoneAnswer {
    const key = `${type} ${name}`;
    this.questions.set(key, (this.questions.get(key) ?? 0) + 1);
    const found: ZoneRecord[] = [];
    let at = name;
    for (let hop = 0; hop < CNAME_HOPS_MAX; hop += 1) {
      const known = this.#names.get(at);
      if (known === undefined) return { kind: 'nxdomain' };
      const fault = faultNow(known, type);
      if (fault === 'truncate') {
        if (!tcp) return { kind: 'truncated', records: [] };
      } else if (fault !== null) return { kind: fault };
      const records = known.records.filter((record) => record.type === type);
      if (records.length > 0) return { kind: 'records', records: [...found, ...records] };
      const alias = known.records.find((record) => record.type === 'cname');
      if (alias === undefined) return { kind: 'nodata' };
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
