import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { spawnWorld } from './world-process.ts';

test('a world in its own process answers, counts since last asked, and ends when closed', async () => {
  const world = await spawnWorld({ spec: { domains: { 'a.example': { host: {} } } } });
  expect(world.dnsServer).toMatch(/^127\.0\.0\.1:\d+$/);
  const banner = await new Promise<string>((resolve) => {
    const socket = connect({ host: '127.1.0.1', port: world.smtpPort });
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString());
    });
  });
  expect(banner).toMatch(/^220 mx\.a\.example/);
  expect((await world.seen()).total.connections).toBe(1);
  expect((await world.seen()).total.connections).toBe(0);
  await world.close();
  expect(() => process.kill(world.pid, 0)).toThrow();
});

test('a world that cannot start says why', async () => {
  const twice = { addresses: ['127.9.9.9'] };
  const spec = { domains: { 'a.example': { host: twice }, 'b.example': { host: twice } } };
  await expect(spawnWorld({ spec })).rejects.toThrow(/two hosts at 127\.9\.9\.9/);
});
