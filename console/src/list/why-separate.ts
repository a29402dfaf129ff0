// Why mail to some addresses is to be sent carefully: how many are at servers that accept every address, by kind of server. Pure.
// Promise: every address that has a detail is counted once; the sentence names only what there is.
import type { Breakdown, Detail } from '@mxproof/client';
import { listMessages } from '../messages/en-list.ts';

const text = listMessages.actions.whySeparate;

/** In the order they are named: the one with a clause of its own comes last. */
const WHY = ['everyone', 'perhaps', 'full', 'afterMessage'] as const;
type Why = (typeof WHY)[number];

const WHY_BY_DETAIL = {
  catch_all: 'everyone',
  tenant_accepts_all: 'everyone',
  gateway_accepts_all: 'everyone',
  catch_all_unknown: 'perhaps',
  mailbox_full: 'full',
  decides_after_data: 'afterMessage',
} as const satisfies Partial<Record<Detail, Why>>;

function isSeparateDetail(detail: string): detail is keyof typeof WHY_BY_DETAIL {
  return Object.hasOwn(WHY_BY_DETAIL, detail);
}

/** In general where the details are not known, as of results from before 0.2. */
export function whySeparate(details: Breakdown['details'] = {}): string {
  const counts: Record<Why, number> = { everyone: 0, perhaps: 0, full: 0, afterMessage: 0 };
  for (const [detail, count] of Object.entries(details))
    if (isSeparateDetail(detail)) counts[WHY_BY_DETAIL[detail]] += count;
  const parts = WHY.filter((why) => counts[why] > 0).map((why) => text[why](counts[why]));
  return parts.length === 0 ? text.unknown : `${parts.join(', ')}.`;
}
