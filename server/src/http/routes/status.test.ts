import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { sayHealth } from '../../store/node-health.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('whether addresses are checked is answered to every key, and to nobody without one', async () => {
  expect((await service.call('GET', '/v1/status')).json).toEqual({ checking: 'waiting', reasons: [] });
  await sayHealth(service.context.db, randomUUID(), { obstacles: [], reachedAt: null });
  expect((await service.call('GET', '/v1/status')).json).toEqual({ checking: 'ok', reasons: [] });
  const since = 1_700_000_000;
  await sayHealth(service.context.db, randomUUID(), {
    obstacles: [
      { code: 'source_blocked', since: since + 1 },
      { code: 'port_25', since },
    ],
    reachedAt: since - 5,
  });
  const { status, json } = await service.call('GET', '/v1/status');
  expect(status).toBe(200);
  expect(json).toEqual({
    checking: 'waiting',
    reasons: [
      { code: 'port_25', since, advice: expect.stringMatching(/firewall/) },
      { code: 'source_blocked', since: since + 1, advice: expect.stringMatching(/spamhaus/) },
    ],
  });
  expect((await service.call('GET', '/v1/status', { key: null })).status).toBe(401);
});

test('a database that fails after the key was read is named; one that fails before is a 503', async () => {
  const { db } = service.context;
  const own = db.prepared.bind(db);
  const lost = Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
  db.prepared = (name, ...rest) => (name === 'read-health' ? Promise.reject(lost) : own(name, ...rest));
  try {
    const { json } = await service.call('GET', '/v1/status');
    expect(json).toMatchObject({ checking: 'waiting', reasons: [{ code: 'database' }] });
    const again = await service.call('GET', '/v1/status');
    expect(again.json.reasons[0].since).toBe(json.reasons[0].since);
    db.prepared = () => Promise.reject(lost);
    const refused = await service.call('GET', '/v1/status');
    expect([refused.status, refused.headers['mxproof-error']]).toEqual([503, 'unavailable']);
  } finally {
    db.prepared = own;
  }
  expect((await service.call('GET', '/v1/status')).json.reasons).not.toMatchObject([{ code: 'database' }]);
});
