// The rule by which an account's lists share what it has: the n-th chunk of a list ranks with every other list's n-th. A list of a
// hundred addresses is one chunk, its first, and comes before the second chunk of a list of a hundred thousand.
// Positions that come back later keep the rank of their chunk. Single checks come before all of them.
// Between accounts the rank says nothing: the one that holds least is next (store/claim-jobs.ts).

/** How many chunks a node may take that has `mine`, so that the first to wake does not hold all while others idle. */
export function shareOf(all: { ready: number; claimed: number }, mine: number, nodes: number): number {
  if (nodes === 1) return all.ready;
  const share = Math.ceil((all.ready + all.claimed) / nodes);
  return Math.min(all.ready, Math.max(mine === 0 ? 1 : 0, share - mine));
}

/** Higher goes first. */
export const SINGLE_RANK = 1_000_000;

export function rankOf(job: { readonly n: number; readonly single?: boolean }): number {
  return job.single ? SINGLE_RANK : -job.n;
}
