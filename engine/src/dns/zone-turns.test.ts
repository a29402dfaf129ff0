import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../world/src/virtual-clock.ts';
import { LookupTurns } from './lookup-turns.ts';
import { type Visit, ZoneTurns } from './zone-turns.ts';

const MINUTE_MS = 60_000;
const DOMAIN = 'a.example';
/** Two questions a name, and a place in eleven for those who have less than others. */
const QUESTIONS = 44;
const ALONE = 20;

function scene(count = 1) {
  const clock = createVirtualClock(0);
  const nodes = { count };
  const zones = new ZoneTurns({ clock, nodes, questionsPerMinute: QUESTIONS });
  const turns = new LookupTurns();
  const enter = (name: string, account = 'a', domain = DOMAIN) => {
    const lookup = turns.first(account);
    lookup.paidBy = account;
    return { visit: zones.enter(name, domain, lookup), lookup, name, domain };
  };
  type Entered = ReturnType<typeof enter>;
  const left = ({ visit, lookup, name, domain }: Entered, isThere: boolean, about: string | null = null) =>
    zones.left(visit, { name, domain, holder: lookup.paidBy, isThere, about });
  /** How many of so many names have their turn at once, none of which is there. */
  const missing = (count: number, account?: string, nameOf = (i: number) => `n${i}.victim.com`) => {
    const entered = Array.from({ length: count }, (_, i) => enter(nameOf(i), account));
    const begun = entered.filter(({ visit }) => isBegun(visit));
    for (const one of begun) left(one, false);
    return begun.length;
  };
  const sleep = (ms: number) => clock.run(new Promise<void>((done) => clock.setTimeout(done, ms)));
  return { clock, nodes, zones, enter, left, missing, sleep };
}

function isBegun(visit: Visit | null): boolean {
  return visit === null || visit.state === 'begun';
}

test('names that are not there take a place of their zone for a minute, those that are take none', async () => {
  const { enter, left, missing, sleep } = scene();
  for (let i = 0; i < 1_000; i += 1) left(enter(`t${i}.victim.com`), true);
  expect(missing(100)).toBe(ALONE);
  await sleep(MINUTE_MS - 1);
  expect(isBegun(enter('one.victim.com').visit)).toBe(false);
  expect(isBegun(enter('one.other.com').visit)).toBe(true);
  await sleep(1);
  expect(isBegun(enter('two.victim.com', 'b').visit)).toBe(true);
});

test('what waits is begun when a place is free, and not at all once its lookup has waited too long', async () => {
  const { clock, zones, enter, missing } = scene();
  missing(ALONE);
  const [first, second] = [enter('first.victim.com'), enter('second.victim.com')];
  const waits = [first, second].map(({ visit, lookup }) => zones.wait(visit!, lookup));
  expect(first.lookup.isHeldBack).toBe(true);
  expect(await clock.run(Promise.all(waits))).toEqual([true, true]);
  expect([clock.now(), first.lookup.isHeldBack]).toEqual([MINUTE_MS, false]);
  missing(ALONE);
  const late = enter('late.victim.com');
  late.lookup.patientUntilMs = clock.now() + 10;
  expect(await clock.run(zones.wait(late.visit!, late.lookup))).toBe(false);
  expect(clock.now()).toBe(MINUTE_MS + 10);
});

test('an account that has had less than its share does not wait for another', () => {
  const { missing } = scene();
  expect([missing(100, 'greedy'), missing(100, 'other')]).toEqual([ALONE, ALONE / 10]);
});

test('each of several nodes takes its share, and more once others have left', () => {
  const { nodes, missing } = scene(2);
  expect(missing(100)).toBe(ALONE / 2);
  nodes.count = 1;
  expect(missing(100, 'b')).toBe(ALONE / 2);
});

test.each([
  [
    [ALONE, 0, 6_000, 1],
    [ALONE, 6_000, 6_000, 1],
  ],
  [
    [ALONE - 1, 0, 1, 6_000, 1],
    [ALONE - 1, 6_000, 1, 6_000, 0],
  ],
])('of many zones the one that was visited longest ago is forgotten first: %j', (steps, begun) => {
  const { missing } = scene();
  const elsewhere = (from: number) => missing(6_000, 'b', (i) => `n.z${from + i}.com`);
  expect(steps.map((one) => (one % 6_000 === 0 ? elsewhere(one) : missing(one)))).toEqual(begun);
});

test('names below the domain itself need no turn, wherever its zone begins', () => {
  const { enter } = scene();
  for (const name of [DOMAIN, `mx.${DOMAIN}`]) expect(enter(name).visit).toBeNull();
  expect(enter('mx.me.co.uk', 'a', 'me.co.uk').visit).toBeNull();
  expect(enter('r1.github.io', 'a', 'me.github.io').visit?.zone.name).toBe('github.io');
});

test('aliases of names that are not there are charged to the zone they lead to, and held back with it', () => {
  const { enter, left } = scene();
  for (let i = 0; i < ALONE; i += 1) left(enter(`mx${i}.${DOMAIN}`), false, `r${i}.victim.com`);
  expect(isBegun(enter('r.victim.com').visit)).toBe(false);
  const next = enter(`mx.${DOMAIN}`);
  expect([next.visit?.zone.name, isBegun(next.visit)]).toEqual(['victim.com', false]);
  // Another lead does not hide the one that is full.
  left(enter('mx.b.example', 'a', 'b.example'), false, 'r.elsewhere.com');
  const again = enter(`mx.${DOMAIN}`);
  expect([again.visit?.zone.name, isBegun(again.visit)]).toEqual(['victim.com', false]);
  expect(isBegun(enter('mx.c.example', 'a', 'c.example').visit)).toBe(true);
});

test('closing ends every wait and leaves no timer', async () => {
  const { clock, zones, enter, missing } = scene();
  missing(ALONE);
  const { visit, lookup } = enter('one.victim.com');
  const wait = zones.wait(visit!, lookup);
  zones.close();
  expect(await wait).toBe(false);
  expect(clock.now()).toBe(0);
});
