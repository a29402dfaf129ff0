// Ends a list whose time is over: what has no verdict yet is unknown, and refunded like every unknown.
// Promise: `unavailable_smtp` if a server had said something about the address, `dns_error` if its lookup had failed,
// otherwise `no_connect`; what can be decided without asking (syntax, a disposable domain, role, free) still is.
import { type Evidence, type Resume, unansweredVerdict, type Verdict } from '@mxproof/engine';
import { readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { EvidencePack } from '../rules/evidence-pack.ts';
import { readChunks } from '../store/chunks.ts';
import { compress } from '../store/compress.ts';
import { waitingPositions } from '../store/jobs.ts';
import type { Context } from './context.ts';
import { type ChunkFindings, recordFindings } from './record-findings.ts';

const CHUNKS_AT_ONCE = 40;
const NO_LINES: Evidence['dialogue'] = [];

const TIME_IS_OVER = 'time: the list took too long, and there was no final answer by then';

interface LateListOptions {
  /** Stores evidence that says that the list's time was over. */
  readonly keepEvidence?: boolean;
  readonly onVerdict?: (verdict: Verdict) => void;
}

export async function endLateList(
  context: Context,
  list: { id: number; total: number },
  { keepEvidence = false, onVerdict = () => {} }: LateListOptions = {},
): Promise<void> {
  const waiting = await waitingPositions(context.db, list.id);
  const lastChunk = Math.ceil(list.total / CHUNK_SIZE) - 1;
  for (let first = 0; first <= lastChunk; first += CHUNKS_AT_ONCE) {
    const chunks = await readChunks(context.db, list.id, first, first + CHUNKS_AT_ONCE - 1);
    const findings = chunks.map(({ n, size, emails, results }): ChunkFindings => {
      const texts = JSON.parse(emails) as string[];
      const verdicts = new Map<number, Verdict>();
      const pack = new EvidencePack();
      for (const [position, known] of readResults(results, size).entries()) {
        if (known) continue;
        const resume = waiting.get(`${n} ${position}`);
        const verdict = unansweredVerdict(texts[position]!, resume);
        verdicts.set(position, verdict);
        onVerdict(verdict);
        if (keepEvidence) pack.add(position, evidenceOf(verdict, resume));
      }
      const evidence = pack.isEmpty ? [] : [compress(pack.text())];
      return { n, verdicts, evidence, claimed: null, over: false, deferred: [] };
    });
    if ((await recordFindings(context, list.id, findings)).list !== 'open') return;
  }
}

function evidenceOf({ mx }: Verdict, resume: Resume | undefined): Evidence {
  return {
    dns: null,
    host: mx,
    ip: null,
    source: resume?.source ?? null,
    tls: false,
    meaning: resume?.meaning ?? null,
    session: NO_LINES,
    dialogue: NO_LINES,
    rule: TIME_IS_OVER,
    suggestion: null,
    attempts: resume?.attempt ?? 0,
  };
}
