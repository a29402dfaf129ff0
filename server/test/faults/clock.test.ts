// The machine's clock is never touched: the service's is stepped by step-clock.ts, the database's by moving what it has
// noted the other way, which is the same.
import { afterEach, expect, test } from 'vitest';
import { takeDuty } from '../../src/store/duty-lease.ts';
import { meetNodes } from '../../src/store/nodes.ts';
import { type FaultRig, ordinaryWorld, people, startFaultRig, until } from './fault-rig.ts';

/** An address has no spaces, by which NODE_OPTIONS is split. */
const STEP_CLOCK = new URL('./step-clock.ts', import.meta.url).href;
let rig: FaultRig;
afterEach(() => rig.close());

/** What the database has noted moves the other way. */
async function stepDatabase(way: 'back' | 'forward'): Promise<void> {
  const moved = way === 'back' ? `+ interval '1 hour'` : `- interval '1 hour'`;
  await rig.db.query(`UPDATE mxproof.nodes SET seen_at = seen_at ${moved}`);
  await rig.db.query(`UPDATE mxproof.turns SET taken_at = taken_at ${moved}`);
  await rig.db.query(`UPDATE mxproof.lists SET created_at = created_at ${moved}`);
  await rig.db.query(`UPDATE mxproof.jobs SET due_at = due_at ${moved}, renewed_at = renewed_at ${moved}`);
}

test('a service whose clock steps by an hour, forward and back, checks on and loses nothing', async () => {
  rig = await startFaultRig(ordinaryWorld(50));
  const service = await rig.serve({ env: { NODE_OPTIONS: `--import ${STEP_CLOCK}` } });
  const list = await rig.submit(people(1_000));
  // Again and again, so that every kind of wait is met by a step of either kind.
  await until(async () => {
    service.process.kill('SIGUSR2');
    return (await rig.checked(list)) === 1_000;
  });
  await rig.settled(list);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('a database whose clock steps back by an hour holds up nothing that need not wait', async () => {
  rig = await startFaultRig(ordinaryWorld(5));
  const dead = '00000000-0000-4000-8000-000000000000';
  const web = await rig.serve({ args: ['serve', '--no-checks'] });
  const list = await rig.submit(people(300));
  await meetNodes(rig.db, dead, ['192.0.2.1']);
  expect(await takeDuty(rig.db, 'a duty', 5)).toBe(true);
  await stepDatabase('back');
  expect(await takeDuty(rig.db, 'a duty', 5)).toBe(true);
  expect(await meetNodes(rig.db, '00000000-0000-4000-8000-000000000001', [])).toEqual({
    count: 0,
    sources: [],
  });
  web.process.kill('SIGTERM');
  await web.ended;
  await rig.serve();
  await rig.settled(list);
});

test('a database whose clock steps forward by an hour lets work be done again at worst', async () => {
  rig = await startFaultRig(ordinaryWorld(100));
  await rig.serve();
  const list = await rig.submit(people(600));
  await until(async () => (await rig.checked(list)) > 0);
  await stepDatabase('forward');
  await rig.settled(list);
});
