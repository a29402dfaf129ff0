// DNS that is away for a while ends no list early; a domain that is dead by itself keeps none waiting.
import { expect, test } from 'vitest';
import { createChecker } from '../src/index.ts';
import type { DnsAnswer } from '../src/ports.ts';
import type { Outcome } from '../src/types.ts';
import { askWith, resumed, virtualChecker } from './virtual-checker.ts';

const SENTINELS = ['large.example', 'large.test'];
const ANNA = [{ email: 'anna@small.example' }];
const LATE_MS = 2_000;
const MINUTE_MS = 60_000;
const ROUNDS = 10;

/** Names that end so are not answered about; null: all are. */
function withDns(how: 'timeout' | 'servfail', sentinels = SENTINELS) {
  const virtual = virtualChecker({
    domains: {
      'large.example': { host: {} },
      'large.test': { host: {} },
      'small.example': { host: {}, mailboxes: ['anna'] },
    },
  });
  const { clock, resolver, connect } = virtual.world;
  const dns = { failsFor: null as string | null };
  const late = <T>(name: string, ask: () => Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> =>
    dns.failsFor === null || !name.endsWith(dns.failsFor)
      ? ask()
      : new Promise((tell) => void clock.setTimeout(() => tell({ kind: how }), LATE_MS));
  const checker = createChecker({
    clock,
    connect,
    resolver: {
      mx: (name, ...rest) => late(name, () => resolver.mx(name, ...rest)),
      a: (name, ...rest) => late(name, () => resolver.a(name, ...rest)),
      aaaa: (name, ...rest) => late(name, () => resolver.aaaa(name, ...rest)),
    },
    dnsSentinels: sentinels,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
  });
  /** Asks again whenever the outcome says so, at most so many times. */
  async function rounds(most: number, first: readonly Outcome[] = []): Promise<readonly Outcome[]> {
    let outcomes = first;
    for (let n = 0; n < most && outcomes[0]?.kind !== 'final'; n++) {
      if (n > 0) await virtual.sleep(MINUTE_MS);
      outcomes = await askWith(virtual, checker, resumed(ANNA, outcomes));
    }
    return outcomes;
  }
  return { virtual, checker, dns, rounds };
}

test.each([
  'timeout',
  'servfail',
] as const)('while no sentinel is answered about (%s), a small list waits and uses up no attempt; then it is checked', async (how) => {
  const { virtual, dns, rounds } = withDns(how);
  dns.failsFor = '';
  const waiting = await rounds(ROUNDS);
  expect(waiting).toMatchObject([{ kind: 'later', resume: { attempt: 0 } }]);
  dns.failsFor = null;
  await virtual.sleep(MINUTE_MS);
  expect(await rounds(ROUNDS, waiting)).toMatchObject([{ kind: 'final', finding: { state: 'deliverable' } }]);
});

test.each([
  ['its own domain is dead', 'small.example', SENTINELS],
  ['so is the one sentinel of its top-level domain', '.example', SENTINELS],
  ['there are no sentinels', '', []],
])('an address ends as unknown after its attempts where %s', async (_, failsFor, sentinels) => {
  const { dns, rounds } = withDns('timeout', sentinels);
  dns.failsFor = failsFor;
  expect(await rounds(ROUNDS)).toMatchObject([
    { kind: 'final', finding: { state: 'unknown', reason: 'dns_error' } },
  ]);
});

test('a single check is answered at once while DNS is away', async () => {
  const { virtual, checker, dns } = withDns('timeout');
  dns.failsFor = '';
  expect(await virtual.world.run(checker.check('anna@small.example'))).toMatchObject({
    state: 'unknown',
    reason: 'dns_error',
  });
});
