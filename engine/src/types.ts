// The engine's types: what goes in, what comes out, and what its folders pass to each other. No side effects; every
// other engine file may import it.

import type { Detail, Reason, State } from '@mxproof/common/vocabulary/labels';
import type { Meaning } from '@mxproof/common/vocabulary/meanings';
import type { KeptRests, MxRecord } from './ports.ts';

export type { Detail, Meaning, Reason, State };

/** A mailbox RFC 5321/6531 allows. Only parseAddress creates one; it is not validated again. */
export interface Address {
  /** Local part as given (quotes included when it was quoted). */
  readonly local: string;
  /** Domain in its ASCII form (A-labels), lower case. The key of everything that is known about a domain. */
  readonly domain: string;
  /** `local@domain` as it goes on the wire between < and >. */
  readonly mailbox: string;
  /** The local part is not ASCII: the server must offer SMTPUTF8. */
  readonly needsSmtpUtf8: boolean;
}

// ---- the SMTP dialogue -------------------------------------------------------------------

/** Where in the session a reply was given. `connect` is before the first byte. */
export type Stage = 'connect' | 'banner' | 'ehlo' | 'starttls' | 'mail' | 'rcpt' | 'rset';

export interface Reply {
  readonly code: number;
  /** RFC 3463 status of the last line that carries one, such as `5.1.1`. */
  readonly enhanced: string | null;
  /** The lines without code and separator, as text; bytes that are not UTF-8 read as Latin-1. */
  readonly lines: readonly string[];
  /** A reply of one line as it came, code and all; null or unset: to be put together from the above. */
  readonly said?: string | null;
}

/**
 * How surely the words say it. `vague`: of a missing mailbox, only a number or "access denied" does; of anything
 * else, they would fit a missing mailbox as well, and the replies to other recipients decide (check/comparison.ts).
 * `meant`: vague, but the provider is known to mean it.
 */
export type Clarity = 'plain' | 'meant' | 'vague';

export interface ReplyReading {
  readonly meaning: Meaning;
  /** The meaning more finely: how a mailbox is gone, and whether a refusal is about us. */
  readonly detail: Detail;
  readonly clarity: Clarity;
  /** What decided: known words, the numbers alone, or (`connection`) that no reply came. */
  readonly by: 'wording' | 'code' | 'connection';
  /** The table row or code rule that decided, for evidence and `mxproof reply`. Only for people to read. */
  readonly rule: string;
  /** A delay the reply itself names ("try again in 300 seconds"). */
  readonly retryAfterMs: number | null;
}

// ---- what is known when the verdict is given ---------------------------------------------

export type CatchAll = 'yes' | 'no' | 'unknown';

/** Everything verdict() needs, and nothing it must ask for. */
export interface Facts {
  /** null: not a mailbox. */
  readonly address: Address | null;
  readonly role: boolean;
  readonly free: boolean;
  readonly disposable: boolean;
  /** `not_asked` only where syntax or the disposable rule came first. */
  readonly dns: 'not_asked' | 'ok' | 'cannot_receive' | 'error';
  /** Host name of the MX host that answered, else the most preferred one. */
  readonly mx: string | null;
  readonly provider: string;
  /** null: no MX host was asked (or none has answered) about this mailbox. */
  readonly mailbox: Meaning | null;
  /** A connection stood and the server spoke at least once. */
  readonly connected: boolean;
  readonly catchAll: CatchAll;
  /** Every recipient of this domain, the catch-all probe included, gets the same refusal. */
  readonly refusesAll: boolean;
  /** What decided or stood in the way, as finely as it is known; null: nothing more than the rest says. */
  readonly cause: Detail | null;
}

export interface Verdict {
  readonly state: State;
  readonly reason: Reason;
  /** Why, more finely than `reason`. */
  readonly detail: Detail;
  readonly score: number;
  readonly acceptAll: boolean;
  readonly role: boolean;
  readonly free: boolean;
  readonly disposable: boolean;
  readonly mx: string | null;
  readonly provider: string;
}

// ---- evidence ----------------------------------------------------------------------------

/** One line of the dialogue. Never carries another person's address. */
export interface DialogueLine {
  /** Milliseconds since the session's connect began. */
  readonly atMs: number;
  readonly from: 'us' | 'server' | 'note';
  readonly text: string;
}

export interface Evidence {
  /** What DNS said, in words: `mx 10 mx1.example.com, 20 mx2.example.com`, `nxdomain`, `servfail (127.0.0.1)`. */
  readonly dns: string | null;
  readonly host: string | null;
  readonly ip: string | null;
  readonly source: string | null;
  readonly tls: boolean;
  /** What the mail server's answer means; null: there was none. */
  readonly meaning: Meaning | null;
  /** Lines every address of the session shares (banner, EHLO, MAIL); the same array object for all of them. */
  readonly session: readonly DialogueLine[];
  /** Lines of this address alone. */
  readonly dialogue: readonly DialogueLine[];
  /** Which rule decided: reply rule, or `syntax: …`, `domain: …`, `dns: …`, `disposable: …`, `catch-all: …`. */
  readonly rule: string;
  readonly suggestion: string | null;
  readonly attempts: number;
}

// ---- questions and outcomes ----------------------------------------------------------------

/**
 * What a later attempt must know: opaque to the service, plain JSON, small.
 * The same source, HELO and sender ask again, since greylisting is keyed on them.
 */
export interface Resume {
  readonly attempt: number;
  readonly source: string | null;
  readonly mailFrom: string;
  /** By the machine's clock. */
  readonly firstAskedAtMs: number;
  /** Last reply's meaning, so that an exhausted 4.2.2 ends over quota, and a busy mailbox as one that exists. */
  readonly meaning: Meaning | null;
  /** What is known of the domain so far, for the row of an address that runs out of time. */
  readonly mx?: string | null;
  readonly provider?: string;
  /** Its connection failed while no host answered, and that attempt was not counted; the next one is. */
  readonly doubted?: boolean;
  /** The host was silent where an answer was due; a second time in a row is the end. */
  readonly mute?: boolean;
  /** What it waits for; unset by versions before 0.2. */
  readonly detail?: Detail;
}

export interface Question {
  readonly email: string;
  readonly resume?: Resume | undefined;
}

export interface Finding extends Verdict {
  readonly email: string;
  readonly evidence: Evidence;
}

export type Outcome =
  | {
      readonly kind: 'final';
      readonly finding: Finding;
      /** What its mail server said of the recipient and the domain: to be counted for `askedBefore`. Unset: nothing. */
      readonly asked?: AskedRecipient;
    }
  /** Ask again, not before this time by the machine's clock, with `resume`. */
  | { readonly kind: 'later'; readonly notBeforeMs: number; readonly resume: Resume; readonly why: string }
  /** Handed back unasked: the signal was aborted, or the checker closes. */
  | { readonly kind: 'unasked' };

export interface AskedRecipient {
  /** As the engine knows it: in ASCII, lower case. */
  readonly domain: string;
  /** Null: it does not count among those that were guessed. */
  readonly isUnknown: boolean | null;
  /** What the verdict says of the domain; unset: nothing. */
  readonly catchAll?: Exclude<CatchAll, 'unknown'>;
}

/** Recipients of a domain that an account has asked about within a day, and those of them that do not exist. */
export interface AskedDomain {
  readonly domain: string;
  readonly asked: number;
  readonly unknown: number;
  /** Since the first of them. */
  readonly ageMs: number;
}

export interface AskOptions {
  /** Single checks go before lists in every queue. Default `list`. */
  readonly priority?: 'single' | 'list';
  /** Charged for the questions: whatever they share is shared fairly among accounts (common/src/fair-share.ts). Default 0. */
  readonly account?: number;
  /**
   * What the account has asked about in all, here and in other processes, of domains of these questions: one that guesses
   * addresses is asked for no further. Default: what was asked here.
   */
  readonly askedBefore?: readonly AskedDomain[];
  /** Questions of different lots take turns at a domain, so that a large list does not hold up a small one. Default 0. */
  readonly lot?: number;
  /** Aborting hands back at once what was not yet on the wire; what is in flight still gets its outcome. */
  readonly signal?: AbortSignal;
  /** Called once per question, in the order of completion. */
  readonly onOutcome: (index: number, outcome: Outcome) => void;
}

/** Addresses of one lot that wait for the same thing at the same host. */
export interface WaitingGroup {
  readonly lot: number;
  /** `checking`: being asked about at this moment. `queued`: its turn has not come. Else what holds it up. */
  readonly why: 'checking' | 'queued' | Detail;
  /** Name of the mail host; null where none is known yet. */
  readonly host: string | null;
  readonly provider: string | null;
  readonly addresses: number;
  /** The number of the next attempt, from 1; the lowest of the group. */
  readonly attempt: number;
  /** The earliest, by the machine's clock; null where it is not known. */
  readonly nextAttemptAtMs: number | null;
}

/** What can be said of a domain without its mail hosts. Null: DNS did not tell, or cannot be trusted. */
export interface DomainReport {
  readonly domain: string;
  readonly acceptsMail: boolean | null;
  /** The most preferred first; the domain itself where it has an address and no MX record; empty: it has no mail host. */
  readonly mx: readonly MxRecord[] | null;
  /** Empty: it has no mail host. */
  readonly provider: string | null;
  readonly free: boolean;
  readonly disposable: boolean;
  /** A likelier spelling; null: no other is likelier. */
  readonly suggestion: string | null;
  /** The record; empty: none that receivers use. */
  readonly spf: string | null;
  /** The same, of the registered domain where this one has none of its own. */
  readonly dmarc: string | null;
}

/** What keeps this engine from checking. */
export interface Obstacle {
  /** `port_25`: no mail host is reached. `dns`: no DNS server answers, or none can be believed. `source_blocked`: a source address rests at a whole provider. */
  readonly code: 'port_25' | 'dns' | 'source_blocked';
  /** By the machine's clock. */
  readonly sinceMs: number;
}

/** As what was asked has shown: nothing is asked to find it out. */
export interface CheckerHealth {
  readonly obstacles: readonly Obstacle[];
  /** When a mail host was last reached, by the machine's clock; null: none ever was. */
  readonly reachedAtMs: number | null;
}

export interface Checker {
  /** Asks until there is a final finding, waiting for greylisting in memory. For library use. */
  check(email: string): Promise<Finding>;
  /** In the order of completion, with backpressure. */
  checkAll(emails: Iterable<string> | AsyncIterable<string>): AsyncIterable<Finding>;
  /** One round of questions; resolves when each has its outcome. What the service uses. */
  ask(questions: readonly Question[], options: AskOptions): Promise<void>;
  /** As `AskOptions.askedBefore`, between two questions. */
  learnAsked(account: number, domain: AskedDomain): void;
  /**
   * A single check begins: lists yield until the returned function is called, or for a quarter of a second. `check` and
   * single `ask`s do so by themselves.
   */
  makeWay(): () => void;
  /** Lists are yielding to a single check. */
  readonly isMakingWay: boolean;
  /** False while nearly every host is unreachable (our port 25 shut, a dead resolver): lists should wait. */
  readonly reachable: boolean;
  /** False while every DNS server was wrong about a domain that certainly has mail: "no such domain" is not believed. */
  readonly dnsTrusted: boolean;
  /** What stands in the way of every check, or of those at a provider. Names no domain and no address. */
  health(): CheckerHealth;
  /** Processes that check beside each other, this one included: each takes its share of the rates that hold for all. Default 1. */
  liveNodes: number;
  /**
   * More than one account may ask: what one of them has learnt alone about a host, a provider or the network holds back none but
   * itself. Default false.
   */
  hasSeveralPayers: boolean;
  /** What is kept of rests (`CheckerOptions.rests`), as it is now. */
  learnRests(kept: KeptRests): void;
  /**
   * What DNS says about a domain's mail, in ASCII as `asciiDomain` has it. No mail host is asked. `account`: charged for the
   * lookup, as for questions.
   */
  lookUpDomain(domain: string, account?: number): Promise<DomainReport>;
  /** What the addresses that have no outcome wait for, at this moment; of one lot, if it is named. */
  waiting(lot?: number): readonly WaitingGroup[];
  /** Hands back what is unasked, gives what is in flight `graceMs` to answer, closes every socket. */
  close(graceMs?: number): Promise<void>;
}

/** What an operator should know. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error';
  /**
   * `smtp_unreachable`, `smtp_reachable`, `dns_unreachable`, `dns_reachable`, `dns_untrusted`, `dns_trusted`,
   * `source_blocked`, `source_unblocked`, `source_rested`, `proxy_down`, `proxy_up`, `proxy_refuses`, `helo_default`,
   * `invariant_broken`.
   */
  readonly event: string;
  /** One sentence; never an e-mail address. */
  readonly text: string;
}

/** Time comes in as an argument, so that hours of greylisting run in milliseconds. */
export interface Clock {
  /**
   * Milliseconds since 1970 when the process began, and steadily on from there: it measures durations, and is not moved when
   * the machine's clock is set.
   */
  now(): number;
  /** What the machine's clock says now, for times that other processes read. Unset: `now`. */
  wallNow?(): number;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}
