// What a client says of the file a list was made of.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const FILE = {
  name: 'spring \u0000 😀.xlsx',
  rows: 12,
  addresses: 10,
  invalid: 1,
  duplicates: 2,
  corrected: 3,
};
const create = (file: unknown, more: { key?: string; emails?: string[] } = {}) => {
  const { emails = ['a@b.test'], ...rest } = more;
  return service.call('POST', '/v1/lists', { ...rest, body: { emails, file } });
};

test('it is given back as it was sent, and only if asked for', async () => {
  const created = await create(FILE);
  expect(created.status).toBe(201);
  expect(created.json).not.toHaveProperty('file');
  const path = created.headers.location!;
  expect((await service.call('GET', path)).json).not.toHaveProperty('file');
  expect((await service.call('GET', `${path}?include=file`)).json.file).toEqual(FILE);
  const { json: none } = await service.call('POST', '/v1/lists', { body: { emails: ['a@b.test'] } });
  const all = await service.call('GET', '/v1/lists?include=file,paused&limit=2');
  expect(all.json.lists.map(({ id, file }: { id: number; file: unknown }) => [id, file])).toEqual([
    [none.id, null],
    [created.json.id, FILE],
  ]);
  // A body that a thread reads, stored in pieces.
  const emails = Array.from({ length: 9_000 }, (_, at) => `person-${at}-of-many@example-${at}.test`);
  const large = await create(FILE, { emails });
  expect((await service.call('GET', `${large.headers.location}?include=file`)).json.file).toEqual(FILE);
});

test('counts are whole numbers from 0, and a name has 200 characters at most', async () => {
  const { rows: _, ...withoutRows } = FILE;
  for (const [file, detail] of [
    [null, 'file is null: send an object, or leave it out'],
    [[], 'file is an array: send an object, or leave it out'],
    ['a.csv', 'file is a string: send an object, or leave it out'],
    [{}, 'file.name is missing: send a string'],
    [{ ...FILE, name: 1 }, 'file.name is a number: send a string'],
    [{ ...FILE, name: '😀'.repeat(201) }, 'file.name is too long'],
    [withoutRows, 'file.rows is missing: send an integer from 0'],
    [{ ...FILE, invalid: '1' }, 'file.invalid is a string: send an integer from 0'],
    [{ ...FILE, addresses: -1 }, 'file.addresses is not an integer from 0'],
    [{ ...FILE, duplicates: 0.5 }, 'file.duplicates is not an integer from 0'],
    [{ ...FILE, corrected: 1e300 }, 'file.corrected is not an integer from 0'],
  ] as const) {
    const answered = await create(file);
    expect([
      answered.status,
      answered.headers['mxproof-error'],
      answered.headers['mxproof-error-detail'],
    ]).toEqual([400, 'bad_file', detail]);
  }
  expect((await create({ ...FILE, name: '😀'.repeat(200) })).status).toBe(201);
});

test('a field of it that is not known is warned of, and refused from a test key', async () => {
  const live = await create({ ...FILE, columns: 3, __proto__: { rows: 1 } });
  expect([live.status, live.headers['mxproof-warning']]).toEqual([201, 'unknown field: file.columns']);
  expect((await service.call('GET', `${live.headers.location}?include=file`)).json.file).toEqual(FILE);
  const { json: key } = await service.call('POST', '/v1/keys', { body: { label: 'tests', test: true } });
  const tested = await create({ ...FILE, columns: 3 }, { key: key.api_key });
  expect([tested.status, tested.json]).toEqual([400, { error: 'unknown field: file.columns' }]);
});
