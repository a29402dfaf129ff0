// Where a callback may connect to. Promise: every address of the host is allowed, or there is no target; the connection
// goes only to these addresses, so that a second DNS answer changes nothing.
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

export interface TargetOptions {
  readonly isAllowed: (ip: string) => boolean;
  /** `host:port` of DNS servers; empty: the system's way, its hosts file included. */
  readonly dnsServers: readonly { readonly host: string; readonly port: number }[];
}

export type Target =
  | { readonly kind: 'addresses'; readonly ips: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string };

const MAX_ADDRESSES = 20;
const QUESTION_TIMEOUT_MS = 2_500;
const HOSTS_FILE = '/etc/hosts';
/** Never a question for a DNS server (RFC 6761). */
const LOOPBACK_NAME = /^(.+\.)?localhost\.?$/;
const LOOPBACK_IPS = ['127.0.0.1', '::1'];

/** `url.hostname` is in its one spelling already: `0x7f.1` and `2130706433` read 127.0.0.1. */
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

async function resolveHost(host: string, { dnsServers }: TargetOptions): Promise<string[]> {
  if (dnsServers.length === 0) {
    const found = await lookup(host, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }
  if (LOOPBACK_NAME.test(host)) return LOOPBACK_IPS;
  const local = await fromHostsFile(host);
  if (local.length > 0) return local;
  const resolver = new Resolver({ timeout: QUESTION_TIMEOUT_MS, tries: 1 });
  resolver.setServers(await Promise.all(dnsServers.map(serverText)));
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** A name the machine itself knows means the same whichever DNS servers are configured. */
async function fromHostsFile(host: string): Promise<string[]> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [ip = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(ip) !== 0 && names.includes(host) ? [ip] : [];
  });
}

async function serverText({ host, port }: { host: string; port: number }): Promise<string> {
  const ip = isIP(host) ? host : (await lookup(host)).address;
  return isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`;
}
