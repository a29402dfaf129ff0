// Whether a charge may begin at once, is asked about first, or is more than there is. Decided in one place for every button
// that charges.

/** More is asked about, however large the balance is. */
const ASK_ABOVE_CREDITS = 1_000;
/** So is more than one of so many parts of the balance. */
const ASK_ABOVE_PART = 10;

export type ChargeDecision = 'go' | 'ask' | 'short';

/** @param balance null: not known */
export function decideCharge(credits: number, balance: number | null): ChargeDecision {
  if (balance === null) return credits > ASK_ABOVE_CREDITS ? 'ask' : 'go';
  if (credits > balance) return 'short';
  return credits > ASK_ABOVE_CREDITS || credits * ASK_ABOVE_PART > balance ? 'ask' : 'go';
}
