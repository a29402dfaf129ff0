import { afterEach, expect, test } from 'vitest';
import { type FaultRig, ordinaryWorld, people, startFaultRig, until } from './fault-rig.ts';

/** An address has no spaces, by which NODE_OPTIONS is split. */
const DIE_IN_THREAD = new URL('./die-in-thread.ts', import.meta.url).href;
/** Larger bodies are read in a thread. */
const LARGE = 20_000;
let rig: FaultRig;
afterEach(() => rig.close());

test('a thread that dies takes its own request along and nothing else', async () => {
  rig = await startFaultRig(ordinaryWorld(0));
  const service = await rig.serve({ env: { NODE_OPTIONS: `--import ${DIE_IN_THREAD}` } });
  const large = people(LARGE);
  const good = () => rig.call('POST', '/v1/lists', { emails: large, name: 'good' });
  const deadly = () => rig.call('POST', '/v1/lists', { emails: large, name: 'this-body-kills-its-thread' });
  const answers = await Promise.all([good(), deadly(), good(), deadly()]);
  expect(answers.map(({ status }) => status)).toEqual([201, 500, 201, 500]);
  const last = await good();
  expect(last.status).toBe(201);
  // Deleted, so that the test need not wait for sixty thousand addresses.
  for (const { json } of [answers[0]!, answers[2]!, last])
    expect((await rig.call('DELETE', `/v1/lists/${json.id}`)).status).toBe(200);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('without file descriptors to spare the service waits for them, and loses nothing', async () => {
  rig = await startFaultRig(ordinaryWorld(50));
  const service = await rig.serve({ shell: 'ulimit -n 64' });
  const list = await rig.submit(people(1_000));
  const calls = Array.from({ length: 200 }, () => rig.call('GET', '/v1/account').catch(() => null));
  await until(async () => (await rig.checked(list)) === 1_000);
  for (const answer of await Promise.all(calls)) expect([200, 503, undefined]).toContain(answer?.status);
  await rig.settled(list);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
