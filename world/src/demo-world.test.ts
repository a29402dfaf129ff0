import { expect, test } from 'vitest';
import { compileWorld } from './compile-world.ts';
import { createDemo } from './demo-world.ts';
import { truthOf } from './truth.ts';

test('the demo is the same every time and looks like a list people collect', () => {
  const { spec, emails } = createDemo();
  expect(createDemo()).toEqual({ spec, emails });
  expect(new Set(emails).size).toBe(5_000);
  expect(Object.keys(spec.domains).length).toBeGreaterThan(2_000);
  const world = compileWorld(spec, { seed: 1 });
  const states = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
  for (const email of emails) states[truthOf(world, email).state] += 1;
  for (const count of Object.values(states)) expect(count).toBeGreaterThan(50);
  expect(states.deliverable / emails.length).toBeGreaterThan(0.5);
});
