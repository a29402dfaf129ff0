// Migrations after 0.2 only add (ADR 0069), so that nodes of the minor version before go on beside them. One that removes says
// in its first line which version was the first not to use it any more: `-- contracts: unused since 0.3`.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = new URL('./migrations/', import.meta.url);
/** Up to this one every node is stopped for the upgrade to 0.2. */
const LAST_OF_0_2 = 24;
const MARKED = /^-- contracts: unused since \d+\.\d+\n/;

/** What a node that knows nothing of the migration stumbles over, in one statement on a table that was there before. */
const CONTRACTS: readonly (readonly [RegExp, string])[] = [
  [/\bDROP\b/i, 'removes something'],
  [/\bRENAME\b/i, 'gives something another name'],
  [/\bTYPE\b/i, 'gives a column another type'],
  // A trigger may be told of it.
  [/(?<!\bBEFORE )\bTRUNCATE\b|\bDELETE\s+FROM\b/i, 'removes rows'],
  [/\bSET\s+NOT\s+NULL\b/i, 'refuses rows without a value'],
  [/\b(?:CHECK|UNIQUE|EXCLUDE|PRIMARY\s+KEY|FOREIGN\s+KEY|REFERENCES)\b/i, 'refuses rows that were right'],
  [/\bADD\s+COLUMN\b(?![^,]*\b(?:DEFAULT|GENERATED)\b)[^,]*\bNOT\s+NULL\b/i, 'asks for a value'],
];

/** A check that takes whatever it took before, and more. */
const WIDENS: readonly string[] = [
  "ALTER TABLE mxproof.jobs DROP CONSTRAINT jobs_queue_check, ADD CONSTRAINT jobs_queue_check CHECK (queue IN ('chunk', 'alone', 'callback', 'webhook'))",
];

/** Of columns that come with them, which are null, or each another default, in rows of a node that knows nothing of them: that they take. */
const TAKES_NULL: readonly string[] = [
  'CHECK (rate_requests > 0)',
  'CHECK (rate_addresses > 0)',
  'CHECK (monthly_credits > 0)',
  'ADD CHECK (num_nulls(monthly_credits, monthly_from) IN (0, 2))',
  'ADD CHECK (removed_at IS NULL OR deleted_at IS NOT NULL)',
  'stop_token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid()',
  'member_id bigint REFERENCES mxproof.members ON DELETE CASCADE',
  'CREATE UNIQUE INDEX accounts_external_id ON mxproof.accounts (external_id) WHERE external_id IS NOT NULL',
];
const withoutHarmless = (statement: string) =>
  TAKES_NULL.reduce((left, each) => left.replace(each, ''), statement);

function contractionsIn(sql: string): string[] {
  const statements = sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((each) => withoutHarmless(each.replaceAll(/\s+/g, ' ').trim()));
  const made = statements.flatMap((each) => /^CREATE TABLE (?:IF NOT EXISTS )?(\S+)/i.exec(each)?.[1] ?? []);
  const isOfThem = (each: string) => (each.match(/[\w.]+/g) ?? []).some((word) => made.includes(word));
  return statements
    .filter((each) => !/^CREATE TABLE /i.test(each) && !isOfThem(each) && !WIDENS.includes(each))
    .flatMap((each) =>
      CONTRACTS.filter(([pattern]) => pattern.test(each)).map(([, what]) => `${what}: ${each}`),
    );
}

test('migrations after 0.2 only add, or say since when what they remove is not used', () => {
  const names = readdirSync(FOLDER);
  expect(new Set(names.map((name) => Number.parseInt(name, 10))).size).toBe(names.length);
  for (const name of names.filter((each) => Number.parseInt(each, 10) > LAST_OF_0_2)) {
    const sql = readFileSync(new URL(name, FOLDER), 'utf8');
    if (!MARKED.test(sql)) expect(contractionsIn(sql), name).toEqual([]);
  }
});

test.each([
  'CREATE TABLE mxproof.a (id bigint PRIMARY KEY, b text NOT NULL); CREATE UNIQUE INDEX c ON mxproof.a (b);',
  "ALTER TABLE mxproof.lists ADD COLUMN note text, ADD COLUMN kind text NOT NULL DEFAULT 'list'; -- DROP nothing",
  'CREATE INDEX c ON mxproof.lists (name_json); UPDATE mxproof.lists SET note = 1;',
])('this adds: %s', (sql) => {
  expect(contractionsIn(sql)).toEqual([]);
});

test.each([
  ['ALTER TABLE mxproof.lists DROP COLUMN name_json;', 'removes something'],
  ['CREATE TABLE mxproof.a (id bigint);\nDROP TABLE mxproof.lists;', 'removes something'],
  ['CREATE TABLE mxproof.list (id bigint);\nDROP TABLE mxproof.lists;', 'removes something'],
  ['ALTER TABLE mxproof.lists\n  RENAME COLUMN total TO addresses;', 'gives something another name'],
  ['ALTER TABLE mxproof.lists ALTER COLUMN total TYPE bigint;', 'gives a column another type'],
  ['ALTER TABLE mxproof.lists ALTER COLUMN note SET NOT NULL;', 'refuses rows without a value'],
  ['ALTER TABLE mxproof.lists ADD COLUMN a text, ADD COLUMN b text NOT NULL;', 'asks for a value'],
  ['CREATE UNIQUE INDEX c ON mxproof.lists (name_json);', 'refuses rows that were right'],
  ['DELETE FROM mxproof.nodes;', 'removes rows'],
  ['TRUNCATE mxproof.nodes;', 'removes rows'],
])('this does not: %s', (sql, what) => {
  expect(contractionsIn(sql)).toEqual([expect.stringContaining(`${what}: `)]);
});
