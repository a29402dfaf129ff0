// What a result is called in English. Promise: the console and every export that people read say it in these words.

import { DETAIL_LABELS, PENDING_LABEL, REASON_LABELS, STATES } from '@mxproof/common/vocabulary/labels';

export const RESULT_WORDS = {
  /** After the name of the column of addresses: `Private email: status`. */
  headings: {
    action: 'what to do',
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
    estimate: 'bounce risk',
    suppressed: 'suppressed',
  },
  /** What to do with a suppressed address, whatever its verdict. */
  suppressed: 'Do not send',
  /** Of a column of addresses without a heading. */
  address: 'Email',
  yes: 'yes',
  no: 'no',
  states: { ...labelsOf(STATES), pending: PENDING_LABEL },
  reasons: { ...labelsOf(REASON_LABELS), '': '' },
  details: labelsOf(DETAIL_LABELS),
} as const;

function labelsOf<W extends string>(
  rows: Readonly<Record<W, { readonly label: string }>>,
): Record<W, string> {
  const labels = Object.entries<{ readonly label: string }>(rows).map(([word, { label }]) => [word, label]);
  return Object.fromEntries(labels) as Record<W, string>;
}
