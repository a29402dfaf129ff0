// Whose evidence it takes before a conclusion about something shared (a host, a provider, the network) holds others back.
// Pure. The engine knows no accounts: it gets an opaque payer with each address. Promise: one payer alone holds back itself;
// where there is no other one, that is everyone.

/** Changed whenever they come and go. */
export interface Payers {
  /** More than one may ask, whether they do or not. */
  areSeveral: boolean;
}

/** Whose evidence it is; empty: there is no other payer. */
export function payerAmong(payer: string, { areSeveral }: Payers): string {
  return areSeveral ? payer : '';
}

export function payersNeeded({ areSeveral }: Payers): number {
  return areSeveral ? 2 : 1;
}
