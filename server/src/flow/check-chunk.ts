// Asks about a claimed chunk's positions and keeps what is answered until it is written back.
// Promise: every position ends as a verdict, as work that goes on later, or as nobody's any more; none is lost.
//
//   asking ──every position has its outcome──▶ over ──written──▶ (let go)
//     │ └──thrown inside the service──▶ over, with its defect
//     └──lost: another node has the claim, or the list is gone──▶ answers are written, nothing is moved
import {
  type Checker,
  type Evidence,
  type Finding,
  type Outcome,
  type Question,
  steadyNow,
  type Verdict,
} from '@mxproof/engine';
import { type ChunkJob, positionsOf, type WaitingPosition } from '../rules/chunk-owners.ts';
import { readResults } from '../rules/chunk-results.ts';
import { rankOf } from '../rules/fair-rank.ts';
import type { DeferredPosition } from '../rules/group-deferred.ts';
import type { WorkChunk } from '../store/chunks.ts';
import type { Claimed } from '../store/jobs.ts';

/** What became known since the last write. */
export interface Unwritten {
  verdicts: Map<number, Verdict>;
  evidence: [number, Evidence][];
  deferred: DeferredPosition[];
}

export interface HeldChunk {
  readonly claimed: Claimed<ChunkJob>;
  readonly listId: number;
  readonly n: number;
  readonly rank: number;
  readonly asked: readonly WaitingPosition[];
  readonly emails: readonly string[];
  readonly stop: AbortController;
  readonly heldSinceMs: number;
  /** Positions that have no outcome yet. */
  readonly open: Set<number>;
  unwritten: Unwritten;
  /** When the oldest position of `unwritten.deferred` came in. */
  deferredSinceMs: number;
  writtenAtMs: number;
  over: boolean;
  lost: boolean;
  defect: unknown;
  /** How long positions that are handed back unasked wait before anybody asks them. */
  handBackAfterMs: number;
}

export function nothingUnwritten(): Unwritten {
  return { verdicts: new Map(), evidence: [], deferred: [] };
}

/** Throws where the stored chunk cannot be read. */
export function holdChunk(claimed: Claimed<ChunkJob>, chunk: WorkChunk, nowMs: number): HeldChunk {
  const emails = readEmails(chunk.emails);
  const asked = positionsOf(claimed.job, chunk.owners, readResults(chunk.results, chunk.size));
  return {
    claimed,
    listId: chunk.listId,
    n: chunk.n,
    rank: rankOf(claimed.job),
    asked,
    emails: asked.map(({ position }) => emails[position]!),
    stop: new AbortController(),
    heldSinceMs: nowMs,
    open: new Set(asked.map(({ position }) => position)),
    unwritten: nothingUnwritten(),
    deferredSinceMs: 0,
    writtenAtMs: nowMs,
    over: false,
    lost: false,
    defect: null,
    handBackAfterMs: 0,
  };
}

function readEmails(text: string): string[] {
  try {
    return JSON.parse(text) as string[];
  } catch {
    // The parser's own words quote the text, and addresses have no place in a log.
    throw new Error('the stored addresses are not JSON');
  }
}

/** Resolves when every position has its outcome; never rejects: a defect is kept with the chunk. */
export async function checkChunk(checker: Checker, held: HeldChunk): Promise<void> {
  const questions = held.asked.map(
    ({ resume }, index): Question => ({ email: held.emails[index]!, ...(resume ? { resume } : {}) }),
  );
  try {
    await checker.ask(questions, {
      priority: held.claimed.job.single ? 'single' : 'list',
      lot: held.listId,
      signal: held.stop.signal,
      onOutcome: (index, outcome) => keepOutcome(held, held.asked[index]!, outcome),
    });
    if (held.open.size > 0) held.defect = new Error('the checker left addresses without an outcome');
  } catch (error) {
    held.defect = error;
  }
  held.over = true;
}

function keepOutcome(held: HeldChunk, asked: WaitingPosition, outcome: Outcome): void {
  const { position } = asked;
  // The node may have given up waiting for this one and handed it back.
  if (!held.open.delete(position)) return;
  switch (outcome.kind) {
    case 'final':
      held.unwritten.verdicts.set(position, toVerdict(outcome.finding));
      held.unwritten.evidence.push([position, outcome.finding.evidence]);
      return;
    case 'later':
      leaves(held, { position, resume: outcome.resume, notBeforeMs: outcome.notBeforeMs });
      return;
    case 'unasked':
      leaves(held, { ...asked, notBeforeMs: steadyNow() + held.handBackAfterMs });
      return;
    default:
      outcome satisfies never;
  }
}

/** Positions still without an answer are handed back as they were. */
export function handBackOpen(held: HeldChunk): void {
  for (const asked of held.asked)
    if (held.open.delete(asked.position)) leaves(held, { ...asked, notBeforeMs: steadyNow() });
  held.over = true;
}

function leaves(held: HeldChunk, deferred: DeferredPosition): void {
  if (held.unwritten.deferred.length === 0) held.deferredSinceMs = steadyNow();
  held.unwritten.deferred.push(deferred);
}

export function toVerdict(finding: Finding): Verdict {
  const { state, reason, score, acceptAll, role, free, disposable, mx, provider } = finding;
  return { state, reason, score, acceptAll, role, free, disposable, mx, provider };
}
