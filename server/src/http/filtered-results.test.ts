// Filters, breakdown and evidence on the real service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { accepted } from '../../test/verdicts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const rejected = { ...accepted, state: 'undeliverable', reason: 'rejected_email', score: 0 } as const;

test('a filtered page has the rows that match, their places, and how many match', async () => {
  const { json: list } = await service.call('POST', '/v1/lists', {
    body: { emails: ['a@x.test', 'b@x.test', 'c@y.test', 'd@y.test'] },
  });
  await service.find(list.id, { 0: rejected, 2: rejected, 3: { ...accepted, role: true } });
  const path = `/v1/lists/${list.id}/results`;
  const page = await service.call('GET', `${path}?state=undeliverable,pending&limit=2`);
  expect(page.headers['x-total-count']).toBe('3');
  expect(page.json.results).toMatchObject([
    { position: 0, email: 'a@x.test', reason: 'rejected_email' },
    { position: 1, email: 'b@x.test', state: 'pending' },
  ]);
  const csv = await service.call('GET', `${path}?q=Y.T&flag=role,free&format=csv`);
  expect(csv.headers['x-total-count']).toBe('1');
  expect(csv.text).toBe(
    'email,state,reason,score,accept_all,role,free,disposable,mx,provider\r\n' +
      'd@y.test,deliverable,accepted_email,95,False,True,False,False,mx.example.com,other\r\n',
  );
  const breakdown = await service.call('GET', `/v1/lists/${list.id}/breakdown`);
  expect(breakdown.json).toMatchObject({
    reasons: { rejected_email: 2, accepted_email: 1, no_connect: 0 },
    providers: { other: 3 },
    flags: { role: 1, free: 0, disposable: 0, accept_all: 0 },
    domains: [
      { domain: 'x.test', total: 2, deliverable: 0, risky: 0, undeliverable: 1, unknown: 0 },
      { domain: 'y.test', total: 2, deliverable: 1, risky: 0, undeliverable: 1, unknown: 0 },
    ],
  });
});
