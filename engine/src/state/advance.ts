// What comes next for an address's check. Pure: the only place that decides it. Promise: every event leads from every
// state it may happen in to one next state; any other event there is a defect (common/src/invariant.ts).
//
//  dns ──known──▶ done        queued ─┬─sent──▶ sent ──replied──▶ unsealed ──sealed─┬─▶ answered ──told─┐
//   ▲ │ └─dns_failed──▶ network      ▲ └─told (no host can be asked) ─────────────── │ ───────────────┐ │
//   │ └──queued──▶ queued            └──asked again: another session, sender, host ◀─┘                │ │
//   │                                                                                                 ▼ ▼
//   │ only IPv4 was looked up                           dns_trust ◀──DNS not proven yet── (told) ──▶ heard
//   └──────────────────────────────────────────────────────┐  └──trust_settled──▶ heard                │
//                                                           │                                        learnt
//                                    ┌──────────────────────┴──┬───────────────┬───────────────┬────────┘
//                                    ▼                         ▼               ▼               ▼
//                                   dns                    catch_all       comparison       network     (or at once)
//                                                       understood│        compared│         judged│         │
//                                                                 └────────────────┴──▶ concluding ◀┴────────┘
//                                                                                            │ weighed
//                                                                                  later ◀───┴───▶ done
//
//  withdrawn: from dns, queued, comparison and network to done; on its way to a server or behind its answer it stays.
//  closed: from everywhere to done. A probe: queued … unsealed ──sealed──▶ answered ──probe_told──▶ done.
import { saysItExists } from '../verdict/verdict.ts';
import type { Answer } from './answer.ts';
import type {
  AnswerAssessment,
  AskingSession,
  CheckEvent,
  CheckState,
  Circumstances,
  DomainLookup,
  HostQueue,
  Network,
  RetryChances,
  StateName,
} from './check-state.ts';
import { isConnectionTrouble, isProxyFault, nextStep } from './retry-policy.ts';

/** Connections dropped under one recipient, silent about it, or ended before its answer was sealed. */
export const DROPS_MAX = 2;

const DONE: CheckState = { at: 'done', step: null };
const BY_REPLY: CheckState = { at: 'answered', by: 'reply' };
const BY_DROP: CheckState = { at: 'answered', by: 'dropped' };
const BY_SILENCE: CheckState = { at: 'answered', by: 'silent' };

/** The states an event may happen in. */
const FROM: Readonly<Record<CheckEvent['kind'], readonly StateName[]>> = {
  lookup_begun: ['dns'],
  dns_failed: ['dns'],
  known: ['dns', 'queued'],
  unreachable: ['dns'],
  queued: ['dns', 'queued', 'sent'],
  sent: ['queued'],
  replied: ['sent'],
  sealed: ['unsealed'],
  // Where no host can be asked it is told from the queue; a session that cannot carry it tells it too.
  told: ['answered', 'queued', 'sent'],
  probe_told: ['answered', 'queued', 'sent'],
  trust_settled: ['dns_trust'],
  learnt: ['heard'],
  understood: ['catch_all'],
  compared: ['comparison'],
  judged: ['network'],
  weighed: ['concluding'],
  withdrawn: ['dns', 'queued', 'comparison', 'network'],
  closed: [
    'dns',
    'queued',
    'sent',
    'unsealed',
    'answered',
    'dns_trust',
    'heard',
    'catch_all',
    'comparison',
    'network',
    'concluding',
    'later',
    'done',
  ],
};

export class IllegalTransition extends Error {
  constructor(state: CheckState, event: CheckEvent) {
    super(`an address check at ${state.at} cannot be ${event.kind}`);
  }
}

/** The same by name: looked up some ten times for each address. */
const MAY_HAPPEN = Object.fromEntries(
  Object.entries(FROM).map(([kind, places]) => [kind, Object.fromEntries(places.map((at) => [at, true]))]),
) as Readonly<Record<CheckEvent['kind'], Readonly<Partial<Record<StateName, true>>>>>;

export function mayHappen({ at }: CheckState, kind: CheckEvent['kind']): boolean {
  return MAY_HAPPEN[kind][at] === true;
}

export function advance(state: CheckState, event: CheckEvent): CheckState {
  if (!mayHappen(state, event.kind)) throw new IllegalTransition(state, event);
  switch (event.kind) {
    case 'lookup_begun':
      return inLookup(event.lookup);
    case 'dns_failed':
      return event.of === null ? concluding(event.answer) : failed(event.answer, event.of);
    case 'known':
    case 'probe_told':
    case 'withdrawn':
    case 'closed':
      return DONE;
    case 'unreachable':
      return concluding(event.answer);
    case 'queued':
      return inFront(event.queue);
    case 'sent':
      return onSession(event.session);
    case 'replied':
      return { at: 'unsealed', session: event.session, flight: event.flight, landing: event.landing };
    case 'sealed':
      return sealed(event);
    case 'told':
      // Without a reply about the recipient there is no verdict that DNS could have misled.
      if (event.is === 'waiting' && event.answer.reply !== null)
        return { at: 'dns_trust', trust: event.trust, answer: event.answer };
      return event.is === 'broken' ? concluding(event.broken) : { at: 'heard', answer: event.answer };
    case 'trust_settled':
      if (state.at !== 'dns_trust') return state;
      return event.is === 'broken' ? concluding(event.broken) : { at: 'heard', answer: state.answer };
    case 'learnt':
      return state.at === 'heard' ? learnt(state.answer, event) : state;
    case 'understood':
      return state.at === 'catch_all' ? concluding(state.answer, event.as === 'refuses_all') : state;
    case 'compared':
      return state.at === 'comparison' ? concluding(event.answer ?? state.answer) : state;
    case 'judged':
      return state.at === 'network' ? concluding(state.answer) : state;
    case 'weighed': {
      const step = nextStep(event.input);
      return step.kind === 'later' ? { at: 'later', step } : { at: 'done', step };
    }
    default:
      return event satisfies never;
  }
}

/** Many addresses in a row come to the same state: they share the one made last. */
function sharing<Key extends object>(make: (key: Key) => CheckState): (key: Key) => CheckState {
  let lastKey: Key | null = null;
  let last: CheckState = DONE;
  return (key) => {
    if (key !== lastKey) {
      last = make(key);
      lastKey = key;
    }
    return last;
  };
}

const inLookup = sharing<DomainLookup>((lookup) => ({ at: 'dns', lookup }));
const inFront = sharing<HostQueue>((queue) => ({ at: 'queued', queue, place: 'front' }));
const onSession = sharing<AskingSession>((session) => ({ at: 'sent', session }));

function concluding(answer: Answer, refusesAll = false): CheckState {
  return { at: 'concluding', answer, refusesAll };
}

/** Another try from the same source, or an answer. */
function sealed(again: Extract<CheckEvent, { kind: 'sealed' }>): CheckState {
  const { queue, landing } = again;
  const { act, reading } = landing;
  switch (act) {
    case 'ask_again':
      return inFront(queue);
    case 'dropped':
      return again.drops <= DROPS_MAX ? inFront(queue) : BY_DROP;
    case 'silent':
      // It may be this recipient alone: the others go on without it.
      return again.drops <= DROPS_MAX && again.hasOtherHost
        ? { at: 'queued', queue, place: 'back' }
        : BY_SILENCE;
    case 'other_sender':
      if (again.hasOtherSender) return inFront(queue);
      break;
    case 'answer':
      break;
    default:
      act satisfies never;
  }
  if (reading === null) return BY_DROP;
  return wantsTls(reading.meaning, again) ? inFront(queue) : BY_REPLY;
}

function wantsTls(meaning: Answer['meaning'], { canHaveTls }: RetryChances): boolean {
  return meaning === 'tls_required' && canHaveTls;
}

/** The first that holds: about the mailbox, not reached by IPv4 alone, worth comparing, failed. */
function learnt(answer: Answer, shown: AnswerAssessment): CheckState {
  switch (shown.domain) {
    case 'ready':
      return concluding(answer);
    case 'refuses_all':
      return concluding(answer, true);
    case 'wait':
      return { at: 'catch_all', knowledge: shown.knowledge, answer };
    case null:
      if (!answer.connected && shown.mayWiden && answer.kind !== 'no_proxy')
        return { at: 'dns', lookup: null };
      if (shown.vague !== null) return { at: 'comparison', refusal: shown.vague, answer };
      return failed(answer, shown.of);
    default:
      return shown satisfies never;
  }
}

/** A connection that failed is judged once it is known whether that was our own network's doing. */
function failed(answer: Answer, { single, last, wasDoubted, mayBeOurs }: Circumstances): CheckState {
  // Twice in a row on established connections is not a cut cable, and what a proxy does is its own doing.
  const isSure = answer.unresponsive === 'believed' || wasDoubted || isProxyFault(answer.detail);
  const isInDoubt = isConnectionTrouble(answer) && !single && !last && !isSure && mayBeOurs;
  return isInDoubt ? { at: 'network', what: networkOf(answer), answer } : concluding(answer);
}

export function networkOf({ kind }: Pick<Answer, 'kind'>): Network {
  return kind === 'no_dns' ? 'dns' : 'smtp';
}

/** It can be a verdict, once the domain is known to tell its recipients apart. */
export function isAboutMailbox({ meaning, temporary, reply }: Answer): boolean {
  if (reply === null) return false;
  return meaning === 'no_mailbox' || saysItExists(meaning) || (meaning === 'over_quota' && !temporary);
}
