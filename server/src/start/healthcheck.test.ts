import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../world/src/test-only-certificate.ts';
import { startService } from '../../test/http-service.ts';
import { startTestService } from '../../test/service.ts';
import { readConfig } from '../settings/config.ts';
import { MACHINE_SOURCE } from '../store/jobs.ts';
import { leaveNodes, meetNodes } from '../store/nodes.ts';
import { checkHealth } from './healthcheck.ts';

const NODE = '00000000-0000-4000-8000-000000000001';
const TLS = { cert: TEST_ONLY_CERTIFICATE, key: TEST_ONLY_KEY };
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const settings = (more: Partial<ReturnType<typeof readConfig>> = {}) => ({
  ...readConfig({ DATABASE_URL: 'postgresql://ann:a-password@127.0.0.1:9/mxproof' }),
  ...more,
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() });
  return (server.address() as AddressInfo).port;
}

test.each([
  ['http', undefined],
  ['https', TLS],
] as const)('a service over %s is well while its database answers', async (protocol, tls) => {
  let isUp = true;
  const service = await startService({ ready: () => isUp, tls });
  open.push(service);
  const config = settings({ host: '0.0.0.0', port: service.port, tls: tls ?? null });
  const url = `${protocol}://127.0.0.1:${service.port}`;
  expect(await checkHealth(config)).toEqual({
    ok: true,
    role: 'serve',
    detail: `The service answers at ${url}, and so does its database.`,
  });
  isUp = false;
  expect(await checkHealth(config)).toMatchObject({ ok: false, role: 'serve' });
});

test('what is not ours at the port, or hangs there, is not taken for the service', async () => {
  const foreign = await portOf(createHttpServer((_, response) => response.end('{"status":"fine"}')));
  expect(await checkHealth(settings({ port: foreign }), 'serve')).toEqual({
    ok: false,
    role: 'serve',
    detail: `No MXProof answers at http://127.0.0.1:${foreign}: start "mxproof serve", or set HOST and PORT as it has them.`,
  });
  const endless = createHttpServer((_, response) => {
    response.on('error', () => {});
    const more = () => !response.destroyed && response.write('x'.repeat(1_000), () => setImmediate(more));
    more();
  });
  expect(await checkHealth(settings({ port: await portOf(endless) }), 'serve')).toMatchObject({ ok: false });
  const silent = createServer((socket) => void open.push({ close: () => socket.destroy() }));
  const port = await portOf(silent);
  expect(await checkHealth(settings({ port }))).toEqual({
    ok: false,
    role: 'serve',
    detail: `Nothing was answered at http://127.0.0.1:${port} within 2 seconds.`,
  });
});

test('a node without HTTP is well while its row is young, and one that left is gone', async () => {
  const { db, url, close } = await startTestService();
  open.push({ close });
  const config = settings({ databaseUrl: url, port: 0 });
  const none = `No node that checks runs on ${hostname()}: start "mxproof work".`;
  expect(await checkHealth(config, 'work')).toEqual({ ok: false, role: 'work', detail: none });
  // Another machine's does not count.
  await meetNodes(db, NODE.replace(/1$/, '2'), ['host elsewhere']);
  expect((await checkHealth(config)).ok).toBe(false);

  await meetNodes(db, NODE, ['192.0.2.1', MACHINE_SOURCE]);
  expect(await checkHealth(config)).toMatchObject({ ok: true, role: 'work' });
  await db.query(`UPDATE mxproof.nodes SET seen_at = now() - interval '31 seconds'`);
  const old = await checkHealth(config, 'work');
  expect(old).toMatchObject({ ok: false, role: 'work' });
  expect(old.detail).toMatch(
    /^The node on .+ was last seen 3\d seconds ago: look whether "mxproof work" runs/,
  );
  await meetNodes(db, NODE, [MACHINE_SOURCE]);
  await leaveNodes(db, NODE);
  expect((await checkHealth(config, 'work')).detail).toBe(none);
});

test('without its database a node cannot be found well, and no password is shown', async () => {
  const health = await checkHealth(settings({ port: 0 }), 'work');
  expect(health).toEqual({
    ok: false,
    role: 'work',
    detail: `The database does not say whether a node runs on ${hostname()} (ECONNREFUSED).`,
  });
  const fresh = await checkHealth(settings({ databaseUrl: null, dataDir: '/nowhere/data', port: 0 }));
  expect(fresh).toMatchObject({ ok: false, role: 'work' });
});
