// Why a row has its state, as finely as it is known: the detail, or the reason in results from before details. Pure.
import type { Breakdown, Detail, ResultRow } from '@mxproof/client';
import { messages } from '../messages/messages.ts';

type Reason = Exclude<ResultRow['reason'], ''>;
export type Why = Detail | Reason;

/** Null: not checked. */
export function whyOf({ detail, reason }: Pick<ResultRow, 'detail' | 'reason'>): Why | null {
  return detail ?? (reason === '' ? null : reason);
}

export function isWhy(word: string): word is Why {
  return word !== '' && (Object.hasOwn(messages.details, word) || Object.hasOwn(messages.reasons, word));
}

export function whyText(why: Why): string {
  return isDetail(why) ? messages.details[why] : messages.reasons[why];
}

function isDetail(why: Why): why is Detail {
  return Object.hasOwn(messages.details, why);
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0);

/** How many for which why: by detail where every row has one, else all of them by reason. */
export function countWhys({
  reasons,
  details,
}: Pick<Breakdown, 'reasons' | 'details'>): readonly [string, number][] {
  const counts = sum(details) === sum(reasons) ? details : reasons;
  return Object.entries(counts).map(([why, count]) => [whyText(why as Why), count]);
}
