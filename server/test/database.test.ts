import pg from 'pg';
import { expect, test } from 'vitest';
import { freshDatabase } from './database.ts';

test('two fresh databases do not see each other, and are gone after drop()', async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();
  await client.query('create table seen (n int)');
  await client.end();
  const other = new pg.Client({ connectionString: two.url });
  await other.connect();
  expect((await other.query("select to_regclass('seen') as t")).rows).toEqual([{ t: null }]);
  await other.end();
  await one.drop();
  await two.drop();
  await expect(new pg.Client({ connectionString: one.url }).connect()).rejects.toThrow('does not exist');
});
