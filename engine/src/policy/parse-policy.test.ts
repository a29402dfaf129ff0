import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROVIDER_NAMES } from '../domain/provider.ts';
import { DEFAULT_POLICY } from './default-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import { isHostNeverAsked, isNeverAsked, limitsFor, warmUpAt, warmUpOf } from './policy.ts';

function policy(json: unknown) {
  const parsed = parsePolicy(json);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

test.each(['engine.md', 'reputation.md'])('the policy files of %s are taken as they stand', (page) => {
  const text = readFileSync(new URL(`../../../docs/guide/${page}`, import.meta.url), 'utf8');
  const files = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, code]) => code ?? '');
  const policies = files.filter((code) => code.includes('"hosts"'));
  expect(policies).toHaveLength(1);
  for (const code of policies) expect(parsePolicy(JSON.parse(code))).toMatchObject({ ok: true });
});

test('the largest providers have limits of their own, each with its reason', () => {
  const providers = new Set(DEFAULT_POLICY.rows.map((row) => row.provider));
  expect(providers.size).toBeGreaterThanOrEqual(10);
  for (const row of DEFAULT_POLICY.rows) expect(row.reason.length).toBeGreaterThan(20);
  for (const provider of providers) expect(PROVIDER_NAMES).toContain(provider);
  expect(limitsFor(DEFAULT_POLICY, 'mx.example.com', 'other').refusalsPerConnection).toBe(9);
  for (const row of DEFAULT_POLICY.rows)
    expect(limitsFor(DEFAULT_POLICY, 'x', row.provider ?? '').refusalsPerConnection).toBeLessThan(10);
});

/** Connections at once and messages on each, of KumoMTA's published shaping. */
test.each([
  ['google', 5, 50],
  ['microsoft', 5, 50],
  ['outlook', 5, 50],
  ['apple', 10, 5],
  ['barracuda', 10, 15],
  ['qq', 4, 8],
  ['netease', 4, 7],
  ['yahoojapan', 2, 20],
  ['kpn', 10, 10],
  ['netvigator', 5, 10],
  ['yahoo', 20, 20],
  ['mimecast', 10, 100],
])('%s is asked on no more than %d connections and in %d transactions on each', (provider, most, messages) => {
  const limits = limitsFor(DEFAULT_POLICY, 'mx.example', provider);
  expect(limits.connections).toBeLessThanOrEqual(most);
  expect(limits.transactionsPerConnection ?? limits.recipientsPerConnection).toBeLessThanOrEqual(messages);
});

test('the host comes before the provider, the operator before us, and what is not said stays', () => {
  const own = policy({
    everyone: { connections: 4 },
    hosts: [
      { provider: 'google', refusalsPerConnection: 2, reason: 'asked nicely' },
      { host: '.mx.example.com', recipientsPerMinute: 30 },
    ],
  });
  expect(limitsFor(own, 'aspmx.l.google.com', 'google')).toMatchObject({
    refusalsPerConnection: 2,
    connections: 4,
    reason: 'asked nicely',
  });
  expect(limitsFor(own, 'a.mx.example.com', 'google')).toMatchObject({
    recipientsPerMinute: 30,
    refusalsPerConnection: 9,
  });
  expect(limitsFor(own, 'notmx.example.com', 'other').recipientsPerMinute).toBeNull();
});

test('seconds of waiting are taken from the most exact row; null is the checker’s own', () => {
  const own = policy({
    everyone: { bannerSeconds: 30, replySeconds: 40 },
    hosts: [
      { host: 'mx.example.com', bannerSeconds: 300, secondTrySeconds: 600 },
      { provider: 'google', replySeconds: null },
    ],
  });
  const secondsFor = (host: string, provider: string) => {
    const { bannerSeconds, replySeconds, secondTrySeconds } = limitsFor(own, host, provider);
    return [bannerSeconds, replySeconds, secondTrySeconds];
  };
  expect(secondsFor('a.mx.example.com', 'other')).toEqual([300, 40, 600]);
  expect(secondsFor('aspmx.l.google.com', 'google')).toEqual([30, null, null]);
  expect(secondsFor('mx.example.org', 'other')).toEqual([30, 40, null]);
});

test('an address that refuses everyone has its rates from the most exact row; null is no limit', () => {
  const own = policy({
    everyone: { refusingRecipientsPerMinute: 30 },
    hosts: [{ provider: 'google', refusalsInARow: null }],
    missingQuestionsPerMinute: 100,
  });
  expect(limitsFor(own, 'mx.example.com', 'other')).toMatchObject({
    refusalsInARow: 300,
    refusingRecipientsPerMinute: 30,
    refusingConnectionsPerMinute: 10,
  });
  expect(limitsFor(own, 'aspmx.l.google.com', 'google').refusalsInARow).toBeNull();
  expect([own.missingQuestionsPerMinute, DEFAULT_POLICY.missingQuestionsPerMinute]).toEqual([100, 600]);
});

test('what the file says of microsoft holds for outlook, unless it says something of that one', () => {
  const both = policy({ hosts: [{ provider: 'microsoft', connections: 2, reason: 'slow link' }] });
  const own = policy({
    hosts: [
      { provider: 'microsoft', connections: 2 },
      { provider: 'outlook', connections: 1 },
    ],
  });
  const at = (one: typeof both, provider: string) => limitsFor(one, 'mx.example', provider).connections;
  expect([at(both, 'microsoft'), at(both, 'outlook')]).toEqual([2, 2]);
  expect([at(own, 'microsoft'), at(own, 'outlook')]).toEqual([2, 1]);
  expect(at(policy({ hosts: [{ provider: 'outlook', connections: 1 }] }), 'microsoft')).toBe(5);
});

const CONSUMER = 'hotmail-com.olc.protection.outlook.com';
const TENANT = 'example-com.mail.protection.outlook.com';

test.each([
  [{ outlook: 'never' }, [true, false, false]],
  // The safer reading of a word that was theirs together: narrower by the names of its hosts.
  [{ microsoft: 'never' }, [true, true, false]],
  [{ never: ['mail.protection.outlook.com'] }, [false, true, false]],
  [{}, [false, false, false]],
])('of consumer Outlook, Microsoft 365 and Google %j leaves out %j', (json, left) => {
  const own = policy(json);
  expect([CONSUMER, TENANT, 'aspmx.l.google.com'].map((host) => isHostNeverAsked(own, host))).toEqual(left);
});

test('an hour and a day are counted for what the row names, and for each address where no row does', () => {
  const own = policy({
    everyone: { recipientsPerDay: 500 },
    hosts: [
      { provider: 'microsoft', recipientsPerHour: 60 },
      { host: 'mx.example.com', recipientsPerDay: null },
      { host: 'mx.example.net', recipientsPerDay: 9 },
    ],
  });
  const budgets = (host: string, provider: string) => limitsFor(own, host, provider, '192.0.2.1').budgets;
  const [perHour, perDay] = [60, 500];
  expect(budgets(TENANT, 'microsoft')).toEqual([{ key: 'provider microsoft', perHour, perDay }]);
  expect(budgets(CONSUMER, 'outlook')).toEqual([{ key: 'provider outlook', perHour, perDay }]);
  expect(budgets('a.mx.example.net', 'other')).toEqual([
    { key: 'host mx.example.net', perHour: null, perDay: 9 },
  ]);
  expect(budgets('mx.example.org', 'other')).toEqual([{ key: 'address 192.0.2.1', perHour: null, perDay }]);
  expect(budgets('mx.example.com', 'other')).toEqual([]);
});

test('a warm-up is of one source, or of each that has none of its own; a provider may have another', () => {
  const own = policy({
    sources: {
      '192.0.2.1': { warmUp: { perDay: 50, until: 900, providers: { other: { perDay: 400, growth: 2 } } } },
      '192.0.2.2': { mailFrom: 'check@example.com' },
      '*': { warmUp: { perDay: 9 } },
    },
  });
  const at = (source: string | null, provider: string) => {
    const settings = warmUpOf(own, source);
    if (settings === null) throw new Error('it has one');
    return warmUpAt(settings, provider);
  };
  const fifty = { perDay: 50, growth: 1.3, until: 900, unknownPercent: 30 };
  expect(at('192.0.2.1', 'google')).toEqual({ provider: 'google', ...fifty });
  // Hosts without a provider are one.
  expect(at('192.0.2.1', '')).toEqual({ ...fifty, provider: 'other', perDay: 400, growth: 2 });
  for (const source of ['192.0.2.2', '192.0.2.3', null])
    expect(at(source, 'google')).toMatchObject({ perDay: 9, until: 100_000 });
  expect(warmUpOf(policy({ sources: { '192.0.2.2': {} } }), '192.0.2.2')).toBeNull();
});

test('a domain that is never asked includes those below it', () => {
  const own = policy({ never: ['Example.ORG', 'bücher.example'] });
  expect(
    ['example.org', 'a.b.example.org', 'xn--bcher-kva.example'].map((name) => isNeverAsked(own, name)),
  ).toEqual([true, true, true]);
  expect(['notexample.org', 'org'].map((name) => isNeverAsked(own, name))).toEqual([false, false]);
});

test.each([
  [null, 'the policy must be an object'],
  [[], 'the policy must be an object'],
  [{ nevr: [] }, 'the policy has an unknown entry "nevr"'],
  [{ outlook: true }, 'the policy entry "outlook" must be "never"'],
  [{ other: 'never' }, 'the policy has an unknown entry "other"'],
  [{ hotmail: 'never' }, 'the policy has an unknown entry "hotmail"'],
  [
    { everyone: { recipientsPerDay: 0 } },
    'everyone.recipientsPerDay must be a whole number from 2 to 100000000',
  ],
  [{ 'a\r\nb\u202e\ud800': 1 }, 'the policy has an unknown entry "a\ufffd\ufffdb\ufffd\ufffd"'],
  [{ everyone: { connections: 0 } }, 'everyone.connections must be a whole number from 1 to 200'],
  [{ everyone: { connections: '5' } }, 'everyone.connections must be a whole number from 1 to 200'],
  [
    { everyone: { recipientsPerConnection: 1.5 } },
    'everyone.recipientsPerConnection must be a whole number from 1 to 10000',
  ],
  [{ everyone: { refusalsInARow: 0 } }, 'everyone.refusalsInARow must be a whole number from 1 to 1000000'],
  [
    { hosts: [{ provider: 'google', refusingRecipientsPerMinute: null }] },
    'hosts[0].refusingRecipientsPerMinute must be a whole number from 1 to 1000000',
  ],
  [{ missingQuestionsPerMinute: null }, 'missingQuestionsPerMinute must be a whole number from 2 to 1000000'],
  [{ everyone: { bannerSeconds: 0 } }, 'everyone.bannerSeconds must be a whole number from 1 to 300'],
  [
    { hosts: [{ host: 'mx.example', replySeconds: 301 }] },
    'hosts[0].replySeconds must be a whole number from 1 to 300',
  ],
  [
    { hosts: [{ provider: 'google', secondTrySeconds: '2 min' }] },
    'hosts[0].secondTrySeconds must be a whole number from 1 to 600',
  ],
  [{ everyone: { connections: null } }, 'everyone.connections must be a whole number from 1 to 200'],
  [{ sources: [] }, 'sources must be an object'],
  [{ sources: { a: { warmUp: {} } } }, 'sources["a"].warmUp must have perDay'],
  [
    { sources: { a: { warmUp: { perDay: 1 } } } },
    'sources["a"].warmUp.perDay must be a whole number from 2 to 1000000',
  ],
  [
    { sources: { a: { warmUp: { perDay: 50, growth: 1 } } } },
    'sources["a"].warmUp.growth must be a number from 1.01 to 3',
  ],
  [
    { sources: { a: { warmUp: { perDay: 50, until: 49 } } } },
    'sources["a"].warmUp.until must not be below perDay',
  ],
  [
    { sources: { a: { warmUp: { perDay: 50, providers: { gmail: {} } } } } },
    'sources["a"].warmUp.providers has an unknown entry "gmail"',
  ],
  [{ sources: { '*': { mailFrom: '' } } }, 'sources["*"] has an unknown entry "mailFrom"'],
  [
    { sources: { a: { mailFrom: 'x' } } },
    'sources["a"].mailFrom must be an e-mail address in ASCII, or empty',
  ],
  [{ hosts: {} }, 'hosts must be an array'],
  [{ hosts: [{}] }, 'hosts[0] must have either a provider or a host'],
  [{ hosts: [{ provider: 'x', host: 'y.example' }] }, 'hosts[0] must have either a provider or a host'],
  [{ hosts: [{ host: 'no host' }] }, 'hosts[0].host must be a host name'],
  [{ hosts: [{ provider: 'google', speed: 9 }] }, 'hosts[0] has an unknown entry "speed"'],
  [{ never: ['a@b.example'] }, 'never[0] must be a domain name'],
  [{ never: [7] }, 'never[0] must be a domain name'],
])('%j is refused in one sentence', (json, why) => {
  expect(parsePolicy(json)).toEqual({ ok: false, why });
});
