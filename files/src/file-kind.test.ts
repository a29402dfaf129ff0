import { expect, test } from 'vitest';
import { openTable } from './open-table.ts';

const table = (bytes: string | Buffer, named = {}) =>
  openTable(
    {
      chunks: async function* () {
        yield Buffer.from(bytes);
      },
    },
    named,
  );

test.each([
  ['a PDF document', Buffer.from('%PDF-1.4\nann@example.com\n')],
  ['a picture (PNG)', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['a compressed file (gzip)', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
])('%s is named, not searched for columns', async (kind, bytes) => {
  await expect(table(bytes)).rejects.toMatchObject({
    kind: 'unsupported',
    message: `This is ${kind}, not a table: save or export it as CSV or .xlsx.`,
  });
});

test('a column that is not there: the file says which there are', async () => {
  await expect(table('Name;Mail\nAnn;ann@example.com\n', { column: 'Email' })).rejects.toMatchObject({
    kind: 'no_such_column',
    message: 'The file has no column "Email": its columns are 1 "Name", 2 "Mail".',
  });
  await expect(table('Ann;ann@example.com\n', { column: '3', hasHeader: false })).rejects.toThrow(
    'its columns are 1 "Ann", 2 "ann@example.com"; without a header, give its number.',
  );
});

test('no column of addresses: the file says what it has, a wide one only the beginning of it', async () => {
  await expect(table('Name;City\nAnn;Rome\n')).rejects.toMatchObject({
    kind: 'no_column',
    message: 'No column of e-mail addresses was found; its columns are 1 "Name", 2 "City".',
  });
  const wide = Array.from({ length: 500 }, (_, at) => `${at}-${'x'.repeat(100)}`).join(';');
  const { message } = (await table(`${wide}\n`).catch((error: Error) => error as Error)) as Error;
  expect(message).toMatch(/, … up to 500\.$/);
  expect(message.length).toBeLessThan(800);
});
