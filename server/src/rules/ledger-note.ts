// What the history says about an entry, in a few words.
export interface EntryFacts {
  readonly kind: 'grant' | 'charge' | 'refund';
  readonly amount: number;
  readonly listId: number | null;
  /** Null: the list is gone. */
  readonly single: boolean | null;
  /** What the list was charged. */
  readonly charged: number | null;
  /** The operator's own words. */
  readonly note: string;
}

export function ledgerNote({ kind, amount, listId, single, charged, note }: EntryFacts): string {
  switch (kind) {
    case 'grant':
      return note;
    case 'charge':
      return single ? 'single check' : `${addresses(amount)} of list ${listId}`;
    case 'refund':
      return single
        ? 'single check without a result'
        : `${amount} of ${addresses(charged ?? amount)} of list ${listId} without a result`;
    default:
      return kind satisfies never;
  }
}

const addresses = (count: number) => `${count} ${count === 1 ? 'address' : 'addresses'}`;
