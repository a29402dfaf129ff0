import { expect, test } from 'vitest';
import { PROVIDERS } from '../domain/provider-table.ts';
import { DEFAULT_POLICY } from './default-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import { isNeverAsked, limitsFor } from './policy.ts';

function policy(json: unknown) {
  const parsed = parsePolicy(json);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

test('the largest providers have limits of their own, each with its reason', () => {
  const providers = new Set(DEFAULT_POLICY.rows.map((row) => row.provider));
  expect(providers.size).toBeGreaterThanOrEqual(10);
  for (const row of DEFAULT_POLICY.rows) expect(row.reason.length).toBeGreaterThan(20);
  const known = new Set(PROVIDERS.map((row) => row.provider));
  for (const provider of providers) expect(known).toContain(provider);
  expect(limitsFor(DEFAULT_POLICY, 'mx.example.com', 'other').refusalsPerConnection).toBe(9);
  for (const row of DEFAULT_POLICY.rows)
    expect(limitsFor(DEFAULT_POLICY, 'x', row.provider ?? '').refusalsPerConnection).toBeLessThan(10);
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
