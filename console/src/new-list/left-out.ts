// Addresses of a file that are not sent, since they are on the account's suppression list. Pure.
// Promise: a range is of the file's addresses, whether or not some of them are left out: what was begun goes on where it ended, also
// where the suppression list is another by then.

/** Of the addresses that a file has to send, in its order. */
export interface AddressRange {
  readonly from: number;
  readonly count: number;
}

/** Their places among those addresses, the first first. */
export type LeftOut = readonly number[];

export const NONE_LEFT_OUT: LeftOut = [];

export function leftOutIn(leftOut: LeftOut, { from, count }: AddressRange): LeftOut {
  return leftOut.filter((place) => place >= from && place < from + count);
}

/** How many of a range are sent. */
export function sentIn(leftOut: LeftOut, range: AddressRange): number {
  return range.count - leftOutIn(leftOut, range).length;
}

/** From there on, so long that `sent` of it are sent. */
export function rangeSending(leftOut: LeftOut, from: number, sent: number): AddressRange {
  let count = sent;
  for (const place of leftOut) if (place >= from && place < from + count) count += 1;
  return { from, count };
}
