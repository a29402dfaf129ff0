// Ends a list whose time is over: what has no verdict yet is unknown, and refunded like every unknown.
// Promise: `unavailable_smtp` if a server had said something about the address, otherwise `no_connect`; what can be
// decided without asking (syntax, a throwaway domain, role, free) still is.
import { unansweredVerdict, type Verdict } from '@mxproof/engine';
import { readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { readChunks } from '../store/chunks.ts';
import { waitingPositions } from '../store/jobs.ts';
import type { Context } from './context.ts';
import { type ChunkFindings, recordFindings } from './record-findings.ts';

const CHUNKS_AT_ONCE = 40;

export async function endLateList(context: Context, list: { id: number; total: number }): Promise<void> {
  const waiting = await waitingPositions(context.db, list.id);
  const lastChunk = Math.ceil(list.total / CHUNK_SIZE) - 1;
  for (let first = 0; first <= lastChunk; first += CHUNKS_AT_ONCE) {
    const chunks = await readChunks(context.db, list.id, first, first + CHUNKS_AT_ONCE - 1);
    const findings = chunks.map(({ n, size, emails, results }): ChunkFindings => {
      const texts = JSON.parse(emails) as string[];
      const verdicts = new Map<number, Verdict>();
      for (const [position, verdict] of readResults(results, size).entries())
        if (!verdict)
          verdicts.set(position, unansweredVerdict(texts[position]!, waiting.get(`${n} ${position}`)));
      return { n, verdicts, evidence: null, claimed: null, over: false, deferred: [] };
    });
    if ((await recordFindings(context, list.id, findings)).list !== 'open') return;
  }
}
