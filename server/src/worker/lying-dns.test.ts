// The service on a resolver that denies every domain: no address is called undeliverable, and every credit is refunded.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Rig, startRig } from '../../test/rig.ts';
import { until } from '../../test/until.ts';

let rig: Rig;
beforeAll(async () => {
  const domains = { 'good.com': { host: {}, mailboxes: ['anna'] } };
  rig = await startRig({ domains, dns: { lie: { kind: 'nxdomain' } } }, 1);
});
afterAll(() => rig.close());

test('every address ends unknown and is refunded, the service stays ready, and the log says once what is wrong', async () => {
  const node = await rig.node(['serve'], { PORT: '0', MXPROOF_SMTP_RETRY_SECONDS: '1' });
  const base = /"url":"([^"]+)"/.exec(await node.line(/"url"/))![1]!;
  const headers = { authorization: `Bearer ${rig.account.apiKey}`, 'content-type': 'application/json' };
  const read = async (path: string) => (await fetch(`${base}${path}`, { headers })).json();

  const emails = ['anna@good.com', 'ben@gmail.com', 'carla@no-such.com'];
  const before = await read('/v1/account');
  const posted = await fetch(`${base}/v1/lists`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ emails }),
  });
  const { id } = (await posted.json()) as { id: number };
  await until(async () => expect(await read(`/v1/lists/${id}`)).toMatchObject({ status: 'done' }));
  const { results } = (await read(`/v1/lists/${id}/results`)) as { results: { reason: string }[] };
  expect(results.map(({ reason }) => reason)).toEqual(['dns_error', 'dns_error', 'dns_error']);
  expect(await read('/v1/account')).toMatchObject({ credits: (before as { credits: number }).credits });
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  const said = node.lines.filter((line) => line.includes('MXPROOF_DNS_SENTINELS'));
  expect(said).toHaveLength(1);
  expect(JSON.parse(said[0]!)).toMatchObject({ level: 50 });
  expect(said[0]).not.toContain('@');
});
