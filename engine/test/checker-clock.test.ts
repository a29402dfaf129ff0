// The machine's clock is set while the engine waits: no wait becomes longer or shorter.
import { expect, test, vi } from 'vitest';
import { resolveOptions } from '../src/checker-options.ts';
import type { Clock, Outcome } from '../src/types.ts';
import { virtualChecker } from './virtual-checker.ts';

const HOUR_MS = 3_600_000;
const GREYLIST_MS = 120_000;
const spec = {
  domains: { 'a.example': { host: { greylist: { delayMs: GREYLIST_MS } }, mailboxes: ['anna'] } },
};

/** A checker whose machine's clock can be set, apart from the time that passes. */
function scene() {
  const time = { offMs: 0 };
  const clock: Clock = {
    now: () => virtual.world.clock.now(),
    wallNow: () => virtual.world.clock.now() + time.offMs,
    setTimeout: (callback, ms) => virtual.world.clock.setTimeout(callback, ms),
    clearTimeout: (handle) => virtual.world.clock.clearTimeout(handle),
  };
  const virtual = virtualChecker(spec, { clock, retrySeconds: [60, 300], dnsSentinels: [] });
  return { virtual, time, clock };
}

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('a clock that is set %s by an hour between attempts changes no wait', async (_, stepMs) => {
  const { virtual, time, clock } = scene();
  const begunMs = clock.now();
  const found = virtual.checker.check('anna@a.example');
  await virtual.sleep(30_000);
  time.offMs = stepMs;
  expect(await virtual.world.run(found)).toMatchObject({ state: 'deliverable' });
  expect(clock.now() - begunMs).toBeLessThan(400_000);
  expect(clock.now() - begunMs).toBeGreaterThan(GREYLIST_MS);
});

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('after a clock was set %s others are told times that it will show', async (_, stepMs) => {
  const { virtual, time, clock } = scene();
  time.offMs = stepMs;
  const told: Outcome[] = [];
  const questions = [{ email: 'anna@a.example' }];
  await virtual.world.run(
    virtual.checker.ask(questions, { onOutcome: (_index, outcome) => void told.push(outcome) }),
  );
  const [outcome] = told;
  if (outcome?.kind !== 'later') throw new Error('greylisted ones are asked later');
  expect(outcome.notBeforeMs - clock.wallNow!()).toBe(60_000);
  expect(outcome.resume.firstAskedAtMs).toBe(clock.wallNow!());
});

test.each([
  -HOUR_MS,
  HOUR_MS,
])("the engine's own time goes on when the machine's is set by %i ms", (stepMs) => {
  const noData = async () => ({ kind: 'nodata' as const });
  const { clock } = resolveOptions({
    resolver: { mx: noData, a: noData, aaaa: noData },
    heloName: 'p.example.org',
  });
  const before = clock.now();
  const wall = Date.now();
  expect(Math.abs(before - wall)).toBeLessThan(HOUR_MS / 2);
  vi.spyOn(Date, 'now').mockReturnValue(wall + stepMs);
  expect(Math.abs(clock.now() - before)).toBeLessThan(HOUR_MS / 2);
  expect(clock.wallNow!()).toBe(wall + stepMs);
  vi.restoreAllMocks();
});
