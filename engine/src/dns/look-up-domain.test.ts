// The phases of a lookup, in simulated time: what is asked, in which order, and what is believed.
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../world/src/virtual-clock.ts';
import type { DnsAnswer, DnsFailure, MxRecord, Resolver } from '../ports.ts';
import { DnsCache } from './dns-cache.ts';
import { DnsGuard } from './dns-guard.ts';
import { lookUpDomain } from './look-up-domain.ts';
import { LookupTurns } from './lookup-turns.ts';
import { ZoneTurns } from './zone-turns.ts';

const SENTINEL = 'sentinel.com';
const ANSWER_MS = 20;
const MADE_UP = /[a-z]{20}\.com$/;
/** More than are looked up at once. */
const MANY = 150;

/** `about`: the name that aliases led to is not there. */
type ZoneContent = readonly string[] | DnsFailure | { readonly about: string };
interface ChangedAnswer {
  readonly first: ZoneContent;
  readonly after: ZoneContent;
}
/** What DNS says to a question such as `mx a.com`. */
type Zone = Readonly<Record<string, ZoneContent | ChangedAnswer>>;

const MAIL: Zone = {
  [`mx ${SENTINEL}`]: ['mx.sentinel.com'],
  'mx a.com': ['mx.a.com'],
  'a mx.a.com': ['8.8.8.8'],
};

function scene(zone: Zone, madeUp: ZoneContent = 'nxdomain', questionsPerMinute = 1_000_000) {
  const clock = createVirtualClock(0);
  const asked: string[] = [];
  const said = (question: string): ZoneContent => {
    const what = zone[question] ?? (MADE_UP.test(question) ? madeUp : 'nodata');
    if (typeof what === 'string' || !('first' in what)) return what;
    return asked.indexOf(question) === asked.lastIndexOf(question) ? what.first : what.after;
  };
  const answer = <Row>(question: string, row: (text: string) => Row) => {
    asked.push(question);
    const what = said(question);
    const told: DnsAnswer<Row> =
      typeof what === 'string'
        ? { kind: what }
        : 'about' in what
          ? { kind: 'nxdomain', about: what.about }
          : { kind: 'records', records: what.map(row), ttlSeconds: 60 };
    return new Promise<DnsAnswer<Row>>((done) => clock.setTimeout(() => done(told), ANSWER_MS));
  };
  const resolver: Resolver = {
    mx: (name) => answer<MxRecord>(`mx ${name}`, (exchange) => ({ preference: 10, exchange })),
    a: (name) => answer(`a ${name}`, (ip) => ip),
    aaaa: (name) => answer(`aaaa ${name}`, (ip) => ip),
  };
  const guard = new DnsGuard({ resolver, sentinels: [SENTINEL], clock, random: () => 0, log: () => {} });
  const dns = new DnsCache({ resolver, now: () => clock.now(), belief: guard });
  const zones = new ZoneTurns({ clock, nodes: { count: 1 }, questionsPerMinute });
  const options = { dns, guard, zones, allowPrivateTargets: false, random: () => 0 };
  const turns = new LookupTurns();
  const lookUp = async (name = 'a.com') => {
    const { facts, mayBeInvented } = await lookUpDomain(name, false, turns.first('account'), options);
    return { facts, mayBeInvented: await mayBeInvented };
  };
  return {
    clock,
    lookUp,
    /** Made-up names aside, which are asked about beside the lookup. */
    asked: () => asked.filter((question) => !MADE_UP.test(question)),
  };
}

test('MX, then addresses; no sentinel is asked about where nothing was denied', async () => {
  const { clock, lookUp, asked } = scene(MAIL);
  const { facts, mayBeInvented } = await clock.run(lookUp());
  expect(facts).toMatchObject({ kind: 'ok', mx: 'mx.a.com' });
  expect(mayBeInvented).toBe(false);
  expect(asked()).toEqual(['mx a.com', 'a mx.a.com']);
});

test.each<[string, Zone, string[]]>([
  ['no such name', { ...MAIL, 'mx a.com': 'nxdomain' }, ['mx a.com', `mx ${SENTINEL}`, 'mx a.com']],
  [
    'neither MX nor address',
    { ...MAIL, 'mx a.com': 'nodata' },
    // A proof for each of the two denials.
    [
      ...['mx a.com', 'a a.com', 'aaaa a.com'],
      ...[`mx ${SENTINEL}`, `mx ${SENTINEL}`],
      ...['mx a.com', 'a a.com', 'aaaa a.com'],
    ],
  ],
])('a denial is proven, then asked about once more: %s', async (_, zone, questions) => {
  const { clock, lookUp, asked } = scene(zone);
  const { facts, mayBeInvented } = await clock.run(lookUp());
  expect(facts.kind).toBe('cannot_receive');
  expect(mayBeInvented).toBeNull();
  expect(asked()).toEqual(questions);
});

test('a null MX needs no proof: it is a record, not a denial', async () => {
  const { clock, lookUp, asked } = scene({ ...MAIL, 'mx a.com': [''] });
  expect((await clock.run(lookUp())).facts.kind).toBe('cannot_receive');
  expect(asked()).toEqual(['mx a.com']);
});

test('a denial that is taken back when asked about once more does not count', async () => {
  const { clock, lookUp } = scene({ ...MAIL, 'mx a.com': { first: 'nxdomain', after: ['mx.a.com'] } });
  expect((await clock.run(lookUp())).facts).toMatchObject({ kind: 'ok', mx: 'mx.a.com' });
});

test.each<[string, Zone, ZoneContent]>([
  ['wrong about a sentinel', { 'mx a.com': 'nxdomain', [`mx ${SENTINEL}`]: 'nxdomain' }, 'nxdomain'],
  ['does not deny a made-up name', { ...MAIL, 'mx a.com': 'nxdomain' }, 'nodata'],
])('a denial without proof leads to an error: the server %s', async (_, zone, madeUp) => {
  const { clock, lookUp, asked } = scene(zone, madeUp);
  const { facts } = await clock.run(lookUp());
  expect(facts).toMatchObject({ kind: 'error', words: 'no answer from a trusted DNS server' });
  expect(asked().filter((question) => question === 'mx a.com')).toHaveLength(1);
});

test.each<[string, ZoneContent, boolean]>([
  ['the address that every made-up name has', ['8.8.8.8'], true],
  ['an address of its own', ['8.8.4.4'], false],
])('an affirmation of a server that invents answers: %s', async (_, madeUp, isInvented) => {
  const { clock, lookUp } = scene({ ...MAIL, 'mx aaaaaaaaaaaaaaaaaaaa.com': 'nxdomain' }, madeUp);
  const { facts, mayBeInvented } = await clock.run(lookUp());
  expect(facts.kind).toBe('ok');
  expect(mayBeInvented).toBe(isInvented);
});

test.each<[string, ZoneContent, boolean]>([
  ['the domain, where a sentinel is answered', ['mx.sentinel.com'], false],
  ['the domain, where a sentinel is refused', 'servfail', false],
  ['the servers, where a sentinel meets silence too', 'timeout', true],
])('silence is blamed on %s', async (_, sentinel, isSilent) => {
  const { clock, lookUp } = scene({ 'mx a.com': 'timeout', [`mx ${SENTINEL}`]: sentinel });
  expect((await clock.run(lookUp())).facts).toMatchObject({ kind: 'error', isSilent });
});

test('a lookup that waits for a proof gives its turn to another meanwhile', async () => {
  const { clock, lookUp, asked } = scene({ [`mx ${SENTINEL}`]: ['mx.sentinel.com'] });
  const dead = Array.from({ length: MANY }, (_, i) => `d${i}.com`);
  const all = await clock.run(Promise.all(dead.map(lookUp)));
  expect(all.every(({ facts }) => facts.kind === 'cannot_receive')).toBe(true);
  const firstOf = (question: string) => asked().indexOf(question);
  const againAt = asked().indexOf('mx d0.com', firstOf('mx d0.com') + 1);
  // The last has asked everything once before the first comes back.
  expect(firstOf(`aaaa d${MANY - 1}.com`)).toBeLessThan(againAt);
  // One sentinel query for those that came together.
  expect(asked().filter((question) => question === `mx ${SENTINEL}`).length).toBeLessThanOrEqual(2);
});

test.each<[string, RegExp, (i: number) => Zone]>([
  ['a domain', /^mx d/, (i) => ({ [`mx d${i}.attacker.com`]: { about: `r${i}.victim.net` } })],
  [
    'an MX host',
    /^a+ mx\.d/,
    (i) => ({
      [`mx d${i}.attacker.com`]: [`mx.d${i}.attacker.com`],
      [`a mx.d${i}.attacker.com`]: { about: `r${i}.victim.net` },
      [`aaaa mx.d${i}.attacker.com`]: { about: `r${i}.victim.net` },
    }),
  ],
])('%s that is an alias of a missing name waits until the zone of that has room', async (_, leads, domain) => {
  const names = Array.from({ length: MANY }, (_one, i) => `d${i}.attacker.com`);
  const zone = Object.assign({}, MAIL, ...names.map((_one, i) => domain(i)));
  const perMinute = 40;
  const { clock, lookUp, asked } = scene(zone, 'nxdomain', perMinute);
  // What they lead to is known from the first.
  await clock.run(lookUp(names[0]));
  const rest = Promise.all(names.slice(1).map((name) => lookUp(name)));
  await clock.run(new Promise<void>((done) => clock.setTimeout(done, 50_000)));
  const inAMinute = asked().filter((question) => leads.test(question)).length;
  expect(inAMinute).toBeGreaterThan(perMinute / 4);
  expect(inAMinute).toBeLessThanOrEqual(perMinute);
  const details = new Set((await clock.run(rest)).map(({ facts }) => facts.detail));
  expect(details).toContain('dns_failed');
});
