// Results in the words of the API, for programs.

import {
  ALL_COLUMNS,
  EXTRA_COLUMNS,
  type Extra,
  firstFree,
  isChecked,
  RESULT_COLUMNS,
  type Vocabulary,
} from './result-columns.ts';

export function machineWords(extras: readonly Extra[]): Vocabulary {
  const more = extras.flatMap((extra) => EXTRA_COLUMNS[extra]);
  const columns = [...RESULT_COLUMNS, ...more];
  const unchecked = RESULT_COLUMNS.map(() => '');
  return {
    address: 'email',
    /** Numbered from the second set on; prefixed, all alike, where one of them is a heading already. */
    headings(taken, names) {
      const round = firstFree(new Set(taken.map((heading) => roundOf(heading, names.length))));
      const prefix = round === 0 ? '' : round === 1 ? 'mxproof_' : `mxproof_${round}_`;
      return names.map((_, at) =>
        columns.map((column) => `${prefix}${column}${at === 0 ? '' : `_${at + 1}`}`),
      );
    },
    cells(result) {
      const verdict = isChecked(result) ? RESULT_COLUMNS.map((column) => result[column] ?? '') : unchecked;
      return [...verdict, ...more.map((column) => result[column] ?? '')];
    },
    none: columns.map(() => ''),
  };
}

export const MACHINE = machineWords([]);

const RESULT_HEADING = new RegExp(
  `^(mxproof_(?:([1-9]\\d{0,6})_)?)?(?:${ALL_COLUMNS.join('|')})(?:_([1-9]\\d{0,6}))?$`,
);

/** Of the round whose headings this is one of; null: of none that has so many columns. */
function roundOf(heading: string, columns: number): number | null {
  const match = RESULT_HEADING.exec(heading.trim().toLowerCase());
  if (match === null) return null;
  const [, prefix, round, set] = match;
  if (round === '1' || set === '1' || Number(set ?? 1) > columns) return null;
  return prefix === undefined ? 0 : Number(round ?? 1);
}
