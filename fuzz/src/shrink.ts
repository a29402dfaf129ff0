// A failing input made short: pieces are left out while it fails for the same reason, then bytes become plain.
// Promise: what it returns fails like what it was given, and it tries no more than TRIES_MAX times.

const TRIES_MAX = 3_000;
const PLAIN = 0x61;

export async function shrink(
  input: Buffer,
  failsAlike: (shorter: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let shortest = input;
  let tries = 0;
  const isTaken = async (shorter: Buffer) => {
    tries += 1;
    if (!(await failsAlike(shorter))) return false;
    shortest = shorter;
    return true;
  };
  for (let size = shortest.length >> 1; size >= 1 && tries < TRIES_MAX; size >>= 1) {
    for (let at = 0; at < shortest.length && tries < TRIES_MAX; ) {
      const without = Buffer.concat([shortest.subarray(0, at), shortest.subarray(at + size)]);
      if (!(await isTaken(without))) at += size;
    }
  }
  for (let at = 0; at < shortest.length && tries < TRIES_MAX; at += 1) {
    if (shortest[at] === PLAIN) continue;
    const plainer = Buffer.from(shortest);
    plainer[at] = PLAIN;
    await isTaken(plainer);
  }
  return shortest;
}
