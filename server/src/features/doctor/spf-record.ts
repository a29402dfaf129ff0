// An SPF record as text → its terms (RFC 7208, 4.6 and 12). Promise: never throws; one term that does not fit makes the record
// invalid, as the RFC has it; bounded by the record's length.
import { readIp } from '../../rules/cidr.ts';
import { isMacroString } from './spf-macros.ts';

export type Qualifier = '+' | '-' | '~' | '?';

interface Term {
  readonly qualifier: Qualifier;
  /** As it was written. */
  readonly text: string;
}

export type Mechanism = Term &
  (
    | { readonly name: 'all' }
    | { readonly name: 'include' | 'exists'; readonly domain: string }
    | { readonly name: 'ptr'; readonly domain: string | null }
    | {
        readonly name: 'a' | 'mx';
        /** Null: the record's own. */
        readonly domain: string | null;
        readonly bits4: number;
        readonly bits6: number;
      }
    | { readonly name: 'ip4' | 'ip6'; readonly address: string; readonly bits: number }
  );

interface SpfRecord {
  readonly mechanisms: readonly Mechanism[];
  /** Where the rest is, unless `all` is among them. */
  readonly redirect: string | null;
}

export type ParsedSpf =
  | { readonly ok: true; readonly record: SpfRecord }
  | { readonly ok: false; readonly term: string };

/** Longer ones do not fit into most answers; none that works comes near. */
const RECORD_MAX_CHARS = 4_096;
const VERSION = /^v=spf1(?: |$)/i;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const MECHANISM = /^([+?~-]?)([a-z][a-z0-9]*)(.*)$/i;
/** Behind a name: `/24`, `//64`, or both. */
const PREFIXES = /(?:\/(0|[1-9]\d{0,2}))?(?:\/\/(0|[1-9]\d{0,2}))?$/;
const [V4_BITS, V6_BITS] = [32, 128];

/** Of all texts at a name, whatever they are for. */
export function isSpfRecord(text: string): boolean {
  return VERSION.test(text);
}

/** `text` is one that `isSpfRecord` found to be one. */
export function parseSpf(text: string): ParsedSpf {
  if (text.length > RECORD_MAX_CHARS) return { ok: false, term: `${text.slice(0, 20)}…` };
  const mechanisms: Mechanism[] = [];
  const modifiers = new Map<string, string>();
  for (const term of text.slice('v=spf1'.length).split(' ').filter(Boolean)) {
    const [, name = '', value = ''] = MODIFIER.exec(term) ?? [];
    if (name !== '') {
      const key = name.toLowerCase();
      const isOnce = key === 'redirect' || key === 'exp';
      if (!isMacroString(value) || (isOnce && (value === '' || modifiers.has(key))))
        return { ok: false, term };
      modifiers.set(key, value);
      continue;
    }
    const mechanism = readMechanism(term);
    if (mechanism === null) return { ok: false, term };
    mechanisms.push(mechanism);
  }
  return { ok: true, record: { mechanisms, redirect: modifiers.get('redirect') ?? null } };
}

function readMechanism(text: string): Mechanism | null {
  const [, sign = '', word = '', rest = ''] = MECHANISM.exec(text) ?? [];
  const term = { qualifier: (sign || '+') as Qualifier, text };
  const name = word.toLowerCase();
  switch (name) {
    case 'all':
      return rest === '' ? { ...term, name } : null;
    case 'include':
    case 'exists': {
      const domain = readDomain(rest);
      return domain === null || domain === '' ? null : { ...term, name, domain };
    }
    case 'ptr': {
      const domain = readDomain(rest);
      return domain === null ? null : { ...term, name, domain: domain || null };
    }
    case 'a':
    case 'mx': {
      const [whole, four = V4_BITS, six = V6_BITS] = PREFIXES.exec(rest)!;
      const domain = readDomain(rest.slice(0, rest.length - whole.length));
      const [bits4, bits6] = [Number(four), Number(six)];
      const isFit = domain !== null && bits4 <= V4_BITS && bits6 <= V6_BITS;
      return isFit ? { ...term, name, domain: domain || null, bits4, bits6 } : null;
    }
    case 'ip4':
    case 'ip6':
      return readRange(term, name, rest);
    default:
      return null;
  }
}

/** Behind its colon; empty where there is none; null: not one. */
function readDomain(rest: string): string | null {
  if (rest === '') return '';
  const domain = rest.slice(1);
  return rest.startsWith(':') && domain !== '' && isMacroString(domain) ? domain : null;
}

function readRange(term: Term, name: 'ip4' | 'ip6', rest: string): Mechanism | null {
  const most = name === 'ip4' ? V4_BITS : V6_BITS;
  const [, address = '', prefix = most] = /^:([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(rest) ?? [];
  const isFamily = address.includes(':') === (name === 'ip6');
  const bits = Number(prefix);
  return isFamily && readIp(address) !== null && bits <= most ? { ...term, name, address, bits } : null;
}
