// What came of asking about one recipient, and the wire's own record of it. Types only.
import type { Clarity, Detail, DialogueLine, Meaning, Reply, ReplyReading } from '../types.ts';
import type { Task } from './task.ts';

/** `once`: silence where an answer was due, which may be a chance; `believed`: it was so twice in a row. */
export type Unresponsiveness = 'no' | 'once' | 'believed';

/**
 * How an answer came about. `reply`: the server's own. `dropped`, `silent`: the connection broke, or nothing came, while
 * it was asked about. `no_smtputf8`: the server cannot take it. `shut`: no MX host can be asked. `paused`: the host wants
 * a pause. `no_dns`, `no_connection`, `no_proxy`: no server was asked.
 */
type AnswerKind =
  | 'reply'
  | 'dropped'
  | 'silent'
  | 'no_smtputf8'
  | 'shut'
  | 'paused'
  | 'no_dns'
  | 'no_connection'
  | 'no_proxy';

/** Lines that all addresses of a session share, and what they take as JSON: counted once for all of them. */
export interface SharedLines {
  readonly lines: readonly DialogueLine[];
  readonly bytes: number;
}

export interface Answer {
  readonly kind: AnswerKind;
  /** null: no server has answered about this recipient. */
  readonly meaning: Meaning | null;
  /** The meaning more finely, or why there was no answer. */
  readonly detail: Detail;
  readonly clarity: Clarity;
  /** Asking again later may help: 4xx, greylisting, rate, a dropped connection. */
  readonly temporary: boolean;
  readonly rule: string;
  readonly retryAfterMs: number | null;
  /** A server has spoken. */
  readonly connected: boolean;
  readonly unresponsive: Unresponsiveness;
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

/** One command of a session, and the reply to it. */
export interface Command {
  readonly kind: 'mail' | 'rcpt' | 'rset' | 'help';
  /** What a command of its kind says; a recipient's name comes on top. */
  readonly words: string;
  readonly task: Task | null;
  /** Of the transaction it belongs to. */
  readonly sender: string;
  reply: Reply | null;
  answeredAtMs: number;
}

/** What a flight's replies seem to say about one recipient. */
export interface Landing {
  readonly task: Task;
  /** The command whose reply decided: RCPT, or the MAIL before it. */
  readonly command: Command;
  readonly act: 'answer' | 'ask_again' | 'other_sender' | 'dropped' | 'silent';
  readonly reading: ReplyReading | null;
}
