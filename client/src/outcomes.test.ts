// outcomes.*, accuracy and suppressions.*, against the service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { MXProof } from './index.ts';

let service: TestService;
let mx: MXProof;
beforeAll(async () => {
  service = await startService();
  mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
});
afterAll(() => service.close());

test('any number of outcomes is sent, and a wrong one is told by its place among all', async () => {
  await mx.account.update({ outcomes: true });
  const outcomes = Array.from({ length: 1_500 }, (_, at) => ({
    email: at === 1_200 ? '' : `a${at}@example.com`,
    outcome: 'delivered' as const,
    // More than a request takes of them.
    reply: 'x'.repeat(1_000),
  }));
  const requests: number[] = [];
  const onAnswer = ({ status }: { status: number }) => requests.push(status);
  expect(await mx.outcomes.send(outcomes, { onAnswer })).toEqual({
    accepted: 1_499,
    ignored: 0,
    duplicates: 0,
    errors: [{ index: 1_200, error: 'email required' }],
  });
  expect(requests).toEqual([200, 200]);
  expect(await mx.accuracy({ days: 7 })).toMatchObject({ matched: 0, unmatched: 1_499, providers: [] });
  expect(await mx.wrongVerdicts({ days: 7, offset: 0, limit: 10 })).toEqual({ total: 0, gone: 0, wrong: [] });
});

test('addresses are suppressed, found by their place, and taken off', async () => {
  expect(await mx.suppressions.add(['a@example.com', 'b@example.com'])).toBe(2);
  expect(await mx.suppressions.check(['x@example.com', 'B@example.com'])).toEqual([1]);
  expect(await mx.suppressions.remove(['b@example.com'])).toBe(1);
  expect(await mx.suppressions.count()).toEqual({ total: 1, bounced: 0, complained: 0, uploaded: 1 });
});
