// Which job asks about a chunk's positions. The chunk's own job asks about all of them, until some move to jobs of
// their own (greylisted ones, or ones handed back by a node that stops).
// Promise: at every moment exactly one job owns a position, so that when a dead node's job is retried, it does not ask
// about positions that have moved.
//
//   chunk's own job (0) ──leaves──▶ job 1 ──leaves──▶ job 2 …      a number is never given twice
import type { Resume } from '@mxproof/engine';
import type { Verdicts } from './chunk-results.ts';

export interface WaitingPosition {
  readonly position: number;
  /** Absent: not asked yet. */
  readonly resume?: Resume | undefined;
}

/** One chunk's work, or of one chunk just the positions that left it. */
export interface ChunkJob {
  readonly listId: number;
  readonly accountId: number;
  readonly n: number;
  readonly single?: boolean;
  /** Absent: the chunk's own job. */
  readonly owner?: number;
  readonly waiting?: readonly WaitingPosition[];
  /** It was present at two deaths of a node, so it is asked about in a process of its own, which died so often. */
  readonly alone?: number;
}

interface StoredOwners {
  last: number;
  of: Record<string, number>;
}

const CHUNK_ITSELF = 0;

function readOwners(text: string | null): StoredOwners {
  return text === null ? { last: CHUNK_ITSELF, of: {} } : (JSON.parse(text) as StoredOwners);
}

/** What a job has to ask about now: its own positions, as far as they are pending. */
export function positionsOf(job: ChunkJob, owners: string | null, verdicts: Verdicts): WaitingPosition[] {
  const { of } = readOwners(owners);
  const own = ({ position }: WaitingPosition) =>
    verdicts[position] === null && (of[position] ?? CHUNK_ITSELF) === (job.owner ?? CHUNK_ITSELF);
  return (job.waiting ?? verdicts.map((_, position) => ({ position }))).filter(own);
}

/** Gives each group of positions to a new job; returns the text to store and each job's number. */
export function giveAway(
  owners: string | null,
  groups: readonly (readonly WaitingPosition[])[],
): { text: string; numbers: number[] } {
  const stored = readOwners(owners);
  const numbers = groups.map((group) => {
    stored.last++;
    for (const { position } of group) stored.of[position] = stored.last;
    return stored.last;
  });
  return { text: JSON.stringify(stored), numbers };
}
