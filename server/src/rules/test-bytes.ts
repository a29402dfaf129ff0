// What the lists of a test account take in the database: they are free, so that bytes limit them instead of credits.

/** Kept of one account; beyond it, no test list is created. */
export const MAX_TEST_BYTES = 200_000_000;
/** Rows of a list, its ledger entries and their places in indexes. */
const LIST_BYTES = 1_000;
/** Result and evidence of an address. */
const ADDRESS_BYTES = 100;

export function testBytesOf(list: {
  readonly name: string;
  readonly callbackUrl: string | null;
  readonly emails: { readonly total: number; readonly pieces: readonly { readonly text: Uint8Array }[] };
}): number {
  const { total, pieces } = list.emails;
  const texts = Buffer.byteLength(list.name) + Buffer.byteLength(list.callbackUrl ?? '');
  const addresses = pieces.reduce((sum, { text }) => sum + text.byteLength, 0);
  return LIST_BYTES + texts + addresses + total * ADDRESS_BYTES;
}
