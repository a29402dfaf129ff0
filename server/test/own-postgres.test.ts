// The operator's own PostgreSQL (DATABASE_URL): any installed one from 14 on, as Debian's; runs where one is found.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startNode } from './child.ts';
import { hasOwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { until } from './until.ts';

test.runIf(hasOwnPostgres)('the same service runs on the operator’s own PostgreSQL', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-own-'));
  const own = await startOwnPostgres(folder);
  const launcher = join(import.meta.dirname, '../../cli/bin/mxproof.mjs');
  const service = startNode([launcher, 'serve'], {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: own.url,
    MXPROOF_SECRET_KEY: 'a key for this test',
    MXPROOF_DATA_DIR: join(folder, 'data'),
    MXPROOF_SHOW_FIRST_KEY: '1',
    MXPROOF_HELO_NAME: 'probe.example.com',
    MXPROOF_DNS_SERVERS: '127.0.0.1:9',
  });
  try {
    const { url } = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
    const key = /Bearer (\S+)'/.exec(await service.line(/curl .*\/v1\/account/))![1]!;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const call = async (path: string, body?: object) => {
      const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
      const answer = await fetch(`${url}/v1${path}`, request);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    expect(await call('/verify', { email: 'no address' })).toMatchObject({
      status: 200,
      body: { reason: 'invalid_email' },
    });
    const emails = Array.from({ length: 600 }, (_, n) => `not an address ${n}`);
    const list = await call('/lists', { emails });
    expect(list).toMatchObject({ status: 201, body: { total: 600 } });
    await until(async () => (await call(`/lists/${list.body.id}`)).body.status === 'done');
    expect(await call('/account')).toMatchObject({ body: { credits: 399, credits_used: 601, lists: 2 } });
  } finally {
    service.process.kill('SIGTERM');
    const status = await service.ended;
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(status).toBe(0);
  }
});
