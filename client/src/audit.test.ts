// The audit trail, against the real service.
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

test('what was done is found page by page and over all pages, by action and from a time on', async () => {
  const key = await mx.account.keys.create({ label: 'another' });
  await mx.account.keys.delete(key.id);
  const [revoked, made] = await mx.audit.list({ limit: 2 });
  expect(revoked).toMatchObject({
    ...{ action: 'key.revoked', actor: { kind: 'key' }, subject: { kind: 'key', id: key.id } },
  });
  expect(made).toMatchObject({ action: 'key.created', changes: { access: { before: null, after: 'full' } } });
  expect(await mx.audit.list({ action: 'key.created', since: made!.at })).toEqual([made]);
  expect(await mx.audit.list({ member: 1 })).toEqual([]);
  // More than a page.
  await service.context.db.query(
    `SELECT mxproof.note_audit($1, 'list.deleted', 'member', 1, NULL, NULL, NULL, n, '{}') FROM generate_series(1, 1001) n`,
    [service.account.accountId],
  );
  const all = await Array.fromAsync(mx.audit.all({ member: 1 }));
  expect(all.map(({ subject }) => subject?.id)).toEqual(Array.from({ length: 1001 }, (_, at) => 1001 - at));
});
