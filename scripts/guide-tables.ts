// Tables of the guides that are written from the sources, so that a word is explained in one place.
//   node scripts/guide-tables.ts            writes them
//   node scripts/guide-tables.ts --check    fails where one is out of date. Run by `npm run check`.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DETAILS } from '../common/src/vocabulary/details.ts';
import { ACTION_WORDS, ACTIONS, DETAIL_WORDS, REASON_LABELS } from '../common/src/vocabulary/labels.ts';
import { REASON_WORDS, REASONS } from '../common/src/vocabulary/verdicts.ts';
import { isSecret, SERVICE_SETTINGS } from '../server/src/settings/settings.ts';

type Row = readonly string[];

const TABLES: readonly {
  readonly page: string;
  readonly name: string;
  readonly head: Row;
  readonly rows: readonly Row[];
}[] = [
  {
    page: 'docs/guide/console.md',
    name: 'actions',
    head: ['action', 'addresses', 'reasons'],
    rows: ACTION_WORDS.map((word) => {
      const reasons = Object.values(REASON_LABELS).filter(({ action }) => action === word);
      const { title, meaning } = ACTIONS[word];
      return [`**${title}**`, meaning, reasons.map(({ label }) => label).join('; ')];
    }),
  },
  {
    page: 'docs/guide/verdicts.md',
    name: 'reasons',
    head: ['state', 'reason', 'meaning', 'what to do'],
    rows: REASON_WORDS.map((word) => {
      const { state, meaning, toDo } = REASONS[word];
      return [state, `\`${word}\``, meaning, toDo];
    }),
  },
  {
    page: 'docs/guide/verdicts.md',
    name: 'details',
    head: ['detail', 'state', 'what it means', 'what to do'],
    rows: DETAIL_WORDS.map((word) => {
      const { reasons, meaning, toDo } = DETAILS[word];
      return [`\`${word}\``, REASONS[reasons[0]].state, meaning, toDo];
    }),
  },
  {
    page: 'docs/guide/settings.md',
    name: 'settings',
    head: ['variable', 'default', 'meaning'],
    rows: SERVICE_SETTINGS.map((setting) => {
      const { name, fallback, unset, about, guide = about } = setting;
      return [
        `\`${name}\`${isSecret(setting) ? ' (secret)' : ''}`,
        fallback === null ? unset : `\`${unset}\``,
        guide,
      ];
    }),
  },
];

const line = (cells: Row) => `| ${cells.join(' | ')} |`;

/** The page with its table anew. Throws where the page has no place for it. */
export function withTable(text: string, name: string, head: Row, rows: readonly Row[]): string {
  const begin = `<!-- written by npm run tables: ${name} -->\n`;
  const end = '\n<!-- end of table -->';
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`There is no place for the table "${name}".`);
  const table = [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  const root = join(import.meta.dirname, '..');
  for (const { page, name, head, rows } of TABLES) {
    const path = join(root, page);
    const before = readFileSync(path, 'utf8');
    const after = withTable(before, name, head, rows);
    if (after === before) continue;
    if (isCheck) {
      console.error(`The table "${name}" of ${page} is out of date: run "npm run tables".`);
      process.exitCode = 1;
    } else writeFileSync(path, after);
  }
}
