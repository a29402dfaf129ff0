// A checker without a network, for tests of what is around it: outcomes follow from the address alone.
//   no…: rejected   unknown…: no answer   wait…: asked again later, then accepted   slow…: only answers when released
//   mute…: nothing until released, then asked again later, nothing until released, then unknown
//   anything else: accepted
import type {
  AskOptions,
  Checker,
  CheckerHealth,
  DomainReport,
  Finding,
  Outcome,
  Question,
  WaitingGroup,
} from '@mxproof/engine';
import { verdictOf } from './verdicts.ts';

const SESSION = [{ atMs: 1, from: 'server', text: '220 mx.example.com' }] as const;

const REPORT: Omit<DomainReport, 'domain'> = {
  acceptsMail: true,
  mx: [{ preference: 10, exchange: 'mx.example.com' }],
  provider: 'other',
  free: false,
  disposable: false,
  suggestion: null,
  spf: 'v=spf1 mx -all',
  dmarc: '',
};

export interface FakeChecker extends Checker {
  reachable: boolean;
  /** What `health` answers. */
  said: CheckerHealth;
  /** How often each address was on the wire. */
  readonly asked: Map<string, number>;
  /** Addresses that wait for a place on the wire. */
  readonly queued: number;
  /** Sources later questions came back with. */
  readonly resumed: Map<string, string | null>;
  /** Lets the slow ones answer. */
  release(): void;
}

export interface FakeOptions {
  /** Addresses on the wire at a time. */
  readonly width?: number;
  readonly replyMs?: number;
  readonly laterMs?: number;
  readonly source?: string | null;
  /** What the slow ones that were asked are said to wait for; unset: they are being asked. */
  readonly slowFor?: (email: string) => Pick<WaitingGroup, 'why' | 'host'>;
  /** The evidence has the recipient in it, as a real dialogue does. */
  readonly namesRecipients?: boolean;
  /** Throws for questions that hold this address. */
  readonly defectiveFor?: (email: string) => boolean;
}

interface AskedAddress {
  readonly lot: number;
  readonly question: Question;
  answer(outcome: Outcome): void;
}

export function createFakeChecker(options: FakeOptions = {}): FakeChecker {
  const { width = 50, replyMs = 1, laterMs = 300, source = null } = options;
  /** One queue per ask; they take turns, as lists do in the engine. */
  let queues: Set<AskedAddress>[] = [];
  const slow: AskedAddress[] = [];
  const landing = new Set<AskedAddress>();
  const asked = new Map<string, number>();
  const resumed = new Map<string, string | null>();
  /** Has no outcome yet, and was not handed back: on the wire. */
  const onWire = new Set<AskedAddress>();
  let closed = false;

  function next(): AskedAddress | undefined {
    for (let mine = queues.shift(); mine; mine = queues.shift()) {
      const [one] = mine;
      if (!one) continue;
      mine.delete(one);
      if (mine.size > 0) queues.push(mine);
      return one;
    }
    return undefined;
  }

  function pump(): void {
    while (onWire.size < width) {
      const one = next();
      if (!one) return;
      onWire.add(one);
      const { email } = one.question;
      asked.set(email, (asked.get(email) ?? 0) + 1);
      if (email.startsWith('slow') || email.startsWith('mute')) slow.push(one);
      else {
        landing.add(one);
        setTimeout(land, replyMs, one);
      }
    }
  }

  function land(one: AskedAddress): void {
    onWire.delete(one);
    landing.delete(one);
    one.answer(outcomeOf(one.question));
    pump();
  }

  function waiting(lot?: number): WaitingGroup[] {
    const inLine = queues.flatMap((mine) => [...mine]);
    const groups = [
      ...inLine.map((one) => groupOf(one, { why: 'queued', host: null })),
      ...[...landing].map((one) => groupOf(one, { why: 'checking', host: null })),
      ...slow.map((one) =>
        groupOf(one, options.slowFor?.(one.question.email) ?? { why: 'checking', host: null }),
      ),
    ];
    const merged = new Map<string, WaitingGroup>();
    for (const group of groups) {
      if (lot !== undefined && group.lot !== lot) continue;
      const key = `${group.lot} ${group.why} ${group.host}`;
      const before = merged.get(key);
      merged.set(key, before ? { ...before, addresses: before.addresses + 1 } : group);
    }
    return [...merged.values()];
  }

  function groupOf({ lot, question }: AskedAddress, at: Pick<WaitingGroup, 'why' | 'host'>): WaitingGroup {
    const attempt = (question.resume?.attempt ?? 0) + 1;
    return { lot, ...at, provider: '', addresses: 1, attempt, nextAttemptAtMs: null };
  }

  function outcomeOf({ email, resume }: Question): Outcome {
    if (!self.reachable)
      return {
        kind: 'later',
        notBeforeMs: Date.now() + 30_000,
        why: 'nothing is reachable',
        resume: resume ?? { attempt: 0, source, mailFrom: '', firstAskedAtMs: Date.now(), meaning: null },
      };
    if (resume) resumed.set(email, resume.source);
    if (email.startsWith('wait') && !resume?.meaning)
      return {
        kind: 'later',
        notBeforeMs: Date.now() + laterMs,
        resume: { attempt: 1, source, mailFrom: '', firstAskedAtMs: Date.now(), meaning: 'greylisted' },
        why: '450 greylisted',
      };
    if (email.startsWith('mute') && !resume)
      return {
        kind: 'later',
        notBeforeMs: Date.now() + laterMs,
        why: 'connection: no reply in time at banner',
        resume: {
          attempt: 1,
          source,
          mailFrom: '',
          firstAskedAtMs: Date.now(),
          meaning: null,
          mute: true,
        },
      };
    const finding: Finding = {
      ...verdictOf(email),
      email,
      evidence: {
        dns: 'mx 10 mx.example.com',
        host: 'mx.example.com',
        ip: '192.0.2.1',
        source,
        tls: false,
        meaning: 'accepted',
        session: SESSION,
        dialogue: options.namesRecipients
          ? [
              { atMs: 2, from: 'us', text: `RCPT TO:<${email}>` },
              { atMs: 3, from: 'server', text: `250 2.1.5 <${email.toUpperCase()}> ok` },
            ]
          : [],
        rule: 'fake',
        suggestion: null,
        attempts: 1,
      },
    };
    return { kind: 'final', finding };
  }

  function ask(questions: readonly Question[], how: AskOptions): Promise<void> {
    const defect = questions.find(({ email }) => options.defectiveFor?.(email));
    if (defect) return Promise.reject(new Error('a defect in the checker'));
    return new Promise((resolve) => {
      let open = questions.length;
      if (open === 0) return resolve();
      const mine = questions.map((question, index): AskedAddress => {
        return {
          lot: how.lot ?? 0,
          question,
          answer(outcome) {
            how.onOutcome(index, outcome);
            if (--open === 0) resolve();
          },
        };
      });
      const queue = new Set(mine);
      const handBack = () => {
        const back = [...queue];
        queue.clear();
        for (const one of back) one.answer({ kind: 'unasked' });
      };
      if (how.priority === 'single') queues.unshift(queue);
      else queues.push(queue);
      if (closed || how.signal?.aborted) return handBack();
      how.signal?.addEventListener('abort', handBack);
      pump();
    });
  }

  const self: FakeChecker = {
    reachable: true,
    said: { obstacles: [], reachedAtMs: null },
    health: () => self.said,
    dnsTrusted: true,
    liveNodes: 1,
    hasSeveralPayers: false,
    asked,
    get queued() {
      return queues.reduce((sum, queue) => sum + queue.size, 0);
    },
    resumed,
    ask,
    waiting,
    makeWay: () => () => {},
    isMakingWay: false,
    learnAsked() {},
    lookUpDomain: async (domain) => ({ ...REPORT, domain }),
    learnRests() {},
    release() {
      for (const one of slow.splice(0)) land(one);
    },
    check: () => Promise.reject(new Error('not here')),
    // biome-ignore lint/correctness/useYield: the service does not use it
    async *checkAll() {
      throw new Error('not here');
    },
    async close() {
      closed = true;
      const back = queues.flatMap((mine) => [...mine]);
      queues = [];
      for (const one of back) one.answer({ kind: 'unasked' });
    },
  };
  return self;
}
