import { afterEach, expect, test } from 'vitest';
import { type FaultRig, ordinaryWorld, people, startFaultRig, until } from './fault-rig.ts';

const SLOW_MS = 2_000;
const isLong = process.env.MXPROOF_LONG_FAULTS !== undefined;
let rig: FaultRig;
afterEach(() => rig.close());

test('cut off from its database the service says 503, and goes on by itself when it is back', async () => {
  rig = await startFaultRig(ordinaryWorld(100));
  const service = await rig.serve();
  const list = await rig.submit(people(600));
  await until(async () => (await rig.checked(list)) > 0);
  rig.proxy.cut(true);
  await until(async () => (await rig.call('GET', '/readyz')).status === 503);
  for (const path of ['/v1/account', `/v1/lists/${list}`])
    expect((await rig.call('GET', path)).status).toBe(503);
  expect((await rig.call('POST', '/v1/lists', { emails: people(2) })).status).toBe(503);
  expect((await rig.call('POST', '/v1/verify', { email: 'p1@d1.example' })).status).toBe(503);
  expect((await rig.call('GET', '/healthz')).status).toBe(200);
  rig.proxy.cut(false);
  await rig.settled(list);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test.runIf(isLong)(
  'with a database that takes two seconds a statement everything takes longer, and ends',
  async () => {
    rig = await startFaultRig(ordinaryWorld(5));
    const service = await rig.serve();
    const early = await rig.submit(people(600));
    rig.proxy.delay(SLOW_MS);
    // Slow beyond what admission waits for is 503 and charges nothing; what is accepted is done.
    const { status, json } = await rig.call('POST', '/v1/lists', { emails: people(10, 5_000) });
    expect([201, 503]).toContain(status);
    await until(async () => (await rig.checked(early)) === 600);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    rig.proxy.delay(0);
    await rig.serve();
    await rig.settled(early, ...(status === 201 ? [json.id] : []));
  },
);

test.runIf(isLong)(
  'a database that falls silent is 503 within seconds, and goes on where it was',
  async () => {
    rig = await startFaultRig(ordinaryWorld(100));
    await rig.serve();
    const list = await rig.submit(people(600));
    await until(async () => (await rig.checked(list)) > 0);
    rig.proxy.freeze(true);
    await until(async () => (await rig.call('GET', '/readyz')).status === 503);
    expect((await rig.call('GET', '/v1/account')).status).toBe(503);
    rig.proxy.freeze(false);
    await rig.settled(list);
  },
);

test.runIf(isLong)(
  'told to stop while its database is cut off, the service stops; its next start goes on',
  async () => {
    rig = await startFaultRig(ordinaryWorld(100));
    const service = await rig.serve();
    const list = await rig.submit(people(600));
    await until(async () => (await rig.checked(list)) > 0);
    rig.proxy.cut(true);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    rig.proxy.cut(false);
    await rig.serve();
    await rig.settled(list);
  },
);
