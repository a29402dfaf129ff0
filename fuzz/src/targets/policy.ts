// What operators write: a JSON file → a policy whose every number lies within its bounds, or one sentence that says
// what is wrong and where.
import { asciiDomain } from '../../../engine/src/address/ascii-domain.ts';
import type { Limits } from '../../../engine/src/pace/pace.ts';
import { DEFAULT_POLICY } from '../../../engine/src/policy/default-policy.ts';
import { parsePolicy } from '../../../engine/src/policy/parse-policy.ts';
import {
  isNeverAsked,
  limitsFor,
  type Policy,
  warmUpAt,
  warmUpOf,
} from '../../../engine/src/policy/policy.ts';
import type { WarmUp } from '../../../engine/src/ports.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';

const SENTENCE_MAX_CHARS = 160;
const REASON_MAX_CHARS = 500;

/** As docs/guide/reputation.md has them; null: none. */
const BOUNDS: Readonly<Record<keyof Limits, readonly [least: number, most: number, isOptional: boolean]>> = {
  connections: [1, 200, false],
  connectionsPerProvider: [1, 1_000, false],
  recipientsPerTransaction: [1, 1_000, false],
  recipientsPerConnection: [1, 10_000, false],
  transactionsPerConnection: [1, 10_000, true],
  refusalsPerConnection: [1, 1_000, false],
  recipientsPerMinute: [1, 1_000_000, true],
  recipientsPerHour: [2, 100_000_000, true],
  recipientsPerDay: [2, 100_000_000, true],
  bannerSeconds: [1, 300, true],
  replySeconds: [1, 300, true],
  secondTrySeconds: [1, 600, true],
  unknownRecipients: [100, 1_000_000, true],
  refusalsInARow: [1, 1_000_000, true],
  refusingRecipientsPerMinute: [1, 1_000_000, false],
  refusingConnectionsPerMinute: [1, 1_000_000, false],
};
const LIMITS = Object.keys(BOUNDS) as (keyof Limits)[];
const WARM_UP_BOUNDS: Readonly<Record<keyof WarmUp, readonly [least: number, most: number]>> = {
  perDay: [2, 1_000_000],
  growth: [1.01, 3],
  until: [2, 100_000_000],
  unknownPercent: [1, 100],
};
const WARM_UP = Object.keys(WARM_UP_BOUNDS) as (keyof WarmUp)[];

function check(input: Buffer): void {
  const json = jsonOf(input);
  if (json === undefined) return;
  const parsed = parsePolicy(json);
  if (!parsed.ok) checkSentence(parsed.why);
  else checkPolicy(parsed.policy, json as Record<string, unknown>);
}

/** Undefined: no JSON, which the reader of the file says itself. */
function jsonOf(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString());
  } catch {
    return undefined;
  }
}

function checkSentence(why: string): void {
  promised(why.length <= SENTENCE_MAX_CHARS, 'a sentence is short', why);
  promised(!/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/.test(why), 'a sentence is one line', why);
  promised(why.isWellFormed(), 'a sentence is text', why);
  promised(
    /^(?:the policy|everyone|hosts|missingQuestionsPerMinute|never|sources)\b/.test(why),
    'a sentence says where',
    why,
  );
  promised(/ must | has more than | has an unknown entry /.test(why), 'a sentence says what', why);
}

function checkPolicy(policy: Policy, json: Record<string, unknown>): void {
  const isPlain = typeof json === 'object' && json !== null && !Array.isArray(json);
  promised(isPlain, 'a policy is an object');
  checkLimits(policy.everyone.limits);
  const { missingQuestionsPerMinute: missing } = policy;
  promised(Number.isInteger(missing) && missing >= 2 && missing <= 1_000_000, 'so is that of zones', missing);
  const hosts = (json.hosts ?? []) as Record<string, unknown>[];
  const copied = hosts.some(({ provider }) => provider === 'outlook')
    ? 0
    : hosts.filter(({ provider }) => provider === 'microsoft').length;
  promised(policy.rows.length === hosts.length + copied + DEFAULT_POLICY.rows.length, 'every row counts');
  for (const word of ['google', 'microsoft', 'outlook']) {
    const isNamed = Object.hasOwn(json, word) || (word === 'outlook' && Object.hasOwn(json, 'microsoft'));
    promised(policy.neverProviders.has(word) === isNamed, 'a provider is left out by its word', word);
  }
  for (const [at, row] of policy.rows.entries()) {
    promised(
      (row.provider === undefined) !== (row.hostSuffix === undefined),
      'a row is about one thing',
      row,
    );
    promised(row.reason.length <= REASON_MAX_CHARS, 'a reason is bounded', row.reason.length);
    const host = row.hostSuffix?.replace(/^\./, '') ?? 'mx.nobody.example';
    checkLimits(limitsFor(policy, `mx.${host}`, row.provider ?? 'other'));
    const given = hosts[at];
    for (const limit of LIMITS)
      if (given !== undefined && Object.hasOwn(given, limit))
        promised(row.limits[limit] === given[limit], 'a limit is as given', { limit, row });
  }
  checkSources(policy, (json.sources ?? {}) as Record<string, Record<string, unknown>>);
  const never = (json.never ?? []) as string[];
  for (const name of never) {
    const read = asciiDomain(name);
    promised(read.ok, 'what is never asked is a domain', name);
    promised(isNeverAsked(policy, read.domain), 'it is never asked', name);
    promised(isNeverAsked(policy, `mx.${read.domain}`), 'nor is what lies below', name);
    promised(
      never.includes('b') || !isNeverAsked(policy, `${read.domain}.b`) || never.length > 1,
      'others are',
      name,
    );
  }
}

function checkSources(policy: Policy, given: Record<string, Record<string, unknown>>): void {
  promised(policy.sources.size === Object.keys(given).length, 'every source counts');
  for (const source of [null, ...policy.sources.keys()]) {
    const own = source !== null && given[source]?.warmUp !== undefined ? given[source] : given['*'];
    const settings = warmUpOf(policy, source);
    promised((settings !== null) === (own?.warmUp !== undefined), 'a warm-up is one that was given', source);
    if (settings === null) continue;
    for (const provider of ['', 'other', 'google', 'outlook', ...settings.providers.keys()]) {
      const at = warmUpAt(settings, provider);
      for (const key of WARM_UP) {
        const [least, most] = WARM_UP_BOUNDS[key];
        promised(at[key] >= least && at[key] <= most, 'a schedule lies within its bounds', { key, at });
      }
      promised(at.until >= at.perDay, 'a schedule ends where it began or above', at);
    }
  }
}

function checkLimits(limits: Limits): void {
  for (const limit of LIMITS) {
    const [least, most, isOptional] = BOUNDS[limit];
    const value = limits[limit];
    const isBound = value === null ? isOptional : Number.isInteger(value) && value >= least && value <= most;
    promised(isBound, 'a limit lies within its bounds', { limit, value });
  }
}

const KEYS = [
  'everyone',
  'hosts',
  'missingQuestionsPerMinute',
  'never',
  'sources',
  'google',
  'microsoft',
  'outlook',
  ...LIMITS,
  ...WARM_UP,
  'warmUp',
  'providers',
  'mailFrom',
  'provider',
  'host',
  'reason',
  '__proto__',
  'constructor',
  'a\nb',
  '\ud800',
];
const TEXTS = [
  'google',
  'microsoft',
  'outlook',
  'never',
  'mx.example.com',
  '.example.com',
  'bücher.example',
  'GOOGLE',
  '',
  'a\r\nb',
  '-a',
  'com',
  'x'.repeat(501),
  'example.org',
];
const NUMBERS = [
  0,
  1,
  1.01,
  1.3,
  2,
  5,
  200,
  201,
  300,
  301,
  1_000,
  1_001,
  10_000,
  1_000_000,
  1_000_001,
  -1,
  0.5,
  1e308,
  2 ** 53,
];

function make(random: Random): Buffer {
  const object = (keys: readonly string[], value: (key: string) => unknown) =>
    Object.fromEntries(
      Array.from({ length: random.between(0, 3) }, () => random.pick(keys)).map((key) => [key, value(key)]),
    );
  const any = (): unknown =>
    random.pick([...TEXTS, ...NUMBERS, null, true, [], {}, ['a.example'], { connections: 5 }]);
  const number = () => (random.chance(0.9) ? random.pick(NUMBERS) : any());
  const row = (): unknown => {
    const limits = object(random.chance(0.95) ? LIMITS : KEYS, number);
    const about = random.chance(0.5) ? { provider: random.pick(TEXTS) } : { host: random.pick(TEXTS) };
    return random.chance(0.95) ? { ...limits, ...(random.chance(0.95) ? about : {}) } : any();
  };
  const schedule = () => ({
    ...(random.chance(0.9) ? { perDay: random.pick([2, 50, 1_000]) } : {}),
    ...object(random.chance(0.95) ? WARM_UP : KEYS, number),
  });
  const providers = () => object(['google', 'other', ...(random.chance(0.1) ? TEXTS : [])], schedule);
  const source = (): unknown => ({
    ...(random.chance(0.8)
      ? {
          warmUp: random.chance(0.95)
            ? { ...schedule(), ...(random.chance(0.3) ? { providers: providers() } : {}) }
            : any(),
        }
      : {}),
    ...(random.chance(0.2) ? { mailFrom: random.pick(TEXTS) } : {}),
  });
  const list = (value: () => unknown) =>
    random.chance(0.95) ? Array.from({ length: random.between(0, 4) }, value) : any();
  const file = {
    ...(random.chance(0.6) ? { everyone: random.chance(0.95) ? object(LIMITS, number) : any() } : {}),
    ...(random.chance(0.6) ? { hosts: list(row) } : {}),
    ...(random.chance(0.6) ? { never: list(() => random.pick(TEXTS)) } : {}),
    ...(random.chance(0.4) ? { sources: object(['192.0.2.1', '*', '', 'a\nb', '__proto__'], source) } : {}),
    ...(random.chance(0.1) ? object(KEYS, any) : {}),
  };
  return Buffer.from(JSON.stringify(random.chance(0.97) ? file : any()));
}

function* seeds(): Generator<Buffer> {
  const rows = LIMITS.flatMap((limit) => NUMBERS.map((value) => ({ [limit]: value })));
  for (const row of rows) {
    yield Buffer.from(JSON.stringify({ everyone: row }));
    yield Buffer.from(
      JSON.stringify({ hosts: [{ provider: 'google', ...row }, { host: 'mx.example.com' }] }),
    );
  }
  for (const text of TEXTS)
    yield Buffer.from(JSON.stringify({ never: [text], hosts: [{ host: text, reason: text }] }));
  for (const key of WARM_UP)
    for (const value of NUMBERS)
      yield Buffer.from(
        JSON.stringify({
          sources: { '*': { warmUp: { perDay: 50, providers: { other: { [key]: value } } } } },
        }),
      );
  yield Buffer.from(JSON.stringify({ outlook: 'never', hosts: [{ provider: 'microsoft', connections: 2 }] }));
}

export const policy: Target = {
  name: 'policy',
  inputs: 80_000,
  cpuSecondsMax: 100,
  inputMaxBytes: 4_096,
  seeds,
  dictionary: words(
    ...KEYS.map((key) => `"${key}":`),
    ...TEXTS.map((text) => JSON.stringify(text)),
    ...NUMBERS.map(String),
    ...['{', '}', '[', ']', ',', ':', 'null', 'true', '"', '\\n', '\\u0000', '\\ud800', '\\u202e'],
  ),
  make,
  check,
};
