// What one node may ask of a rate that holds for all of them. Pure. Promise: the shares of all nodes come to no more than
// the rate, as long as there are no more nodes than it has units: each has at least one.

/** Changed whenever nodes come and go. */
export interface LiveNodes {
  /** This one included. */
  count: number;
}

export function nodeShare(perMinute: number, { count }: LiveNodes): number {
  return Math.max(1, Math.floor(perMinute / count));
}
