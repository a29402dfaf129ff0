// The answers used when no server could be asked, and the rule a finding rests on.

import { isHostNeverAsked, isNeverAsked, type Policy } from '../policy/policy.ts';
import type { Answer } from '../state/answer.ts';
import { NO_SHARED_LINES } from '../state/transcript.ts';
import type { Meaning } from '../types.ts';
import { saysItExists } from '../verdict/verdict.ts';
import type { DomainState } from './domain-cache.ts';
import { type FindingBasis, UNASKED } from './finding.ts';
import type { Tally } from './guess-detector.ts';
import { UNREACHED_WAIT_MS } from './network-health.ts';

/** Decided without a mail host: by policy, DNS or the disposable lists. Null: one has to be asked, or DNS gave no answer. */
export function knownUnasked(
  { name, facts, disposable, disposableRule }: DomainState,
  policy: Policy,
): FindingBasis | null {
  const isNever =
    isNeverAsked(policy, name) || facts.targets.some(({ host }) => isHostNeverAsked(policy, host));
  if (!isNever && facts.kind === 'cannot_receive')
    return { ...UNASKED, dns: 'cannot_receive', cause: facts.detail, rule: `dns: ${facts.words}` };
  if (disposable) return { ...UNASKED, rule: disposableRule };
  return isNever ? { ...UNASKED, cause: 'never_asked', rule: 'policy: never asked' } : null;
}

/** The account guesses addresses of this domain: the rest of them is not asked about. */
export function guessed({ unknown, asked }: Tally): FindingBasis {
  const rule = `policy: ${unknown} of ${asked} recipients of this domain that were asked about do not exist; asked no further`;
  return { ...UNASKED, connected: true, cause: 'never_asked', rule };
}

/** The domain's provider has said of another of its addresses that it runs no mail service for it. */
export function lapsed({ knowledge }: DomainState, nowMs: number): FindingBasis | null {
  const rule = knowledge.lapsedRule(nowMs);
  if (rule === null) return null;
  return { ...UNASKED, mailbox: 'tenant_lapsed', connected: true, cause: 'tenant_lapsed', rule };
}

interface RuleContext {
  readonly refusesAll: boolean;
  readonly busyForAll: boolean;
  readonly hostAcceptsAll: boolean;
  /** What the verdict rests on: an earlier attempt's answer where this one said nothing. */
  readonly mailbox: Meaning | null;
}

/** For people only: nothing decides on these texts, and tests import them so that they can be reworded. */
export const CATCH_ALL_RULES = {
  refusesAll: 'catch-all: every recipient of this domain is refused in the same way',
  busyForAll: 'catch-all: the catch-all probe was deferred in the same way',
  hostAcceptsAll: 'catch-all: this host accepts every recipient of every domain',
  accepted: 'catch-all: the catch-all probe was accepted as well',
  notKnown: 'catch-all: no answer about the catch-all probe',
} as const;

/** The rule for the evidence: the reply's, unless what is known of the domain or its host overrides it. */
export function ruleOf(
  answer: Answer,
  domain: DomainState | null,
  known: RuleContext,
  nowMs: number,
): string {
  if (known.refusesAll) return `${CATCH_ALL_RULES.refusesAll} (${answer.rule})`;
  if (known.busyForAll) return `${CATCH_ALL_RULES.busyForAll} (${answer.rule})`;
  if (known.mailbox !== answer.meaning) return `${known.mailbox} in an earlier attempt, then ${answer.rule}`;
  if (!saysItExists(answer.meaning) || domain === null) return answer.rule;
  const { knowledge } = domain;
  if (knowledge.known(nowMs) && knowledge.catchAll.answer === 'no') return answer.rule;
  if (known.hostAcceptsAll) return CATCH_ALL_RULES.hostAcceptsAll;
  return knowledge.known(nowMs) ? CATCH_ALL_RULES.accepted : CATCH_ALL_RULES.notKnown;
}

const NO_SERVER_ASKED: Omit<Answer, 'kind' | 'detail'> = {
  meaning: null,
  clarity: 'plain',
  temporary: true,
  rule: '',
  retryAfterMs: null,
  connected: false,
  unresponsive: 'no',
  counts: true,
  reply: null,
  host: null,
  ip: null,
  source: null,
  sender: '',
  tls: false,
  session: NO_SHARED_LINES,
  dialogue: [],
};
export const NO_DNS: Answer = {
  ...NO_SERVER_ASKED,
  kind: 'no_dns',
  detail: 'dns_failed',
  rule: 'dns: no usable answer',
};
/** Sentinels have shown that it is not the domain's: it uses up no attempt. */
export const DNS_OUTAGE: Answer = { ...NO_DNS, counts: false, retryAfterMs: UNREACHED_WAIT_MS };
export const NO_CONNECTION: Answer = {
  ...NO_SERVER_ASKED,
  kind: 'no_connection',
  detail: 'network_down',
  rule: 'connection: no mail host is reachable at the moment',
};
