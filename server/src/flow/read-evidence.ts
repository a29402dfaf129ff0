// Why one address of a list got its result.
// Promise: the evidence of the write that made the result final; a later one that came to nothing is not shown.
import type { Evidence } from '@mxproof/engine';
import { type RowVerdict, readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { unpackEvidence } from '../rules/evidence-pack.ts';
import { readChunks } from '../store/chunks.ts';
import { decompress } from '../store/compress.ts';
import type { Tx } from '../store/database.ts';
import { readEvidence } from '../store/evidence.ts';
import { listGone } from './read-results.ts';

export type FoundEvidence =
  | { readonly kind: 'pending' | 'expired' }
  | {
      readonly kind: 'found';
      readonly email: string;
      readonly verdict: RowVerdict;
      readonly evidence: Evidence;
      readonly storedAtSeconds: number;
    };

/** A chunk is written in as many pieces as it took: one nearly always, one per address at the very most. */
const PIECES_AT_ONCE = 4;

/** `position` is less than the list's total. Throws ListGone. */
export async function findEvidence(tx: Tx, listId: number, position: number): Promise<FoundEvidence> {
  const n = Math.floor(position / CHUNK_SIZE);
  const [chunk] = await readChunks(tx, listId, n, n);
  if (!chunk) throw await listGone(tx, listId);
  const within = position % CHUNK_SIZE;
  const verdict = readResults(chunk.results, chunk.size)[within];
  if (!verdict) return { kind: 'pending' };
  const email = (JSON.parse(chunk.emails) as string[])[within]!;
  let afterId = 0;
  for (;;) {
    const pieces = await readEvidence(tx, listId, n, { afterId, limit: PIECES_AT_ONCE });
    for (const { id, data, storedAtSeconds } of pieces) {
      const evidence = unpackEvidence(decompress(data)).get(within);
      if (evidence) return { kind: 'found', email, verdict, evidence, storedAtSeconds };
      afterId = id;
    }
    if (pieces.length < PIECES_AT_ONCE) return { kind: 'expired' };
  }
}
