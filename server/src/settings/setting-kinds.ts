// The kinds of values that settings have: text of the environment → a value, or one sentence that names the setting.
// No sentence repeats a value that may hold a secret.

import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  type Policy,
  parseAddress,
  parsePolicy,
  validateHelo,
  validateMailFrom,
  validateSentinel,
} from '@mxproof/engine';
import type { PortRange } from '../rules/callback-targets.ts';
import { isCidr } from '../rules/cidr.ts';
import { OperatorError } from '../rules/operator-error.ts';
import { MAX_PROXY_HOPS, type TrustedProxies } from '../rules/trusted-proxies.ts';
import { splitDatabaseUrl } from '../store/database-hosts.ts';
import { tlsFilesOf } from '../store/database-tls.ts';
import { type ConfiguredProxy, parseProxySource } from './proxy-source.ts';

/** Reads a value that is set. Throws an OperatorError of one sentence. */
export interface Kind<T> {
  (value: string, name: string): T;
  /** Of a number: how many times what is written it is. Unset: once. */
  readonly unit?: number;
  /** A text that is one of few. */
  readonly isWord?: boolean;
}

export interface DnsServer {
  readonly host: string;
  readonly port: number;
}

/** An address of this machine, or a proxy. */
export interface SourceAddress {
  /** What it is known by, in the store and to people: its address, or `host:port` of the proxy. */
  readonly name: string;
  /** Null: the proxy's, which is not known. */
  readonly ip: string | null;
  readonly helo: string;
  readonly proxy: ConfiguredProxy | null;
}

const SECOND_MS = 1_000;
const DNS_PORT = 53;
const MAX_RETRIES = 20;
const AGE_RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/;
const AGE_IDENTITY = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/;
const METRICS_TOKEN = /^[!-~]{16,512}$/;
/** Each is asked about every source, within the doctor's half minute. */
const MAX_BLOCK_LISTS = 20;
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i;
const PROXY_FORM =
  'has a proxy that is not of the form socks5://user:password@host:port=helo, with user and password percent-encoded or both left out, and a fully qualified name as HELO';

export function refuse(name: string, must: string): never {
  throw new OperatorError(`${name} ${must}.`);
}

export const text: Kind<string> = (value) => value;

/** Whether it is well written is seen when it is used. */
export const ageRecipient: Kind<string> = (value, name) =>
  AGE_RECIPIENT.test(value)
    ? value
    : refuse(name, 'must be a recipient as age-keygen prints it: age1 and 58 letters and digits');

/** As `age-keygen` writes them into a file: one to a line, beside comments. */
export const ageIdentities: Kind<readonly string[]> = (value, name) => {
  const lines = value.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length === 0 || !lines.every((line) => AGE_IDENTITY.test(line.trim())))
    refuse(name, 'must be an identity as age-keygen writes it: AGE-SECRET-KEY-1 and 58 letters and digits');
  return Object.freeze(lines.map((line) => line.trim()));
};

export const hostName: Kind<string> = (value, name) =>
  isIP(value) === 0 && !HOST_NAME.test(value)
    ? refuse(name, 'must be an address or a host name, such as 0.0.0.0')
    : value;

/** Lower case. */
export const hostNames: Kind<readonly string[]> = (value, name) => {
  const names = partsOf(value).map((each) => each.toLowerCase());
  return names.length > 0 && names.every((each) => HOST_NAME.test(each))
    ? names
    : refuse(name, 'must be a comma list of host names, such as metrics.example.com');
};

export const origin: Kind<string> = (value, name) => {
  const url = URL.parse(value);
  // The console and its cookie are at the root.
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    return refuse(
      name,
      'must be where browsers reach the service, without a path, such as https://mxproof.example.com',
    );
  return url.origin;
};

export const whole =
  (min: number, max: number): Kind<number> =>
  (value, name) => {
    const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(parsed >= min && parsed <= max && Number.isInteger(parsed)))
      refuse(name, `must be a whole number from ${min} to ${max}`);
    return parsed;
  };

/** With or without a fraction, in `unit`. */
export const amount = (min: number, max: number, unit = 1): Kind<number> => {
  const read = (value: string, name: string) => {
    const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(parsed >= min && parsed <= max)) refuse(name, `must be a number from ${min} to ${max}`);
    return unit === 1 ? parsed : Math.round(parsed * unit);
  };
  return Object.assign(read, { unit });
};

export const port = whole(0, 65_535);

/** Two, since a callback has three attempts; whole, as the interface counts them. */
export const callbackDelays: Kind<readonly number[]> = (value, name) => {
  const parts = value.split(',').map((part) => part.trim());
  const isFit = parts.length === 2 && parts.every((part) => /^[1-9]\d{0,6}$/.test(part));
  if (!isFit)
    refuse(name, 'must be two whole numbers of seconds, at least 1, separated by a comma, such as 30,300');
  return Object.freeze(parts.map((part) => Number(part) * SECOND_MS));
};

export const delays: Kind<readonly number[]> = (value, name) => {
  const parts = value.split(',').map((part) => part.trim());
  const isFit = parts.length <= MAX_RETRIES && parts.every((part) => /^\d{1,7}(\.\d{1,3})?$/.test(part));
  if (!isFit)
    refuse(
      name,
      `must be a comma-separated list of at most ${MAX_RETRIES} numbers of seconds, such as 60,300`,
    );
  return Object.freeze(parts.map((part) => Math.round(Number(part) * SECOND_MS)));
};

/** Separated by commas; blanks between them do not count. */
export function partsOf(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export const databaseUrl: Kind<string> = (value, name) => {
  const [url] = splitDatabaseUrl(value) ?? [];
  // Of the password, which often has one: the driver would look for a host of another name.
  if (url === undefined && /^[^@/?#]*:\/\/[^/?#]*@[^/?#]*@/.test(value))
    return refuse(name, 'has more than one @: write those of the user and the password as %40');
  if (url === undefined)
    return refuse(
      name,
      'must have the form postgresql://user:password@host:port/database, or name several hosts, separated by commas, with target_session_attrs=read-write',
    );
  for (const path of tlsFilesOf(url)) readable(name, path);
  return value;
};

export const dnsServers: Kind<readonly DnsServer[]> = (value, name) =>
  Object.freeze(partsOf(value).map((part) => dnsServer(part, name)));

function dnsServer(part: string, name: string): DnsServer {
  const [, bracketed, host = bracketed, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(part) ?? [];
  const bare = isIP(part) ? part : host;
  const number = isIP(part) || port === undefined ? DNS_PORT : Number(port);
  const isName = bare !== undefined && HOST_NAME.test(bare);
  const isFit =
    bare !== undefined &&
    (isIP(bare) !== 0 || (isName && !/^[\d.]+$/.test(bare))) &&
    number >= 1 &&
    number <= 65_535;
  if (!isFit)
    refuse(
      name,
      'must be a comma-separated list of hosts with optional ports, such as 192.0.2.1,[2001:db8::1]:5353',
    );
  return { host: bare, port: number };
}

export const portRanges: Kind<readonly PortRange[]> = (value, name) => {
  const ports = partsOf(value).map((part) => {
    const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? [];
    return { from: Number(from), to: Number(to) };
  });
  if (ports.length === 0 || ports.some(({ from, to }) => from < 1 || to > 65_535 || from > to))
    refuse(name, 'must be a comma-separated list of ports and ranges, such as 443,8000-8999');
  return Object.freeze(ports);
};

export const sentinels: Kind<readonly string[]> = (value, name) => {
  if (value.toLowerCase() === 'none') return Object.freeze([]);
  const names = partsOf(value);
  if (names.length === 0 || names.some((each) => validateSentinel(each) !== null))
    refuse(
      name,
      'must be a comma-separated list of domain names, such as gmail.com,gmx.de, or "none" on a closed network',
    );
  return Object.freeze(names);
};

export const blockLists: Kind<readonly string[]> = (value, name) => {
  const zones = partsOf(value).map((part) => part.toLowerCase().replace(/\.$/, ''));
  if (zones.length > MAX_BLOCK_LISTS || zones.some((zone) => validateSentinel(zone) !== null))
    refuse(
      name,
      `must be a comma-separated list of at most ${MAX_BLOCK_LISTS} DNS zones, such as zen.spamhaus.org`,
    );
  return Object.freeze(zones);
};

export const sourceAddresses: Kind<readonly SourceAddress[]> = (value, name) => {
  const sources = partsOf(value).map((part) => sourceAddress(part, name));
  const proxies = sources.flatMap((source) => (source.proxy === null ? [] : source.name));
  if (new Set(proxies).size < proxies.length)
    refuse(name, 'must name each proxy, by host and port, only once');
  return Object.freeze(sources);
};

function sourceAddress(part: string, name: string): SourceAddress {
  if (/^socks/i.test(part) || part.includes('://')) return parseProxySource(part) ?? refuse(name, PROXY_FORM);
  const at = part.indexOf('=');
  const [ip, helo] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  if (at < 0 || isIP(ip) === 0 || helo === '')
    refuse(name, 'must be a comma-separated list of ip=helo pairs, such as 192.0.2.10=mx1.example.com');
  return { name: ip, ip, helo: validHelo(helo, name), proxy: null };
}

export const validHelo: Kind<string> = (value, name) => {
  const wrong = validateHelo(value);
  return wrong === null ? value : refuse(name, `is invalid: ${wrong}`);
};

export const mailFrom: Kind<string> = (value, name) => {
  const sender = value.replace(/^<(.*)>$/, '$1');
  const wrong = validateMailFrom(sender);
  return wrong === null ? sender : refuse(name, `is invalid: ${wrong}`);
};

export const abuseContact: Kind<string> = (value, name) => {
  const isUrl = value.startsWith('https://') && URL.canParse(value);
  if (!isUrl && !parseAddress(value).ok)
    refuse(name, 'must be a mail address or an https URL, such as abuse@example.com');
  return value;
};

export const policyFile: Kind<Policy> = (file, name) => {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why =
      error instanceof SyntaxError
        ? 'is not valid JSON'
        : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    return refuse(name, `names a file that ${why}: ${file}`);
  }
  const parsed = parsePolicy(json);
  return parsed.ok ? parsed.policy : refuse(name, `names a file that is not a valid policy: ${parsed.why}`);
};

/** Its content is read later, and again when it changes. */
export const readableFile: Kind<string> = (file, name) => {
  readable(name, file);
  return resolve(file);
};

function readable(name: string, file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    refuse(name, `names a file that cannot be read (${code}): ${file}`);
  }
}

export const yesNo: Kind<boolean> = (value, name) => {
  if (['0', 'false', 'off'].includes(value)) return false;
  if (['1', 'true', 'on'].includes(value)) return true;
  return refuse(name, 'must be 0 or 1');
};

export const trustedProxies: Kind<TrustedProxies> = (value, name) => {
  if (value === 'false') return 0;
  if (value === 'true') return 1;
  if (/^\d+$/.test(value) && Number(value) <= MAX_PROXY_HOPS) return Number(value);
  const networks = partsOf(value);
  if (!networks.every(isCidr))
    refuse(
      name,
      `must be the number of proxies in front of the service, from 0 to ${MAX_PROXY_HOPS}, or a comma-separated list of their addresses and networks, such as 127.0.0.1,10.0.0.0/8`,
    );
  return Object.freeze(networks);
};

/** It is not made: a disk that is not mounted would be filled up instead. */
export const existingFolder: Kind<string> = (path, name) => {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    refuse(name, `must be a folder that exists: ${path}`);
  return resolve(path);
};

/** By its path: arguments are for a script. */
export const executable: Kind<string> = (path, name) => {
  try {
    accessSync(path, constants.X_OK);
  } catch (error) {
    refuse(name, `names a program that cannot be run (${(error as NodeJS.ErrnoException).code}): ${path}`);
  }
  if (!statSync(path).isFile()) refuse(name, `must be the path of a program, without arguments: ${path}`);
  return resolve(path);
};

/** The text of a PEM file. */
export const pemFile: Kind<string> = (file, name) => {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(
      name,
      `names a file that cannot be read: ${file} (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  if (!pem.includes('-----BEGIN ')) refuse(name, `names a file that is not in PEM format: ${file}`);
  return pem;
};

/** As a header can carry it. */
export const bearerToken: Kind<string> = (value, name) =>
  METRICS_TOKEN.test(value)
    ? value
    : refuse(
        name,
        'must be 16 to 512 printable ASCII characters without spaces, such as "openssl rand -hex 24" prints',
      );

export const oneOf = <T extends string>(...choices: readonly T[]): Kind<T> => {
  const read = (value: string, name: string) =>
    choices.find((each) => each === value.toLowerCase()) ??
    refuse(name, `must be one of ${choices.join(', ')}`);
  return Object.assign(read, { isWord: true });
};
