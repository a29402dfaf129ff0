// How one source address fares at one provider, as people and programs see it. Pure.
import type { RefusalKind } from '@mxproof/engine';

export interface SourceCounts {
  /** Recipients, probes included, of which accepted, unknown and deferred ones are parts. */
  readonly asked: number;
  readonly accepted: number;
  readonly unknownRecipients: number;
  readonly deferred: number;
  /** Replies: to recipients, and to sessions and senders, which are not among those asked. */
  readonly refused: Readonly<Record<RefusalKind, number>>;
}

interface SourceRefusal {
  readonly kind: RefusalKind;
  /** As the server said it, without any recipient's address; bounded. */
  readonly reply: string;
  /** In the reply, where it leads to a known operator of a list or a known provider; null elsewhere. */
  readonly link: string | null;
  readonly at: Date;
}

export interface SourceRest {
  readonly since: Date;
  /** Null: until an operator resumes it. */
  readonly until: Date | null;
  readonly by: 'refusals' | 'operator';
}

/** The machine's own address, in the store. */
export const OWN_ADDRESS = '';

/** Of one day of a schedule that grows. */
export interface WarmUpDay {
  /** The first is 1. */
  readonly day: number;
  readonly perDay: number;
  readonly used: number;
  /** Why it did not grow; null: it did. */
  readonly heldBack: string | null;
}

export interface SourceHealth {
  /** Its address, `host:port` of a proxy, or empty: the machine's own. */
  readonly source: string;
  readonly provider: string;
  readonly today: SourceCounts;
  readonly lastWeek: SourceCounts;
  readonly refusal: SourceRefusal | null;
  readonly rest: SourceRest | null;
  /** Null: its days have no limit of a warm-up. */
  readonly warmUp: WarmUpDay | null;
}
