// Ends a list whose time is over: what has no verdict yet is unknown, and refunded like every unknown one.
// Promise: `unavailable_smtp` where a server had spoken about the address, else `no_connect`.
import type { Verdict } from '@mxproof/engine';
import { readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { readChunks } from '../store/chunks.ts';
import { spokenPositions } from '../store/jobs.ts';
import type { Context } from './context.ts';
import { type ChunkFindings, recordFindings } from './record-findings.ts';

const CHUNKS_AT_ONCE = 40;

const UNANSWERED: Omit<Verdict, 'reason'> = {
  state: 'unknown',
  score: 0,
  acceptAll: false,
  role: false,
  free: false,
  disposable: false,
  mx: null,
  provider: '',
};

export async function endLateList(context: Context, list: { id: number; total: number }): Promise<void> {
  const spoken = await spokenPositions(context.db, list.id);
  const lastChunk = Math.ceil(list.total / CHUNK_SIZE) - 1;
  for (let first = 0; first <= lastChunk; first += CHUNKS_AT_ONCE) {
    const chunks = await readChunks(context.db, list.id, first, first + CHUNKS_AT_ONCE - 1);
    const findings = chunks.map(({ n, size, results }): ChunkFindings => {
      const verdicts = new Map<number, Verdict>();
      for (const [position, verdict] of readResults(results, size).entries())
        if (!verdict)
          verdicts.set(position, {
            ...UNANSWERED,
            reason: spoken.has(`${n} ${position}`) ? 'unavailable_smtp' : 'no_connect',
          });
      return { n, verdicts, evidence: null, claimed: null, over: false, leaving: [] };
    });
    if ((await recordFindings(context, list.id, findings)).list !== 'open') return;
  }
}
