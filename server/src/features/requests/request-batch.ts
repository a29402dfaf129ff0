// Requests that are not written yet. Promise: bounded, for each account too; what does not fit is counted and dropped.

/** About 4 MB. */
export const MAX_WAITING = 10_000;
/** One that asks without end takes no room from others. */
export const MAX_WAITING_OF_ACCOUNT = 1_000;

export interface LoggedRequest {
  readonly id: string;
  readonly accountId: number;
  /** Unix time. */
  readonly atMs: number;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly error: string | null;
  readonly durationMs: number;
  readonly keyId: number | null;
  readonly client: string;
}

export class RequestBatch {
  #rows: LoggedRequest[] = [];
  readonly #ofAccount = new Map<number, number>();
  /** Keys and minutes of the 429s that wait: of each, one is written. */
  readonly #limited = new Set<string>();
  #dropped = 0;

  get size(): number {
    return this.#rows.length;
  }

  add(row: LoggedRequest): void {
    const limited = limitedOf(row);
    if (limited !== null && this.#limited.has(limited)) return;
    const ofAccount = this.#ofAccount.get(row.accountId) ?? 0;
    if (this.#rows.length >= MAX_WAITING || ofAccount >= MAX_WAITING_OF_ACCOUNT) {
      this.#dropped += 1;
      return;
    }
    this.#rows.push(row);
    this.#ofAccount.set(row.accountId, ofAccount + 1);
    if (limited !== null) this.#limited.add(limited);
  }

  /** The oldest; they stay until they are removed. */
  first(count: number): readonly LoggedRequest[] {
    return this.#rows.slice(0, count);
  }

  /** The oldest, which are written. */
  remove(count: number): void {
    for (const row of this.#rows.splice(0, count)) {
      const left = this.#ofAccount.get(row.accountId)! - 1;
      if (left === 0) this.#ofAccount.delete(row.accountId);
      else this.#ofAccount.set(row.accountId, left);
      const limited = limitedOf(row);
      if (limited !== null) this.#limited.delete(limited);
    }
  }

  /** How many were dropped since this was last asked. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}

function limitedOf({ status, accountId, keyId, atMs }: LoggedRequest): string | null {
  return status === 429 ? `${accountId} ${keyId} ${Math.floor(atMs / 60_000)}` : null;
}
