// A machine that has no more sockets for a while.
import { expect, test } from 'vitest';
import { createChecker } from '../src/index.ts';
import type { Connect } from '../src/ports.ts';
import { overhear } from './overhear.ts';
import { virtualChecker } from './virtual-checker.ts';

const HOSTS = 100;
const SHORT_MS = 10_000;

test('where there are no sockets it is tried now and then; no host is blamed, and later all are used again', async () => {
  const names = Array.from({ length: HOSTS }, (_, i) => `d${i}.example`);
  const host = { replyDelayMs: 1_000 };
  const { world, sleep } = virtualChecker({
    domains: Object.fromEntries(names.map((name) => [name, { host, mailboxes: ['anna', 'ben'] }])),
  });
  const { clock, resolver } = world;
  const shortUntilMs = clock.now() + SHORT_MS;
  let dials = 0;
  let open = 0;
  let most = 0;
  const connect: Connect = (target, events) => {
    if (clock.now() < shortUntilMs) {
      dials += 1;
      clock.setTimeout(() => events.closed('EMFILE'), 1);
      return { write: () => {}, startTls: () => {}, destroy: () => {} };
    }
    open += 1;
    most = Math.max(most, open);
    const closed = (error: string | null) => {
      open -= 1;
      events.closed(error);
    };
    return world.connect(target, overhear(events, { closed }));
  };
  const options = { allowPrivateTargets: true, heloName: 'probe.example.org', maxSessions: 80 };
  const checker = createChecker({ clock, resolver, connect, ...options });
  const all = async (local: string) => {
    const states: string[] = [];
    for await (const { state } of checker.checkAll(names.map((name) => `${local}@${name}`)))
      states.push(state);
    return new Set(states);
  };
  expect(await world.run(all('anna'))).toEqual(new Set(['deliverable']));
  expect(dials).toBeLessThan(2_000);
  expect(most).toBeLessThan(20);
  for (let i = 0; i < 5; i += 1) {
    await sleep(61_000);
    await world.run(checker.check('anna@d0.example'));
  }
  expect(await world.run(all('ben'))).toEqual(new Set(['deliverable']));
  expect(most).toBe(80);
});
