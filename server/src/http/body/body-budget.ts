// The bytes of request bodies that the service holds at a time, shared fairly among accounts.
// Promise: never more than the capacity and a tenth. An account alone may have all of it. When it is full, bytes of an
// account that holds less than another make that other one's uploads end, the slowest first, so that stalled uploads do
// not block other accounts; an account's small bodies are counted apart from its large ones, so that it does not block
// itself either.
import { FairShare, type Holder, holderOf } from '@mxproof/common/fair-share';

/** A single check's body, or a list of a few thousand. */
const SMALL_BODY_BYTES = 64 * 1024;
/** What came in the last moments weighs; after so long a third of it is left. */
const RECENT_MS = 5_000;

export interface BodyReservation {
  readonly holder: Holder;
  /** Ends whatever the body waits for; null where nothing can be ended any more. */
  cut: (() => void) | null;
  /** False: there is no room, and none can be made. */
  grow(bytes: number): boolean;
  release(): void;
}

export interface BodyBudget {
  /** Whether a body of this size is worth reading. Nothing is taken: an announcement alone must not hold up others. */
  mayBegin(accountId: number, declaredBytes: number | null): boolean;
  begin(accountId: number, declaredBytes: number | null): BodyReservation;
}

interface Upload {
  readonly body: BodyReservation;
  recentBytes: number;
  atMs: number;
}

export function createBodyBudget(capacityBytes: number): BodyBudget {
  const share = new FairShare(capacityBytes);
  const uploads = new Set<Upload>();

  const speedOf = ({ recentBytes, atMs }: Upload, nowMs: number) =>
    recentBytes * Math.exp((atMs - nowMs) / RECENT_MS);

  /** The slowest upload of the account that holds most, if that is more than `bytes`. */
  function victim(bytes: number): BodyReservation | null {
    let mostBytes = bytes;
    for (const { body } of uploads) if (body.cut) mostBytes = Math.max(mostBytes, share.heldBy(body.holder));
    if (mostBytes === bytes) return null;
    const nowMs = performance.now();
    let slowest: Upload | null = null;
    for (const upload of uploads) {
      if (!upload.body.cut || share.heldBy(upload.body.holder) < mostBytes) continue;
      if (slowest === null || speedOf(upload, nowMs) < speedOf(slowest, nowMs)) slowest = upload;
    }
    return slowest?.body ?? null;
  }

  return {
    mayBegin(accountId, declaredBytes) {
      const holder = holderFor(accountId, declaredBytes);
      const bytes = declaredBytes ?? 0;
      return share.mayTake(holder, bytes) || victim(share.heldBy(holder) + bytes) !== null;
    },
    begin(accountId, declaredBytes) {
      const holder = holderFor(accountId, declaredBytes);
      let heldBytes = 0;
      const release = () => {
        uploads.delete(upload);
        if (heldBytes > 0) share.release(holder, heldBytes);
        heldBytes = 0;
      };
      const body: BodyReservation = {
        holder,
        cut: null,
        grow(bytes) {
          while (!share.mayTake(holder, bytes)) {
            const other = victim(share.heldBy(holder) + bytes);
            if (!other) return false;
            other.cut?.();
            // At once: these bytes are needed now, not when the refused upload has had its response.
            other.release();
          }
          share.take(holder, bytes);
          heldBytes += bytes;
          const nowMs = performance.now();
          upload.recentBytes = speedOf(upload, nowMs) + bytes;
          upload.atMs = nowMs;
          return true;
        },
        release,
      };
      const upload: Upload = { body, recentBytes: 0, atMs: performance.now() };
      uploads.add(upload);
      return body;
    },
  };
}

/** A body that does not say its size counts as large. */
function holderFor(accountId: number, declaredBytes: number | null): Holder {
  return holderOf(accountId, declaredBytes !== null && declaredBytes <= SMALL_BODY_BYTES);
}
