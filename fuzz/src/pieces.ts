// The same bytes in other pieces. Promise: which pieces depends on the bytes alone, so that a kept input fails again.
import { createRandom, type Random } from '../../world/src/random.ts';

const CUTS_MAX = 24;

/** Chance that belongs to these bytes. */
export function randomOf(bytes: Uint8Array): Random {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return createRandom(hash);
}

/** Cut at random, and often beside a line end, where readers err. */
export function piecesOf(bytes: Buffer, random: Random): Buffer[] {
  const cuts = new Set<number>();
  for (let n = random.between(1, CUTS_MAX); n > 0; n -= 1) {
    const at = random.between(0, bytes.length);
    const lineEnd = random.chance(0.5) ? bytes.indexOf(10, at) : -1;
    cuts.add(lineEnd < 0 ? at : lineEnd + random.between(0, 1));
  }
  const pieces: Buffer[] = [];
  let from = 0;
  for (const at of [...cuts].sort((a, b) => a - b)) {
    pieces.push(bytes.subarray(from, at));
    from = at;
  }
  pieces.push(bytes.subarray(from));
  return pieces;
}

/** Cut before every LF, behind its CR. Unlike pieces at random these stay where they are when an input is shortened. */
export function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    lines.push(bytes.subarray(from, at));
    from = at;
  }
  lines.push(bytes.subarray(from));
  return lines;
}
