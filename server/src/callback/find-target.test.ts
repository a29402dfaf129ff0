// Whose name servers a callback waits for.
import { expect, onTestFinished, test } from 'vitest';
import { startWorld } from '../../../world/src/index.ts';
import { findTarget, type Target } from './find-target.ts';

const MUTE = Array.from({ length: 16 }, (_, i) => `mute${i}.example`);

test('sixteen receivers with unresponsive name servers delay no other callback', async () => {
  const world = await startWorld({
    domains: {
      ...Object.fromEntries(MUTE.map((name) => [name, { dns: 'timeout' as const }])),
      'hooks.example': { implicit: {} },
    },
  });
  onTestFinished(() => world.close());
  const [host = '', port] = world.dnsServer.split(':');
  const options = { isAllowed: () => true, dnsServers: [{ host, port: Number(port) }] };
  const ended: string[] = [];
  const find = async (name: string): Promise<Target> => {
    const target = await findTarget(new URL(`https://${name}/`), options);
    ended.push(name);
    return target;
  };
  const mute = MUTE.map(find);
  expect(await find('hooks.example')).toMatchObject({ kind: 'addresses' });
  expect(await find('hooks.example.')).toMatchObject({ kind: 'addresses' });
  expect(ended).toEqual(['hooks.example', 'hooks.example.']);
  expect(new Set((await Promise.all(mute)).map((target) => target.kind))).toEqual(new Set(['refused']));
});
