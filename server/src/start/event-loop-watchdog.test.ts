import { expect, test } from 'vitest';
import { lineOf, startWatchdog } from './event-loop-watchdog.ts';

const COUNTS = { smtp: 3, dns: 1, callback: 0, body: 0, unknown: 2 };

test('a line names what was read, how long, and how often that was so', () => {
  const what = { kind: 'smtp', host: 'mx.a.example [192.0.2.1]', lots: [17, 18] } as const;
  expect(lineOf({ kind: 'smtp', what, cpuMs: 251, counts: COUNTS, unsaid: 4 })).toEqual([
    { kind: 'smtp', host: 'mx.a.example [192.0.2.1]', listIds: [17, 18], cpuMs: 251, count: 3, unlogged: 4 },
    'replies of a mail host blocked the event loop, session ended',
  ]);
  const answer = { kind: 'dns', host: '192.0.2.53:53', lots: [], domain: 'a.example' } as const;
  expect(lineOf({ kind: 'unknown', what: answer, cpuMs: 300, counts: COUNTS, unsaid: 0 })[0]).toEqual({
    kind: 'unknown',
    lastRead: 'dns',
    host: '192.0.2.53:53',
    domain: 'a.example',
    cpuMs: 300,
    count: 2,
  });
  const body = { kind: 'body', host: null, lots: [], account: 5, route: '/v1/lists' } as const;
  expect(lineOf({ kind: 'body', what: body, cpuMs: 300, counts: COUNTS, unsaid: 0 })[0]).toEqual({
    kind: 'body',
    account: 5,
    route: '/v1/lists',
    cpuMs: 300,
    count: 0,
  });
});

test('a turn of the real event loop that is too long is in the log', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const { watchTurns, stop } = startWatchdog({ warn: (fields) => resolve(fields) });
  watchTurns();
  const began = process.threadCpuUsage();
  const burn = () => {
    const since = process.threadCpuUsage();
    while (process.threadCpuUsage(since).user + process.threadCpuUsage(since).system < 400_000);
    // Before its first look the watchdog has nothing to compare with.
    if (process.threadCpuUsage(began).user < 3_000_000) timer = setTimeout(burn, 60);
  };
  let timer = setTimeout(burn, 60);
  expect(await promise).toMatchObject({ kind: 'unknown', lastRead: null, count: 1 });
  clearTimeout(timer);
  stop();
});
