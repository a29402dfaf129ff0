// The table of the check's state machine: every event in every state it may happen in, with what comes next, and a
// defect everywhere else.
import { describe, expect, test } from 'vitest';
import { TestTask } from '../../test/test-task.ts';
import { advance, DROPS_MAX, IllegalTransition, mayHappen } from './advance.ts';
import type { Answer, Command, Landing } from './answer.ts';
import type {
  AnswerAssessment,
  CheckEvent,
  CheckState,
  Circumstances,
  HostQueue,
  RetryChances,
  StateName,
} from './check-state.ts';
import type { StepInput } from './retry-policy.ts';
import type { VagueRefusal } from './vague-refusal.ts';

const REPLY = { code: 250, enhanced: null, lines: ['ok'] };
const ACCEPTED: Answer = {
  kind: 'reply',
  meaning: 'accepted',
  detail: 'accepted',
  clarity: 'plain',
  temporary: false,
  rule: 'code 250',
  retryAfterMs: null,
  connected: true,
  unresponsive: 'no',
  counts: true,
  reply: REPLY,
  host: 'mx.a.example',
  ip: '192.0.2.1',
  source: null,
  sender: '',
  tls: false,
  session: { lines: [], bytes: 0 },
  dialogue: [],
};
const NO_REPLY: Answer = {
  ...ACCEPTED,
  kind: 'shut',
  meaning: null,
  connected: false,
  reply: null,
  temporary: true,
};
const NO_DNS: Answer = { ...NO_REPLY, kind: 'no_dns' };
const VAGUE: Answer = { ...ACCEPTED, meaning: 'unclear', clarity: 'vague' };

const QUEUE: HostQueue = { mx: 'mx.a.example', heldUpBy: () => null };
const SESSION = { plan: { target: { ip: '192.0.2.1', hostName: 'mx.a.example' } } };
const FLIGHT = { sentAtMs: 1 };
const LOOKUP = { isHeldBack: false };
const TRUST = {};
const KNOWLEDGE = {};
const REFUSAL: VagueRefusal = {
  ip: '192.0.2.1',
  domain: 'a.example',
  sentence: { like: [], looks: 0, saysNothingUntilMs: 0 },
  notes: { sinceMs: 0, sentences: [], decided: new Map(), looks: 0 },
  sinceMs: 0,
  looks: 0,
};
const COMMAND: Command = {
  kind: 'rcpt',
  words: 'RCPT TO',
  task: null,
  sender: '',
  reply: null,
  answeredAtMs: 0,
};
const reading = (meaning: NonNullable<Answer['meaning']>) =>
  ({ meaning, clarity: 'plain', by: 'wording', rule: '', retryAfterMs: null }) as NonNullable<
    Landing['reading']
  >;
const landing = (act: Landing['act'], meaning: Answer['meaning'] = null): Landing => ({
  task: new TestTask('anna'),
  command: COMMAND,
  act,
  reading: meaning === null ? null : reading(meaning),
});
const LANDING = landing('answer', 'accepted');
const ONCE: RetryChances = { drops: 1, hasOtherHost: false, hasOtherSender: false, canHaveTls: false };
const OF_LIST: Circumstances = { single: false, last: false, wasDoubted: false, mayBeOurs: false };
const OURS: Circumstances = { ...OF_LIST, mayBeOurs: true };
const SHOWN = { domain: null, mayWiden: false, vague: null, of: OF_LIST } satisfies AnswerAssessment;
const WEIGHED: StepInput = {
  answer: ACCEPTED,
  resume: undefined,
  scheduleSeconds: [60],
  single: false,
  isWaitedFor: false,
  last: false,
  catchAllMissing: false,
  probeHeldMs: null,
  unreachableWaitMs: null,
};

/** One of each. */
const STATES: { readonly [Place in StateName]: CheckState } = {
  dns: { at: 'dns', lookup: LOOKUP },
  queued: { at: 'queued', queue: QUEUE, place: 'front' },
  sent: { at: 'sent', session: SESSION },
  unsealed: { at: 'unsealed', session: SESSION, flight: FLIGHT, landing: LANDING },
  answered: { at: 'answered', by: 'reply' },
  dns_trust: { at: 'dns_trust', trust: TRUST, answer: ACCEPTED },
  heard: { at: 'heard', answer: ACCEPTED },
  catch_all: { at: 'catch_all', knowledge: KNOWLEDGE, answer: ACCEPTED },
  comparison: { at: 'comparison', refusal: REFUSAL, answer: VAGUE },
  network: { at: 'network', what: 'smtp', answer: NO_REPLY },
  concluding: { at: 'concluding', answer: ACCEPTED, refusesAll: false },
  later: { at: 'later', step: { kind: 'later', delayMs: 1, attempts: 1, mailbox: null } },
  done: { at: 'done', step: null },
};
const ALL = Object.keys(STATES) as StateName[];

const EVENTS: { readonly [Kind in CheckEvent['kind']]: Extract<CheckEvent, { kind: Kind }> } = {
  lookup_begun: { kind: 'lookup_begun', lookup: LOOKUP },
  dns_failed: { kind: 'dns_failed', answer: NO_DNS, of: null },
  known: { kind: 'known' },
  unreachable: { kind: 'unreachable', answer: NO_REPLY },
  queued: { kind: 'queued', queue: QUEUE },
  sent: { kind: 'sent', session: SESSION },
  replied: { kind: 'replied', session: SESSION, flight: FLIGHT, landing: LANDING },
  sealed: { kind: 'sealed', landing: LANDING, queue: QUEUE, ...ONCE },
  told: { kind: 'told', answer: ACCEPTED, trust: TRUST, is: 'kept', broken: NO_DNS },
  probe_told: { kind: 'probe_told' },
  trust_settled: { kind: 'trust_settled', is: 'kept', broken: NO_DNS },
  learnt: { kind: 'learnt', ...SHOWN },
  understood: { kind: 'understood', as: 'ready' },
  compared: { kind: 'compared', answer: null },
  judged: { kind: 'judged' },
  weighed: { kind: 'weighed', input: WEIGHED },
  withdrawn: { kind: 'withdrawn' },
  closed: { kind: 'closed' },
};
const KINDS = Object.keys(EVENTS) as CheckEvent['kind'][];

/** Where each event may happen, and where the plainest of its kind leads from there. Everything else is a defect. */
const TABLE: { readonly [Kind in CheckEvent['kind']]: { readonly [From in StateName]?: StateName } } = {
  lookup_begun: { dns: 'dns' },
  dns_failed: { dns: 'concluding' },
  known: { dns: 'done', queued: 'done' },
  unreachable: { dns: 'concluding' },
  queued: { dns: 'queued', queued: 'queued', sent: 'queued' },
  sent: { queued: 'sent' },
  replied: { sent: 'unsealed' },
  sealed: { unsealed: 'answered' },
  told: { answered: 'heard', queued: 'heard', sent: 'heard' },
  probe_told: { answered: 'done', queued: 'done', sent: 'done' },
  trust_settled: { dns_trust: 'heard' },
  learnt: { heard: 'concluding' },
  understood: { catch_all: 'concluding' },
  compared: { comparison: 'concluding' },
  judged: { network: 'concluding' },
  weighed: { concluding: 'done' },
  withdrawn: { dns: 'done', queued: 'done', comparison: 'done', network: 'done' },
  closed: Object.fromEntries(ALL.map((at) => [at, 'done'])),
};

describe.each(KINDS)('%s', (kind) => {
  test.each(ALL)('at %s', (from) => {
    const expected = TABLE[kind][from];
    expect(mayHappen(STATES[from], kind)).toBe(expected !== undefined);
    if (expected === undefined) {
      expect(() => advance(STATES[from], EVENTS[kind])).toThrow(IllegalTransition);
      // What must not happen fails a test, and says where it happened.
      const task = new TestTask('anna');
      task.state = STATES[from];
      expect(() => task.move(EVENTS[kind])).toThrow(`an address check at ${from} cannot be ${kind}`);
    } else expect(advance(STATES[from], EVENTS[kind]).at).toBe(expected);
  });
});

/** What an event brings decides, too. */
const told = (more: Partial<typeof EVENTS.told>) => ({ ...EVENTS.told, ...more });
const sealed = (one: Landing, again: Partial<RetryChances> = {}) => ({
  ...EVENTS.sealed,
  landing: one,
  ...ONCE,
  ...again,
});
const learnt = (shown: Partial<Extract<AnswerAssessment, { domain: null }>>, of = OF_LIST): CheckEvent => ({
  kind: 'learnt',
  ...SHOWN,
  ...shown,
  of,
});
const understood = (shown: AnswerAssessment): CheckEvent => ({ kind: 'learnt', ...shown });
const heard = (answer: Answer): CheckState => ({ at: 'heard', answer });
const TOO_OFTEN = { drops: DROPS_MAX + 1 };

test.each<[string, CheckState, CheckEvent, object]>([
  [
    'asked again where its reply was lost',
    STATES.unsealed,
    sealed(landing('ask_again')),
    { at: 'queued', place: 'front' },
  ],
  [
    'dropped once: asked again',
    STATES.unsealed,
    sealed(landing('dropped')),
    { at: 'queued', place: 'front' },
  ],
  [
    'dropped too often: that is its answer',
    STATES.unsealed,
    sealed(landing('dropped'), TOO_OFTEN),
    { by: 'dropped' },
  ],
  [
    'silence, and another host: behind the others',
    STATES.unsealed,
    sealed(landing('silent'), { hasOtherHost: true }),
    { at: 'queued', place: 'back' },
  ],
  ['silence, and no other host', STATES.unsealed, sealed(landing('silent')), { by: 'silent' }],
  [
    'silence too often',
    STATES.unsealed,
    sealed(landing('silent'), { hasOtherHost: true, ...TOO_OFTEN }),
    { by: 'silent' },
  ],
  [
    'another sender is left',
    STATES.unsealed,
    sealed(landing('other_sender', 'sender_refused'), { hasOtherSender: true }),
    { at: 'queued' },
  ],
  [
    'no other sender is left',
    STATES.unsealed,
    sealed(landing('other_sender', 'sender_refused')),
    { by: 'reply' },
  ],
  [
    'TLS is wanted and can be had',
    STATES.unsealed,
    sealed(landing('answer', 'tls_required'), { canHaveTls: true }),
    { at: 'queued' },
  ],
  ['TLS is wanted and cannot', STATES.unsealed, sealed(landing('answer', 'tls_required')), { by: 'reply' }],
  [
    'TLS can be had and is not wanted',
    STATES.unsealed,
    sealed(LANDING, { canHaveTls: true }),
    { by: 'reply' },
  ],
  [
    'DNS not proven yet',
    STATES.answered,
    told({ is: 'waiting' }),
    { at: 'dns_trust', trust: TRUST, answer: ACCEPTED },
  ],
  [
    'not proven, but nothing was said that it could mislead',
    STATES.queued,
    told({ is: 'waiting', answer: NO_REPLY }),
    { at: 'heard' },
  ],
  [
    'the DNS answer was invented',
    STATES.answered,
    told({ is: 'broken' }),
    { at: 'concluding', answer: NO_DNS },
  ],
  [
    'found to be invented later',
    STATES.dns_trust,
    { kind: 'trust_settled', is: 'broken', broken: NO_DNS },
    { at: 'concluding', answer: NO_DNS },
  ],
  [
    'understood at once',
    STATES.heard,
    understood({ domain: 'ready' }),
    { at: 'concluding', refusesAll: false },
  ],
  [
    'the domain refuses all',
    STATES.heard,
    understood({ domain: 'refuses_all' }),
    { at: 'concluding', refusesAll: true },
  ],
  [
    'the domain is not understood',
    STATES.heard,
    understood({ domain: 'wait', knowledge: KNOWLEDGE }),
    { at: 'catch_all', knowledge: KNOWLEDGE },
  ],
  [
    'found to refuse all later',
    STATES.catch_all,
    { kind: 'understood', as: 'refuses_all' },
    { refusesAll: true },
  ],
  ['not reached by IPv4', heard(NO_REPLY), learnt({ mayWiden: true }), { at: 'dns', lookup: null }],
  [
    'reached, so that IPv6 would change nothing',
    heard(VAGUE),
    learnt({ mayWiden: true }),
    { at: 'concluding' },
  ],
  ['worth comparing', heard(VAGUE), learnt({ vague: REFUSAL }), { at: 'comparison', refusal: REFUSAL }],
  [
    'compared: the mailbox’s',
    STATES.comparison,
    { kind: 'compared', answer: ACCEPTED },
    { answer: ACCEPTED },
  ],
  ['compared: as it was', STATES.comparison, { kind: 'compared', answer: null }, { answer: VAGUE }],
  ['failed, perhaps by our own network', heard(NO_REPLY), learnt({}, OURS), { at: 'network', what: 'smtp' }],
  [
    'failed for a caller who waits',
    heard(NO_REPLY),
    learnt({}, { ...OURS, single: true }),
    { at: 'concluding' },
  ],
  ['failed the last time it may', heard(NO_REPLY), learnt({}, { ...OURS, last: true }), { at: 'concluding' }],
  [
    'failed again after a doubt',
    heard(NO_REPLY),
    learnt({}, { ...OURS, wasDoubted: true }),
    { at: 'concluding' },
  ],
  [
    'silent twice in a row is the host',
    heard({ ...NO_REPLY, unresponsive: 'believed' }),
    learnt({}, OURS),
    { at: 'concluding' },
  ],
  ['an answer is no failure', heard(VAGUE), learnt({}, OURS), { at: 'concluding' }],
  [
    'DNS silent, perhaps by our own network',
    STATES.dns,
    { kind: 'dns_failed', answer: NO_DNS, of: OURS },
    { at: 'network', what: 'dns' },
  ],
  [
    'DNS silent, others answer',
    STATES.dns,
    { kind: 'dns_failed', answer: NO_DNS, of: OF_LIST },
    { at: 'concluding' },
  ],
  [
    'deferred: later',
    STATES.concluding,
    {
      kind: 'weighed',
      input: { ...WEIGHED, answer: { ...ACCEPTED, meaning: 'greylisted', temporary: true } },
    },
    { at: 'later', step: { delayMs: 60_000, attempts: 1 } },
  ],
  [
    'final, with how it was decided',
    STATES.concluding,
    EVENTS.weighed,
    { at: 'done', step: { kind: 'final', mailbox: 'accepted' } },
  ],
])('%s', (_, from, event, next) => {
  expect(advance(from, event)).toMatchObject(next);
});
