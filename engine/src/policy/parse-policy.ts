// The operator's policy file, parsed strictly. Promise: a policy, or one sentence that says what is wrong and where;
// limits that the file does not set keep their defaults.
//
//   { "everyone": { "connections": 5, "reason": "…" },
//     "hosts": [ { "provider": "google", "refusalsPerConnection": 3 }, { "host": "mx.example.com", … } ],
//     "missingQuestionsPerMinute": 600, "never": [ "example.org" ], "outlook": "never",
//     "sources": { "192.0.2.10": { "mailFrom": "check@example.com", "warmUp": { "perDay": 50 } } } }
import { asciiDomain } from '../address/ascii-domain.ts';
import { validateMailFrom } from '../address/own-names.ts';
import { PROVIDER_NAMES, PROVIDER_WORDS, SISTERS } from '../domain/provider.ts';
import type { Limits } from '../pace/pace.ts';
import type { WarmUp } from '../ports.ts';
import { DEFAULT_POLICY } from './default-policy.ts';
import {
  ANY_SOURCE,
  type Policy,
  type PolicyRow,
  type SourceSettings,
  type WarmUpSettings,
} from './policy.ts';

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly why: string };

/** Each limit with its bounds: a typing error must not become a flood. */
const BOUNDS: Readonly<Record<keyof Limits, readonly [least: number, most: number]>> = {
  connections: [1, 200],
  connectionsPerProvider: [1, 1000],
  recipientsPerTransaction: [1, 1000],
  recipientsPerConnection: [1, 10_000],
  transactionsPerConnection: [1, 10_000],
  refusalsPerConnection: [1, 1000],
  recipientsPerMinute: [1, 1_000_000],
  // A recipient and its domain's probe.
  recipientsPerHour: [2, 100_000_000],
  recipientsPerDay: [2, 100_000_000],
  // RFC 5321 4.5.3.2's five minutes; a session has ten in all.
  bannerSeconds: [1, 300],
  replySeconds: [1, 300],
  secondTrySeconds: [1, 600],
  unknownRecipients: [100, 1_000_000],
  refusalsInARow: [1, 1_000_000],
  refusingRecipientsPerMinute: [1, 1_000_000],
  refusingConnectionsPerMinute: [1, 1_000_000],
};

type NullableLimit = { [Key in keyof Limits]: null extends Limits[Key] ? Key : never }[keyof Limits];

/** No bound but the others, or the checker's own seconds. */
const NULLABLE: Readonly<Record<NullableLimit, true>> = {
  transactionsPerConnection: true,
  recipientsPerMinute: true,
  recipientsPerHour: true,
  recipientsPerDay: true,
  bannerSeconds: true,
  replySeconds: true,
  secondTrySeconds: true,
  unknownRecipients: true,
  refusalsInARow: true,
};

const MISSING_QUESTIONS_BOUNDS = [2, 1_000_000] as const;

const WARM_UP_BOUNDS: Readonly<Record<keyof WarmUp, readonly [least: number, most: number]>> = {
  // A recipient and its domain's probe.
  perDay: [2, 1_000_000],
  growth: [1.01, 3],
  until: [2, 100_000_000],
  unknownPercent: [1, 100],
};
/** From 50 to 100,000 in thirty days. */
const WARM_UP: Omit<WarmUp, 'perDay'> = { growth: 1.3, until: 100_000, unknownPercent: 30 };

const ROWS_MAX = 1_000;
const NEVER_MAX = 100_000;
const REASON_MAX_CHARS = 500;
const QUOTED_MAX_CHARS = 40;
/** Line ends, control characters, and marks that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

type Json = Readonly<Record<string, unknown>>;

export function parsePolicy(json: unknown): ParsedPolicy {
  try {
    return { ok: true, policy: readPolicy(json) };
  } catch (error) {
    if (error instanceof PolicyFault) return { ok: false, why: error.message };
    throw error;
  }
}

/** Carries the sentence out of the nested reading; never leaves this file. */
class PolicyFault extends Error {}

function readPolicy(json: unknown): Policy {
  const file = readObject(json, 'the policy', [...FILE_KEYS, ...PROVIDER_NAMES]);
  const everyone = file.everyone === undefined ? {} : readObject(file.everyone, 'everyone', ROW_KEYS);
  const base = DEFAULT_POLICY.everyone;
  const own = readList(file.hosts, 'hosts', ROWS_MAX).map(readRow);
  return {
    everyone: {
      limits: { ...base.limits, ...readLimits(everyone, 'everyone') },
      reason:
        readReason(everyone, 'everyone') ?? (Object.keys(everyone).length > 0 ? 'policy file' : base.reason),
    },
    // The operator's rows come before ours, and the first that fits is taken.
    rows: [...own, ...rowsOfSisters(own), ...DEFAULT_POLICY.rows],
    missingQuestionsPerMinute:
      file.missingQuestionsPerMinute === undefined
        ? DEFAULT_POLICY.missingQuestionsPerMinute
        : readNumber(file.missingQuestionsPerMinute, MISSING_QUESTIONS_BOUNDS, 'missingQuestionsPerMinute'),
    never: new Set([...DEFAULT_POLICY.never, ...readList(file.never, 'never', NEVER_MAX).map(readDomain)]),
    neverProviders: readNeverProviders(file),
    sources: readSources(file.sources),
  };
}

const FILE_KEYS = ['everyone', 'hosts', 'missingQuestionsPerMinute', 'never', 'sources'];
const SOURCE_KEYS = ['mailFrom', 'warmUp'];
const WARM_UP_KEYS = Object.keys(WARM_UP_BOUNDS);

function readSources(json: unknown): ReadonlyMap<string, SourceSettings> {
  if (json === undefined) return new Map();
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new PolicyFault('sources must be an object');
  const rows = Object.entries(json);
  if (rows.length > ROWS_MAX) throw new PolicyFault(`sources has more than ${ROWS_MAX} entries`);
  return new Map(
    rows.map(([name, row]) => {
      // The sender of them all is a setting of the service.
      const keys = name === ANY_SOURCE ? ['warmUp'] : SOURCE_KEYS;
      return [name, readSource(row, `sources[${quoted(name)}]`, keys)];
    }),
  );
}

function readSource(json: unknown, where: string, keys: readonly string[]): SourceSettings {
  const { mailFrom, warmUp } = readObject(json, where, keys);
  return {
    ...(mailFrom !== undefined && { mailFrom: readMailFrom(mailFrom, `${where}.mailFrom`) }),
    ...(warmUp !== undefined && { warmUp: readWarmUp(warmUp, `${where}.warmUp`) }),
  };
}

function readMailFrom(json: unknown, where: string): string {
  if (typeof json !== 'string' || validateMailFrom(json) !== null)
    throw new PolicyFault(`${where} must be an e-mail address in ASCII, or empty`);
  return json;
}

function readWarmUp(json: unknown, where: string): WarmUpSettings {
  const row = readObject(json, where, [...WARM_UP_KEYS, 'providers']);
  if (row.perDay === undefined) throw new PolicyFault(`${where} must have perDay`);
  const all = readSchedule(row, where, { ...WARM_UP, perDay: 0 });
  const providers =
    row.providers === undefined ? {} : readObject(row.providers, `${where}.providers`, PROVIDER_WORDS);
  const own = Object.entries(providers).map(([provider, one]) => {
    const at = `${where}.providers.${provider}`;
    return [provider, readSchedule(readObject(one, at, WARM_UP_KEYS), at, all)] as const;
  });
  return { ...all, providers: new Map(own) };
}

/** `base`: where the row says nothing. */
function readSchedule(row: Json, where: string, base: WarmUp): WarmUp {
  const read = (key: keyof WarmUp, readIt: typeof readNumber) =>
    row[key] === undefined ? base[key] : readIt(row[key], WARM_UP_BOUNDS[key], `${where}.${key}`);
  const schedule = {
    perDay: read('perDay', readNumber),
    growth: read('growth', readFactor),
    until: read('until', readNumber),
    unknownPercent: read('unknownPercent', readNumber),
  };
  if (schedule.until < schedule.perDay) throw new PolicyFault(`${where}.until must not be below perDay`);
  return schedule;
}

/** What the file says of `microsoft` holds for `outlook` too, unless it says something of that one. */
function rowsOfSisters(own: readonly PolicyRow[]): PolicyRow[] {
  return Object.entries(SISTERS).flatMap(([provider, sister]) =>
    own.some((row) => row.provider === provider)
      ? []
      : own.filter((row) => row.provider === sister).map((row) => ({ ...row, provider })),
  );
}

function readNeverProviders(file: Json): ReadonlySet<string> {
  const never = new Set<string>();
  for (const provider of PROVIDER_NAMES) {
    if (!Object.hasOwn(file, provider)) continue;
    if (file[provider] !== 'never')
      throw new PolicyFault(`the policy entry ${quoted(provider)} must be "never"`);
    never.add(provider);
  }
  for (const [provider, sister] of Object.entries(SISTERS)) if (never.has(sister)) never.add(provider);
  return never;
}

const ROW_KEYS = [...Object.keys(BOUNDS), 'reason'];

function readRow(json: unknown, at: number): PolicyRow {
  const where = `hosts[${at}]`;
  const row = readObject(json, where, [...ROW_KEYS, 'provider', 'host']);
  const { provider, host } = row;
  if ((provider === undefined) === (host === undefined))
    throw new PolicyFault(`${where} must have either a provider or a host`);
  const limits = readLimits(row, where);
  const reason = readReason(row, where) ?? 'policy file';
  if (provider !== undefined) {
    if (typeof provider !== 'string' || !/^[a-z0-9_-]{1,40}$/.test(provider))
      throw new PolicyFault(`${where}.provider must be a lower-case word`);
    return { provider, limits, reason };
  }
  if (typeof host !== 'string') throw new PolicyFault(`${where}.host must be a host name`);
  const name = asciiDomain(host.startsWith('.') ? host.slice(1) : host);
  if (!name.ok) throw new PolicyFault(`${where}.host must be a host name`);
  return { hostSuffix: name.domain, limits, reason };
}

function readLimits(row: Json, where: string): Partial<Limits> {
  const limits: { -readonly [Key in keyof Limits]?: Limits[Key] } = {};
  for (const key of Object.keys(BOUNDS) as (keyof Limits)[]) {
    const value = row[key];
    if (value === undefined) continue;
    if (value === null && isNullable(key)) {
      limits[key] = null;
      continue;
    }
    limits[key] = readNumber(value, BOUNDS[key], `${where}.${key}`);
  }
  return limits;
}

function readNumber(value: unknown, [least, most]: readonly [number, number], where: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new PolicyFault(`${where} must be a whole number from ${least} to ${most}`);
  return value;
}

function readFactor(value: unknown, [least, most]: readonly [number, number], where: string): number {
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw new PolicyFault(`${where} must be a number from ${least} to ${most}`);
  return value;
}

function isNullable(key: keyof Limits): key is NullableLimit {
  return key in NULLABLE;
}

function readReason(row: Json, where: string): string | undefined {
  const { reason } = row;
  if (reason === undefined) return undefined;
  if (typeof reason !== 'string' || reason.length > REASON_MAX_CHARS)
    throw new PolicyFault(`${where}.reason must be a string of at most ${REASON_MAX_CHARS} characters`);
  return reason;
}

function readDomain(json: unknown, at: number): string {
  const name = typeof json === 'string' ? asciiDomain(json) : null;
  if (name === null || !name.ok) throw new PolicyFault(`never[${at}] must be a domain name`);
  return name.domain;
}

function readList(json: unknown, where: string, most: number): readonly unknown[] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) throw new PolicyFault(`${where} must be an array`);
  if (json.length > most) throw new PolicyFault(`${where} has more than ${most} entries`);
  return json;
}

function readObject(json: unknown, where: string, keys: readonly string[]): Json {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new PolicyFault(`${where} must be an object`);
  for (const key of Object.keys(json))
    if (!keys.includes(key)) throw new PolicyFault(`${where} has an unknown entry ${quoted(key)}`);
  return json as Json;
}

/** On one line, even if the file's text has several: the sentence goes to a terminal and a log. */
function quoted(key: string): string {
  const visible = key.slice(0, QUOTED_MAX_CHARS).toWellFormed().replace(UNSEEN, '\ufffd');
  return `"${visible}"`;
}
