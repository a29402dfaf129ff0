// Hosts whose replies keep the thread busy, by a processor clock of the test's own.
import { type Reader, type SlowTurn, Watchdog } from '@mxproof/common/watchdog';
import { expect, test } from 'vitest';
import { startWorld } from '../../world/src/index.ts';
import { type CheckerOptions, createChecker } from '../src/index.ts';
import { ask, resumed, verdictOf, virtualChecker } from './virtual-checker.ts';

const HOUR_MS = 3_600_000;

interface SlowReadings {
  readonly skips: number;
  readonly times: number;
  readonly cpuMs: number;
}

/** Each reading of that host's bytes but the first few takes 250 ms, `cpuMs` of them the thread's; at most `times`. */
class SlowWatchdog extends Watchdog {
  readonly #host: string;
  readonly #spend: () => void;
  #skips: number;
  #times: number;

  constructor(host: string, { skips, times, cpuMs }: SlowReadings, said: SlowTurn[]) {
    let nowMs = 0;
    let usedMs = 0;
    super({ say: (slow) => said.push(slow), nowMs: () => nowMs, threadCpuMs: () => usedMs });
    this.#host = host;
    this.#skips = skips;
    this.#times = times;
    this.#spend = () => {
      nowMs += 250;
      usedMs += cpuMs;
    };
  }

  override began(reader: Reader): number {
    const beganMs = super.began(reader);
    if (!reader.whatIsRead().host?.startsWith(this.#host)) return beganMs;
    this.#skips -= 1;
    if (this.#skips >= 0 || this.#times === 0) return beganMs;
    this.#times -= 1;
    this.#spend();
    return beganMs;
  }
}

const people = (domain: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ email: `p${i}@${domain}` }));

function world(times: number, { cpuMs = 250, skips = 0, options = {} as CheckerOptions } = {}) {
  const said: SlowTurn[] = [];
  const watchdog = new SlowWatchdog('mx.slow.example', { skips, times, cpuMs }, said);
  const host = { replyDelayMs: 20 };
  const virtual = virtualChecker(
    {
      hosts: { 'mx.slow.example': host, 'mx.good.example': host },
      domains: {
        'slow.example': { mx: [{ host: 'mx.slow.example', preference: 10 }], mailboxes: { share: 1 } },
        'good.example': { mx: [{ host: 'mx.good.example', preference: 10 }], mailboxes: { share: 1 } },
      },
    },
    { watchdog, ...options },
  );
  const connections = () => virtual.world.seen.hosts['mx.slow.example']?.connections ?? 0;
  return { virtual, said, connections };
}

test('a host that is slow to read twice is named, rests for an hour, and its recipients are unknown; others notice nothing', async () => {
  const { virtual, said, connections } = world(Number.POSITIVE_INFINITY);
  const found = await virtual.checkAll(
    [...people('slow.example', 100), ...people('good.example', 100)].map(({ email }) => email),
  );
  const verdicts = (domain: string) =>
    new Set([...found].filter(([email]) => email.endsWith(domain)).map(([, finding]) => verdictOf(finding)));
  expect(verdicts('slow.example')).toEqual(new Set(['unknown unavailable_smtp']));
  expect(verdicts('good.example')).toEqual(new Set(['deliverable accepted_email']));
  expect(found.get('p7@slow.example')?.evidence.rule).toMatch(
    /processor time, twice, last at 2030-.* for an hour$/,
  );
  expect(new Set(said.map(({ what }) => what?.host))).toEqual(
    new Set([expect.stringMatching(/^mx\.slow\.example \[/)]),
  );
  // Sessions side by side are ended with the first that is slow.
  expect(said).toHaveLength(2);
  const before = connections();
  expect(before).toBeGreaterThan(2);
  await virtual.sleep(HOUR_MS / 2);
  await virtual.check('late@slow.example');
  expect(connections()).toBe(before);
  await virtual.sleep(HOUR_MS);
  await virtual.check('later@slow.example');
  expect(connections()).toBeGreaterThan(before);
});

test('slow once, it is left alone for a moment and then asked as if nothing had been', async () => {
  const { virtual, said } = world(1);
  const questions = people('slow.example', 100);
  const first = await ask(virtual, questions);
  expect(new Set(first.map(({ kind }) => kind))).toEqual(new Set(['later']));
  await virtual.sleep(60_000);
  const second = await ask(virtual, resumed(questions, first));
  expect(new Set(second.map((one) => one.kind === 'final' && verdictOf(one.finding)))).toEqual(
    new Set(['deliverable accepted_email']),
  );
  expect(said).toHaveLength(1);
});

test.each([
  ['the banner', 0],
  ['the answer to EHLO', 1],
  ['the first flight', 2],
])('the list on whose behalf %s was read is named, and no address', async (_, skips) => {
  const { virtual, said } = world(1, { skips });
  await virtual.world.run(
    virtual.checker.ask([{ email: 'anna@slow.example' }], { lot: 17, onOutcome: () => {} }),
  );
  expect(said.map(({ what }) => what?.lots)).toEqual([[17]]);
  expect(JSON.stringify(said)).not.toMatch(/@|anna/);
});

test('a host that is read while the machine stalls is not blamed', async () => {
  const { virtual, said } = world(Number.POSITIVE_INFINITY, { cpuMs: 10 });
  const outcomes = await ask(virtual, people('slow.example', 20));
  expect(new Set(outcomes.map((one) => one.kind === 'final' && verdictOf(one.finding)))).toEqual(
    new Set(['deliverable accepted_email']),
  );
  expect(said).toEqual([]);
});

test('it rests from every source address', async () => {
  const sources = ['127.0.0.2', '127.0.0.3'].map((ip) => ({ ip, heloName: 'probe.example.org' }));
  const { virtual, connections } = world(Number.POSITIVE_INFINITY, { options: { sources } });
  const finding = await virtual.check('p0@slow.example');
  expect(verdictOf(finding)).toBe('unknown unavailable_smtp');
  const before = connections();
  await virtual.checkAll(people('slow.example', 50).map(({ email }) => email));
  expect(connections()).toBe(before);
});

test('over real sockets, by the real processor clock: one reading is slow, and no other of that host is read', async () => {
  const said: SlowTurn[] = [];
  class Burning extends Watchdog {
    override began(reader: Reader): number {
      const beganMs = super.began(reader);
      if (!reader.whatIsRead().host?.startsWith('mx.slow.example')) return beganMs;
      const since = process.threadCpuUsage();
      let used: NodeJS.CpuUsage;
      do used = process.threadCpuUsage(since);
      while (used.user + used.system < 300_000);
      return beganMs;
    }
  }
  const watchdog = new Burning({ say: (slow) => said.push(slow) });
  const real = await startWorld({
    hosts: { 'mx.slow.example': {}, 'mx.good.example': {} },
    domains: {
      'slow.example': { mx: ['mx.slow.example'], mailboxes: { share: 1 } },
      'good.example': { mx: ['mx.good.example'], mailboxes: { share: 1 } },
    },
  });
  const checker = createChecker({
    dnsServers: [real.dnsServer],
    dnsSentinels: [],
    smtpPort: real.smtpPort,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    watchdog,
  });
  const outcomes: string[] = [];
  const questions = [...people('slow.example', 50), ...people('good.example', 50)];
  await checker.ask(questions, {
    onOutcome: (index, outcome) => {
      outcomes[index] = outcome.kind === 'final' ? verdictOf(outcome.finding) : outcome.kind;
    },
  });
  await checker.close();
  await real.close();
  expect(new Set(outcomes.slice(0, 50))).toEqual(new Set(['later']));
  expect(new Set(outcomes.slice(50))).toEqual(new Set(['deliverable accepted_email']));
  expect(said).toMatchObject([{ kind: 'smtp', counts: { smtp: 1 } }]);
});
