// A refusal that alone says nothing certain, and what is known of its wording. Types only (check/comparison.ts).

/** One wording of a host for a domain's recipients. */
export interface Sentence {
  readonly like: readonly string[];
  /** Clean looks, whichever address was looked at. */
  looks: number;
  saysNothingUntilMs: number;
}

/** What is known of one domain at one host. */
export interface DomainNotes {
  readonly sinceMs: number;
  readonly sentences: Sentence[];
  /** Mailboxes whose refusal was found to be about the mailbox. */
  readonly decided: Map<string, Sentence>;
  looks: number;
}

export interface VagueRefusal {
  readonly ip: string;
  readonly domain: string;
  readonly sentence: Sentence;
  readonly notes: DomainNotes;
  readonly sinceMs: number;
  /** Clean looks at this address. */
  looks: number;
}
