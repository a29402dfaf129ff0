// A result as a model reads it: what to do with the address first, then why.
import {
  ACTION_WORDS,
  ACTIONS,
  actionFor,
  DETAIL_LABELS,
  type Detail,
  PENDING_LABEL,
  REASON_LABELS,
  type Reason,
} from '@mxproof/common/vocabulary/labels';
import type { View } from './tool.ts';

/** As people and models read them: Send, Send carefully, Leave out, Remove, No answer yet. */
export const ACTION_TITLES = ACTION_WORDS.map((word) => ACTIONS[word].title);

export const RESULT_FIELDS = ['detail', 'suggestion'] as const;

/** Of a row, a single check or evidence. */
interface Result {
  readonly email: string;
  readonly state: string;
  readonly reason: string;
  readonly detail?: string | null;
  readonly suggestion?: string | null;
  /** Rows of a filtered page have it. */
  readonly position?: number;
}

export function resultView(result: Result, place: number): View {
  const { email, state, reason, detail, suggestion, position = place } = result;
  const action = actionFor(result);
  return {
    position,
    email,
    do: action === null ? PENDING_LABEL : ACTIONS[action].title,
    why: DETAIL_LABELS[detail as Detail]?.label ?? REASON_LABELS[reason as Reason]?.label ?? '',
    state,
    ...(detail && { detail }),
    ...(suggestion && { suggested_domain: suggestion }),
  };
}

/** What to do with how many, and what each of these words asks for. */
export function actionCounts(reasons: Readonly<Record<string, number>>): View {
  const counts: View = {};
  for (const word of ACTION_WORDS) {
    const addresses = Object.entries(reasons)
      .filter(([reason]) => actionFor({ reason }) === word)
      .reduce((sum, [, count]) => sum + count, 0);
    if (addresses > 0) counts[ACTIONS[word].title] = { addresses, meaning: ACTIONS[word].meaning };
  }
  return counts;
}

export function reasonsOf(title: string): Reason[] {
  const word = ACTION_WORDS.find((one) => ACTIONS[one].title === title);
  return (Object.keys(REASON_LABELS) as Reason[]).filter((reason) => REASON_LABELS[reason].action === word);
}

export const isoTime = (seconds: number | null) =>
  seconds === null ? null : new Date(seconds * 1_000).toISOString();
