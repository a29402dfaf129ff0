// What is found in a bounce or a log, before it is read.

export interface FoundReply {
  /** In lower case; empty: not known. Leaves the folder by bounce-recipients.ts and read-report.ts alone. */
  readonly recipient: string;
  /** The reply, or what the sending server says of its failure; empty: only its outcome is known. */
  readonly said: string;
  /** In the words of read-at-stage.ts; empty: not known. */
  readonly stage: string;
  /** The mail host that answered; empty: not known. */
  readonly host: string;
  /** What became of the message; `failed` also where nothing is said of it. */
  readonly outcome: 'delivered' | 'delayed' | 'failed';
}
