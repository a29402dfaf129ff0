// What the wire has told since it was last written down, by source and provider. Promise: every fact is handed out once; a
// batch that could not be written is put back; no larger than sources times providers.
import type { AskedPlace, RefusalKind, WireObserver } from '@mxproof/engine';
import { OWN_ADDRESS, type SourceCounts } from './source-health.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface TalliedRefusal {
  readonly kind: RefusalKind;
  readonly reply: string;
}

export interface Tallied {
  readonly source: string;
  readonly provider: string;
  readonly counts: Mutable<Omit<SourceCounts, 'refused'>> & { readonly refused: Record<RefusalKind, number> };
  /** The latest; null: there was none. */
  refusal: TalliedRefusal | null;
}

export class SourceTally implements WireObserver {
  #tallied = new Map<string, Tallied>();

  session(): void {
    // How many there were is for the metrics.
  }

  recipient(at: AskedPlace, outcome: Parameters<WireObserver['recipient']>[1]): void {
    const { counts } = this.#of(at);
    counts.asked += 1;
    if (outcome === 'accepted' || outcome === 'deferred') counts[outcome] += 1;
    if (outcome === 'unknown') counts.unknownRecipients += 1;
  }

  refusal(at: AskedPlace, kind: RefusalKind, reply: string): void {
    const tallied = this.#of(at);
    tallied.counts.refused[kind] += 1;
    tallied.refusal = { kind, reply };
  }

  /** Everything so far. */
  take(): Tallied[] {
    const all = [...this.#tallied.values()];
    this.#tallied = new Map();
    return all;
  }

  /** They could not be written. */
  putBack(batch: readonly Tallied[]): void {
    for (const { source, provider, counts, refusal } of batch) {
      const now = this.#of({ source, provider });
      now.counts.asked += counts.asked;
      now.counts.accepted += counts.accepted;
      now.counts.unknownRecipients += counts.unknownRecipients;
      now.counts.deferred += counts.deferred;
      for (const kind of Object.keys(counts.refused) as RefusalKind[])
        now.counts.refused[kind] += counts.refused[kind];
      now.refusal ??= refusal;
    }
  }

  #of({ source, provider }: AskedPlace): Tallied {
    const key = placeKey({ source, provider });
    const known = this.#tallied.get(key);
    if (known !== undefined) return known;
    const refused = { block: 0, rate: 0, ptr: 0, policy: 0 };
    const counts = { asked: 0, accepted: 0, unknownRecipients: 0, deferred: 0, refused };
    const tallied = { source: source ?? OWN_ADDRESS, provider, counts, refusal: null };
    this.#tallied.set(key, tallied);
    return tallied;
  }
}

/** Neither part contains a blank. */
export function placeKey({ source, provider }: AskedPlace): string {
  return `${source ?? OWN_ADDRESS} ${provider}`;
}
