// Hours with a proxy that goes and comes, in simulated time: what waits, what goes on, and who is blamed.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/index.ts';
import { type Connect, type ConnectTarget, createChecker, parsePolicy } from '../src/index.ts';
import { ask, resumed, TWO_MX_HOSTS, type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const PROXY = { name: 'proxy.example:1080', ip: '127.0.0.10', port: 1080, login: null };
const EXIT = '127.0.0.5';
const DIRECT = '127.0.0.2';
const SOURCES = [
  { ip: DIRECT, heloName: 'direct.example.org' },
  { proxy: PROXY, heloName: 'proxied.example.org' },
];
const MINUTE_MS = 60_000;

interface ProxiedRig {
  readonly virtual: VirtualRig;
  /** What the proxy does at the moment: connects, or how it fails. */
  proxy: 'connects' | 'EPROXYDOWN' | 'EPROXYREFUSED' | 'silent';
  /** Connects that went to it. */
  readonly tries: ConnectTarget[];
  readonly directs: ConnectTarget[];
}

/** The virtual world behind a proxy that mail hosts know as 127.0.0.5. */
function proxied(spec: WorldSpec, sources: typeof SOURCES | [(typeof SOURCES)[1]] = SOURCES): ProxiedRig {
  const plain = virtualChecker(spec);
  const { world } = plain;
  const connect: Connect = (target, events) => {
    const { proxy, ...direct } = target;
    if (proxy === undefined) {
      rig.directs.push(target);
      return world.connect(target, events);
    }
    rig.tries.push(target);
    if (rig.proxy === 'connects') return world.connect({ ...direct, source: EXIT }, events);
    const how = rig.proxy;
    const close = () => void world.clock.setTimeout(() => events.closed('EPROXYDOWN'), 0);
    if (how === 'silent') return { write() {}, startTls() {}, destroy: close };
    world.clock.setTimeout(() => events.closed(how), 1);
    return { write() {}, startTls() {}, destroy() {} };
  };
  const policy = parsePolicy({
    sources: {
      [PROXY.name]: { mailFrom: 'proxied@example.org' },
      [DIRECT]: { mailFrom: 'direct@example.org' },
    },
  });
  if (!policy.ok) throw new Error(policy.why);
  const { clock, resolver } = world;
  const checker = createChecker({
    clock,
    resolver,
    connect,
    allowPrivateTargets: true,
    mailFrom: 'unused@example.org',
    sources,
    policy: policy.policy,
    log: (event) => plain.log.push(event),
  });
  const rig: ProxiedRig = { virtual: { ...plain, checker }, proxy: 'connects', tries: [], directs: [] };
  return rig;
}

const DOMAINS = Array.from({ length: 40 }, (_, i) => `d${i}.example`);
const EMAILS = DOMAINS.map((domain) => `anna@${domain}`);
const world = (host = {}): WorldSpec => ({
  domains: Object.fromEntries(DOMAINS.map((domain) => [domain, { host, mailboxes: ['anna'] }])),
});

/** One round a minute, as long as there is something to ask. */
async function rounds({ virtual }: ProxiedRig, minutes: number) {
  let questions = EMAILS.map((email) => ({ email }));
  const done = new Map<string, string>();
  const waiting = new Map<string, string | undefined>();
  for (let minute = 0; minute < minutes && questions.length > 0; minute += 1) {
    const outcomes = await ask(virtual, questions);
    waiting.clear();
    for (const [i, outcome] of outcomes.entries()) {
      const email = questions[i]?.email ?? '';
      if (outcome.kind === 'final') done.set(email, verdictOf(outcome.finding));
      if (outcome.kind === 'later') waiting.set(email, outcome.resume.detail);
    }
    questions = resumed(questions, outcomes).filter(({ email }) => !done.has(email));
    await virtual.sleep(MINUTE_MS);
  }
  return { done, waiting };
}

const sourcesOf = (rig: ProxiedRig, emails: Iterable<string>) =>
  new Set(
    [...emails].flatMap((email) => (rig.virtual.world.seen.asks.get(email) ?? []).map((one) => one.source)),
  );

test('each source asks with its own sender and HELO name, and again from where it asked before', async () => {
  const rig = proxied(world({ greylist: { delayMs: 90_000 } }));
  const { done } = await rounds(rig, 10);
  expect(new Set(done.values())).toEqual(new Set(['deliverable accepted_email']));
  const bySource = new Map<string, Set<string>>();
  for (const asks of rig.virtual.world.seen.asks.values()) {
    expect(new Set(asks.map(({ source }) => source)).size).toBe(1);
    for (const { source, sender } of asks)
      bySource.set(source, (bySource.get(source) ?? new Set()).add(sender));
  }
  expect(bySource).toEqual(
    new Map([
      [DIRECT, new Set(['direct@example.org'])],
      [EXIT, new Set(['proxied@example.org'])],
    ]),
  );
});

test.each([
  'EPROXYDOWN',
  'silent',
] as const)('while the proxy is %s its recipients wait and the others go on; then it is used again', async (how) => {
  const rig = proxied(world());
  rig.proxy = how;
  const { done, waiting } = await rounds(rig, 60);
  expect(done.size).toBeGreaterThan(5);
  expect(waiting.size).toBeGreaterThan(5);
  expect(new Set(done.values())).toEqual(new Set(['deliverable accepted_email']));
  expect(sourcesOf(rig, done.keys())).toEqual(new Set([DIRECT]));
  // Nothing of the proxy's went another way.
  expect(sourcesOf(rig, waiting.keys())).toEqual(new Set());
  expect(new Set(waiting.values())).toEqual(new Set(['proxy_refused']));
  // All at once at first, then one a minute.
  expect(rig.tries.length).toBeLessThan(waiting.size + 60);
  const { obstacles } = rig.virtual.checker.health();
  expect(obstacles).toEqual([]);
  expect(rig.virtual.log.map(({ event }) => event)).toEqual(['proxy_down']);

  rig.proxy = 'connects';
  const after = await rounds(rig, 10);
  expect([after.done.size, after.waiting.size]).toEqual([EMAILS.length, 0]);
  expect(sourcesOf(rig, waiting.keys())).toEqual(new Set([EXIT]));
  expect(rig.virtual.log.map(({ event }) => event)).toEqual(['proxy_down', 'proxy_up']);
});

test('a proxy that connects to no mail host ends its recipients as unknown, and only its own', async () => {
  const rig = proxied(world());
  rig.proxy = 'EPROXYREFUSED';
  const { done, waiting } = await rounds(rig, 10);
  expect(waiting.size).toBe(0);
  expect(new Set(done.values())).toEqual(new Set(['deliverable accepted_email', 'unknown no_connect']));
  for (const [email, verdict] of done)
    expect(sourcesOf(rig, [email]).size).toBe(verdict === 'unknown no_connect' ? 0 : 1);
  expect(rig.virtual.log.map(({ event }) => event)).toEqual(['proxy_refuses']);
});

test('with no other source the service is cut off while its proxy is down, and says so', async () => {
  const rig = proxied(world(), [SOURCES[1]!] as never);
  rig.proxy = 'EPROXYDOWN';
  const { done, waiting } = await rounds(rig, 5);
  expect([done.size, waiting.size, rig.directs.length]).toEqual([0, EMAILS.length, 0]);
  expect(rig.virtual.checker.health().obstacles.map(({ code }) => code)).toEqual(['port_25']);
  rig.proxy = 'connects';
  expect((await rounds(rig, 5)).done.size).toBe(EMAILS.length);
  expect(rig.virtual.checker.health().obstacles).toEqual([]);
});

test('while the proxy hangs, the other source asks the preferred host of the same domains', async () => {
  const hosts = { 'mx1.example': {}, 'mx2.example': {} };
  const domains = Object.fromEntries(DOMAINS.map((domain) => [domain, TWO_MX_HOSTS]));
  const before = proxied({ domains, hosts });
  await rounds(before, 1);
  const [viaProxy, directly] = [EXIT, DIRECT].map((source) =>
    EMAILS.find((email) => sourcesOf(before, [email]).has(source)),
  );
  const rig = proxied({ domains, hosts });
  rig.proxy = 'silent';
  const { world: behind, checker } = rig.virtual;
  const waiting = checker.check(viaProxy ?? '');
  // Longer than a host that does not answer keeps the rank to itself.
  await rig.virtual.sleep(6_000);
  const askedAtMs = behind.clock.now();
  expect(verdictOf(await behind.run(checker.check(directly ?? '')))).toBe('deliverable accepted_email');
  expect(behind.clock.now() - askedAtMs).toBeLessThan(1_000);
  expect(rig.tries[0]?.ip).toBe(rig.directs[0]?.ip);
  expect(behind.seen.hosts['mx2.example']?.connections ?? 0).toBe(0);
  expect(await behind.run(waiting)).toMatchObject({ reason: 'no_connect', detail: 'proxy_refused' });
});
