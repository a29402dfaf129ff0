import { expect, test } from 'vitest';
import { createChecker } from '../../engine/src/index.ts';
import { compileWorld } from './compile-world.ts';
import { DEMO_TOUR } from './demo-tour.ts';
import { createDemo, demoPost } from './demo-world.ts';
import { createRandom } from './random.ts';
import { truthOf } from './truth.ts';
import { createVirtualWorld, type VirtualWorld } from './virtual.ts';

test('the demo is the same every time and looks like a list people collect', () => {
  const { spec, emails, readers } = createDemo();
  expect(createDemo()).toEqual({ spec, emails, readers });
  expect(new Set([...emails, ...readers]).size).toBe(10_000);
  expect(Object.keys(spec.domains).length).toBeGreaterThan(2_000);
  const world = compileWorld(spec, { seed: 1 });
  const states = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
  const details = new Map<string | undefined, number>();
  for (const email of emails) {
    const { state, detail } = truthOf(world, email);
    states[state] += 1;
    details.set(detail, (details.get(detail) ?? 0) + 1);
  }
  for (const count of Object.values(states)) expect(count).toBeGreaterThan(50);
  for (const detail of [
    'catch_all',
    'decides_after_data',
    'tenant_accepts_all',
    'gateway_accepts_all',
    'tenant_lapsed',
  ])
    expect(details.get(detail), detail).toBeGreaterThan(10);
  expect(states.deliverable / emails.length).toBeGreaterThan(0.5);
});

test('mail to the readers shows something: a few wrong verdicts, and companies that differ', () => {
  const demo = createDemo();
  const world = compileWorld(demo.spec, { seed: 1 });
  const post = demoPost(demo);
  const wrong = { deliverable: 0, undeliverable: 0 };
  const fates = new Map<string, number>();
  const catchAlls = new Map<string, { n: number; bounced: number }>();
  for (const email of demo.readers) {
    const fate = post(email, '2026-11-02')?.fate ?? 'not sent';
    const { state, detail } = truthOf(world, email);
    fates.set(fate, (fates.get(fate) ?? 0) + 1);
    if (state === 'deliverable' && fate === 'bounced') wrong.deliverable += 1;
    if (state === 'undeliverable' && fate === 'delivered') wrong.undeliverable += 1;
    if (detail !== 'catch_all' || (fate !== 'delivered' && fate !== 'bounced')) continue;
    const name = email.slice(email.indexOf('@') + 1);
    const { n, bounced } = catchAlls.get(name) ?? { n: 0, bounced: 0 };
    catchAlls.set(name, { n: n + 1, bounced: bounced + (fate === 'bounced' ? 1 : 0) });
  }
  expect(wrong.deliverable).toBeGreaterThan(10);
  expect(wrong.deliverable).toBeLessThan(60);
  expect(wrong.undeliverable).toBeGreaterThan(3);
  for (const fate of ['delivered', 'bounced', 'full', 'blocked', 'complained', 'unclear'])
    expect(fates.get(fate), fate).toBeGreaterThan(2);
  const rates = [...catchAlls.values()].filter(({ n }) => n >= 40).map(({ n, bounced }) => bounced / n);
  expect(rates.length).toBeGreaterThan(4);
  expect(Math.min(...rates)).toBe(0);
  expect(Math.max(...rates)).toBeGreaterThan(0.1);
});

test('every address of the demo is judged as its world knows it, and no limit of a host is broken', async () => {
  const { spec, emails } = createDemo();
  const world = createVirtualWorld(spec, { seed: 1 });
  const checker = checkerOf(world);
  const wrong: string[] = [];
  const all = async () => {
    for await (const { email, state, reason, detail, evidence } of checker.checkAll(emails)) {
      const truth = world.truth(email);
      const { detail: trueDetail = detail } = truth;
      if (state !== truth.state || reason !== truth.reason || detail !== trueDetail)
        wrong.push(
          `${email}: ${state}/${reason}/${detail}, true is ${truth.state}/${truth.reason}/${trueDetail} (${evidence.rule})`,
        );
    }
    await checker.close();
  };
  await world.run(all());
  expect(wrong).toEqual([]);
  expect(world.seen.total).toMatchObject({ data: 0, outOfPlace: 0, delays: 0 });
});

test('every address of the tour shows what it says it does', async () => {
  const world = createVirtualWorld(createDemo().spec, { seed: 1 });
  const checker = checkerOf(world);
  const found: object[] = [];
  const all = async () => {
    for await (const { email, state, reason, detail } of checker.checkAll(
      DEMO_TOUR.map(({ email }) => email),
    ))
      found.push({ email, state, reason, detail });
    await checker.close();
  };
  await world.run(all());
  const byEmail = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
  const said = DEMO_TOUR.map(({ email, state, reason, detail }) => ({ email, state, reason, detail }));
  expect(found.sort(byEmail)).toEqual(said.sort(byEmail));
});

function checkerOf(world: VirtualWorld) {
  return createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(1).next,
    allowPrivateTargets: true,
    heloName: 'probe.example.com',
    mailFrom: 'probe@probe.example.com',
  });
}
