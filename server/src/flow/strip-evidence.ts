// Stored evidence without that of some positions.
import { type ErasedText, withoutErased } from '../rules/erased-text.ts';
import { withoutPositions } from '../rules/evidence-pack.ts';
import { compress, decompress } from '../store/compress.ts';

/** Null: nothing is left. `mentioned`: what is replaced wherever else it is found. */
export function stripEvidence(
  data: Buffer,
  positions: readonly number[],
  mentioned: readonly ErasedText[] = [],
): Buffer | null {
  const left = withoutPositions(decompress(data), positions);
  if (left === null) return null;
  return compress(mentioned.reduce((text, each) => withoutErased('json', text, each), left));
}
