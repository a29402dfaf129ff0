// Results in the words that the console shows, for people: what to do with an address first, then what the API says of it.

import { percentText, shareText } from '@mxproof/common/percent';
import { ACTIONS, actionFor } from '@mxproof/common/vocabulary/labels';
import { providerName } from '@mxproof/common/vocabulary/providers';
import {
  type Cell,
  type Extra,
  firstFree,
  isChecked,
  isDisposable,
  RESULT_COLUMNS,
  type Result,
  type ResultColumn,
  type Vocabulary,
} from './result-columns.ts';
import { RESULT_WORDS } from './result-words.ts';

/** Of the name of a column, which may be a whole text. */
const MAX_NAME_CHARACTERS = 60;

const { headings, address, yes, no, states, reasons, details, suppressed } = RESULT_WORDS;
const TABLES: Readonly<Partial<Record<ResultColumn, Readonly<Record<string, string>>>>> = {
  state: states,
  reason: reasons,
  detail: details,
};
/** Beside the verdict: a number and where it is are one cell. */
const EXTRA_CELLS: Readonly<Record<Extra, (result: Result) => Cell>> = {
  estimate: riskText,
  suppressed: (result) => cellOf('suppressed', result.suppressed),
};
const HEADINGS = new Set<string>(Object.values(headings));

export function peopleWords(extras: readonly Extra[]): Vocabulary {
  const columns = ['action', ...RESULT_COLUMNS, ...extras] as const;
  return {
    address,
    /** `Private email: status`; `Private email: status (2)`, all alike, where one of them is a heading already. */
    headings(taken, names) {
      const shown = distinct(names.map(nameOf));
      const known = new Set(shown.map((name) => name.toLowerCase()));
      const round = firstFree(new Set(taken.map((heading) => roundOf(heading, known))));
      const suffix = round === 0 ? '' : ` (${round + 1})`;
      return shown.map((name) => columns.map((column) => `${name}: ${headings[column]}${suffix}`));
    },
    cells: (result) => [
      actionText(result),
      ...RESULT_COLUMNS.map((column) => (isChecked(result) ? cellOf(column, shownOf(result)[column]) : '')),
      ...extras.map((extra) => EXTRA_CELLS[extra](result)),
    ],
    none: columns.map(() => ''),
  };
}

export const PEOPLE = peopleWords([]);

/** Empty for a reason of a later service. */
function actionText(result: Result): string {
  if (result.suppressed) return suppressed;
  const action = actionFor(result);
  return action === null ? '' : ACTIONS[action].title;
}

/** A domain that does not exist is no disposable one, though it is on the lists. */
function shownOf(result: Result): Result {
  return isDisposable(result) === result.disposable ? result : { ...result, disposable: false };
}

/** A word of a later service is shown as it is. */
function cellOf(column: ResultColumn, value: Cell | null | undefined): Cell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? yes : no;
  if (column === 'provider') return providerName(String(value));
  const table = TABLES[column];
  return table !== undefined && Object.hasOwn(table, value) ? table[value]! : value;
}

/** `5 % (3–9 %)`; empty where nothing is known. */
function riskText({ bounce_probability: probability, bounce_low: low, bounce_high: high }: Result): string {
  if (probability == null) return '';
  if (low == null || high == null) return percentText(probability);
  return `${percentText(probability)} (${shareText(low)}–${percentText(high)})`;
}

function nameOf(heading: string): string {
  const name = heading.replace(/\s+/g, ' ').trim();
  return name.slice(0, MAX_NAME_CHARACTERS).trimEnd() || address;
}

/** Two columns of one name are `Email` and `Email 2`. */
function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const key = name.toLowerCase();
    let number = numbers.get(key) ?? 1;
    let shown = name;
    while (taken.has(shown.toLowerCase())) {
      number += 1;
      shown = `${name} ${number}`;
    }
    numbers.set(key, number);
    taken.add(shown.toLowerCase());
    return shown;
  });
}

/** Of the round whose headings this is one of; null: of none. `names`: in lower case. */
function roundOf(heading: string, names: ReadonlySet<string>): number | null {
  const text = heading.replace(/\s+/g, ' ').trim().toLowerCase();
  const colon = text.lastIndexOf(': ');
  if (colon === -1 || !names.has(text.slice(0, colon))) return null;
  const match = /^([a-z ]+?)(?: \(([1-9]\d{0,6})\))?$/.exec(text.slice(colon + 2));
  if (match === null || !HEADINGS.has(match[1]!) || match[2] === '1') return null;
  return Number(match[2] ?? 1) - 1;
}
