// What the rooms around the wire hand to each other: a task is one recipient to ask about, an answer is what came
// of it. Promise: every task that is enqueued gets exactly one answer, or is withdrawn before it was on the wire.
import type { DomainFacts } from '../../dns/domain-facts.ts';
import type { Holder } from '../../pace/fair-share.ts';
import type { Address, Clarity, Detail, DialogueLine, Meaning, Reply } from '../../types.ts';
import type { SharedLines } from './transcript.ts';

export interface TaskDomain {
  readonly name: string;
  readonly facts: DomainFacts;
  readonly provider: string;
}

/** `once`: silence where an answer was due, which may be a chance; `believed`: it was so twice in a row. */
export type Mute = 'no' | 'once' | 'believed';

/**
 * How an answer came about. `reply`: the server's own. `dropped`, `silent`: the line broke, or nothing came, while it was
 * asked about. `no_smtputf8`: the server cannot take it. `shut`: no exchanger can be asked. `paused`: the host wants a
 * pause. `no_dns`, `no_connection`: no server was asked.
 */
type AnswerKind =
  | 'reply'
  | 'dropped'
  | 'silent'
  | 'no_smtputf8'
  | 'shut'
  | 'paused'
  | 'no_dns'
  | 'no_connection';

export interface Answer {
  readonly kind: AnswerKind;
  /** null: no server has answered about this recipient. */
  readonly meaning: Meaning | null;
  /** The meaning more finely, or why there was no answer. */
  readonly detail: Detail;
  readonly clarity: Clarity;
  /** Asking again later may help: 4xx, greylisting, rate, a dropped line. */
  readonly temporary: boolean;
  readonly rule: string;
  readonly retryAfterMs: number | null;
  /** A server has spoken. */
  readonly connected: boolean;
  readonly mute: Mute;
  /** False: nothing was asked in earnest, so no retry is used up. */
  readonly counts: boolean;
  /** The reply that decided, where one did. */
  readonly reply: Reply | null;
  readonly host: string | null;
  readonly ip: string | null;
  readonly source: string | null;
  readonly sender: string;
  readonly tls: boolean;
  readonly session: SharedLines;
  readonly dialogue: readonly DialogueLine[];
}

export interface Task {
  /** `compared`: one of a look's questions, which stay together. */
  readonly kind: 'real' | 'impossible' | 'postmaster' | 'compared';
  readonly address: Address;
  readonly domain: TaskDomain;
  readonly single: boolean;
  /** On whose behalf it is asked: holders take turns, and are charged for the sessions that are opened for them. */
  readonly holder: Holder;
  /** The lots of a holder take turns, too. */
  readonly lot: number;
  /** Greylisting is keyed on source and sender: a later attempt is bound to the first one's. */
  readonly boundSource: string | null;
  readonly boundSender: string | null;
  /** Lines dropped under it so far. */
  drops: number;
  /** Senders this recipient's host has refused, by bit: 1 the configured one, 2 `<>`. */
  sendersRefused: number;
  /** Taken from its queue; an abort comes too late for it. */
  onWire: boolean;
  /** Handed back by the asker's abort; a queue that holds it skips it. */
  withdrawn: boolean;
  /** Answers its host had given when this task came: none since means the wait was for nothing. */
  hostAnswersBefore: number;
  /** What came of it; called once. */
  told(answer: Answer): void;
  /** The impossible recipient to go behind this one, where its domain needs one. */
  probeBehind(): Task | null;
}
