// What the wire has told since it was last written down, by source and provider. Promise: every fact is handed out once; a
// batch that could not be written is put back; no larger than sources times providers times payers.
import type { AskedPlace, RecipientOutcome, RefusalKind, WireObserver } from '@mxproof/engine';
import { OWN_ADDRESS, type SourceCounts } from './source-health.ts';
import type { DayCounts } from './warm-up.ts';

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
  /** Of each one, where there are several. */
  readonly payers: Map<string, Mutable<DayCounts>>;
}

export class SourceTally implements WireObserver {
  #tallied = new Map<string, Tallied>();

  session(): void {
    // How many there were is for the metrics.
  }

  recipient(at: AskedPlace, outcome: RecipientOutcome, payer: string): void {
    const { counts, payers } = this.#of(at);
    const unknownRecipients = outcome === 'unknown' ? 1 : 0;
    counts.asked += 1;
    counts.unknownRecipients += unknownRecipients;
    if (outcome === 'accepted' || outcome === 'deferred') counts[outcome] += 1;
    addTo(payers, payer, { asked: 1, unknownRecipients, refused: 0 });
  }

  refusal(at: AskedPlace, kind: RefusalKind, reply: string, payer: string): void {
    const tallied = this.#of(at);
    tallied.counts.refused[kind] += 1;
    tallied.refusal = { kind, reply };
    addTo(tallied.payers, payer, { asked: 0, unknownRecipients: 0, refused: 1 });
  }

  /** Everything so far. */
  take(): Tallied[] {
    const all = [...this.#tallied.values()];
    this.#tallied = new Map();
    return all;
  }

  /** They could not be written. */
  putBack(batch: readonly Tallied[]): void {
    for (const { source, provider, counts, refusal, payers } of batch) {
      const now = this.#of({ source, provider });
      now.counts.asked += counts.asked;
      now.counts.accepted += counts.accepted;
      now.counts.unknownRecipients += counts.unknownRecipients;
      now.counts.deferred += counts.deferred;
      for (const kind of Object.keys(counts.refused) as RefusalKind[])
        now.counts.refused[kind] += counts.refused[kind];
      now.refusal ??= refusal;
      for (const [payer, own] of payers) addTo(now.payers, payer, own);
    }
  }

  #of({ source, provider }: AskedPlace): Tallied {
    const key = placeKey({ source, provider });
    const known = this.#tallied.get(key);
    if (known !== undefined) return known;
    const refused = { block: 0, rate: 0, ptr: 0, policy: 0 };
    const counts = { asked: 0, accepted: 0, unknownRecipients: 0, deferred: 0, refused };
    const tallied = { source: source ?? OWN_ADDRESS, provider, counts, refusal: null, payers: new Map() };
    this.#tallied.set(key, tallied);
    return tallied;
  }
}

function addTo(payers: Tallied['payers'], payer: string, more: DayCounts): void {
  if (payer === '') return;
  const own = payers.get(payer);
  if (own === undefined) {
    payers.set(payer, { ...more });
    return;
  }
  own.asked += more.asked;
  own.unknownRecipients += more.unknownRecipients;
  own.refused += more.refused;
}

/** Neither part contains a blank. */
export function placeKey({ source, provider }: AskedPlace): string {
  return `${source ?? OWN_ADDRESS} ${provider}`;
}
