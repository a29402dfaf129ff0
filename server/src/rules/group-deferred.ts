// Groups positions that leave their job to be asked about later, so that a chunk is split into few jobs.
import type { WaitingPosition } from './chunk-owners.ts';

export interface DeferredPosition extends WaitingPosition {
  readonly notBeforeMs: number;
}

export interface DeferredGroup {
  readonly positions: readonly WaitingPosition[];
  /** Only a node that owns this source address asks; null: any node. */
  readonly source: string | null;
  readonly afterMs: number;
}

const MIN_STEP_MS = 500;
const MAX_STEP_MS = 32_000;
/** Grouping may lengthen a wait by about this fraction, never shorten it. */
const STEP_PART = 0.1;

/** `sourceOf` names the source that asked first; positions never asked are bound to none. */
export function groupDeferred(
  deferred: readonly DeferredPosition[],
  nowMs: number,
  sourceOf: (waiting: WaitingPosition) => string | null,
): DeferredGroup[] {
  const groups = new Map<string, { positions: WaitingPosition[]; source: string | null; afterMs: number }>();
  for (const { notBeforeMs, ...waiting } of deferred) {
    const source = sourceOf(waiting);
    const waitMs = Math.max(0, notBeforeMs - nowMs);
    const key = `${waitMs === 0 ? 0 : slotEndMs(notBeforeMs, waitMs)} ${source ?? ''}`;
    const group = groups.get(key);
    if (group) {
      group.positions.push(waiting);
      group.afterMs = Math.max(group.afterMs, waitMs);
    } else groups.set(key, { positions: [waiting], source, afterMs: waitMs });
  }
  return [...groups.values()];
}

/** Steps double, so that waits of about one length fall into the same slots. */
function slotEndMs(notBeforeMs: number, waitMs: number): number {
  let stepMs = MIN_STEP_MS;
  while (stepMs * 2 <= Math.min(MAX_STEP_MS, waitMs * STEP_PART)) stepMs *= 2;
  return Math.ceil(notBeforeMs / stepMs) * stepMs;
}
