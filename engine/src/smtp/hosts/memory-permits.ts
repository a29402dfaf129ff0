// The permits of an engine that shares its sources with no other process. Promise: no more than the limits while the
// process lives; what cannot be counted for lack of room is not granted. Nothing outlives the process, so that of a warm-up
// every day is the first.
import {
  createPermitWindows,
  giveBackPermits,
  isDayOver,
  type PermitWindows,
  takePermits,
} from '../../pace/permit-windows.ts';
import type { PermitGrant, PermitRequest, PermitStore, Permits } from '../../ports.ts';
import type { Clock } from '../../types.ts';
import { wallNow } from '../../wall-now.ts';

/** Sources times what they ask in a day where every address is counted for itself. */
const WINDOWS_MAX = 200_000;

export class MemoryPermits implements PermitStore {
  readonly #clock: Clock;
  readonly #windows = new Map<string, PermitWindows>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async take(request: PermitRequest): Promise<PermitGrant> {
    const nowMs = wallNow(this.#clock);
    const windows = this.#windowsOf(request, nowMs);
    const { warmUp } = request;
    const limits = warmUp === undefined ? request : { ...request, perDay: warmUp.perDay };
    if (windows !== null) return takePermits(windows, limits, nowMs);
    return takePermits(createPermitWindows(), { wanted: 1, perHour: null, perDay: 0, payer: '' }, nowMs);
  }

  async giveBack(permits: Permits): Promise<void> {
    const windows = this.#windows.get(nameOf(permits));
    if (windows !== undefined) giveBackPermits(windows, permits);
  }

  #windowsOf(request: PermitRequest, nowMs: number): PermitWindows | null {
    const name = nameOf(request);
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    if (this.#windows.size >= WINDOWS_MAX)
      for (const [old, windows] of this.#windows) if (isDayOver(windows, nowMs)) this.#windows.delete(old);
    if (this.#windows.size >= WINDOWS_MAX) return null;
    const windows = createPermitWindows();
    this.#windows.set(name, windows);
    return windows;
  }
}

function nameOf({ source, key }: Pick<PermitRequest, 'source' | 'key'>): string {
  return `${source ?? ''} ${key}`;
}
