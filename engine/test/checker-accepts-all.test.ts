// Providers whose way it is to accept every recipient: said in a word of its own, and probed no more than it takes.
import { expect, test } from 'vitest';
import { catchAllProbes, virtualChecker } from './virtual-checker.ts';

const HOUR_MS = 3_600_000;

/** One domain at a host of this name. */
const at = (mx: string, catchAll = true) =>
  virtualChecker({
    domains: { 'a.example': { mx: [mx], mailboxes: catchAll ? { catchAll } : { share: 1 } } },
    hosts: { [mx]: {} },
  });

test.each([
  ['mta7.am0.yahoodns.net', 'decides_after_data'],
  ['a-example.mail.protection.outlook.com', 'tenant_accepts_all'],
  ['mx0a-001234.pphosted.com', 'gateway_accepts_all'],
  ['mx.a.example', 'catch_all'],
])('everyone accepted at %s is %s, and a probe refused there is nothing of the kind', async (mx, detail) => {
  const { state, reason, acceptAll, ...found } = await at(mx).check('p1@a.example');
  expect([state, reason, acceptAll, found.detail]).toEqual(['risky', 'low_deliverability', true, detail]);
  expect(await at(mx, false).check('p1@a.example')).toMatchObject({ detail: 'accepted', acceptAll: false });
});

/** Asks at the first hour of each, and counts how often the catch-all probe was asked. */
async function probesAt(mx: string, catchAll: boolean, hours: readonly number[]): Promise<number> {
  const virtual = at(mx, catchAll);
  const emails = hours.map((hour) => `p${hour}@a.example`);
  let now = 0;
  for (const hour of hours) {
    await virtual.sleep((hour - now) * HOUR_MS);
    const { acceptAll } = await virtual.check(`p${hour}@a.example`);
    expect(acceptAll).toBe(catchAll);
    now = hour;
  }
  const { asks } = virtual.world.seen;
  return catchAllProbes(virtual, emails).reduce((sum, probe) => sum + (asks.get(probe)?.length ?? 0), 0);
}

test('a provider that decides after DATA is probed once a day, any other every six hours', async () => {
  const aDay = [0, 5, 7, 13, 19, 23];
  expect(await probesAt('mta7.am0.yahoodns.net', true, aDay)).toBe(1);
  expect(await probesAt('mta7.am0.yahoodns.net', true, [...aDay, 25])).toBe(2);
  expect(await probesAt('mx.a.example', true, aDay)).toBe(4);
  // What a yes rests on is not kept for longer.
  expect(await probesAt('mta7.am0.yahoodns.net', false, aDay)).toBe(4);
});
