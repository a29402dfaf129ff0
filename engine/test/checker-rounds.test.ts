// Rounds of questions: nothing reachable, aborting, closing, reading on; and what the evidence shows.
import { expect, test } from 'vitest';
import type { Outcome } from '../src/types.ts';
import { ask, askWith, resumed, virtualChecker } from './virtual-checker.ts';

test('when nothing can be reached it is said once, lists wait without using up retries, and go on afterwards', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `d${i}.example`);
  const domains = Object.fromEntries(names.map((name) => [name, { host: {}, mailboxes: ['anna'] }]));
  let shut = true;
  const virtual = virtualChecker({ domains });
  const { createChecker } = await import('../src/index.ts');
  const { clock, resolver } = virtual.world;
  const log: string[] = [];
  const checker = createChecker({
    clock,
    resolver,
    connect: (target, events) =>
      virtual.world.connect(shut ? { ...target, ip: '127.9.9.9' } : target, events),
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    log: ({ event }) => log.push(event),
  });
  const questions = names.map((name) => ({ email: `anna@${name}` }));
  const first = await askWith(virtual, checker, questions);
  expect(checker.reachable).toBe(false);
  expect(log).toEqual(['smtp_unreachable']);
  expect(first.every((outcome) => outcome.kind === 'later')).toBe(true);
  await virtual.sleep(60_000);
  const second = await askWith(virtual, checker, resumed(questions, first));
  expect(second.every((outcome) => outcome.kind === 'later' && outcome.resume.attempt <= 1)).toBe(true);
  shut = false;
  await virtual.sleep(60_000);
  const third = await askWith(virtual, checker, resumed(questions, second));
  await virtual.sleep(60_000);
  const fourth = await askWith(virtual, checker, resumed(questions, third));
  expect(fourth.every((outcome) => outcome.kind === 'final' && outcome.finding.state === 'deliverable')).toBe(
    true,
  );
  expect(log).toEqual(['smtp_unreachable', 'smtp_reachable']);
});

test('a single check is answered at once also when no mail hosts can be reached', async () => {
  const dead = (i: number) => [`d${i}.example`, { host: { down: true } }] as const;
  const domains = {
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => dead(i))),
    'alive.example': { host: {}, mailboxes: ['anna'] },
  };
  const virtual = virtualChecker({ domains });
  await ask(
    virtual,
    Array.from({ length: 11 }, (_, i) => ({ email: `anna@d${i}.example` })),
  );
  expect(virtual.checker.reachable).toBe(false);
  const startMs = virtual.world.clock.now();
  expect(await virtual.check('anna@d11.example')).toMatchObject({ state: 'unknown', reason: 'no_connect' });
  expect(await virtual.check('anna@alive.example')).toMatchObject({ state: 'deliverable' });
  expect(virtual.world.clock.now() - startMs).toBeLessThan(1_000);
  expect(virtual.checker.reachable).toBe(true);
});

test('aborting hands back at once what is not on the wire; what is gets its outcome', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { at: { rcpt: { delayMs: 10_000 } } }, mailboxes: { share: 0.8 } } },
  });
  const stop = new AbortController();
  const outcomes: Outcome['kind'][] = [];
  const questions = Array.from({ length: 200 }, (_, i) => ({ email: `p${i}@a.example` }));
  const done = virtual.checker.ask(questions, {
    signal: stop.signal,
    onOutcome: (_index, outcome) => outcomes.push(outcome.kind),
  });
  await virtual.sleep(5_000);
  stop.abort();
  const handedBack = outcomes.filter((kind) => kind === 'unasked').length;
  expect(handedBack).toBeGreaterThan(150);
  await virtual.world.run(done);
  expect(outcomes).toHaveLength(200);
  expect(outcomes.filter((kind) => kind === 'final')).toHaveLength(200 - handedBack);
});

test('closing hands back what is unasked and leaves no connection', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { at: { rcpt: { next: 'silent' } } }, mailboxes: ['anna'] } },
  });
  const outcomes: Outcome['kind'][] = [];
  const questions = Array.from({ length: 100 }, (_, i) => ({ email: `p${i}@a.example` }));
  const done = virtual.checker.ask(questions, {
    onOutcome: (_index, outcome) => outcomes.push(outcome.kind),
  });
  await virtual.sleep(1_000);
  await virtual.world.run(Promise.all([done, virtual.checker.close(2_000)]));
  expect(outcomes).toHaveLength(100);
  expect(virtual.world.seen.total.open).toBe(0);
});

test('a reader who stops early stops the reading', async () => {
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: { share: 1 } } } });
  let read = 0;
  function* emails() {
    for (; read < 1_000_000; read += 1) yield `p${read}@a.example`;
  }
  await virtual.world.run(
    (async () => {
      for await (const finding of virtual.checker.checkAll(emails())) {
        expect(finding.state).toBe('deliverable');
        break;
      }
    })(),
  );
  expect(read).toBeLessThan(100_000);
});

test('what one asker withdraws does not keep another one waiting', async () => {
  // Refusals wait for the rest of their domain; the rest is withdrawn.
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { at: { rcpt: { delayMs: 10_000 } } }, mailboxes: { refuseAll: true } } },
  });
  const stop = new AbortController();
  const outcomes: Outcome['kind'][] = [];
  const onOutcome = (_index: number, outcome: Outcome) => outcomes.push(outcome.kind);
  const kept = virtual.checker.ask([{ email: 'p1@a.example' }, { email: 'p2@a.example' }], { onOutcome });
  const questions = Array.from({ length: 300 }, (_, i) => ({ email: `q${i}@a.example` }));
  const withdrawn = virtual.checker.ask(questions, { signal: stop.signal, onOutcome: () => {} });
  await virtual.sleep(5_000);
  stop.abort();
  await virtual.world.run(Promise.all([kept, withdrawn]));
  expect(outcomes).toEqual(['final', 'final']);
});

test('askers who wait for one domain are told together what DNS says, and leave one by one', async () => {
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: { share: 1 } } } });
  const stop = new AbortController();
  const told: string[] = [];
  const asking = ['first', 'second', 'third'].map((who) =>
    virtual.checker.ask([{ email: `${who}@a.example` }], {
      ...(who === 'first' ? { signal: stop.signal } : {}),
      onOutcome: (_index, outcome) => told.push(`${who} ${outcome.kind}`),
    }),
  );
  // DNS has not been heard of yet: the first to come is the first to go.
  stop.abort();
  expect(told).toEqual(['first unasked']);
  await virtual.world.run(Promise.all(asking));
  expect(told.toSorted()).toEqual(['first unasked', 'second final', 'third final']);
  expect([...virtual.world.seen.asks.keys()]).not.toContain('first@a.example');
});

test('evidence is at most 2 KiB and names no other mailbox', async () => {
  const emails = Array.from({ length: 40 }, (_, i) => `person${i}@a.example`);
  const virtual = virtualChecker({
    domains: {
      'a.example': {
        host: {
          multiline: true,
          at: {
            rcpt: {
              reply: `550 5.1.1 ${'person1@a.example, person2@a.example '.repeat(20)}unknown user ${'ü"'.repeat(400)}`,
              share: 0.5,
            },
          },
        },
        mailboxes: { catchAll: true },
      },
    },
  });
  const found = await virtual.checkAll(emails);
  for (const [email, finding] of found) {
    const text = JSON.stringify(finding.evidence);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
    for (const other of emails)
      if (other !== email) expect(text.includes(`${other} `) || text.includes(`<${other}>`)).toBe(false);
  }
});

test('a host that loses the replies of a flight costs a minute, and is then asked one by one', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { pipelining: 'loses_replies' }, mailboxes: ['anna'] } },
  });
  const begunAtMs = virtual.world.clock.now();
  expect((await virtual.check('anna@a.example')).state).toBe('deliverable');
  expect(virtual.world.clock.now() - begunAtMs).toBeLessThan(120_000);
});

test('a recipient that takes 45 seconds is still an answer, in a flight too', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { at: { rcpt: { delayMs: 45_000 } } }, mailboxes: ['anna'] } },
  });
  expect((await virtual.check('anna@a.example')).state).toBe('deliverable');
  expect(virtual.world.seen.total.connections).toBe(1);
});

test('the dialogue is told up to MAIL and its reply, also where TLS makes it twice as long', async () => {
  for (const tls of ['none', 'required'] as const) {
    const virtual = virtualChecker(
      { domains: { 'a.example': { host: { tls, wording: 'google' }, mailboxes: ['anna'] } } },
      { mailFrom: 'probe@probe.example.org' },
    );
    const { session } = (await virtual.check('anna@a.example')).evidence;
    const lines = session.map(({ text }) => text);
    expect(lines.filter((text) => text.startsWith('EHLO '))).toHaveLength(tls === 'none' ? 1 : 2);
    expect(lines.slice(-2)).toEqual(['MAIL FROM:<probe@probe.example.org>', expect.stringMatching(/^250 /)]);
  }
});
