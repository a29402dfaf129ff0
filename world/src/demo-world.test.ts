import { expect, test } from 'vitest';
import { createChecker } from '../../engine/src/index.ts';
import { compileWorld } from './compile-world.ts';
import { DEMO_TOUR } from './demo-tour.ts';
import { createDemo } from './demo-world.ts';
import { createRandom } from './random.ts';
import { truthOf } from './truth.ts';
import { createVirtualWorld, type VirtualWorld } from './virtual.ts';

test('the demo is the same every time and looks like a list people collect', () => {
  const { spec, emails } = createDemo();
  expect(createDemo()).toEqual({ spec, emails });
  expect(new Set(emails).size).toBe(5_000);
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
