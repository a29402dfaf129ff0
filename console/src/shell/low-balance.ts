// Whether a balance is low, before a list is refused for it. Decided in one place for the bar and the account's page.
import type { UsageDay } from '@mxproof/client';

/** Fewer are low whatever the pace. */
const FEW_CREDITS = 100;
/** Long enough to have more credits granted. */
const DAYS_AHEAD = 7;

export type LowBalance =
  | { readonly kind: 'empty' }
  | { readonly kind: 'few' }
  /** They last this many days at the pace of the days given. */
  | { readonly kind: 'soon'; readonly days: number };

/** @param usage of the last days; null while it is not known */
export function lowBalance(credits: number, usage: readonly UsageDay[] | null): LowBalance | null {
  if (credits <= 0) return { kind: 'empty' };
  const used = (usage ?? []).reduce((sum, { charged, refunded }) => sum + charged - refunded, 0);
  if (used > 0 && usage) {
    const days = Math.floor(credits / (used / usage.length));
    if (days < DAYS_AHEAD) return { kind: 'soon', days };
  }
  return credits < FEW_CREDITS ? { kind: 'few' } : null;
}
