// Chunks that end the node that asks about them, and chunks that were only there.
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { verifyLedger } from '../../src/store/verify-ledger.ts';
import { type FaultRig, ordinaryWorld, people, startFaultRig, until } from './fault-rig.ts';

/** An address has no spaces, by which NODE_OPTIONS is split. */
const POISONED = { NODE_OPTIONS: `--import ${new URL('./poison.ts', import.meta.url).href}` };
const ALONE = /"msg":"chunk was present at two deaths of a node/;
const isLong = process.env.MXPROOF_LONG_FAULTS !== undefined;
let rig: FaultRig;
afterEach(() => rig.close());

function processesOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}

const statusOf = async (listId: number) => (await rig.call('GET', `/v1/lists/${listId}`)).json.status;

test('a chunk that ends its node twice goes on alone, and after three deaths there its list fails and is refunded', {
  timeout: 300_000,
}, async () => {
  rig = await startFaultRig(ordinaryWorld(50));
  const first = await rig.serve({ env: POISONED });
  const innocent = await rig.submit(people(600));
  const poisoned = await rig.submit(['poison1@d0.example', 'poison2@d1.example']);
  expect(await first.ended).toBe('SIGKILL');
  const second = await rig.serve({ env: POISONED });
  expect(await second.ended).toBe('SIGKILL');
  const third = await rig.serve({ env: POISONED });
  await third.line(ALONE);
  // The node goes on with everything else.
  const later = await rig.submit(people(100, 20_000));
  await until(async () => (await statusOf(poisoned)) === 'failed');
  await rig.settled(innocent, later);
  const deaths = third.lines.filter(
    (line) => line.includes('DiedAlone') && line.includes(`"listId":${poisoned}`),
  );
  expect(deaths).toHaveLength(3);
  const [list] = await rig.db.query<{ failure: string }>('SELECT failure FROM mxproof.lists WHERE id = $1', [
    poisoned,
  ]);
  expect(list!.failure).toBe('chunk 0: DiedAlone: the process that asked about nothing else died (SIGKILL)');
  third.process.kill('SIGTERM');
  expect(await third.ended).toBe(0);
});

test.runIf(isLong)(
  'a single check that ends its node twice goes on alone as well',
  { timeout: 300_000 },
  async () => {
    rig = await startFaultRig(ordinaryWorld(50));
    const first = await rig.serve({ env: POISONED });
    await expect(rig.call('POST', '/v1/verify', { email: 'poison@d0.example' })).rejects.toThrow();
    expect(await first.ended).toBe('SIGKILL');
    const second = await rig.serve({ env: POISONED });
    expect(await second.ended).toBe('SIGKILL');
    const third = await rig.serve({ env: POISONED });
    await until(async () => (await statusOf(1)) === 'failed');
    expect((await verifyLedger(rig.db)).differences).toEqual([]);
    expect((await rig.call('GET', '/v1/account')).json).toMatchObject({ credits_used: 0 });
    third.process.kill('SIGTERM');
    expect(await third.ended).toBe(0);
  },
);

test.runIf(isLong)(
  'chunks that were only there when a node was killed, twice, complete alone',
  {
    timeout: 300_000,
  },
  async () => {
    rig = await startFaultRig(ordinaryWorld(250));
    let node = await rig.serve();
    const list = await rig.submit(people(1_500));
    for (const asked of [1, 2]) {
      const before = rig.world.seen.total.rcpts;
      await until(async () => rig.world.seen.total.rcpts > before);
      node.process.kill('SIGKILL');
      expect([asked, await node.ended]).toEqual([asked, 'SIGKILL']);
      node = await rig.serve();
    }
    await node.line(ALONE);
    // The death of a node that asks alone counts for nothing, and ends the processes it has started.
    let alone: readonly string[] = [];
    await until(async () => {
      alone = processesOf(node.process.pid!);
      return alone.length > 0;
    });
    node.process.kill('SIGKILL');
    await until(async () => alone.every((pid) => !existsSync(`/proc/${pid}`)));
    node = await rig.serve();
    await rig.settled(list);
    expect(node.lines.filter((line) => line.includes('DiedAlone'))).toEqual([]);
  },
);
