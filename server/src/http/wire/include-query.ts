// `include`: fields that an answer has only if they are asked for. Promise: without it, nothing of the answer changes;
// a word we do not know is refused; a field that is not known is null, and empty in CSV.
import { csvCell } from '@mxproof/common/csv';
import type { ResultRow } from '../../flow/read-results.ts';
import type { RowVerdict } from '../../rules/chunk-results.ts';
import { suggestionFor } from '../../rules/correction.ts';
import { commaList } from './query.ts';

/** In the order in which they are added. */
const INCLUDES = ['detail', 'suggestion', 'provider', 'checked_at'] as const;
export type Include = (typeof INCLUDES)[number];

const VALUE: Readonly<Record<Include, (email: string, verdict: RowVerdict) => string | number | null>> = {
  detail: (_email, { detail }) => detail,
  suggestion: (email) => suggestionFor(email),
  provider: (_email, { provider }) => provider,
  checked_at: (_email, { checkedAtSeconds }) => checkedAtSeconds,
};

/** What a row of results does not have anyway. */
export function addedToRows(include: readonly string[]): readonly Include[] {
  return INCLUDES.filter((word) => word !== 'provider' && include.includes(word));
}

/** Members to append to a row's JSON object, each with its comma. */
export function jsonMembers(include: readonly Include[], { email, verdict }: ResultRow): string {
  let members = '';
  for (const word of include)
    members += `,"${word}":${JSON.stringify(verdict === null ? null : VALUE[word](email, verdict))}`;
  return members;
}

/** Cells to append to a row of CSV, each with its comma. */
export function csvCells(include: readonly Include[], { email, verdict }: ResultRow): string {
  let cells = '';
  for (const word of include)
    cells += `,${verdict === null ? '' : csvCell(String(VALUE[word](email, verdict) ?? ''), 'exact')}`;
  return cells;
}

export const includeQuery = {
  include: commaList(INCLUDES, 'Fields to add. Rows of results have `provider` anyway.'),
};

/** The same with words of features. */
export function includeQueryWith(words: readonly string[]) {
  const known: readonly string[] = [...INCLUDES, ...words];
  return {
    include: commaList(
      known,
      'Fields to add. Rows of results have `provider` anyway. `estimate` adds how likely mail to the address bounces, by what became of the account’s own mail (`bounce_probability`, `bounce_low`, `bounce_high`, `bounce_n`, `bounce_basis`); `suppressed`, whether it is on the account’s suppression list.',
    ),
  };
}
