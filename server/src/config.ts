// Environment → one frozen Config, read once at the start.
// Promise: every variable is optional; a malformed one is an OperatorError with one sentence that names it; an empty
// one counts as unset; nothing else in the service reads the environment (the commands hand it over).

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
import { type AlertWays, readAlertWays } from './alert/alert-settings.ts';
import { dataDirOf } from './data-dir.ts';
import { OperatorError } from './operator-error.ts';
import { type ConfiguredProxy, parseProxySource } from './proxy-source.ts';
import type { PortRange } from './rules/callback-targets.ts';
import { isCidr } from './rules/cidr.ts';
import { MAX_KEPT_DAYS, type Retention } from './rules/retention.ts';
import { MAX_PROXY_HOPS, type TrustedProxies } from './rules/trusted-proxies.ts';
import { splitDatabaseUrl } from './store/database-hosts.ts';
import { tlsFilesOf } from './store/database-tls.ts';
import { unknownSettings } from './unknown-settings.ts';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export type LogFormat = 'json' | 'pretty';

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

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where browsers reach the service, an origin; null: where it listens. */
  readonly publicUrl: string | null;
  /** Null: the embedded store. Never logged, since it holds a password. */
  readonly databaseUrl: string | null;
  /** Of a node, at most; null: as many as its role needs. */
  readonly databaseConnections: number | null;
  readonly dataDir: string;
  /** Null: made in the data folder. */
  readonly secretKey: string | null;
  /** Empty: the system's. */
  readonly dnsServers: readonly DnsServer[];
  /** Null: the engine's own. Empty: every DNS server is believed. */
  readonly dnsSentinels: readonly string[] | null;
  readonly smtpPort: number;
  readonly heloName: string | null;
  /** Empty: the null sender. */
  readonly mailFrom: string;
  readonly sourceAddresses: readonly SourceAddress[];
  /** A mail address or https URL for administrators of the mail servers that are asked. */
  readonly abuseContact: string | null;
  /** Null: the engine's own. */
  readonly policy: Policy | null;
  readonly allowPrivateTargets: boolean;
  readonly verifyWaitMs: number;
  readonly listLimitMs: number;
  /** For accounts that have set nothing else. */
  readonly retention: Retention;
  readonly callbackRetryMs: readonly number[];
  /** Null: any. */
  readonly callbackPorts: readonly PortRange[] | null;
  /** Null: the engine's own schedule. */
  readonly smtpRetryMs: readonly number[] | null;
  readonly rateRequests: number;
  readonly rateAddresses: number;
  /** How many times a key's limits an account has, for all of its keys together. */
  readonly rateAccount: number;
  readonly trustProxy: TrustedProxies;
  /** Null: no backups at night. */
  readonly backupDir: string | null;
  readonly backupKeep: number;
  /** Seals the secret key inside a backup. Null: it is left out. */
  readonly backupPassphrase: string | null;
  /** Whether an embedded store is backed up before a newer MXProof migrates it. */
  readonly upgradeBackup: boolean;
  /** Whether the first start prints the first account's key; null: to a terminal only. Else the log says how to get in. */
  readonly showFirstKey: boolean | null;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** What the operator says of disposable domains; null: nothing. */
  readonly disposableFile: string | null;
  readonly alertWays: AlertWays;
  readonly alertUnknownPercent: number;
  readonly alertQueueMs: number;
  /** Where metrics are served; null: nowhere. Its token is never logged. */
  readonly metrics: { readonly host: string; readonly port: number; readonly token: string | null } | null;
  readonly logLevel: LogLevel;
  /** npm runs this process, and may be killed in its place. */
  readonly isNpmScript: boolean;
  /** Null: pretty on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | null;
  /** Zones of DNS block lists that the doctor asks about each source. */
  readonly blockLists: readonly string[];
  /** Sentences for the operator: variables that nothing reads, which may be misspelt. */
  readonly warnings: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const LOG_FORMATS: readonly LogFormat[] = ['json', 'pretty'];
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const MINUTE_MS = 60 * SECOND_MS;
const DNS_PORT = 53;
const MAX_RETRIES = 20;
const METRICS_TOKEN = /^[!-~]{16,512}$/;
/** Each is asked about every source, within the doctor's half minute. */
const MAX_BLOCK_LISTS = 20;
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i;
const PROXY_FORM =
  'has a proxy that is not of the form socks5://user:password@host:port=helo, with user and password percent-encoded or both left out, and a fully qualified name as HELO';

export function readConfig(env: Environment): Config {
  const text = (name: string): string | null => env[name]?.trim() || null;
  return Object.freeze<Config>({
    host: host('HOST', text('HOST') ?? '127.0.0.1'),
    port: number('PORT', text('PORT'), 8080, { integer: true, min: 0, max: 65_535 }),
    publicUrl: publicUrl(text('MXPROOF_PUBLIC_URL')),
    databaseUrl: databaseUrl(text('DATABASE_URL')),
    databaseConnections: databaseConnections(text('MXPROOF_DATABASE_CONNECTIONS')),
    dataDir: dataDirOf(env),
    secretKey: text('MXPROOF_SECRET_KEY'),
    dnsServers: list(text('MXPROOF_DNS_SERVERS'), dnsServer),
    dnsSentinels: dnsSentinels(text('MXPROOF_DNS_SENTINELS')),
    smtpPort: number('MXPROOF_SMTP_PORT', text('MXPROOF_SMTP_PORT'), 25, {
      integer: true,
      min: 1,
      max: 65_535,
    }),
    heloName: heloName(text('MXPROOF_HELO_NAME')),
    mailFrom: mailFrom(text('MXPROOF_MAIL_FROM')),
    sourceAddresses: sourceAddresses(text('MXPROOF_SOURCE_ADDRESSES')),
    abuseContact: abuseContact(text('MXPROOF_ABUSE_CONTACT')),
    policy: policy(text('MXPROOF_POLICY_FILE')),
    allowPrivateTargets: yesNo('MXPROOF_ALLOW_PRIVATE_TARGETS', text('MXPROOF_ALLOW_PRIVATE_TARGETS')),
    verifyWaitMs: scaled(env, 'MXPROOF_VERIFY_WAIT_SECONDS', 20, SECOND_MS, 300),
    listLimitMs: scaled(env, 'MXPROOF_LIST_HOURS', 4, HOUR_MS, 24 * 30),
    retention: Object.freeze<Retention>({
      results: keptDays('MXPROOF_RESULTS_DAYS', text('MXPROOF_RESULTS_DAYS')),
      evidence: number('MXPROOF_EVIDENCE_DAYS', text('MXPROOF_EVIDENCE_DAYS'), 30, {
        min: 0,
        max: MAX_KEPT_DAYS,
      }),
      callbacks: keptDays('MXPROOF_CALLBACKS_DAYS', text('MXPROOF_CALLBACKS_DAYS')),
      single_checks: keptDays('MXPROOF_SINGLE_CHECKS_DAYS', text('MXPROOF_SINGLE_CHECKS_DAYS')),
    }),
    callbackRetryMs: callbackDelays(text('MXPROOF_CALLBACK_RETRY_SECONDS') ?? '30,300'),
    callbackPorts: callbackPorts(text('MXPROOF_CALLBACK_PORTS')),
    smtpRetryMs: text('MXPROOF_SMTP_RETRY_SECONDS')
      ? delays('MXPROOF_SMTP_RETRY_SECONDS', text('MXPROOF_SMTP_RETRY_SECONDS')!)
      : null,
    rateRequests: number('MXPROOF_RATE_REQUESTS', text('MXPROOF_RATE_REQUESTS'), 600, {
      integer: true,
      min: 1,
      max: 1e9,
    }),
    rateAddresses: number('MXPROOF_RATE_ADDRESSES', text('MXPROOF_RATE_ADDRESSES'), 500_000, {
      integer: true,
      min: 1,
      max: 1e9,
    }),
    rateAccount: number('MXPROOF_RATE_ACCOUNT', text('MXPROOF_RATE_ACCOUNT'), 10, { min: 1, max: 1e6 }),
    trustProxy: trustProxy(text('MXPROOF_TRUST_PROXY')),
    backupDir: folder('MXPROOF_BACKUP_DIR', text('MXPROOF_BACKUP_DIR')),
    backupKeep: number('MXPROOF_BACKUP_KEEP', text('MXPROOF_BACKUP_KEEP'), 14, {
      integer: true,
      min: 1,
      max: 3_650,
    }),
    backupPassphrase: text('MXPROOF_BACKUP_PASSPHRASE'),
    upgradeBackup: yesNo('MXPROOF_UPGRADE_BACKUP', text('MXPROOF_UPGRADE_BACKUP') ?? '1'),
    showFirstKey: text('MXPROOF_SHOW_FIRST_KEY')
      ? yesNo('MXPROOF_SHOW_FIRST_KEY', text('MXPROOF_SHOW_FIRST_KEY'))
      : null,
    tls: tls(text('MXPROOF_TLS_CERT'), text('MXPROOF_TLS_KEY')),
    disposableFile: disposableFile(text('MXPROOF_DISPOSABLE_FILE')),
    alertWays: readAlertWays(text, mailFrom(text('MXPROOF_MAIL_FROM'))),
    alertUnknownPercent: number('MXPROOF_ALERT_UNKNOWN_PERCENT', text('MXPROOF_ALERT_UNKNOWN_PERCENT'), 30, {
      min: 1,
      max: 100,
    }),
    alertQueueMs:
      MINUTE_MS *
      number('MXPROOF_ALERT_QUEUE_MINUTES', text('MXPROOF_ALERT_QUEUE_MINUTES'), 60, {
        min: 1,
        max: 60 * 24 * 30,
      }),
    metrics: metrics(
      text('MXPROOF_METRICS_PORT'),
      text('MXPROOF_METRICS_HOST'),
      text('MXPROOF_METRICS_TOKEN'),
    ),
    isNpmScript: text('npm_lifecycle_event') !== null,
    logLevel: choice('LOG_LEVEL', text('LOG_LEVEL'), LOG_LEVELS) ?? 'info',
    logFormat: choice('LOG_FORMAT', text('LOG_FORMAT'), LOG_FORMATS),
    blockLists: blockLists(text('MXPROOF_BLOCKLISTS')),
    warnings: Object.freeze(unknownSettings(env)),
  });
}

function refuse(name: string, must: string): never {
  throw new OperatorError(`${name} ${must}.`);
}

function host(name: 'HOST' | 'MXPROOF_METRICS_HOST', value: string): string {
  if (isIP(value) === 0 && !HOST_NAME.test(value))
    refuse(name, 'must be an address or a host name, such as 0.0.0.0');
  return value;
}

function publicUrl(value: string | null): string | null {
  if (value === null) return null;
  const url = URL.parse(value);
  // The console and its cookie are at the root.
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    return refuse(
      'MXPROOF_PUBLIC_URL',
      'must be where browsers reach the service, without a path, such as https://mxproof.example.com',
    );
  return url.origin;
}

interface Bounds {
  readonly integer?: boolean;
  readonly min: number;
  readonly max: number;
}

function number(name: string, value: string | null, fallback: number, bounds: Bounds): number {
  if (value === null) return fallback;
  const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  const isFit = parsed >= bounds.min && parsed <= bounds.max && (!bounds.integer || Number.isInteger(parsed));
  if (!isFit)
    refuse(
      name,
      `must be ${bounds.integer ? 'a whole number' : 'a number'} from ${bounds.min} to ${bounds.max}`,
    );
  return parsed;
}

/** Null: for ever. */
function keptDays(name: string, value: string | null): number | null {
  return value === null ? null : number(name, value, 0, { integer: true, min: 1, max: MAX_KEPT_DAYS });
}

function scaled(env: Environment, name: string, fallback: number, unitMs: number, max: number): number {
  return Math.round(number(name, env[name]?.trim() || null, fallback, { min: 0, max }) * unitMs);
}

/** Two, since a callback has three attempts; whole, as the interface counts them. */
function callbackDelays(value: string): readonly number[] {
  const parts = value.split(',').map((part) => part.trim());
  const isFit = parts.length === 2 && parts.every((part) => /^[1-9]\d{0,6}$/.test(part));
  if (!isFit)
    refuse(
      'MXPROOF_CALLBACK_RETRY_SECONDS',
      'must be two whole numbers of seconds, at least 1, separated by a comma, such as 30,300',
    );
  return Object.freeze(parts.map((part) => Number(part) * SECOND_MS));
}

function delays(name: string, value: string): readonly number[] {
  const parts = value.split(',').map((part) => part.trim());
  const isFit = parts.length <= MAX_RETRIES && parts.every((part) => /^\d{1,7}(\.\d{1,3})?$/.test(part));
  if (!isFit)
    refuse(
      name,
      `must be a comma-separated list of at most ${MAX_RETRIES} numbers of seconds, such as 60,300`,
    );
  return Object.freeze(parts.map((part) => Math.round(Number(part) * SECOND_MS)));
}

function list<T>(value: string | null, parse: (part: string) => T): readonly T[] {
  if (value === null) return Object.freeze([]);
  return Object.freeze(
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(parse),
  );
}

/** Four: a transaction, the claims, the heartbeat, and one to spare. */
function databaseConnections(value: string | null): number | null {
  if (value === null) return null;
  return number('MXPROOF_DATABASE_CONNECTIONS', value, 0, { integer: true, min: 4, max: 100 });
}

function databaseUrl(value: string | null): string | null {
  if (value === null) return null;
  const [url] = splitDatabaseUrl(value) ?? [];
  // The value itself is not repeated: it holds a password.
  if (url === undefined)
    return refuse(
      'DATABASE_URL',
      'must have the form postgresql://user:password@host:port/database, or name several hosts, separated by commas, with target_session_attrs=read-write',
    );
  for (const file of tlsFilesOf(url)) readable('DATABASE_URL', file);
  return value;
}

function dnsServer(part: string): DnsServer {
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
      'MXPROOF_DNS_SERVERS',
      'must be a comma-separated list of hosts with optional ports, such as 192.0.2.1,[2001:db8::1]:5353',
    );
  return { host: bare, port: number };
}

function callbackPorts(value: string | null): readonly PortRange[] | null {
  if (value === null) return null;
  const ports = list(value, (part) => {
    const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? [];
    return { from: Number(from), to: Number(to) };
  });
  if (ports.length === 0 || ports.some(({ from, to }) => from < 1 || to > 65_535 || from > to))
    refuse(
      'MXPROOF_CALLBACK_PORTS',
      'must be a comma-separated list of ports and ranges, such as 443,8000-8999',
    );
  return ports;
}

function dnsSentinels(value: string | null): readonly string[] | null {
  if (value === null) return null;
  if (value.toLowerCase() === 'none') return Object.freeze([]);
  const names = list(value, (part) => part);
  if (names.length === 0 || names.some((name) => validateSentinel(name) !== null))
    refuse(
      'MXPROOF_DNS_SENTINELS',
      'must be a comma-separated list of domain names, such as gmail.com,gmx.de, or "none" on a closed network',
    );
  return names;
}

function blockLists(value: string | null): readonly string[] {
  const zones = list(value, (part) => part.toLowerCase().replace(/\.$/, ''));
  if (zones.length > MAX_BLOCK_LISTS || zones.some((zone) => validateSentinel(zone) !== null))
    refuse(
      'MXPROOF_BLOCKLISTS',
      `must be a comma-separated list of at most ${MAX_BLOCK_LISTS} DNS zones, such as zen.spamhaus.org`,
    );
  return zones;
}

function sourceAddresses(value: string | null): readonly SourceAddress[] {
  const sources = list(value, sourceAddress);
  const names = sources.flatMap(({ name, proxy }) => (proxy === null ? [] : name));
  if (new Set(names).size < names.length)
    refuse('MXPROOF_SOURCE_ADDRESSES', 'must name each proxy, by host and port, only once');
  return sources;
}

/** What a proxy's entry is does not appear in any sentence: it holds a password. */
function sourceAddress(part: string): SourceAddress {
  if (/^socks/i.test(part) || part.includes('://')) {
    const source = parseProxySource(part);
    return source ?? refuse('MXPROOF_SOURCE_ADDRESSES', PROXY_FORM);
  }
  const at = part.indexOf('=');
  const [ip, helo] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  if (at < 0 || isIP(ip) === 0 || helo === '') {
    refuse(
      'MXPROOF_SOURCE_ADDRESSES',
      'must be a comma-separated list of ip=helo pairs, such as 192.0.2.10=mx1.example.com',
    );
  }
  const wrong = validateHelo(helo);
  if (wrong !== null) refuse('MXPROOF_SOURCE_ADDRESSES', `is invalid: ${wrong}`);
  return { name: ip, ip, helo, proxy: null };
}

function heloName(value: string | null): string | null {
  const wrong = value === null ? null : validateHelo(value);
  return wrong === null ? value : refuse('MXPROOF_HELO_NAME', `is invalid: ${wrong}`);
}

function mailFrom(value: string | null): string {
  const sender = (value ?? '').replace(/^<(.*)>$/, '$1');
  const wrong = validateMailFrom(sender);
  return wrong === null ? sender : refuse('MXPROOF_MAIL_FROM', `is invalid: ${wrong}`);
}

function abuseContact(value: string | null): string | null {
  if (value === null) return null;
  const isUrl = value.startsWith('https://') && URL.canParse(value);
  if (!isUrl && !parseAddress(value).ok)
    refuse('MXPROOF_ABUSE_CONTACT', 'must be a mail address or an https URL, such as abuse@example.com');
  return value;
}

function policy(file: string | null): Policy | null {
  if (file === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why =
      error instanceof SyntaxError
        ? 'is not valid JSON'
        : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    return refuse('MXPROOF_POLICY_FILE', `names a file that ${why}: ${file}`);
  }
  const parsed = parsePolicy(json);
  return parsed.ok
    ? parsed.policy
    : refuse('MXPROOF_POLICY_FILE', `names a file that is not a valid policy: ${parsed.why}`);
}

/** What it says is read at the start, and again when it changes. */
function disposableFile(file: string | null): string | null {
  if (file === null) return null;
  readable('MXPROOF_DISPOSABLE_FILE', file);
  return resolve(file);
}

function readable(name: string, file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    refuse(name, `names a file that cannot be read (${code}): ${file}`);
  }
}

function yesNo(name: string, value: string | null): boolean {
  if (value === null || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  return refuse(name, 'must be 0 or 1');
}

function trustProxy(value: string | null): TrustedProxies {
  if (value === null || value === 'false') return 0;
  if (value === 'true') return 1;
  if (/^\d+$/.test(value) && Number(value) <= MAX_PROXY_HOPS) return Number(value);
  return list(value, (part) =>
    isCidr(part)
      ? part
      : refuse(
          'MXPROOF_TRUST_PROXY',
          `must be the number of proxies in front of the service, from 0 to ${MAX_PROXY_HOPS}, or a comma-separated list of their addresses and networks, such as 127.0.0.1,10.0.0.0/8`,
        ),
  );
}

/** It is not made: a disk that is not mounted would be filled up instead. */
function folder(name: string, path: string | null): string | null {
  if (path === null) return null;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    refuse(name, `must be a folder that exists: ${path}`);
  return resolve(path);
}

function tls(certFile: string | null, keyFile: string | null): Config['tls'] {
  if (certFile === null && keyFile === null) return null;
  if (certFile === null) return refuse('MXPROOF_TLS_CERT', 'must be set when MXPROOF_TLS_KEY is');
  if (keyFile === null) return refuse('MXPROOF_TLS_KEY', 'must be set when MXPROOF_TLS_CERT is');
  return Object.freeze({
    cert: readPem('MXPROOF_TLS_CERT', certFile),
    key: readPem('MXPROOF_TLS_KEY', keyFile),
  });
}

function metrics(port: string | null, address: string | null, token: string | null): Config['metrics'] {
  const name = 'MXPROOF_METRICS_HOST';
  const settings = {
    host: host(name, address ?? '127.0.0.1'),
    port: number('MXPROOF_METRICS_PORT', port, 0, { integer: true, min: 0, max: 65_535 }),
    token: metricsToken(token),
  };
  return port === null ? null : Object.freeze(settings);
}

/** As a header can carry it. The value itself is not repeated. */
function metricsToken(value: string | null): string | null {
  if (value !== null && !METRICS_TOKEN.test(value))
    refuse(
      'MXPROOF_METRICS_TOKEN',
      'must be 16 to 512 printable ASCII characters without spaces, such as "openssl rand -hex 24" prints',
    );
  return value;
}

function readPem(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(
      name,
      `names a file that cannot be read: ${file} (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  if (!text.includes('-----BEGIN ')) refuse(name, `names a file that is not in PEM format: ${file}`);
  return text;
}

function choice<T extends string>(name: string, value: string | null, choices: readonly T[]): T | null {
  if (value === null) return null;
  const found = choices.find((each) => each === value.toLowerCase());
  return found ?? refuse(name, `must be one of ${choices.join(', ')}`);
}
