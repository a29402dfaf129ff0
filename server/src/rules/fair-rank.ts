// The rule that makes an account's lists share what the account has: the n-th chunk of a list waits behind every other
// list's n-th. A list of a hundred addresses is one chunk, its first, and goes before the second chunk of a list of a
// hundred thousand. Positions that come back later keep their chunk's rank. Single checks go before all of them.
// Between accounts the rank says nothing: whoever holds least is next (store/claim-jobs.ts).

/** How many chunks a node may take that has `mine`, so that the first to wake does not hold all while others idle. */
export function shareOf(all: { ready: number; held: number }, mine: number, nodes: number): number {
  if (nodes === 1) return all.ready;
  const share = Math.ceil((all.ready + all.held) / nodes);
  return Math.min(all.ready, Math.max(mine === 0 ? 1 : 0, share - mine));
}

/** Higher goes first. */
export const SINGLE_RANK = 1_000_000;

export function rankOf(job: { readonly n: number; readonly single?: boolean }): number {
  return job.single ? SINGLE_RANK : -job.n;
}
