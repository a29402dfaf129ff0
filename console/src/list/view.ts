// What the table shows, written after the `#` of the address: a reload, a bookmark and a shared link show the same. Pure.
// After the `#`: a search may hold part of an e-mail address, and browsers send what follows the `#` to no server.
// Promise: whatever stands there is read; words that mean nothing are left out.
import { ACTION_WORDS } from '@mxproof/common/vocabulary/labels';
import { FLAGS } from '../check/flags.ts';
import { isWhy } from '../check/why.ts';
import { NO_FILTER, type RowFilter, UNCHECKED } from './row-filter.ts';
import { type RowOrder, SORT_COLUMNS } from './sort-rows.ts';

export interface View {
  readonly filter: RowFilter;
  /** Null: as the list has them. */
  readonly order: RowOrder | null;
}

/** An address is not longer. */
export const PIECE_MAX = 320;
const PROVIDER = /^[a-z\d]{1,40}$/;
const FILTER_ACTIONS = [...ACTION_WORDS, UNCHECKED] as const;

export function readView(fragment: string): View {
  const words = new URLSearchParams(fragment);
  const among = <Word extends string>(known: readonly Word[], name: string) =>
    known.find((word) => word === words.get(name)) ?? null;
  const reason = words.get('reason') ?? '';
  const provider = words.get('provider') ?? '';
  const sort = words.get('sort') ?? '';
  const column = SORT_COLUMNS.find((id) => id === sort.replace(/^-/, ''));
  return {
    filter: {
      action: among(FILTER_ACTIONS, 'action'),
      reason: isWhy(reason) ? reason : null,
      provider: PROVIDER.test(provider) ? provider : null,
      flag: among(FLAGS, 'flag'),
      piece: [...(words.get('search') ?? '')].slice(0, PIECE_MAX).join(''),
    },
    order: column === undefined ? null : { id: column, desc: sort.startsWith('-') },
  };
}

/** Empty where nothing is chosen. */
export function writeView({ filter: { piece, ...choices }, order }: View): string {
  const words = new URLSearchParams();
  for (const [name, choice] of Object.entries(choices)) if (choice !== null) words.set(name, choice);
  if (piece !== NO_FILTER.piece) words.set('search', piece);
  if (order) words.set('sort', `${order.desc ? '-' : ''}${order.id}`);
  return words.toString();
}
