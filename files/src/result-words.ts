// What a result is called in English. Promise: the console and every export that people read say it in these words.

import { DETAILS } from '@mxproof/common/vocabulary/details';
import { PENDING, REASONS, STATES } from '@mxproof/common/vocabulary/verdicts';

export const RESULT_WORDS = {
  /** After the name of the column of addresses: `Private email: status`. */
  headings: {
    state: 'status',
    reason: 'reason',
    score: 'score',
    accept_all: 'accepts everyone',
    role: 'role address',
    free: 'free provider',
    disposable: 'disposable domain',
    mx: 'mail server',
    provider: 'provider',
    detail: 'detail',
    suggestion: 'did you mean',
    checked_as: 'checked as',
  },
  /** Of a column of addresses without a heading. */
  address: 'Email',
  yes: 'yes',
  no: 'no',
  /** Whose name is not known. */
  otherProvider: 'Other',
  states: { ...labelsOf(STATES), pending: PENDING.label },
  reasons: { ...labelsOf(REASONS), '': '' },
  details: labelsOf(DETAILS),
} as const;

function labelsOf<W extends string>(
  rows: Readonly<Record<W, { readonly label: string }>>,
): Record<W, string> {
  const labels = Object.entries<{ readonly label: string }>(rows).map(([word, { label }]) => [word, label]);
  return Object.fromEntries(labels) as Record<W, string>;
}
