// Where an address's check is, and what can happen to it there. Types only; `advance` decides what comes next.
import type { Detail } from '../types.ts';
import type { Answer, Landing } from './answer.ts';
import type { Step, StepInput } from './retry-policy.ts';
import type { VagueRefusal } from './vague-refusal.ts';

/** The queue of one group of MX hosts, asked from one source address. */
export interface HostQueue {
  /** The most preferred host of the domain that came last. */
  readonly mx: string | null;
  /** What keeps its recipients waiting; null: only their turn. */
  heldUpBy(nowMs: number): HoldUp | null;
}

export interface HoldUp {
  readonly detail: Detail;
  /** Null: not known. */
  readonly untilMs: number | null;
}

/** The connection a recipient is asked about on. */
export interface AskingSession {
  readonly plan: { readonly target: { readonly ip: string; readonly hostName: string } };
}

/** The commands it was sent with. */
interface SentFlight {
  readonly sentAtMs: number;
}

/** What the verdicts of a domain wait for: objects that the index uses as keys. */
export interface DomainLookup {
  /** It waits until another's zone may be asked (dns/zone-turns.ts). */
  readonly isHeldBack: boolean;
}
type DnsTrust = object;
type DomainKnowledgeKey = object;

export type Network = 'smtp' | 'dns';

/**
 * Resting states, in the order of a check's life, then three that are left at once: `answered`, `heard`, `concluding`.
 * Those marked * are kept in the index of waiting checks (check/waiting-index.ts).
 */
export type CheckState =
  /** * Its domain is being looked up; null: not begun. */
  | { readonly at: 'dns'; readonly lookup: DomainLookup | null }
  /** In the queue of its MX hosts. `back`: behind the others. */
  | { readonly at: 'queued'; readonly queue: HostQueue; readonly place: 'front' | 'back' }
  /** RCPT is on its way, or about to be. */
  | { readonly at: 'sent'; readonly session: AskingSession }
  /** Replied to, and not known yet to which command (smtp/session/seal.ts). */
  | {
      readonly at: 'unsealed';
      readonly session: AskingSession;
      readonly flight: SentFlight;
      readonly landing: Landing;
    }
  /** * Answered, and not known yet whether the DNS answer that led there was invented. */
  | { readonly at: 'dns_trust'; readonly trust: DnsTrust; readonly answer: Answer }
  /** * Accepted or refused, and its domain is not understood: catch-all, or refuses all. */
  | { readonly at: 'catch_all'; readonly knowledge: DomainKnowledgeKey; readonly answer: Answer }
  /** * Refused in words that say nothing certain, and being compared with others. */
  | { readonly at: 'comparison'; readonly refusal: VagueRefusal; readonly answer: Answer }
  /** * Failed, and not known yet whether our own network did. */
  | { readonly at: 'network'; readonly what: Network; readonly answer: Answer }
  /** To be asked again: its caller has it, with what the next attempt must know. */
  | { readonly at: 'later'; readonly step: Step }
  /** `step`: how it was decided, where an answer or the lack of one decided. */
  | { readonly at: 'done'; readonly step: Step | null }
  // ---- left at once ----
  /** Its answer is its own, and about to be made of its reply or the lack of one. */
  | { readonly at: 'answered'; readonly by: 'reply' | 'dropped' | 'silent' }
  /** Its answer may be learnt from. */
  | { readonly at: 'heard'; readonly answer: Answer }
  /** Final or later is all that is left to decide. */
  | {
      readonly at: 'concluding';
      readonly answer: Answer;
      readonly refusesAll: boolean;
    };

export type StateName = CheckState['at'];

/** What a check's own circumstances allow, independent of its answer. */
export interface Circumstances {
  readonly single: boolean;
  /** No more `later`: what is known now becomes final. */
  readonly last: boolean;
  /** Its connection failed before while no host answered. */
  readonly wasDoubted: boolean;
  /** No host of any kind answers, or no host was asked lately: the failure may be our own network's. */
  readonly mayBeOurs: boolean;
}

export type CheckEvent =
  | { readonly kind: 'lookup_begun'; readonly lookup: DomainLookup }
  /** DNS has no answer, or there is no use in asking it. */
  | { readonly kind: 'dns_failed'; readonly answer: Answer; readonly of: Circumstances | null }
  /** No mail host has to be asked, or none may be. */
  | { readonly kind: 'known' }
  /** No mail host can be reached at the moment: nothing is tried. */
  | { readonly kind: 'unreachable'; readonly answer: Answer }
  | { readonly kind: 'queued'; readonly queue: HostQueue }
  | { readonly kind: 'sent'; readonly session: AskingSession }
  | {
      readonly kind: 'replied';
      readonly session: AskingSession;
      readonly flight: SentFlight;
      readonly landing: Landing;
    }
  /** The seal has shown that the reply, or the lack of one, is this recipient's own: `landing` is what counts. */
  | ({ readonly kind: 'sealed'; readonly landing: Landing; readonly queue: HostQueue } & RetryChances)
  /** `trust`: of its domain's DNS answer. */
  | {
      readonly kind: 'told';
      readonly answer: Answer;
      readonly trust: DnsTrust;
      readonly is: 'waiting' | 'kept' | 'broken';
      /** Its answer where the DNS answer was invented. */
      readonly broken: Answer;
    }
  | { readonly kind: 'probe_told' }
  | { readonly kind: 'trust_settled'; readonly is: 'kept' | 'broken'; readonly broken: Answer }
  | ({ readonly kind: 'learnt' } & AnswerAssessment)
  | { readonly kind: 'understood'; readonly as: 'ready' | 'refuses_all' }
  /** `answer`: as the comparison has made it; null: it showed nothing. */
  | { readonly kind: 'compared'; readonly answer: Answer | null }
  | { readonly kind: 'judged' }
  | { readonly kind: 'weighed'; readonly input: StepInput }
  /** Its caller's signal was aborted. */
  | { readonly kind: 'withdrawn' }
  /** The checker is closed. */
  | { readonly kind: 'closed' };

/** What the session's end, its host and its sender leave open for another try. */
export interface RetryChances {
  /** Connections dropped under it so far, this one included where it was. */
  readonly drops: number;
  readonly hasOtherHost: boolean;
  /** A sender this host has not refused yet. */
  readonly hasOtherSender: boolean;
  /** The host wants TLS, and another session can have it. */
  readonly canHaveTls: boolean;
}

/**
 * What an answer has shown, with everything that was learnt before. About the mailbox: whether the domain's habits leave
 * it standing. About anything else (null): what may be tried before it counts as it is.
 */
export type AnswerAssessment =
  | { readonly domain: 'ready' | 'refuses_all' }
  | { readonly domain: 'wait'; readonly knowledge: DomainKnowledgeKey }
  | {
      readonly domain: null;
      /** The domain has addresses that were not looked up, and may be. */
      readonly mayWiden: boolean;
      /** Set: worth comparing with the replies to other recipients of the domain. */
      readonly vague: VagueRefusal | null;
      readonly of: Circumstances;
    };
