import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.ts';
import { auditRows } from './audit-rows.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
});
afterAll(() => s.close());

const filter = { accountId: 9, action: null, actor: null, member: null, since: null };

test('all rows of a filter come once, newest first, whatever is written meanwhile', async () => {
  const write = (rows: number) =>
    s.db.query(
      `SELECT mxproof.note_audit(9, 'key.created', 'service', NULL, NULL, NULL, NULL, n, '{}') FROM generate_series(1, $1) n`,
      [rows],
    );
  await write(2_000);
  await s.db.query(
    `SELECT mxproof.note_audit(10, 'key.created', 'service', NULL, NULL, NULL, NULL, 1, '{}')`,
  );
  const found: number[] = [];
  for await (const { subjectId } of auditRows(s.db, filter)) {
    if (found.length % 500 === 0) await write(1);
    found.push(subjectId!);
  }
  expect(found).toEqual(Array.from({ length: 2_000 }, (_, at) => 2_000 - at));
});
