// The parameters that filter results. Promise: a word we do not know is refused, never taken for "no filter"; an empty
// parameter is such a word.
import { STORED_DETAILS } from '@mxproof/common/vocabulary/details';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import { PROVIDER_WORDS } from '@mxproof/engine';
import { Type } from 'typebox';
import { MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { FLAGS, type ResultFilter } from '../../rules/result-filter.ts';
import { commaList, type ReadQuery } from './query.ts';

export const filterQuery = {
  state: commaList([...STATE_WORDS, 'pending'], 'Only rows in one of these states.'),
  reason: commaList(REASON_WORDS, 'Only rows with one of these reasons.'),
  detail: commaList(STORED_DETAILS, 'Only rows with one of these details. Rows from before 0.2 have none.'),
  provider: commaList(PROVIDER_WORDS, 'Only rows whose MX host one of these runs.'),
  flag: commaList(FLAGS, 'Only rows with at least one of these flags.'),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_EMAIL_CHARACTERS,
      description: 'Only rows whose address contains this, in any case.',
    }),
  ),
};

/** Null: no filter is asked for. */
export function filterOf({
  state: states,
  reason: reasons,
  detail: details,
  provider: providers,
  flag: flags,
  q,
}: ReadQuery<typeof filterQuery>): ResultFilter | null {
  if (!states && !reasons && !details && !providers && !flags && q === null) return null;
  return { states, reasons, details, providers, flags, piece: q?.toLowerCase() ?? null };
}
