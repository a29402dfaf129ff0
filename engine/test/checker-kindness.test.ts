// What hosts are spared.
import { expect, test } from 'vitest';
import { parsePolicy } from '../src/policy/parse-policy.ts';
import type { Policy } from '../src/policy/policy.ts';
import type { Connect } from '../src/ports.ts';
import type { AskedDomain, Clock, Outcome } from '../src/types.ts';
import { verdictOf, virtualChecker } from './virtual-checker.ts';

function policyOf(json: object): Policy {
  const parsed = parsePolicy(json);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

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

test('a transaction that was full once does not make every later one small', async () => {
  const full = { rcpt: { after: 1, reply: '452 4.5.3 Too many recipients', times: 1 } } as const;
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { at: full }, mailboxes: { share: 1 } } } },
    { mailFrom: 'probe@probe.example.org' },
  );
  const commandsFor = async (from: number) => {
    const before = virtual.world.seen.total.commands;
    await virtual.checkAll(Array.from({ length: 40 }, (_, i) => `p${from + i}@a.example`));
    return virtual.world.seen.total.commands - before;
  };
  await commandsFor(0);
  const oneByOne = await commandsFor(100);
  await virtual.sleep(3_700_000);
  expect(await commandsFor(200)).toBeLessThan(oneByOne * 0.7);
});

test('a host that hangs up after a few errors is shown fewer from then on', async () => {
  const emails = Array.from({ length: 100 }, (_, i) => `p${i}@a.example`);
  const limits = { softErrors: 4, hardErrors: 4 };
  for (const mailFrom of ['', 'probe@probe.example.org']) {
    const virtual = virtualChecker(
      { domains: { 'a.example': { host: { limits }, mailboxes: { share: 0.1 } } } },
      { mailFrom },
    );
    const found = await virtual.checkAll(emails);
    for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
    // Once for each connection that was open before the first of them had shown it.
    expect(virtual.world.seen.total.given421).toBeLessThanOrEqual(10);
  }
});

test('one line that ends at EHLO does not cost a server that demands TLS its TLS', async () => {
  for (const times of [1, 2]) {
    const virtual = virtualChecker({
      domains: {
        'a.example': {
          host: { tls: 'required', at: { ehlo: { next: 'drop', times } } },
          mailboxes: ['anna'],
        },
      },
    });
    const first = await virtual.check('anna@a.example');
    if (times === 1) expect(verdictOf(first)).toBe('deliverable accepted_email');
    await virtual.sleep(3_600_000);
    expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
  }
});

test('a domain that is never to be asked is unknown, and no connection is opened', async () => {
  const policy = policyOf({ never: ['a.example'] });
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } }, { policy });
  const finding = await virtual.check('anna@a.example');
  expect(`${verdictOf(finding)} ${finding.detail}`).toBe('unknown no_connect never_asked');
  expect(virtual.world.seen.total.connections).toBe(0);
});

const CONSUMER = 'a-example.olc.protection.outlook.com';
const TENANT = 'b-example.mail.protection.outlook.com';

test('nor is one opened to a provider that is never to be asked, while its sister is', async () => {
  const policy = policyOf({ outlook: 'never' });
  const at = (mx: string) => ({ mx: [mx], mailboxes: ['anna'] });
  const virtual = virtualChecker(
    {
      hosts: { [CONSUMER]: {}, [TENANT]: {} },
      domains: { 'a.example': at(CONSUMER), 'b.example': at(TENANT) },
    },
    { policy },
  );
  const finding = await virtual.check('anna@a.example');
  expect([verdictOf(finding), finding.detail, finding.provider]).toEqual([
    'unknown no_connect',
    'never_asked',
    'outlook',
  ]);
  expect(virtual.world.seen.total.connections).toBe(0);
  expect(verdictOf(await virtual.check('anna@b.example'))).toBe('deliverable accepted_email');
});

test.each([
  ['<>', '', 7],
  ['an address', 'probe@example.org', 2],
])('a policy of three transactions a connection is kept, with %s as sender', async (_who, mailFrom, least) => {
  const policy = policyOf({
    everyone: { transactionsPerConnection: 3, recipientsPerTransaction: 4, refusalsPerConnection: 50 },
  });
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: {}, mailboxes: { share: 1 } } } },
    { policy, mailFrom },
  );
  const found = await virtual.checkAll(Array.from({ length: 20 }, (_, i) => `p${i}@a.example`));
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
  // Twenty and the probe, by three recipients or by twelve.
  expect(virtual.world.seen.total.connections).toBeGreaterThanOrEqual(least);
});

test('a policy of thirty recipients a minute is kept, without idle connections', async () => {
  const policy = policyOf({ everyone: { recipientsPerMinute: 30 } });
  const virtual = virtualChecker(
    {
      domains: { 'a.example': { host: { limits: { recipientsPerMinute: 30 } }, mailboxes: { share: 0.8 } } },
    },
    { policy },
  );
  const emails = Array.from({ length: 100 }, (_, i) => `p${i}@a.example`);
  const found = await virtual.checkAll(emails);
  for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
  expect(virtual.world.seen.total.deferrals).toBe(0);
  expect(virtual.world.seen.total.connections).toBeLessThan(40);
});

test('a server whose replies come out of step is asked one by one, and no verdict rests on the muddle', async () => {
  const { createChecker } = await import('../src/index.ts');
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
    const emails = Array.from({ length: 24 }, (_, i) => `${i % 2 === 0 ? 'anna' : 'nobody'}${i}@a.example`);
    const wrong: string[] = [];
    await virtual.world.run(
      (async () => {
        for await (const { email, reason } of one.checkAll(emails))
          if (reason !== (email.startsWith('anna') ? 'accepted_email' : 'rejected_email')) wrong.push(email);
      })(),
    );
    expect([muddle, wrong]).toEqual([muddle, []]);
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
    const reply = (line: string): string => {
      if (line.startsWith('EHLO')) return '250-mx\r\n250 PIPELINING\r\n';
      if (line === 'QUIT') return '221 bye\r\n';
      const rcpt = /^RCPT TO:<(anna)?/.exec(line);
      if (rcpt === null) return '250 ok\r\n';
      return rcpt[1] === undefined ? '550 5.1.1 User unknown\r\n' : '250 ok\r\n';
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

test('a domain whose MX host is never to be asked is unknown, and no connection is opened', async () => {
  const virtual = virtualChecker({
    hosts: { 'mx.spamhaus.org': {} },
    domains: { 'a.example': { mx: ['mx.spamhaus.org'], mailboxes: ['anna'] } },
  });
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('unknown no_connect');
  expect(virtual.world.seen.total.connections).toBe(0);
});

test('a domain that rejects almost all of a list as unknown is asked no further, for this list only', async () => {
  const virtual = virtualChecker({
    domains: {
      'a.example': { host: {}, mailboxes: ['anna'] },
      'b.example': { host: {}, mailboxes: ['bert'] },
    },
  });
  const guesses = Array.from({ length: 3_000 }, (_, at) => `guess${at}@a.example`);
  const found = await virtual.checkAll([...guesses, 'bert@b.example']);
  const states = guesses.map((email) => `${found.get(email)?.state} ${found.get(email)?.reason}`);
  const refused = states.filter((one) => one === 'undeliverable rejected_email').length;
  // What was on its way is answered still.
  expect(refused).toBeGreaterThanOrEqual(500);
  expect(refused).toBeLessThan(700);
  const unasked = guesses.filter((email) => found.get(email)?.detail === 'never_asked');
  expect(unasked).toHaveLength(3_000 - refused);
  expect(states.filter((one) => one === 'unknown unavailable_smtp')).toHaveLength(3_000 - refused);
  expect(found.get('bert@b.example')?.state).toBe('deliverable');
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
});

test('the policy may allow a list of guesses, and a free provider is asked about every address', async () => {
  const allowing = policyOf({ everyone: { unknownRecipients: null } });
  for (const [domain, policy] of [
    ['a.example', allowing],
    ['gmx.net', undefined],
  ] as const) {
    const virtual = virtualChecker({ domains: { [domain]: { host: {}, mailboxes: ['anna'] } } }, { policy });
    const guesses = Array.from({ length: 1_200 }, (_, at) => `guess${at}@${domain}`);
    const found = await virtual.checkAll(guesses);
    for (const email of guesses) expect(found.get(email)?.state).toBe('undeliverable');
  }
});

test('guesses split over lists of one account count together, also with those asked elsewhere', async () => {
  // Without the rate of a host that refuses everyone, which comes before it.
  const policy = policyOf({ everyone: { refusalsInARow: null } });
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } }, { policy });
  const guesses = (lot: number) => Array.from({ length: 499 }, (_, at) => `guess${lot}-${at}@a.example`);
  const { checker, world } = virtual;
  const told: Outcome[] = [];
  const askAll = (account: number, lots: readonly number[], askedBefore: readonly AskedDomain[] = []) =>
    world.run(
      Promise.all(
        lots.map((lot) =>
          checker.ask(
            guesses(lot).map((email) => ({ email })),
            { account, lot, askedBefore, onOutcome: (_, outcome) => told.push(outcome) },
          ),
        ),
      ),
    );
  const askedOf = (from: number, to: number) =>
    [...world.seen.asks.keys()].filter((email) => {
      const lot = Number(/^guess(\d+)/.exec(email)?.[1]);
      return lot >= from && lot <= to;
    }).length;
  const lots = Array.from({ length: 11 }, (_, lot) => lot);
  await askAll(1, lots);
  expect(askedOf(0, 10)).toBeGreaterThanOrEqual(500);
  expect(askedOf(0, 10)).toBeLessThan(700);
  // Every answer is told to the caller, who keeps it for other processes.
  const counted = told.filter((outcome) => outcome.kind === 'final' && outcome.asked?.isUnknown === true);
  expect(counted).toHaveLength(askedOf(0, 10));
  await askAll(2, [11]);
  expect(askedOf(11, 11)).toBe(499);
  await askAll(3, [12], [{ domain: 'a.example', asked: 500, unknown: 500, ageMs: 0 }]);
  expect(askedOf(12, 12)).toBe(0);
  await askAll(1, [13]);
  expect(askedOf(13, 13)).toBe(0);
});
