// What is downloaded: which rows, in which format and whose words. The last choice is kept in this browser.
import { ACTION_WORDS, ACTIONS, type Action, actionFor } from '@mxproof/common/vocabulary/labels';
import { staysWithin } from '@mxproof/files/bounce-limit';
import type { RowChoice } from '@mxproof/files/open-table';
import type { Words } from '@mxproof/files/vocabularies';
import type { PlacedRow } from './use-rows.ts';

export const FORMATS = ['own', 'csv', 'xlsx'] as const;
/** `own`: the file that was dropped, as it was. The others are tables of our own. */
type DownloadFormat = (typeof FORMATS)[number];

export interface DownloadChoice {
  readonly actions: readonly Action[];
  /** Rows of a file without an address or without a result; in a table, addresses that are not checked. */
  readonly rest: boolean;
  /** Of “Send carefully” only those below a risk of bouncing. */
  readonly isLimited: boolean;
  /** The risk, in percent, whether or not it is applied. */
  readonly limit: number;
  readonly format: DownloadFormat;
  /** Whether one's own file gets columns added; tables of our own always have them. */
  readonly withResults: boolean;
  readonly words: Words;
}

export const FIRST_CHOICE: DownloadChoice = {
  actions: ['send'],
  rest: false,
  isLimited: false,
  limit: 5,
  format: 'own',
  withResults: false,
  words: 'people',
};

const STORED_AS = 'mxproof-download';
/** Where storage is forbidden, the choice lasts as long as the page. */
let kept = '';

export function lastChoice(): DownloadChoice {
  try {
    return parseChoice(localStorage.getItem(STORED_AS) ?? kept);
  } catch {
    return parseChoice(kept);
  }
}

export function keepChoice(choice: DownloadChoice): void {
  kept = JSON.stringify(choice);
  try {
    localStorage.setItem(STORED_AS, kept);
  } catch {
    // As said above.
  }
}

/** What is not understood is as at first. */
export function parseChoice(stored: string): DownloadChoice {
  let found: Readonly<Record<string, unknown>>;
  try {
    found = JSON.parse(stored) ?? {};
  } catch {
    return FIRST_CHOICE;
  }
  const { actions, rest, isLimited, limit, format, withResults, words } = found;
  const known = Array.isArray(actions) ? ACTION_WORDS.filter((action) => actions.includes(action)) : [];
  return {
    actions: known.length > 0 || rest === true ? known : FIRST_CHOICE.actions,
    rest: rest === true,
    isLimited: isLimited === true,
    limit: typeof limit === 'number' && isLimit(limit) ? limit : FIRST_CHOICE.limit,
    format: FORMATS.find((each) => each === format) ?? FIRST_CHOICE.format,
    withResults: withResults === true,
    words: words === 'machine' ? words : FIRST_CHOICE.words,
  };
}

/** In percent. */
export function isLimit(percent: number): boolean {
  return percent > 0 && percent <= 100;
}

/** What is to be written. */
export interface DownloadOrder extends Pick<DownloadChoice, 'rest' | 'withResults' | 'words'> {
  /** Of the list, in the order of a table; null: all of them, and every row of a file. */
  readonly rows: readonly PlacedRow[] | null;
  /** Whether rows of a file stay whose text cannot be an address: they are to be removed. */
  readonly invalid: boolean;
  /** Whether a row of a file goes with its best address, or stays for any that is among those rows. */
  readonly rowsBy: RowChoice['rowsBy'];
  /** Whether rows of a file that repeat others are left out; unset: as was chosen before it was checked. */
  readonly dropsRepeated?: boolean;
  /** In the name of the file: `people-good.csv`, `people-leave-out.csv`, `people-good-so-far.csv`. */
  readonly part: string;
  /** Addresses of the list that are not checked yet; 0: it has ended. */
  readonly unchecked: number;
}

export interface SoFar {
  /** As in the order. */
  readonly unchecked: number;
  /** Actions without rows need not be chosen for the whole. */
  readonly counts?: Readonly<Record<Action, number | null>> | null;
}

export function orderOf(
  rows: readonly PlacedRow[],
  { actions, rest, isLimited, limit, withResults, words }: DownloadChoice,
  { unchecked, counts }: SoFar,
): DownloadOrder {
  const invalid = actions.includes('remove');
  const order = { rest, withResults, words, invalid, rowsBy: 'best', unchecked } as const;
  const most = isLimited ? limit : null;
  if (
    rest &&
    most === null &&
    ACTION_WORDS.every((action) => actions.includes(action) || counts?.[action] === 0)
  )
    return { ...order, rows: null, part: soFar('checked', unchecked) };
  const chosen = rows.filter(({ row }) => {
    const action = actionFor(row);
    return staysWithin(row, most) && (action === null ? rest : actions.includes(action));
  });
  const [only] = actions;
  const isOne = !rest && actions.length === 1 && only !== undefined;
  const part = isOne ? partOf(only, most) : 'chosen';
  return { ...order, rows: chosen, part: soFar(part, unchecked) };
}

/** While the list runs, the name says that there will be more. */
export function soFar(part: string, unchecked: number): string {
  return unchecked === 0 ? part : `${part}-so-far`;
}

function partOf(action: Action, most: number | null): string {
  const part = action === 'send' ? 'good' : ACTIONS[action].title.toLowerCase().replaceAll(' ', '-');
  return action === 'separate' && most !== null ? `${part}-below-${most}-percent` : part;
}
