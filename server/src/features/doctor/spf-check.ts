// Whether a domain lets an address send in its name (RFC 7208). Promise: at most 10 terms that ask DNS, 2 of them in vain, and
// what these limits leave of aliases, MX hosts and names; a loop of records runs into them; never throws.
import type { DnsAnswer, NameLookups, Resolver } from '@mxproof/engine';
import { type Ip, readIp } from '../../rules/cidr.ts';
import { pointerName, sharesPrefix } from './ip-names.ts';
import { expandMacros, type MacroValues } from './spf-macros.ts';
import { isSpfRecord, type Mechanism, parseSpf, type Qualifier } from './spf-record.ts';

type SpfWord = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';

export interface SpfResult {
  readonly result: SpfWord;
  /** What decided, as the record has it, or what is wrong; null: nothing did. */
  readonly why: string | null;
}

export interface SpfQuestion {
  readonly ip: Ip;
  readonly domain: string;
  /** `local@domain`; for the null sender, `postmaster` at the HELO name. */
  readonly sender: string;
  readonly helo: string;
}

const LOOKUPS_MAX = 10;
const VOID_LOOKUPS_MAX = 2;
/** Of one `mx` or `ptr` term. */
const HOSTS_MAX = 10;
const V4_BITS = 32;
const RESULTS: Readonly<Record<Qualifier, SpfWord>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};
const DOMAIN = /^(?=.{1,253}$)(?:[!-\-/-~]{1,63}\.)+[!-\-/-~]{1,63}$/;

/** Ends the evaluation. */
class SpfStop extends Error {
  readonly result: SpfResult;

  constructor(result: SpfWord, why: string) {
    super(why);
    this.result = { result, why };
  }
}

export async function checkSpf(dns: Resolver & NameLookups, question: SpfQuestion): Promise<SpfResult> {
  try {
    return await new Evaluation(dns, question).check(question.domain.toLowerCase());
  } catch (error) {
    if (error instanceof SpfStop) return error.result;
    throw error;
  }
}

class Evaluation {
  readonly #dns: Resolver & NameLookups;
  readonly #question: SpfQuestion;
  #lookups = 0;
  #voidLookups = 0;

  constructor(dns: Resolver & NameLookups, question: SpfQuestion) {
    this.#dns = dns;
    this.#question = question;
  }

  async check(domain: string): Promise<SpfResult> {
    if (!DOMAIN.test(domain)) return { result: 'none', why: null };
    const texts = rowsOf(await this.#dns.txt(domain), `the TXT records of ${domain}`).filter(isSpfRecord);
    if (texts.length === 0) return { result: 'none', why: null };
    if (texts.length > 1) throw new SpfStop('permerror', `${domain} has ${texts.length} SPF records`);
    const parsed = parseSpf(texts[0]!);
    if (!parsed.ok)
      throw new SpfStop('permerror', `"${parsed.term}" in the record of ${domain} is not valid`);
    const { mechanisms, redirect } = parsed.record;
    for (const mechanism of mechanisms)
      if (await this.#matches(mechanism, domain))
        return { result: RESULTS[mechanism.qualifier], why: `"${mechanism.text}" of ${domain}` };
    if (redirect === null || mechanisms.some(({ name }) => name === 'all'))
      return { result: 'neutral', why: null };
    this.#count();
    const target = this.#expand(redirect, domain);
    const other = await this.check(target);
    if (other.result === 'none')
      throw new SpfStop('permerror', `${domain} redirects to ${target}, which has no SPF record`);
    return other;
  }

  async #matches(mechanism: Mechanism, domain: string): Promise<boolean> {
    const { ip } = this.#question;
    switch (mechanism.name) {
      case 'all':
        return true;
      case 'ip4':
      case 'ip6':
        return isInRange(ip, mechanism.address, mechanism.bits);
      case 'include':
        return this.#includes(this.#expand(mechanism.domain, domain), domain);
      case 'exists':
        this.#count();
        return this.#rows(await this.#dns.a(this.#expand(mechanism.domain, domain)), mechanism).length > 0;
      case 'a':
        this.#count();
        return this.#isAmong(await this.#addresses(this.#target(mechanism, domain), mechanism), mechanism);
      case 'mx':
        return this.#isMxHost(mechanism, domain);
      case 'ptr':
        return this.#hasName(this.#target(mechanism, domain));
      default:
        return mechanism satisfies never;
    }
  }

  async #includes(target: string, domain: string): Promise<boolean> {
    this.#count();
    const { result } = await this.check(target);
    if (result === 'none')
      throw new SpfStop('permerror', `${domain} includes ${target}, which has no SPF record`);
    return result === 'pass';
  }

  async #isMxHost(mechanism: Mechanism & { readonly name: 'a' | 'mx' }, domain: string): Promise<boolean> {
    this.#count();
    const hosts = this.#rows(await this.#dns.mx(this.#target(mechanism, domain)), mechanism);
    if (hosts.length > HOSTS_MAX)
      throw new SpfStop('permerror', `"${mechanism.text}" of ${domain} has more than 10 hosts`);
    for (const { exchange } of hosts) {
      const found = exchange === '' ? [] : rowsOf(await this.#ask(exchange), `the addresses of ${exchange}`);
      if (this.#isAmong(found, mechanism)) return true;
    }
    return false;
  }

  /** Deprecated, and answered all the same: a failure in it is no match. */
  async #hasName(target: string): Promise<boolean> {
    this.#count();
    const { ip } = this.#question;
    const answer = await this.#dns.ptr(pointerName(ip));
    const names = answer.kind === 'records' ? answer.records.slice(0, HOSTS_MAX) : [];
    for (const name of names) {
      if (name !== target && !name.endsWith(`.${target}`)) continue;
      const found = await this.#ask(name);
      if (found.kind === 'records' && found.records.some((one) => isInRange(ip, one, ip.width))) return true;
    }
    return false;
  }

  #isAmong(
    addresses: readonly string[],
    { bits4, bits6 }: { readonly bits4: number; readonly bits6: number },
  ): boolean {
    const { ip } = this.#question;
    const bits = ip.width === V4_BITS ? bits4 : bits6;
    return addresses.some((address) => isInRange(ip, address, bits));
  }

  async #addresses(name: string, mechanism: Mechanism): Promise<readonly string[]> {
    return this.#rows(await this.#ask(name), mechanism);
  }

  #ask(name: string): Promise<DnsAnswer<string>> {
    return this.#question.ip.width === V4_BITS ? this.#dns.a(name) : this.#dns.aaaa(name);
  }

  /** A lookup in vain is one of two. */
  #rows<Row>(answer: DnsAnswer<Row>, { text }: Mechanism): readonly Row[] {
    const rows = rowsOf(answer, `"${text}"`);
    if (rows.length === 0) this.#voidLookups += 1;
    if (this.#voidLookups > VOID_LOOKUPS_MAX)
      throw new SpfStop('permerror', 'more than 2 of its terms ask for names that do not exist');
    return rows;
  }

  #count(): void {
    this.#lookups += 1;
    if (this.#lookups > LOOKUPS_MAX) throw new SpfStop('permerror', 'it takes more than 10 DNS lookups');
  }

  #target({ domain: own }: { readonly domain: string | null }, domain: string): string {
    return own === null ? domain : this.#expand(own, domain);
  }

  #expand(text: string, domain: string): string {
    const values: MacroValues = { ...this.#question, domain };
    return expandMacros(text, values).toLowerCase().replace(/\.$/, '');
  }
}

function rowsOf<Row>(answer: DnsAnswer<Row>, what: string): readonly Row[] {
  if (answer.kind === 'records') return answer.records;
  if (answer.kind === 'nxdomain' || answer.kind === 'nodata') return [];
  throw new SpfStop('temperror', `DNS did not tell ${what} (${answer.kind})`);
}

function isInRange(ip: Ip, address: string, bits: number): boolean {
  const base = readIp(address);
  return base !== null && sharesPrefix(ip, base, bits);
}
