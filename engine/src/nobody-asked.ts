// Words and answers for when nobody could be asked, and which rule a finding rests on.
import type { DomainState } from './domain-book.ts';
import type { Answer } from './smtp/task.ts';

/** The rule for the evidence: the reply's, unless what is known of the domain weighs more. */
export function ruleOf(
  answer: Answer,
  domain: DomainState | null,
  refusesAll: boolean,
  nowMs: number,
): string {
  if (refusesAll) return `catch-all: every recipient of this domain is refused alike (${answer.rule})`;
  if (answer.meaning !== 'accepted' || domain === null) return answer.rule;
  if (!domain.knowledge.known(nowMs)) return 'catch-all: the impossible recipient got no answer';
  return domain.knowledge.catchAll === 'yes'
    ? 'catch-all: an impossible recipient was accepted too'
    : answer.rule;
}

const NOBODY: Answer = {
  meaning: null,
  temporary: true,
  rule: '',
  retryAfterMs: null,
  connected: false,
  counts: true,
  reply: null,
  host: null,
  ip: null,
  source: null,
  sender: '',
  tls: false,
  session: [],
  dialogue: [],
};
export const NO_DNS: Answer = { ...NOBODY, rule: 'dns: no usable answer' };
export const NO_CONNECTION: Answer = { ...NOBODY, rule: 'connection: nothing is reachable at the moment' };
