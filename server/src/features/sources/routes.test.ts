import { randomUUID } from 'node:crypto';
import { parsePolicy, warmUpAt, warmUpKey } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { meetNodes } from '../../store/nodes.ts';
import { sayHealth } from './stored-obstacles.ts';
import { createRecipientPermits } from './stored-permits.ts';

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

test('while sources are being warmed up, what is left of the day is said, to live keys only', async () => {
  const parsed = parsePolicy({
    sources: { '192.0.2.1': { warmUp: { perDay: 50, providers: { other: { perDay: 300 } } } } },
  });
  if (!parsed.ok) throw new Error(parsed.why);
  const warming = await startService({ policy: parsed.policy });
  try {
    const { db } = warming.context;
    // No node that has that source.
    await meetNodes(db, randomUUID(), ['192.0.2.2']);
    expect((await warming.call('GET', '/v1/status')).json).not.toHaveProperty('warm_up');
    await meetNodes(db, randomUUID(), ['192.0.2.1', '192.0.2.2']);
    const warmUp = { ...warmUpAt(parsed.policy.sources.get('192.0.2.1')!.warmUp!, 'google') };
    const key = warmUpKey('google', '192.0.2.9');
    const request = { source: '192.0.2.1', key, payer: '', perHour: null, perDay: null, warmUp };
    await createRecipientPermits(db).take({ ...request, wanted: 20 });
    const { json } = await warming.call('GET', '/v1/status');
    expect(json.warm_up).toEqual({
      day_ends_at: expect.any(Number),
      providers: [
        { provider: 'google', left: 30 },
        { provider: 'other', left: 300 },
      ],
      elsewhere: 50,
    });
    expect(json.warm_up.day_ends_at % 86_400).toBe(0);
    const test = await warming.call('POST', '/v1/keys', { body: { label: 'test', test: true } });
    const shown = await warming.call('GET', '/v1/status', { key: test.json.api_key });
    expect(shown.json).toHaveProperty('checking');
    expect(shown.json).not.toHaveProperty('warm_up');
  } finally {
    await warming.close();
  }
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
