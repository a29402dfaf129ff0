// The refund: what a list that ends gets back. The service pays it and verifies the ledger by it; the console shows it.

/** As far as the refund depends on it; a single check is a list of one address. */
export interface RefundableList {
  readonly total: number;
  readonly checked: number;
  readonly counts: { readonly unknown: number };
}

/** In credits: one for each address that stayed unknown or was never checked. */
export function refundOf({ total, checked, counts }: RefundableList): number {
  return counts.unknown + (total - checked);
}
