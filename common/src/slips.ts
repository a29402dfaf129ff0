// How far apart two short words are, for suggestions: `gmial.com` is one slip from `gmail.com`.

/** Optimal string alignment: insertions, deletions, changes and swaps of neighbours; null for more than `most`. */
export function slips(a: string, b: string, most: number): number | null {
  if (a === b) return 0;
  // Asked for every address of a list: most pairs end here.
  if (most === 0 || Math.abs(a.length - b.length) > most) return null;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, above[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  const found = above[b.length]!;
  return found > most ? null : found;
}
