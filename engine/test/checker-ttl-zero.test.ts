// Zones whose records say TTL 0: each answer would be out of date at once, and asked for again for every address.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/spec.ts';
import { type VirtualRig, virtualChecker } from './virtual-checker.ts';

/** What the cache keeps at least (dns-cache.ts). */
const KEPT_MS = 10_000;

/** Counts questions at the name server, by type and name. */
function counting(spec: WorldSpec): { virtual: VirtualRig; questions: Map<string, number> } {
  const virtual = virtualChecker({ ...spec, dns: { ttlSeconds: 0 } });
  const questions = new Map<string, number>();
  const { resolver } = virtual.world;
  for (const type of ['mx', 'a', 'aaaa'] as const) {
    const ask = resolver[type] as (name: string) => never;
    Object.assign(resolver, {
      [type]: (name: string) => {
        const key = `${type} ${name}`;
        questions.set(key, (questions.get(key) ?? 0) + 1);
        return ask(name);
      },
    });
  }
  return { virtual, questions };
}

test('ten thousand addresses of one domain, a chunk after another, look it up once in ten seconds at most', async () => {
  const { virtual, questions } = counting({
    domains: { 'zero.example': { host: { replyDelayMs: 100 }, mailboxes: { share: 0.8 } } },
  });
  const beganMs = virtual.world.clock.now();
  for (let chunk = 0; chunk < 40; chunk++) {
    const emails = Array.from({ length: 250 }, (_, n) => `p${chunk}-${n}@zero.example`);
    expect((await virtual.checkAll(emails)).size).toBe(emails.length);
  }
  const rounds = Math.ceil((virtual.world.clock.now() - beganMs) / KEPT_MS);
  for (const question of ['mx zero.example', 'a mx.zero.example']) {
    expect(questions.get(question)).toBeGreaterThan(0);
    expect(questions.get(question)).toBeLessThanOrEqual(rounds);
  }
});

test('a mail server that a thousand domains share is looked up once in ten seconds at most', async () => {
  const shared = { mx: [{ host: 'mx.shared.example', preference: 10 }], mailboxes: { share: 0.8 } };
  const names = Array.from({ length: 1_000 }, (_, n) => `d${n}.example`);
  const { virtual, questions } = counting({
    hosts: { 'mx.shared.example': { replyDelayMs: 100 } },
    domains: Object.fromEntries(names.map((name) => [name, shared])),
  });
  const beganMs = virtual.world.clock.now();
  const emails = names.flatMap((name) => [`anna@${name}`, `ben@${name}`]);
  expect((await virtual.checkAll(emails)).size).toBe(emails.length);
  const rounds = Math.ceil((virtual.world.clock.now() - beganMs) / KEPT_MS);
  expect(questions.get('a mx.shared.example')).toBeGreaterThan(0);
  expect(questions.get('a mx.shared.example')).toBeLessThanOrEqual(rounds);
});
