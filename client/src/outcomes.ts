// outcomes.*: what became of mail to addresses that were checked, for accounts that have outcomes switched on.
import type { CallOptions, Transport } from './transport/transport.ts';

export interface ReportedOutcome {
  readonly email: string;
  readonly outcome: 'delivered' | 'bounced' | 'complained';
  /** What the mail server said: it decides what a bounce means. */
  readonly reply?: string;
  /** Unix seconds. Default: now. */
  readonly at?: number;
  /** Of the event: one that the service knows already is a duplicate. */
  readonly id?: string;
}

export interface TakenOutcomes {
  accepted: number;
  ignored: number;
  duplicates: number;
  errors: { index: number; error: string }[];
}

export class Outcomes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** At most 10,000 at once. Reporting the same again changes nothing. */
  async report(outcomes: readonly ReportedOutcome[], options: CallOptions = {}): Promise<TakenOutcomes> {
    const call = { method: 'POST', path: '/outcomes', body: { outcomes } } as const;
    return (await this.#transport.call<TakenOutcomes>(call, options)).body;
  }
}
