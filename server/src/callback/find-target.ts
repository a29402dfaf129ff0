// Where a callback may connect to. Promise: every address of the host is allowed, or there is no target; the connection
// goes only to these addresses, so that a second DNS answer changes nothing. Names are looked up by the engine's resolver,
// one for all callbacks: getaddrinfo has four threads for the whole process, which a few receivers with unresponsive name
// servers would occupy.
import { readFile } from 'node:fs/promises';
import { isIP, isIPv6 } from 'node:net';
import type { ReadingWatch } from '@mxproof/common/watchdog';
import { createWireResolver } from '@mxproof/engine';

export interface TargetOptions {
  readonly isAllowed: (ip: string) => boolean;
  /** IP addresses of DNS servers; empty: the system's, with its search list. */
  readonly dnsServers: readonly { readonly host: string; readonly port: number }[];
  /** Ends what takes the thread too long to read. Unset: no watchdog. */
  readonly watchdog?: ReadingWatch | undefined;
}

export type Target =
  | { readonly kind: 'addresses'; readonly ips: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string };

type Resolver = ReturnType<typeof createWireResolver>;

const MAX_ADDRESSES = 20;
/** Each server is asked twice: 2.5 s in all. */
const QUESTION_TIMEOUT_MS = 1_250;
const HOSTS_FILE = '/etc/hosts';
const RESOLVER_FILE = '/etc/resolv.conf';
/** As in glibc. */
const MAX_SEARCHED = 6;
/** Never a question for a DNS server (RFC 6761). */
const LOOPBACK_NAME = /^(.+\.)?localhost\.?$/;
const LOOPBACK_IPS = ['127.0.0.1', '::1'];

/** `url.hostname` is already normalized: `0x7f.1` and `2130706433` are 127.0.0.1. */
export async function findTarget(url: URL, options: TargetOptions): Promise<Target> {
  const host = bareHost(url);
  const ips = isIP(host) ? [host] : await resolveHost(host, options);
  if (ips.length === 0) return { kind: 'refused', why: 'host not found' };
  if (ips.length > MAX_ADDRESSES) return { kind: 'refused', why: 'host has too many addresses' };
  if (!ips.every((ip) => options.isAllowed(ip))) return { kind: 'refused', why: 'private target' };
  return { kind: 'addresses', ips };
}

/** Without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

async function resolveHost(host: string, options: TargetOptions): Promise<readonly string[]> {
  if (LOOPBACK_NAME.test(host)) return LOOPBACK_IPS;
  const local = await fromHostsFile(host.replace(/\.$/, ''));
  if (local.length > 0) return local;
  const { dnsServers } = options;
  const resolver = resolverFor(options);
  for (const name of dnsServers.length > 0 ? [host] : await searched(host)) {
    const ips = await addressesOf(name.replace(/\.$/, ''), resolver);
    if (ips.length > 0) return ips;
  }
  return [];
}

/** Its sockets close by themselves while no lookup is in progress. */
const resolvers = new WeakMap<TargetOptions['dnsServers'], Resolver>();

function resolverFor({ dnsServers, watchdog }: TargetOptions): Resolver {
  let resolver = resolvers.get(dnsServers);
  if (resolver === undefined) {
    const servers = dnsServers.map(({ host, port }) => `${isIPv6(host) ? `[${host}]` : host}:${port}`);
    resolver = createWireResolver({
      servers: servers.length > 0 ? servers : undefined,
      timeoutMs: QUESTION_TIMEOUT_MS,
      watchdog,
    });
    resolvers.set(dnsServers, resolver);
  }
  return resolver;
}

async function addressesOf(name: string, resolver: Resolver): Promise<string[]> {
  const answers = await Promise.all([resolver.a(name), resolver.aaaa(name)]);
  return answers.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
}

/** A name the machine itself knows means the same whichever DNS servers are configured. */
async function fromHostsFile(host: string): Promise<string[]> {
  const lines = await wordsOf(HOSTS_FILE);
  return lines.flatMap(([ip = '', ...names]) => (isIP(ip) !== 0 && names.includes(host) ? [ip] : []));
}

/** The names that a short one may stand for, `receiver` in a company or a cluster, in the order of resolv.conf(5). */
async function searched(host: string): Promise<string[]> {
  if (host.endsWith('.')) return [host];
  let domains: string[] = [];
  let minDots = 1;
  for (const [key, ...values] of await wordsOf(RESOLVER_FILE)) {
    if (key === 'search' || key === 'domain') domains = values;
    if (key !== 'options') continue;
    const given = values.find((value) => /^ndots:\d{1,2}$/.test(value));
    if (given !== undefined) minDots = Number(given.slice('ndots:'.length));
  }
  const longer = domains.slice(0, MAX_SEARCHED).map((domain) => `${host}.${domain}`);
  return host.split('.').length > minDots ? [host, ...longer] : [...longer, host];
}

async function wordsOf(file: string): Promise<string[][]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .toLowerCase()
      .split(/\s+/),
  );
}
