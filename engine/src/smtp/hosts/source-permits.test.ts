// Several nodes on one source against a model that counts what they send: no hour and no day has more than its limit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PermitGrant, PermitRequest, PermitStore, Permits } from '../../ports.ts';
import type { Clock } from '../../types.ts';
import { MemoryPermits } from './memory-permits.ts';
import { PERMITS_MAX, SourcePermits } from './source-permits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An hour and a moment before a day ends: what is in hand then is not given back as unused before it is void. */
const START_MS = 20_000 * DAY_MS + 23 * HOUR_MS - 5_000;

class TestClock implements Clock {
  #nowMs = START_MS;
  readonly #timers = new Map<object, { readonly atMs: number; readonly run: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  setTimeout(run: () => void, ms: number): unknown {
    const handle = {};
    this.#timers.set(handle, { atMs: this.#nowMs + ms, run });
    return handle;
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as object);
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers]
        .filter(([, { atMs }]) => atMs <= untilMs)
        .sort(([, a], [, b]) => a.atMs - b.atMs);
      const [first] = due;
      if (first === undefined) break;
      this.#timers.delete(first[0]);
      this.#nowMs = Math.max(this.#nowMs, first[1].atMs);
      first[1].run();
    }
    this.#nowMs = untilMs;
  }
}

/** A store whose requests arrive, and whose answers come, only when they are let through. */
class SlowStore implements PermitStore {
  readonly #store: MemoryPermits;
  readonly #held: (() => void)[] = [];

  constructor(store: MemoryPermits) {
    this.#store = store;
  }

  async take(request: PermitRequest): Promise<PermitGrant> {
    await this.#gate();
    const grant = await this.#store.take(request);
    await this.#gate();
    return grant;
  }

  giveBack(permits: Permits): Promise<void> {
    return this.#store.giveBack(permits);
  }

  async letThrough(): Promise<void> {
    for (const go of this.#held.splice(0)) go();
    await settled();
  }

  #gate(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve));
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

interface Node {
  permits: SourcePermits;
  promised: number;
}

const KEY = 'provider google';
type Step = { readonly node: number } & (
  | { readonly kind: 'need' | 'send'; readonly count: number }
  | { readonly kind: 'open' | 'ended' | 'killed' | 'restarted' }
  | { readonly kind: 'answers'; readonly gates: number }
  | { readonly kind: 'time'; readonly ms: number }
);

const node = fc.nat(1);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      node,
      kind: fc.constant('need' as const),
      count: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      node,
      kind: fc.constant('send' as const),
      count: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ node, kind: fc.constantFrom('open' as const, 'ended' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ node, kind: fc.constantFrom('killed' as const, 'restarted' as const) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      node,
      kind: fc.constant('answers' as const),
      gates: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      node,
      kind: fc.constant('time' as const),
      ms: fc.constantFrom(10, 2_000, 6_000, 61_000, HOUR_MS - 6_000, HOUR_MS),
    }),
  },
);

const anyLimit = fc.option(fc.integer({ min: 2, max: 60 }));

test('no hour and no day has more recipients than its limit, whatever nodes do; and what is not used is not lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyLimit,
      anyLimit,
      fc.array(anyStep, { minLength: 40, maxLength: 160, size: 'max' }),
      async (perHour, perDay, steps) => {
        fc.pre(perHour !== null || perDay !== null);
        const clock = new TestClock();
        const memory = new MemoryPermits(clock);
        const store = new SlowStore(memory);
        const budgets = [{ key: KEY, perHour, perDay }];
        const start = (): Node => ({
          permits: new SourcePermits('192.0.2.1', {
            store,
            clock,
            log: () => {},
            payers: { areSeveral: false },
          }),
          promised: 0,
        });
        const nodes = [start(), start()];
        const sent = new Map<string, number>();
        let killed = 0;
        const count = (window: string, by: number) => {
          sent.set(window, (sent.get(window) ?? 0) + by);
          return sent.get(window) ?? 0;
        };
        for (const step of steps) {
          const at = nodes[step.node]!;
          const nowMs = clock.now();
          switch (step.kind) {
            case 'need':
              at.permits.need(budgets, '', step.count, { pump: () => {} }, nowMs);
              break;
            case 'open':
              if (at.permits.free(budgets, '', nowMs) === 0) break;
              at.permits.promise(budgets, '');
              at.promised += 1;
              break;
            case 'ended':
              if (at.promised === 0) break;
              at.permits.redeem(budgets, '');
              at.promised -= 1;
              break;
            case 'send': {
              const recipients = Math.min(step.count, at.permits.free(budgets, '', nowMs));
              if (recipients === 0) break;
              at.permits.spend(budgets, '', recipients, nowMs);
              const inHour = count(`hour ${Math.floor(nowMs / HOUR_MS)}`, recipients);
              const inDay = count(`day ${Math.floor(nowMs / DAY_MS)}`, recipients);
              expect(inHour).toBeLessThanOrEqual(perHour ?? inHour);
              expect(inDay).toBeLessThanOrEqual(perDay ?? inDay);
              break;
            }
            case 'killed':
              // What it had in hand, or was on its way, is lost until the window is over.
              killed += 1;
              nodes[step.node] = start();
              break;
            case 'restarted':
              await at.permits.close();
              nodes[step.node] = start();
              break;
            case 'answers':
              await settled();
              await store.letThrough();
              break;
            default:
              clock.advance(step.ms);
          }
        }
        for (const { permits } of nodes) void permits.close();
        for (let i = 0; i < 3; i += 1) await store.letThrough();
        const limit = perDay ?? perHour ?? 0;
        const { granted, hour, day } = await memory.take({
          source: '192.0.2.1',
          key: KEY,
          payer: '',
          perHour,
          perDay,
          wanted: limit,
        });
        const left = Math.min(
          perHour === null ? limit : perHour - (sent.get(`hour ${hour}`) ?? 0),
          perDay === null ? limit : perDay - (sent.get(`day ${day}`) ?? 0),
        );
        expect(granted).toBeLessThanOrEqual(left);
        expect(granted).toBeGreaterThanOrEqual(left - killed * PERMITS_MAX);
      },
    ),
    { numRuns: 400 },
  );
});

test('a queue that waits for permits is tried again once the answer about them is there', async () => {
  const clock = new TestClock();
  const store = new MemoryPermits(clock);
  const permits = new SourcePermits(null, { store, clock, log: () => {}, payers: { areSeveral: false } });
  const budgets = [{ key: KEY, perHour: 3, perDay: null }];
  const pumped: string[] = [];
  const waiter = (name: string) => ({ pump: () => void pumped.push(name) });
  permits.need(budgets, '', 2, waiter('a'), clock.now());
  permits.need(budgets, '', 2, waiter('b'), clock.now());
  expect(permits.heldUntilMs(budgets, '', clock.now())).toBe(0);
  await settled();
  expect([pumped, permits.free(budgets, '', clock.now())]).toEqual([['a', 'b'], 3]);
  permits.promise(budgets, '');
  permits.spend(budgets, '', 2, clock.now());
  // The last one is kept for the session that was opened.
  expect(permits.free(budgets, '', clock.now())).toBe(0);
  expect(permits.heldUntilMs(budgets, '', clock.now())).toBe(START_MS + 5_000);
  permits.redeem(budgets, '');
  expect(permits.free(budgets, '', clock.now())).toBe(1);
  clock.advance(HOUR_MS);
  expect(permits.free(budgets, '', clock.now())).toBe(0);
  permits.need(budgets, '', 9, waiter('c'), clock.now());
  await settled();
  expect(permits.free(budgets, '', clock.now())).toBe(3);
});
