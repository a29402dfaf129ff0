import type { AdminAuditEntry } from '@mxproof/client/admin';
import { expect, test } from 'vitest';
import { trailFile } from './trail-file.ts';

const entry = (id: number): AdminAuditEntry => ({
  id,
  at: 1_794_960_000,
  action: 'doctor.run',
  actor: { kind: 'operator', id: null, name: null },
  client: null,
  request_id: null,
  account_id: null,
  subject: null,
  changes: {},
  changed: [],
});

async function* trail(length: number, left: { count: number } = { count: 0 }) {
  for (let id = 1; id <= length; id++) {
    left.count = length - id;
    yield entry(id);
  }
}

test('a trail that fits is there to its last line', async () => {
  const { file, entries, isCut } = await trailFile(trail(3), 3);
  expect({ entries, isCut }).toEqual({ entries: 3, isCut: false });
  const lines = (await file.text()).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => (JSON.parse(line) as AdminAuditEntry).id)).toEqual([1, 2, 3]);
});

test('of a longer one the newest are there, it is told, and no more is read', async () => {
  const left = { count: 0 };
  const { file, entries, isCut } = await trailFile(trail(9, left), 2);
  expect({ entries, isCut, left: left.count }).toEqual({ entries: 2, isCut: true, left: 6 });
  expect((await file.text()).trimEnd().split('\n')).toHaveLength(2);
});

test('nothing is an empty file', async () => {
  expect(await trailFile(trail(0))).toMatchObject({ entries: 0, isCut: false, file: { size: 0 } });
});
