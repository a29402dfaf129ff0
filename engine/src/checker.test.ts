// The engine against a small internet in simulated time: every behaviour of a host, and what is made of it.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/index.ts';
import { asked, impossibleAsks, virtualChecker } from '../test/virtual-checker.ts';
import type { Connect } from './ports.ts';
import type { Clock, Outcome, Question } from './types.ts';

const HOUR_MS = 3_600_000;

const verdictOf = (finding: { state: string; reason: string } | undefined) =>
  `${finding?.state} ${finding?.reason}`;

test.each<[string, WorldSpec['domains'][string], Record<string, string>]>([
  [
    'a plain host',
    { host: {} },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email', info: 'risky low_quality' },
  ],
  [
    'a host that only knows HELO',
    { host: { heloOnly: true } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host that demands TLS',
    { host: { tls: 'required' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host whose TLS is broken',
    { host: { tls: 'broken' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host without PIPELINING',
    { host: { pipelining: 'none' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host that loses pipelined commands',
    { host: { pipelining: 'loses_replies' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host whose replies come byte by byte',
    { host: { fragment: { bytes: 1, gapMs: 1 }, multiline: true } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a banner after 45 seconds',
    { host: { at: { banner: { delayMs: 45_000 } } } },
    { anna: 'deliverable accepted_email' },
  ],
  [
    'a RCPT after 45 seconds',
    { host: { at: { rcpt: { delayMs: 45_000 } } } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'greylisting for ten minutes',
    { host: { greylist: { delayMs: 600_000 } } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a catch-all domain',
    { host: {}, mailboxes: { catchAll: true } },
    { anna: 'risky low_deliverability', info: 'risky low_quality' },
  ],
  ['a host that takes every RCPT', { host: { everyRcpt: 'accept' } }, { anna: 'risky low_deliverability' }],
  [
    'a host that blocks us at RCPT',
    { host: { everyRcpt: 'blocked' } },
    { anna: 'unknown unavailable_smtp', nobody: 'unknown unavailable_smtp' },
  ],
  [
    '550 in the banner',
    { host: { at: { banner: { reply: '550 5.7.1 go away, 127.0.0.1 is listed' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  [
    '550 to EHLO and HELO',
    { host: { at: { ehlo: { reply: '550 5.7.1 bad HELO name' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  [
    '550 to MAIL',
    { host: { at: { mail: { reply: '550 5.7.1 your address is blocked' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  ['4xx to every RCPT, always', { host: { everyRcpt: 'tempfail' } }, { anna: 'unknown unavailable_smtp' }],
  [
    'a full mailbox, now and later',
    {
      host: {},
      mailboxes: { known: ['anna'], overQuota: ['full'], fullForNow: ['fuller'], disabled: ['gone'] },
    },
    {
      full: 'risky low_deliverability',
      fuller: 'risky low_deliverability',
      gone: 'undeliverable rejected_email',
    },
  ],
  ['a host that is down', { host: { down: true } }, { anna: 'unknown no_connect' }],
  ['a mute host', { host: { at: { banner: { next: 'mute' } } } }, { anna: 'unknown no_connect' }],
  ['garbage instead of a banner', { host: { speaks: 'garbage' } }, { anna: 'unknown unavailable_smtp' }],
  ['a banner without end', { host: { speaks: 'endless_banner' } }, { anna: 'unknown unavailable_smtp' }],
  [
    'a line that drops at RCPT, always',
    { host: { at: { rcpt: { next: 'drop' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  [
    'a line that drops at RCPT once',
    { host: { at: { rcpt: { next: 'drop', times: 1 } } } },
    { anna: 'deliverable accepted_email' },
  ],
  [
    'a host that goes mute at RCPT',
    { host: { at: { rcpt: { next: 'mute' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  ['NXDOMAIN', { dns: 'nxdomain' }, { anna: 'undeliverable invalid_domain' }],
  ['SERVFAIL', { dns: 'servfail' }, { anna: 'unknown dns_error' }],
  ['a null MX', { mx: null }, { anna: 'undeliverable invalid_domain' }],
  ['no MX but an address', { implicit: {} }, { anna: 'deliverable accepted_email' }],
  ['an exchanger without an address', { host: { addresses: [] } }, { anna: 'undeliverable invalid_domain' }],
])('%s', async (_what, domain, wanted) => {
  const virtual = virtualChecker({ domains: { 'a.example': { mailboxes: ['anna', 'info'], ...domain } } });
  const found = await virtual.checkAll(Object.keys(wanted).map((local) => `${local}@a.example`));
  const verdicts = Object.fromEntries(
    Object.keys(wanted).map((local) => [local, verdictOf(found.get(`${local}@a.example`))]),
  );
  expect(verdicts).toEqual(wanted);
  expect(virtual.world.seen.total.data).toBe(0);
  await virtual.world.run(virtual.checker.close());
  expect(virtual.world.seen.total.open).toBe(0);
});

// ---- greylisting, sources, senders ----

test('a greylisted address is asked again from the same source and with the same sender', async () => {
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { greylist: { delayMs: 200_000 } }, mailboxes: ['anna'] } } },
    {
      mailFrom: 'probe@probe.example.org',
      sources: [
        { ip: '127.0.0.2', heloName: 'two.example.org' },
        { ip: '127.0.0.3', heloName: 'three.example.org' },
      ],
    },
  );
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
  const asks = virtual.world.seen.asks.get('anna@a.example') ?? [];
  expect(asks.map((ask) => ask.code)).toEqual([450, 450, 250]);
  expect(new Set(asks.map((ask) => `${ask.source} ${ask.sender}`)).size).toBe(1);
});

test('the delay a reply names is kept', async () => {
  const text = '450 4.2.0 Greylisted, please try again in 1234 seconds';
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { greylist: { delayMs: 1_200_000, text } }, mailboxes: ['anna'] } },
  });
  const startMs = virtual.world.clock.now();
  await virtual.check('anna@a.example');
  const asks = virtual.world.seen.asks.get('anna@a.example') ?? [];
  expect(asks.map((ask) => ask.code)).toEqual([450, 250]);
  expect((asks[1]?.atMs ?? 0) - startMs).toBeGreaterThanOrEqual(1_234_000);
});

test('a wait survives a restart: another checker takes the question up where it was left', async () => {
  const spec: WorldSpec = {
    domains: { 'a.example': { host: { greylist: { delayMs: 300_000 } }, mailboxes: ['anna'] } },
  };
  const sources = [
    { ip: '127.0.0.2', heloName: 'two.example.org' },
    { ip: '127.0.0.3', heloName: 'three.example.org' },
  ];
  const virtual = virtualChecker(spec, { sources });
  const first = await ask(virtual, [{ email: 'anna@a.example' }]);
  if (first[0]?.kind !== 'later') throw new Error('it is not greylisted');
  await virtual.world.run(virtual.checker.close());
  const { resume } = JSON.parse(JSON.stringify(first[0])) as { resume: Question['resume'] };
  const { createChecker } = await import('./index.ts');
  const { clock, resolver, connect } = virtual.world;
  const again = createChecker({
    clock,
    resolver,
    connect,
    allowPrivateTargets: true,
    sources: [...sources].reverse(),
    retrySeconds: [300],
  });
  await virtual.sleep(400_000);
  const outcomes: Outcome[] = [];
  await virtual.world.run(
    again.ask([{ email: 'anna@a.example', resume }], {
      onOutcome: (_index, outcome) => outcomes.push(outcome),
    }),
  );
  const asks = virtual.world.seen.asks.get('anna@a.example') ?? [];
  expect(asks.map((one) => one.code)).toEqual([450, 250]);
  expect(asks[0]?.source).toBe(asks[1]?.source);
});

test('a source that a host blocks is left for another one before the answer is unknown', async () => {
  const blocked = {
    reply: '554 5.7.1 Service unavailable; client host [127.0.0.2] blocked using zen.example',
    sources: ['127.0.0.2'],
  };
  for (const stage of ['banner', 'mail', 'rcpt'] as const) {
    const virtual = virtualChecker(
      { domains: { 'a.example': { host: { at: { [stage]: blocked } }, mailboxes: ['anna'] } } },
      {
        sources: [
          { ip: '127.0.0.2', heloName: 'two.example.org' },
          { ip: '127.0.0.3', heloName: 'three.example.org' },
        ],
      },
    );
    const found = await virtual.checkAll(['anna@a.example', 'nobody@a.example']);
    expect([stage, verdictOf(found.get('anna@a.example')), verdictOf(found.get('nobody@a.example'))]).toEqual(
      [stage, 'deliverable accepted_email', 'undeliverable rejected_email'],
    );
    expect(found.get('anna@a.example')?.evidence.source).toBe('127.0.0.3');
  }
});

test('a refused configured sender is tried as <>, and the host remembered', async () => {
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { senders: 'null_only' }, mailboxes: ['anna', 'ben'] } } },
    { mailFrom: 'probe@probe.example.org' },
  );
  const found = await virtual.checkAll(['anna@a.example', 'nobody@a.example']);
  expect(verdictOf(found.get('anna@a.example'))).toBe('deliverable accepted_email');
  expect(verdictOf(found.get('nobody@a.example'))).toBe('undeliverable rejected_email');
  expect(verdictOf(await virtual.check('ben@a.example'))).toBe('deliverable accepted_email');
});

test('a refused <> without a sender to try ends unknown', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { senders: 'not_null' }, mailboxes: ['anna'] } },
  });
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('unknown unavailable_smtp');
});

// ---- catch-all, refuse-all ----

test('a domain is asked about one impossible recipient for a hundred addresses, after a real one', async () => {
  const emails = Array.from({ length: 100 }, (_, i) => `p${i}@a.example`);
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: { share: 0.8 } } } });
  const found = await virtual.checkAll(emails);
  for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
  const order = [...virtual.world.seen.asks.keys()];
  const impossible = impossibleAsks(virtual, emails);
  expect(impossible).toHaveLength(1);
  expect(order.indexOf(impossible[0] ?? '')).toBeGreaterThan(0);
});

test('what is known of a domain is kept for hours and then asked again', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: {}, mailboxes: ['anna', 'ben', 'carl'] } },
  });
  const named = ['anna@a.example', 'ben@a.example', 'carl@a.example'];
  await virtual.check('anna@a.example');
  await virtual.sleep(HOUR_MS);
  const ben = await virtual.check('ben@a.example');
  expect(impossibleAsks(virtual, named)).toHaveLength(1);
  const probe = impossibleAsks(virtual, named)[0] ?? '';
  expect(ben.evidence.dialogue.some((line) => line.text.includes(probe))).toBe(true);
  expect(asked(virtual, probe)).toBe(1);
  await virtual.sleep(12 * HOUR_MS);
  await virtual.check('carl@a.example');
  expect(impossibleAsks(virtual, named).reduce((sum, one) => sum + asked(virtual, one), 0)).toBe(2);
});

test('a probe that gets no answer leaves catch-all unknown, not "no"', async () => {
  // The real one is accepted, everything after it in a session meets 451.
  const virtual = virtualChecker({
    domains: {
      'a.example': {
        host: { at: { rcpt: { reply: '451 4.3.0 try later', after: 1 } } },
        mailboxes: ['anna'],
      },
    },
  });
  const anna = await virtual.check('anna@a.example');
  // Asked again in its own session, where it comes first, the probe is answered.
  expect(verdictOf(anna)).toBe('deliverable accepted_email');
});

test('catch-all that stays unknown after every retry is risky, and accept_all is not claimed', async () => {
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': {
          host: {},
          mailboxes: { known: ['anna'], tempfail: [], fullForNow: [] },
        },
      },
    },
    { random: () => 0 },
  );
  // With chance switched off the impossible local part is known beforehand.
  const probe = 'bababa.bababa000000';
  const stubborn = virtualChecker(
    { domains: { 'a.example': { host: {}, mailboxes: { known: ['anna'], tempfail: [probe] } } } },
    { random: () => 0 },
  );
  const anna = await stubborn.check('anna@a.example');
  expect(verdictOf(anna)).toBe('risky low_deliverability');
  expect(anna.acceptAll).toBe(false);
  expect(asked(stubborn, `${probe}@a.example`)).toBeGreaterThan(3);
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
});

test('where everybody is refused alike, postmaster and the impossible included, it says nothing about anybody', async () => {
  const emails = Array.from({ length: 12 }, (_, i) => `p${i}@a.example`);
  const virtual = virtualChecker({
    domains: { 'a.example': { host: {}, mailboxes: { known: ['p1'], refuseAll: true } } },
  });
  const found = await virtual.checkAll(emails);
  expect([...found.values()].map(verdictOf)).toEqual(emails.map(() => 'unknown unavailable_smtp'));
});

test('an unknown mailbox asked alone is rejected, and so are many where postmaster is taken', async () => {
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } });
  expect(verdictOf(await virtual.check('nobody@a.example'))).toBe('undeliverable rejected_email');
  const emails = Array.from({ length: 12 }, (_, i) => `p${i}@a.example`);
  const found = await virtual.checkAll(emails);
  expect([...found.values()].map(verdictOf)).toEqual(emails.map(() => 'undeliverable rejected_email'));
});

// ---- kindness ----

test('no session draws a tenth refusal, however many are unknown', async () => {
  const emails = Array.from({ length: 150 }, (_, i) => `nobody${i}@a.example`);
  for (const mailFrom of ['', 'probe@probe.example.org']) {
    const virtual = virtualChecker(
      { domains: { 'a.example': { host: { replyDelayMs: 20 }, mailboxes: ['anna'] } } },
      { mailFrom },
    );
    const found = await virtual.checkAll([...emails, 'anna@a.example']);
    expect(found.get('nobody77@a.example')?.reason).toBe('rejected_email');
    expect(virtual.world.seen.total).toMatchObject({ delays: 0, given421: 0, outOfPlace: 0 });
  }
});

test('a host that refuses our sender is not shown a flight of errors', async () => {
  const emails = Array.from({ length: 60 }, (_, i) => `p${i}@a.example`);
  for (const mailFrom of ['', 'probe@probe.example.org']) {
    const senders = mailFrom === '' ? 'not_null' : 'null_only';
    const virtual = virtualChecker(
      { domains: { 'a.example': { host: { replyDelayMs: 20, senders }, mailboxes: { share: 0.5 } } } },
      { mailFrom },
    );
    await virtual.checkAll(emails);
    expect(virtual.world.seen.total).toMatchObject({ delays: 0, given421: 0 });
  }
});

test('limits of a host are learnt: recipients a transaction, a connection, connections', async () => {
  const emails = Array.from({ length: 120 }, (_, i) => `p${i}@a.example`);
  const limits = { recipientsPerTransaction: 4, recipientsPerConnection: 12, connectionsPerSource: 2 };
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { replyDelayMs: 20, limits }, mailboxes: { share: 0.9 } } } },
    { mailFrom: 'probe@probe.example.org' },
  );
  const found = await virtual.checkAll(emails);
  for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
  expect(virtual.world.seen.total.given421).toBeLessThan(12);
});

test('a domain that is never to be asked is unknown, and nobody connects', async () => {
  const { parsePolicy } = await import('./policy/parse-policy.ts');
  const parsed = parsePolicy({ never: ['a.example'] });
  if (!parsed.ok) throw new Error(parsed.why);
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } },
    { policy: parsed.policy },
  );
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('unknown unavailable_smtp');
  expect(virtual.world.seen.total.connections).toBe(0);
});

// ---- exchangers ----

test('the next exchanger is asked when the first cannot be reached, and never without need', async () => {
  const mx = [
    { host: 'mx1.a.example', preference: 10 },
    { host: 'mx2.a.example', preference: 20 },
  ];
  for (const [down, wanted] of [
    [true, 'mx2.a.example'],
    ['silent', 'mx2.a.example'],
    [false, 'mx1.a.example'],
  ] as const) {
    const virtual = virtualChecker({
      domains: { 'a.example': { mx, mailboxes: ['anna'] } },
      hosts: { 'mx1.a.example': { down }, 'mx2.a.example': {} },
    });
    const anna = await virtual.check('anna@a.example');
    expect([down, verdictOf(anna), anna.mx]).toEqual([down, 'deliverable accepted_email', wanted]);
  }
});

test('equal preferences share the load', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { mx: ['mx1.a.example', 'mx2.a.example'], mailboxes: { share: 0.8 } } },
    hosts: { 'mx1.a.example': { replyDelayMs: 20 }, 'mx2.a.example': { replyDelayMs: 20 } },
  });
  await virtual.checkAll(Array.from({ length: 400 }, (_, i) => `p${i}@a.example`));
  const { hosts } = virtual.world.seen;
  expect(hosts['mx1.a.example']?.rcpts).toBeGreaterThan(100);
  expect(hosts['mx2.a.example']?.rcpts).toBeGreaterThan(100);
});

test('an address that needs SMTPUTF8 is asked about only where the server has it', async () => {
  const domains = {
    'a.example': { host: {}, mailboxes: ['jürgen'] },
    'b.example': { host: { smtpUtf8: false }, mailboxes: ['jürgen'] },
  };
  const virtual = virtualChecker({ domains });
  expect(verdictOf(await virtual.check('jürgen@a.example'))).toBe('deliverable accepted_email');
  expect(verdictOf(await virtual.check('jürgen@b.example'))).toBe('unknown unavailable_smtp');
  expect(asked(virtual, 'jürgen@b.example')).toBe(0);
});

// ---- the world as a whole ----

test('when nothing can be reached it is said once, lists wait without using up retries, and go on afterwards', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `d${i}.example`);
  const domains = Object.fromEntries(names.map((name) => [name, { host: {}, mailboxes: ['anna'] }]));
  let shut = true;
  const virtual = virtualChecker({ domains });
  const { createChecker } = await import('./index.ts');
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
    domains: { 'a.example': { host: { at: { rcpt: { next: 'mute' } } }, mailboxes: ['anna'] } },
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

// ---- evidence ----

test('evidence is at most 2 KiB and names nobody else', async () => {
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

function ask(virtual: ReturnType<typeof virtualChecker>, questions: readonly Question[]): Promise<Outcome[]> {
  return askWith(virtual, virtual.checker, questions);
}

async function askWith(
  virtual: ReturnType<typeof virtualChecker>,
  checker: ReturnType<typeof virtualChecker>['checker'],
  questions: readonly Question[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await virtual.world.run(
    checker.ask(questions, {
      onOutcome: (index, outcome) => {
        outcomes[index] = outcome;
      },
    }),
  );
  return outcomes;
}

function resumed(questions: readonly Question[], outcomes: readonly Outcome[]): Question[] {
  return questions.map((question, index) => {
    const outcome = outcomes[index];
    return outcome?.kind === 'later' ? { ...question, resume: outcome.resume } : question;
  });
}

test('a server whose replies come out of step is asked one by one, and no verdict rests on the muddle', async () => {
  const { createChecker } = await import('./index.ts');
  for (const muddle of ['extra', 'reversed'] as const) {
    const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } });
    const { clock, resolver } = virtual.world;
    const one = createChecker({
      clock,
      resolver,
      connect: muddledServer(clock, muddle),
      allowPrivateTargets: true,
      heloName: 'p.example.org',
    });
    const found = new Map<string, string>();
    await virtual.world.run(
      (async () => {
        for await (const finding of one.checkAll([
          'anna@a.example',
          'nobody@a.example',
          'ben@a.example',
          'none@a.example',
        ]))
          found.set(finding.email, finding.reason);
      })(),
    );
    expect([muddle, Object.fromEntries(found)]).toEqual([
      muddle,
      {
        'anna@a.example': 'accepted_email',
        'ben@a.example': 'accepted_email',
        'nobody@a.example': 'rejected_email',
        'none@a.example': 'rejected_email',
      },
    ]);
  }
});

/** Answers a single command as it should; a flight with a reply too many, or with its RCPT replies in reverse. */
function muddledServer(clock: Clock, muddle: 'extra' | 'reversed'): Connect {
  return (_target, events) => {
    let open = true;
    const say = (text: string) => clock.setTimeout(() => open && events.data(Buffer.from(text)), 5);
    const close = () => {
      if (!open) return;
      open = false;
      clock.setTimeout(() => events.closed(null), 1);
    };
    clock.setTimeout(() => {
      events.connected();
      say('220 mx\r\n');
    }, 1);
    const reply = (line: string) => {
      if (line.startsWith('EHLO')) return '250-mx\r\n250 PIPELINING\r\n';
      if (line === 'QUIT') return '221 bye\r\n';
      const rcpt = /^RCPT TO:<((anna|ben)?.*)>/.exec(line);
      if (rcpt === null) return '250 ok\r\n';
      return rcpt[2] === undefined ? `550 5.1.1 <${rcpt[1]}>: User unknown\r\n` : '250 ok\r\n';
    };
    return {
      write: (text) => {
        const lines = text.split('\r\n').slice(0, -1);
        let replies = lines.map(reply);
        if (lines.length > 1 && muddle === 'extra') replies.splice(2, 0, '250 ok, and another thing\r\n');
        if (lines.length > 1 && muddle === 'reversed') replies = [...replies].reverse();
        for (const one of replies) say(one);
        if (lines.includes('QUIT')) clock.setTimeout(close, 20);
      },
      startTls: () => {},
      destroy: close,
    };
  };
}

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

test('a policy of thirty recipients a minute is kept, without idle connections', async () => {
  const { parsePolicy } = await import('./policy/parse-policy.ts');
  const parsed = parsePolicy({ everyone: { recipientsPerMinute: 30 } });
  if (!parsed.ok) throw new Error(parsed.why);
  const virtual = virtualChecker(
    {
      domains: { 'a.example': { host: { limits: { recipientsPerMinute: 30 } }, mailboxes: { share: 0.8 } } },
    },
    { policy: parsed.policy },
  );
  const emails = Array.from({ length: 100 }, (_, i) => `p${i}@a.example`);
  const found = await virtual.checkAll(emails);
  for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
  expect(virtual.world.seen.total.deferrals).toBe(0);
  expect(virtual.world.seen.total.connections).toBeLessThan(40);
});
