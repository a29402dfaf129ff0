// What can be said of a domain without its mail hosts: whether it takes mail, by which hosts, and its SPF and DMARC policies.
// Promise: DNS is asked as for addresses (the same cache, guard, turns and budgets, charged to the same payer); what it did not
// tell, or is not believed about, is null and never a guess.
//
//   its facts (domain-cache.ts) ─ error, or found to be invented ─▶ nothing is known but what the lists say
//     └ believed ─▶ the records behind them, its policies ─ denied ─▶ the server proves itself ─▶ none, else not known
import type { Holder } from '@mxproof/common/fair-share';
import { type AskDnsOptions, askPolicies, type Subject } from '../dns/ask-dns.ts';
import type { KeptAnswer } from '../dns/dns-cache.ts';
import type { DnsGuard } from '../dns/dns-guard.ts';
import { serverOf } from '../dns/domain-facts.ts';
import { type Lookup, LookupTurns } from '../dns/lookup-turns.ts';
import { zoneOf } from '../dns/zone-of.ts';
import { addressFlags } from '../domain/address-flags.ts';
import type { NO_OVERRIDES } from '../domain/disposable-overrides.ts';
import { isDotless } from '../domain/dotless.ts';
import { suggestDomain } from '../domain/suggest-domain.ts';
import type { MxRecord } from '../ports.ts';
import type { DomainReport } from '../types.ts';
import type { DomainCache, DomainState } from './domain-cache.ts';

export interface DomainReportsOptions extends AskDnsOptions {
  readonly guard: DnsGuard;
  readonly domains: DomainCache;
  readonly disposable: typeof NO_OVERRIDES;
}

type FromDns = Pick<DomainReport, 'acceptsMail' | 'mx' | 'provider' | 'spf' | 'dmarc'>;

const NOT_KNOWN: FromDns = { acceptsMail: null, mx: null, provider: null, spf: null, dmarc: null };
const NO_MAIL: FromDns = { acceptsMail: false, mx: [], provider: '', spf: '', dmarc: '' };

export class DomainReports {
  readonly #options: DomainReportsOptions;
  readonly #turns = new LookupTurns();

  constructor(options: DomainReportsOptions) {
    this.#options = options;
  }

  async of(domain: string, holder: Holder): Promise<DomainReport> {
    const dns = isDotless(domain) ? NO_MAIL : await this.#fromDns(domain, holder);
    const address = { local: '', domain, mailbox: '', needsSmtpUtf8: false };
    const { free, disposable } = addressFlags(address, dns.provider ?? '', this.#options.disposable);
    return { domain, ...dns, free, disposable, suggestion: suggestDomain(domain) };
  }

  async #fromDns(name: string, holder: Holder): Promise<FromDns> {
    const domain = await this.#options.domains.get(name, holder);
    await domain.trust.settled;
    const { facts, trust, provider } = domain;
    if (facts.kind === 'error' || trust.state !== 'kept') return NOT_KNOWN;
    const lookup = this.#turns.first(holder);
    await lookup.turn();
    try {
      const mx = await this.#mxOf(domain, lookup);
      const spf = await this.#policyAt(name, 'v=spf1', this.#subject(name, lookup));
      const dmarc = await this.#dmarcOf(name, lookup);
      return { acceptsMail: facts.kind === 'ok', mx, provider, spf, dmarc };
    } finally {
      lookup.end();
    }
  }

  /** The cache has them still, as long as they were kept for; asked again, they are as good. */
  async #mxOf({ name, facts }: DomainState, lookup: Lookup): Promise<readonly MxRecord[] | null> {
    if (facts.isAddressOnly) return facts.mx === null ? [] : [{ preference: 0, exchange: facts.mx }];
    if (facts.detail === 'no_such_domain') return [];
    const { answer } = await this.#options.dns.mx(name, lookup);
    if (answer.kind !== 'records') return null;
    return answer.records.filter(({ exchange }) => exchange !== '');
  }

  /** RFC 7489, 6.6.3: its own, else that of the registered domain. */
  async #dmarcOf(name: string, lookup: Lookup): Promise<string | null> {
    const own = await this.#policyAt(`_dmarc.${name}`, 'v=dmarc1', this.#subject(name, lookup));
    const registered = zoneOf(name);
    if (own !== '' || registered === name) return own;
    return this.#policyAt(`_dmarc.${registered}`, 'v=dmarc1', this.#subject(registered, lookup));
  }

  #subject(name: string, lookup: Lookup): Subject {
    return { ...this.#options, name, lookup, isWhole: false };
  }

  async #policyAt(name: string, begins: string, subject: Subject): Promise<string | null> {
    const said = await askPolicies(name, subject);
    const { answer } = said;
    switch (answer.kind) {
      case 'records': {
        const own = answer.records.filter((text) => text.toLowerCase().startsWith(begins));
        // Of several, receivers use none (RFC 7208, 4.5; RFC 7489, 6.6.3).
        return own.length === 1 ? own[0]! : '';
      }
      case 'nxdomain':
      case 'nodata':
        return (await this.#isDenialBelieved(said, name)) ? '' : null;
      case 'servfail':
      case 'refused':
      case 'timeout':
        return null;
      default:
        return answer satisfies never;
    }
  }

  async #isDenialBelieved(said: KeptAnswer<string>, name: string): Promise<boolean> {
    const { guard } = this.#options;
    return !guard.isOn || guard.denialHolds(serverOf(said), name, 'address');
  }
}
