import type { ReadingSubject, ReadingWatch } from '@mxproof/common/watchdog';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';

const slow: ReadingSubject[] = [];
const watchdog: ReadingWatch = {
  began: () => 0,
  wasSlow: (reader) => {
    slow.push(reader.whatIsRead());
    return true;
  },
};

let service: TestService;
beforeAll(async () => {
  service = await startService({ watchdog });
});
afterAll(() => service.close());

test('a body that is slow to parse is answered, and its account and route are named', async () => {
  const answered = await service.call('POST', '/v1/lists', { body: { emails: ['anna@a.example'] } });
  expect(answered.status).toBe(201);
  const invalid = await service.call('POST', '/v1/verify', { raw: '{' });
  expect(invalid.status).toBe(400);
  const { accountId: account } = service.account;
  expect(slow).toEqual([
    { kind: 'body', host: null, lots: [], account, route: '/v1/lists' },
    { kind: 'body', host: null, lots: [], account, route: '/v1/verify' },
  ]);
});
