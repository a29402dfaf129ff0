// The parameters that filter results. Promise: a word we do not know is refused, never taken for "no filter"; an empty
// parameter is such a word.
import { STORED_DETAILS } from '@mxproof/common/vocabulary/details';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import { PROVIDER_WORDS } from '@mxproof/engine';
import { longerThan, MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { FLAGS, type ResultFilter } from '../../rules/result-filter.ts';

const STATES = [...STATE_WORDS, 'pending'] as const;

type FilterRefusal = 'bad_state' | 'bad_reason' | 'bad_detail' | 'bad_provider' | 'bad_flag' | 'bad_q';

/** Null: no filter is asked for. */
export function readFilter(
  query: Readonly<Record<string, unknown>>,
): ResultFilter | null | { readonly why: FilterRefusal } {
  const states = readWords(query.state, STATES);
  if (states === undefined) return { why: 'bad_state' };
  const reasons = readWords(query.reason, REASON_WORDS);
  if (reasons === undefined) return { why: 'bad_reason' };
  const details = readWords(query.detail, STORED_DETAILS);
  if (details === undefined) return { why: 'bad_detail' };
  const providers = readWords(query.provider, PROVIDER_WORDS);
  if (providers === undefined) return { why: 'bad_provider' };
  const flags = readWords(query.flag, FLAGS);
  if (flags === undefined) return { why: 'bad_flag' };
  const piece = query.q ?? null;
  if (
    piece !== null &&
    (typeof piece !== 'string' || piece === '' || longerThan(piece, MAX_EMAIL_CHARACTERS))
  )
    return { why: 'bad_q' };
  if (!states && !reasons && !details && !providers && !flags && piece === null) return null;
  return { states, reasons, details, providers, flags, piece: piece?.toLowerCase() ?? null };
}

/** Null: not given; undefined: not a comma list of these words. */
function readWords<Word extends string>(given: unknown, known: readonly Word[]): Word[] | null | undefined {
  if (given === undefined) return null;
  if (typeof given !== 'string') return undefined;
  const words = given.split(',');
  return words.every((word) => known.includes(word as Word)) ? ([...new Set(words)] as Word[]) : undefined;
}

/** A comma list of known words, as the document says it. */
const commaList = (known: readonly string[], description: string) => ({
  type: 'array',
  items: { type: 'string', enum: [...known] },
  minItems: 1,
  description,
});

export const filterQuery = {
  state: commaList(STATES, 'Only rows in one of these states.'),
  reason: commaList(REASON_WORDS, 'Only rows with one of these reasons.'),
  detail: commaList(STORED_DETAILS, 'Only rows with one of these details. Rows from before 0.2 have none.'),
  provider: commaList(PROVIDER_WORDS, 'Only rows whose MX host one of these runs.'),
  flag: commaList(FLAGS, 'Only rows with at least one of these flags.'),
  q: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_EMAIL_CHARACTERS,
    description: 'Only rows whose address contains this, in any case.',
  },
} as const;
