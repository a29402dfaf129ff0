// From end to end: lists are verified against the simulated internet, it delivers and bounces a month of mail, and what became of it
// is told by a program, by a sending service's hook and by a mail server's log. What the service then says of its verdicts is held
// against counts that are made of the world alone.
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MXProof } from '@mxproof/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/src/store/database.ts';
import { until } from '../../../server/test/until.ts';
import { compileWorld } from '../../../world/src/compile-world.ts';
import { createPost, type Fate, type MailEvent } from '../../../world/src/delivery.ts';
import { postfixLines, sendgridEvent } from '../../../world/src/delivery-reports.ts';
import type { DomainSpec, HostSpec, WorldSpec } from '../../../world/src/spec.ts';
import { mxproof } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

const DAY_MS = 86_400_000;
/** The newsletter goes out every week, the first one two days after the list was checked. */
const CHECKED_DAYS_AGO = 30;
const MAILED_DAYS_AGO = [28, 21, 14, 7];
const CREDITS = '10000';

type Channel = 'program' | 'hook' | 'log';

interface Recipients {
  readonly spec: DomainSpec;
  /** Addresses p0@, p1@ … of it, and these names. */
  readonly count: number;
  readonly names?: readonly string[];
  readonly channel: Channel;
  readonly provider: string;
}

/** It takes everyone's mail, and what it does with names that it does not know is told afterwards, if at all. */
const takingAll = (returnedShare: number): Recipients => ({
  spec: {
    host: {},
    mailboxes: { catchAll: true },
    mail: { returnedShare, returned: 'later' },
  },
  count: 300,
  channel: 'hook',
  provider: 'other',
});

const HOSTS: Readonly<Record<string, HostSpec>> = {
  'gmail-smtp-in.l.google.com': {
    wording: 'google',
    mail: { closedShare: 0.03, openedShare: 0.1, refusedShare: 0.05, complaintShare: 0.05 },
  },
  'tenant-example.mail.protection.outlook.com': { wording: 'microsoft', mail: { closedShare: 0.1 } },
  'mta5.am0.yahoodns.net': { wording: 'yahoo', everyRcpt: 'accept', mail: { complaintShare: 0.01 } },
};

const DOMAINS: Readonly<Record<string, Recipients>> = {
  'gmail.com': {
    spec: { mx: ['gmail-smtp-in.l.google.com'], mailboxes: { share: 0.85, overQuota: ['full', 'fuller'] } },
    count: 500,
    names: ['full', 'fuller'],
    channel: 'program',
    provider: 'google',
  },
  'tenant.example': {
    spec: { mx: ['tenant-example.mail.protection.outlook.com'], mailboxes: { share: 0.8 } },
    count: 200,
    channel: 'log',
    provider: 'microsoft',
  },
  'yahoo.com': {
    spec: { mx: ['mta5.am0.yahoodns.net'], mailboxes: { share: 0.7, overQuota: ['full'] } },
    count: 200,
    names: ['full'],
    channel: 'hook',
    provider: 'yahoo',
  },
  'kept.example': takingAll(0),
  'tenth.example': takingAll(0.1),
  'half.example': takingAll(0.5),
  'own.example': {
    spec: {
      host: { wording: 'exim', mail: { refusedShare: 0.2 } },
      mailboxes: { known: ['ann', 'info'], overQuota: ['full'], disabled: ['old'], share: 0.5 },
    },
    count: 60,
    names: ['ann', 'info', 'full', 'old'],
    channel: 'log',
    provider: 'other',
  },
  'block.example': { spec: { host: { everyRcpt: 'blocked' } }, count: 5, channel: 'log', provider: 'other' },
  'gone.example': { spec: { dns: 'nxdomain' }, count: 5, channel: 'log', provider: '' },
};
const WORLD: WorldSpec = {
  hosts: HOSTS,
  domains: Object.fromEntries(Object.entries(DOMAINS).map(([name, { spec }]) => [name, spec])),
};
/** In the second half of the month some mailboxes are closed, some of them of people who had complained, and others are opened. */
const MOVES: HostSpec['mail'] = {
  closedShare: 0.25,
  openedShare: 0.5,
  refusedShare: 0.05,
  complaintShare: 0.05,
};
const LATER: WorldSpec = {
  ...WORLD,
  hosts: Object.fromEntries(
    Object.entries(HOSTS).map(([name, host]) => [
      name,
      name.startsWith('gmail') ? { ...host, mail: MOVES } : host,
    ]),
  ),
};
const domainOf = (email: string) => email.slice(email.indexOf('@') + 1);
const recipients = Object.entries(DOMAINS).flatMap(([name, { count, names = [] }]) =>
  [...Array.from({ length: count }, (_, n) => `p${n}`), ...names].map((local) => `${local}@${name}`),
);

let service: CliService;
let mx: MXProof;
let listId: number;
/** What the sending systems know, in the order of time. */
let told: readonly (MailEvent & { readonly fate: Fate; readonly channel: Channel })[];

beforeAll(async () => {
  service = await startCliService(WORLD, { MXPROOF_SMTP_RETRY_SECONDS: '1' });
  await mxproof(['credits', 'add', '1', CREDITS], service.operator);
  mx = new MXProof({ apiKey: service.apiKey, baseUrl: service.url });
  await mx.account.update({ outcomes: true });
  const list = await mx.lists.create({ emails: recipients, name: 'newsletter' });
  listId = list.id;
  expect(await mx.lists.wait(listId)).toMatchObject({ status: 'done', total: recipients.length });
  await checkedDaysAgo(CHECKED_DAYS_AGO);

  const later = createPost(compileWorld(LATER, { seed: 1 }));
  const mailed = MAILED_DAYS_AGO.map((days) =>
    new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10),
  );
  told = mailed
    .flatMap((day, week) =>
      recipients.flatMap((email) => {
        const { channel } = DOMAINS[domainOf(email)]!;
        const { fate, events } = (week < 2 ? service.world.post : later)(email, day)!;
        return events
          .filter((event) => channel !== 'log' || postfixLines(event) !== '')
          .map((event) => ({
            ...event,
            fate: event.outcome === 'delivered' ? ('delivered' as const) : fate,
            channel,
          }));
      }),
    )
    .sort((one, other) => one.atSeconds - other.atSeconds);
});
afterAll(() => service.close());

/** The days are set back in the database, so that the test need not wait for a month. */
async function checkedDaysAgo(days: number): Promise<void> {
  const db = openDatabase({ url: service.operator.DATABASE_URL! });
  await db.query('UPDATE mxproof.checked_addresses SET day = day - $1::int', [days]);
  await db.close();
}

/** By the rules of the guide, of the world's events alone: a bounce counts for good, then a complaint, then the last day. */
function becameOf(email: string, known = told): Fate | null {
  const own = known.filter((event) => event.email === email);
  if (own.length === 0) return null;
  for (const fate of ['bounced', 'complained'] as const)
    if (own.some((event) => event.fate === fate)) return fate;
  const dayOf = ({ atSeconds }: MailEvent) => Math.floor((atSeconds * 1_000) / DAY_MS);
  const last = Math.max(...own.map(dayOf));
  const ofDay = own.filter((event) => dayOf(event) === last);
  return (ofDay.find(({ fate }) => fate !== 'delivered') ?? ofDay[0]!).fate;
}

function expectedAccuracy(emails: readonly string[]) {
  const outcomes = { delivered: 0, bounced: 0, full: 0, blocked: 0, complained: 0, unclear: 0 };
  const states = {
    deliverable: { ...outcomes },
    risky: { ...outcomes },
    undeliverable: { ...outcomes },
    unknown: { ...outcomes },
  };
  const groups = new Map<string, { n: number; bounced: number }>();
  for (const email of emails) {
    const { state } = service.world.truth(email);
    const fate = becameOf(email)!;
    states[state][fate] += 1;
    if (!['delivered', 'complained', 'bounced'].includes(fate)) continue;
    const name = `${DOMAINS[domainOf(email)]!.provider} ${state}`;
    const group = groups.get(name) ?? { n: 0, bounced: 0 };
    groups.set(name, { n: group.n + 1, bounced: group.bounced + (fate === 'bounced' ? 1 : 0) });
  }
  return { matched: emails.length, unmatched: 0, states, groups: Object.fromEntries(groups) };
}

async function shownAccuracy() {
  const { matched, unmatched, states, providers } = await mx.accuracy();
  const groups = Object.fromEntries(
    providers.map(({ provider, state, n, bounced }) => [`${provider} ${state}`, { n, bounced }]),
  );
  return { matched, unmatched, states, groups };
}

async function tellByProgram(): Promise<void> {
  const outcomes = told
    .filter(({ channel }) => channel === 'program')
    .map(({ id, email, outcome, reply, atSeconds: at }) => ({ id, email, outcome, reply, at }));
  const expected = { accepted: outcomes.length, ignored: 0, duplicates: 0, errors: [] };
  expect(await mx.outcomes.send(outcomes)).toEqual(expected);
}

async function tellByHook(): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const { url } = await mx.hooks.create({ service: 'sendgrid', signing_key: signingKey });
  const events = told.filter(({ channel }) => channel === 'hook').map(sendgridEvent);
  const post = async (body: string, key = privateKey) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const headers = {
      'X-Twilio-Email-Event-Webhook-Timestamp': timestamp,
      'X-Twilio-Email-Event-Webhook-Signature': sign('sha256', Buffer.from(timestamp + body), key).toString(
        'base64',
      ),
    };
    const response = await fetch(url, { method: 'POST', headers, body });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  expect(await post(JSON.stringify(events.slice(0, 10)), forger)).toMatchObject({ status: 401 });
  for (let from = 0; from < events.length; from += 1_000) {
    const some = events.slice(from, from + 1_000);
    const answer = { status: 200, accepted: some.length, ignored: 0, duplicates: 0 };
    expect(await post(JSON.stringify(some))).toEqual(answer);
  }
}

async function tellByLog(): Promise<void> {
  const events = told.filter(({ channel }) => channel === 'log');
  const file = join(service.shell.HOME!, 'mail.log');
  writeFileSync(file, events.map(postfixLines).join(''));
  const { stdout, stderr } = await mxproof(['outcomes', 'import', file, '--json'], service.shell);
  expect(stderr).not.toContain('Refused');
  expect(JSON.parse(stdout)).toMatchObject({ reported: { accepted: events.length, duplicates: 0 } });
}

test('accuracy is what the world itself counts, whichever way it was told, and telling it again changes nothing', async () => {
  await tellByProgram();
  await tellByHook();
  await tellByLog();
  const expected = expectedAccuracy(recipients);
  expect(await shownAccuracy()).toEqual(expected);
  // Each kind of mistake is among them, or the test would show little.
  const { deliverable, undeliverable, risky } = expected.states;
  for (const count of [
    deliverable.bounced,
    deliverable.blocked,
    deliverable.complained,
    undeliverable.delivered,
    risky.bounced,
    risky.full,
    expected.states.unknown.blocked,
  ])
    expect(count).toBeGreaterThan(0);

  // And what came later or said more has counted.
  const fatesOf = (email: string) => told.filter((event) => event.email === email).map(({ fate }) => fate);
  const both = (first: Fate, second: Fate) =>
    recipients.filter(
      (email) =>
        fatesOf(email).indexOf(first) < fatesOf(email).lastIndexOf(second) && fatesOf(email).includes(first),
    );
  expect(both('complained', 'bounced').length).toBeGreaterThan(2);
  expect(both('bounced', 'delivered').length).toBeGreaterThan(2);

  const again = told.filter(({ channel }) => channel === 'program').slice(0, 100);
  const repeated = again.map(({ id, email, outcome, reply, atSeconds: at }) => ({
    id,
    email,
    outcome,
    reply,
    at,
  }));
  expect(await mx.outcomes.send(repeated)).toMatchObject({ accepted: 0, duplicates: 100 });
  expect(await shownAccuracy()).toEqual(expected);
});

test('rates are those counts, with an interval around them, and nothing is claimed of a few', async () => {
  const { providers, details } = await mx.accuracy();
  for (const { n, bounced, rate, low, high } of [...providers, ...details]) {
    if (n < 30) {
      expect([rate, low, high]).toEqual([null, null, null]);
      continue;
    }
    expect(rate).toBeCloseTo(bounced / n, 5);
    expect(low).toBeLessThanOrEqual(rate!);
    expect(high).toBeGreaterThanOrEqual(rate!);
  }
  expect(details.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining(['accepted', 'no_such_mailbox', 'catch_all', 'decides_after_data']),
  );
});

test('estimates of domains that take everything are near what they really do', async () => {
  const rates = new Map<string, number>();
  for await (const row of mx.lists.results(listId, { include: ['estimate'] })) {
    const { email, bounce_probability: probability, bounce_low: low, bounce_high: high } = row;
    const name = domainOf(email);
    if (!/^(?:kept|tenth|half)\./.test(name)) continue;
    expect(row).toMatchObject({ bounce_basis: 'domain', bounce_n: 300 });
    expect(low).toBeLessThan(probability!);
    expect(high).toBeGreaterThan(probability!);
    rates.set(name, probability!);
  }
  // 300 of its own, and 20 of the others around it.
  expect(rates.get('kept.example')).toBeLessThan(0.03);
  expect(Math.abs(rates.get('tenth.example')! - 0.1)).toBeLessThan(0.05);
  expect(Math.abs(rates.get('half.example')! - 0.5)).toBeLessThan(0.07);
});

test('suppressed are addresses that are no mailbox and those that complained, and none that was full or blocked', async () => {
  const places = await mx.suppressions.check(recipients);
  const expected = recipients.flatMap((email, place) => {
    const fates = told.filter((event) => event.email === email).map(({ fate }) => fate);
    return fates.includes('bounced') || fates.includes('complained') ? [place] : [];
  });
  expect(places).toEqual(expected);
  expect((await mx.suppressions.count()).total).toBe(expected.length);
  for (const email of [
    'full@gmail.com',
    'full@yahoo.com',
    'full@own.example',
    'p0@block.example',
    'p0@gone.example',
  ])
    expect(places, email).not.toContain(recipients.indexOf(email));
  expect(places).toContain(recipients.indexOf('old@own.example'));
});

test('an erasure, the end of a list and the switch reach what was told; suppressions stay', async () => {
  const erased = recipients.find((email) => becameOf(email) === 'bounced')!;
  const id = await mx.account.erase(erased);
  await until(async () => (await mx.account.erasure(id)).status === 'done');
  const rest = recipients.filter((email) => email !== erased);
  expect(await shownAccuracy()).toEqual(expectedAccuracy(rest));
  expect(await mx.suppressions.check([erased])).toEqual([0]);

  await mx.lists.delete(listId);
  expect(await shownAccuracy()).toEqual(expectedAccuracy(rest));
  // Its addresses are found no more.
  await mx.outcomes.send([{ email: rest[0]!, outcome: 'delivered', id: 'after the list' }]);
  expect((await shownAccuracy()).unmatched).toBe(1);

  const { total } = await mx.suppressions.count();
  await mx.account.update({ outcomes: false });
  expect(await shownAccuracy()).toMatchObject({ matched: 0, unmatched: 0, groups: {} });
  expect((await mx.suppressions.count()).total).toBe(total);
});
