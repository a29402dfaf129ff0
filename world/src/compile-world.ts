// Turns a spec into hosts with addresses and a zone. Promise: the same spec and seed give the same names,
// addresses and answers; a spec that contradicts itself stops here with a sentence.
import { domainToASCII } from 'node:url';
import { DEFAULT_SENTINELS } from '@mxproof/engine';
import { Host, type HostShare } from './host.ts';
import { compileMailboxes, type MailboxRule } from './mailboxes.ts';
import type { DomainSpec, HostSpec, WorldSpec } from './spec.ts';
import { createCounters, type RcptRecord, type Traffic } from './traffic.ts';
import { Zone } from './zone.ts';
import { addNames } from './zone-names.ts';

const TTL_SECONDS = 300;
/** 127.1.0.1 and up, so that 127.0.0.x stays free for sources. */
const FIRST_HOST_ADDRESS = (127 << 24) | (1 << 16) | 1;
const HOSTS_MAX = 60_000;

export interface PlacedHost {
  readonly host: Host;
  /** Who takes its connections: another where something in between does. */
  answeredBy: Host;
  readonly addresses: readonly string[];
}

export interface CompiledDomain {
  readonly spec: DomainSpec;
  readonly rule: MailboxRule;
  /** By preference, as in the spec. Empty: no MX host. */
  readonly mxHosts: readonly string[];
}

export interface CompiledWorld {
  readonly spec: WorldSpec;
  readonly seed: number;
  readonly hosts: ReadonlyMap<string, PlacedHost>;
  readonly byAddress: ReadonlyMap<string, Host>;
  readonly domains: ReadonlyMap<string, CompiledDomain>;
  readonly zone: Zone;
  readonly seen: Traffic;
}

export interface CompileOptions {
  readonly seed: number;
  readonly keepAsks?: boolean | undefined;
}

export function compileWorld(spec: WorldSpec, options: CompileOptions): CompiledWorld {
  const asks = new Map<string, RcptRecord[]>();
  const share: HostShare = {
    total: createCounters(),
    asks: options.keepAsks === false ? null : asks,
    seed: options.seed,
  };
  const hosts = new Map<string, PlacedHost>();
  const byAddress = new Map<string, Host>();
  const zone = new Zone(spec.dns?.lie);
  const ttl = spec.dns?.ttlSeconds ?? TTL_SECONDS;
  let nextAddress = FIRST_HOST_ADDRESS;

  const place = (name: string, hostSpec: HostSpec, ttlSeconds: number): PlacedHost => {
    if (hosts.has(name)) throw new Error(`world: host ${name} is written down twice`);
    if (hosts.size >= HOSTS_MAX) throw new Error(`world: more than ${HOSTS_MAX} hosts`);
    const host = new Host(name, hostSpec, createCounters(), share);
    const own = hostSpec.addresses ?? [dotted(nextAddress)];
    if (hostSpec.addresses === undefined) nextAddress += 1;
    const addresses = hostSpec.ipv6 === true ? [...own, '::1'] : own;
    zone.touch(name, hostSpec.dns);
    for (const address of addresses) {
      if (byAddress.has(address)) throw new Error(`world: two hosts at ${address}`);
      byAddress.set(address, host);
      zone.add({ type: address.includes(':') ? 'aaaa' : 'a', name, ttlSeconds, address });
    }
    const placed = { host, answeredBy: host, addresses };
    hosts.set(name, placed);
    return placed;
  };

  for (const [name, hostSpec] of Object.entries(spec.hosts ?? {})) place(name, hostSpec, ttl);

  const domains = new Map<string, CompiledDomain>();
  for (const [given, domain] of [...Object.entries(spec.domains), ...sentinels(spec)]) {
    const name = domainToASCII(given) || given.toLowerCase();
    const ttlSeconds = domain.ttlSeconds ?? ttl;
    const rule = compileMailboxes(domain, name, options.seed);
    const mxHosts: string[] = [];
    zone.touch(name, domain.dns);
    if (domain.cname !== undefined) zone.add({ type: 'cname', name, ttlSeconds, target: domain.cname });
    if (domain.mx === null) zone.add({ type: 'mx', name, ttlSeconds, preference: 0, exchange: '' });
    if (domain.implicit !== undefined) {
      place(name, domain.implicit, ttlSeconds);
      mxHosts.push(name);
    }
    const mx = [...(domain.mx ?? [])];
    if (domain.host !== undefined) {
      place(`mx.${name}`, domain.host, ttlSeconds);
      mx.push(`mx.${name}`);
    }
    for (const entry of mx) {
      const { host, preference } = typeof entry === 'string' ? { host: entry, preference: 10 } : entry;
      zone.add({ type: 'mx', name, ttlSeconds, preference, exchange: host });
      mxHosts.push(host);
    }
    domains.set(name, { spec: domain, rule, mxHosts });
  }
  serve(domains, hosts);
  addNames(zone, spec, ttl);
  if (spec.interceptedBy !== undefined) intercept(spec.interceptedBy, hosts, byAddress);
  const seen: Traffic = {
    total: share.total,
    hosts: Object.fromEntries([...hosts].map(([name, { host }]) => [name, host.counters])),
    asks,
    questions: zone.questions,
  };
  return { spec, seed: options.seed, hosts, byAddress, domains, zone, seen };
}

function intercept(by: string, hosts: ReadonlyMap<string, PlacedHost>, byAddress: Map<string, Host>): void {
  const between = hosts.get(by)?.host;
  if (between === undefined) throw new Error(`world: no host ${by} to intercept with`);
  for (const placed of hosts.values()) placed.answeredBy = between;
  for (const address of byAddress.keys()) byAddress.set(address, between);
}

/** Without them no resolver of this world would be trusted; no host answers there unless the spec says so. */
function sentinels({ domains }: WorldSpec): [string, DomainSpec][] {
  const missing = DEFAULT_SENTINELS.filter((name) => domains[name] === undefined);
  return missing.map((name) => [name, { host: { down: true } }]);
}

/** Tells every host which domains it takes mail for; an alias is served by the hosts of what it names. */
function serve(domains: ReadonlyMap<string, CompiledDomain>, hosts: ReadonlyMap<string, PlacedHost>): void {
  for (const [name, domain] of domains) {
    let served: CompiledDomain | undefined = domain;
    for (let hop = 0; hop < 10 && served?.spec.cname !== undefined; hop += 1)
      served = domains.get(served.spec.cname);
    for (const mxHost of served?.mxHosts ?? []) hosts.get(mxHost)?.host.domains.set(name, domain.rule);
  }
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}
