// The table in the guide is the table of families, word by word.
import { readFileSync } from 'node:fs';
import { type Checker, DEFAULT_POLICY } from '@mxproof/engine';
import { expect, test } from 'vitest';
import type { Database } from '../../store/database.ts';
import { createExposition } from './exposition.ts';
import { createMeter } from './meter.ts';
import { allFamilies, providersOf } from './start-metrics.ts';

const GUIDE = readFileSync(new URL('../../../../docs/guide/monitoring.md', import.meta.url), 'utf8');
const LABELS = { sources: [], providers: providersOf(DEFAULT_POLICY) };

function families() {
  const parts = { db: {} as Database, checker: {} as Checker, http: true };
  const counted = createMeter(LABELS).families;
  return allFamilies(counted, parts, { labels: LABELS, policy: DEFAULT_POLICY, state: () => null });
}

const tableOf = (heading: string) =>
  new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm').exec(GUIDE)?.[1]?.trim().split('\n');

test('the guide has every family with its labels and meaning', () => {
  const rows = families().map(({ name, type, labels, of, help }) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ') || '–';
    return `| \`${name}\` | ${type} | ${shown} | ${of} | ${help} |`;
  });
  expect(tableOf('family')).toEqual(rows);
});

// Other systems tell less of a process.
test.skipIf(process.platform !== 'linux')(
  'the guide has every family of the process, and all are of this service by name',
  async () => {
    const described = await createExposition([], async () => {}).describe();
    const rows = described.map(
      ({ name, type, help }) => `| \`${name}\` | ${type} | ${help.replace(/\.$/, '')} |`,
    );
    expect(tableOf('of the process')).toEqual(rows);
    for (const { name } of [...described, ...families()]) expect(name).toMatch(/^mxproof_[a-z0-9_]+$/);
  },
);
