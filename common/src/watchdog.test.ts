import { expect, test } from 'vitest';
import { type Reader, SLOW_MS, type SlowTurn, TICK_MS, Watchdog } from './watchdog.ts';

const host: Reader = { whatIsRead: () => ({ kind: 'smtp', host: 'mx.a.example [192.0.2.1]', lots: [7] }) };

/** A watchdog by clocks of the test's own. */
function watched() {
  const said: SlowTurn[] = [];
  let nowMs = 1_000;
  let cpuMs = 500;
  let samples = 0;
  const watchdog = new Watchdog({
    say: (slow) => said.push(slow),
    nowMs: () => nowMs,
    threadCpuMs: () => {
      samples += 1;
      return cpuMs;
    },
  });
  const busy = (ms: number) => {
    nowMs += ms;
    cpuMs += ms;
  };
  const stalled = (ms: number) => {
    nowMs += ms;
  };
  const read = (work: () => void, reader = host) => {
    const beganMs = watchdog.began(reader);
    work();
    return watchdog.wasSlow(reader, beganMs);
  };
  return { watchdog, said, busy, stalled, read, samples: () => samples };
}

test('a reading that takes 250 ms of processor time is named and counted', () => {
  const { read, busy, said } = watched();
  expect(read(() => busy(250))).toBe(true);
  expect(said).toEqual([
    {
      kind: 'smtp',
      what: { kind: 'smtp', host: 'mx.a.example [192.0.2.1]', lots: [7] },
      cpuMs: 250,
      counts: { smtp: 1, dns: 0, callback: 0, body: 0, unknown: 0 },
      unsaid: 0,
    },
  ]);
});

test('a reading that is stalled for longer, with little processor time, is not blamed on a reader', () => {
  const { read, busy, stalled, said } = watched();
  const slow = read(() => {
    stalled(5_000);
    busy(SLOW_MS - 1);
  });
  expect([slow, said]).toEqual([false, []]);
});

test('what was used before a reading is never held against it', () => {
  const { read, busy, stalled, said } = watched();
  const nearly = () => {
    stalled(50);
    busy(SLOW_MS - 1);
  };
  read(() => {});
  // Since the last sample, which is still fresh.
  busy(10);
  expect(read(nearly)).toBe(false);
  busy(1_000);
  expect(read(nearly)).toBe(false);
  expect(said).toEqual([]);
  expect(read(() => busy(SLOW_MS + 10))).toBe(true);
});

test('quick readings look at the processor clock once in ten milliseconds', () => {
  const { read, busy, samples } = watched();
  for (let n = 0; n < 1_000; n += 1) read(() => busy(0.1));
  expect(samples()).toBeLessThanOrEqual(11);
});

test('a turn that no reading accounts for is counted as unknown, with what was read last', () => {
  const { watchdog, read, busy, said } = watched();
  watchdog.tick();
  read(() => busy(1));
  busy(TICK_MS + SLOW_MS);
  watchdog.tick();
  expect(said).toMatchObject([
    {
      kind: 'unknown',
      what: { host: 'mx.a.example [192.0.2.1]' },
      cpuMs: 201,
      counts: { unknown: 1, smtp: 0 },
    },
  ]);
  busy(TICK_MS + SLOW_MS);
  watchdog.tick();
  expect(said[1]).toMatchObject({ kind: 'unknown', what: null, counts: { unknown: 2 } });
});

test('a busy thread with short turns, a stalled one, and a turn a reading accounts for are not unknown', () => {
  const { watchdog, read, busy, stalled, said } = watched();
  watchdog.tick();
  for (let n = 0; n < 100; n += 1) {
    busy(TICK_MS + 20);
    watchdog.tick();
  }
  stalled(60_000);
  watchdog.tick();
  expect(said).toEqual([]);
  read(() => busy(2_000));
  busy(TICK_MS);
  watchdog.tick();
  expect(said.map(({ kind }) => kind)).toEqual(['smtp']);
});

test('ten a minute are said, and the next one says how many were not', () => {
  const { read, busy, stalled, said } = watched();
  for (let n = 0; n < 25; n += 1) read(() => busy(250));
  expect(said).toHaveLength(10);
  stalled(60_000);
  read(() => busy(250));
  expect(said).toHaveLength(11);
  expect(said[10]).toMatchObject({ unsaid: 15, counts: { smtp: 26 } });
  read(() => busy(250));
  expect(said[11]).toMatchObject({ unsaid: 0, counts: { smtp: 27 } });
});

test('by the real clocks, work is blamed and waiting is not', () => {
  const said: SlowTurn[] = [];
  const watchdog = new Watchdog({ say: (slow) => said.push(slow) });
  const usedMs = (since: NodeJS.CpuUsage) => {
    const { user, system } = process.threadCpuUsage(since);
    return (user + system) / 1000;
  };
  let beganMs = watchdog.began(host);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS + 50);
  expect(watchdog.wasSlow(host, beganMs)).toBe(false);
  beganMs = watchdog.began(host);
  const since = process.threadCpuUsage();
  while (usedMs(since) < SLOW_MS + 50);
  expect(watchdog.wasSlow(host, beganMs)).toBe(true);
  expect(said).toHaveLength(1);
});
