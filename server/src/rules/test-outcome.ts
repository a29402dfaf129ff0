// The checks of test mode: what the engine would find, decided by the address's local part, or by what follows its last
// `+`, whatever the domain. Promise: syntax first, then the table; the engine's own rules turn each row into its
// verdict; no DNS or mail server is asked, and the evidence says that this was a test.
import {
  type DialogueLine,
  type Evidence,
  type Facts,
  type Outcome,
  parseAddress,
  type Question,
  type Verdict,
  verdict,
} from '@mxproof/engine';

export const MAX_TEST_ADDRESSES = 10_000;
/** How long a `slow` address takes, and how long POST /verify waits for it at most. */
export const SLOW_MS = 3_000;
export const SLOW_WAIT_SECONDS = 1;
export const TEST_RETRY_AFTER_MS = 1_000;

/** Reserved by RFC 6761. */
const TEST_MX = 'mx.mxproof.test';
const SLOW = 'slow';
const FAILING_NAME = 'fail';
/** How long a list named `slow-answer` keeps its client waiting. */
export const SLOW_ANSWER_MS = 10_000;
const SLOW_ANSWER_NAME = 'slow-answer';

type TestFacts = Partial<Omit<Facts, 'address'>> & { readonly address?: null };

const NO_MX_HOST = { mx: null, provider: '' } as const;

/** What differs from an ordinary address that is accepted. */
const FACTS: Readonly<Record<string, TestFacts>> = {
  'low-deliverability': { mailbox: 'over_quota' },
  'catch-all': { catchAll: 'yes' },
  'low-quality': { role: true },
  disposable: { disposable: true },
  'rejected-email': { mailbox: 'no_mailbox' },
  'invalid-domain': { dns: 'cannot_receive', ...NO_MX_HOST },
  'invalid-email': { address: null, dns: 'not_asked', ...NO_MX_HOST },
  'unavailable-smtp': { mailbox: 'temporary' },
  'no-connect': { connected: false },
  'dns-error': { dns: 'error', ...NO_MX_HOST },
};

const REFUSALS = { 'insufficient-credits': 'insufficient_credits', 'rate-limited': 'rate_limited' } as const;
export type TestRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** What each word gets that decides anything, for those who are told (docs/llms-text.ts). */
export function testVerdicts(): readonly (Pick<Verdict, 'state' | 'reason' | 'detail'> & {
  readonly word: string;
})[] {
  const { address } = parseAddress('ann@example.com') as { address: Facts['address'] };
  return Object.entries(FACTS).map(([word, facts]) => ({
    word,
    ...verdict({ ...ACCEPTED, address, ...facts }),
  }));
}

/** What POST /verify refuses a valid address for. */
export function testRefusal(email: string): TestRefusal | null {
  const word = wordOf(email);
  return word !== null && Object.hasOwn(REFUSALS, word) ? REFUSALS[word as keyof typeof REFUSALS] : null;
}

export function isSlow(email: string): boolean {
  return wordOf(email) === SLOW;
}

const LIST_REFUSALS = {
  ...REFUSALS,
  unavailable: 'unavailable',
  // The one conflict that creating a list knows.
  conflict: 'group_full',
} as const;
export type TestListRefusal = (typeof LIST_REFUSALS)[keyof typeof LIST_REFUSALS];

export const TEST_REFUSALS = { addresses: REFUSALS, lists: LIST_REFUSALS } as const;

/** What POST /lists refuses a valid test list of this name for. */
export function testListRefusal(name: string): TestListRefusal | null {
  return Object.hasOwn(LIST_REFUSALS, name) ? LIST_REFUSALS[name as keyof typeof LIST_REFUSALS] : null;
}

/** A test list of this name is created, and the answer that says so comes late. */
export function isAnsweredLate(name: string): boolean {
  return name === SLOW_ANSWER_NAME;
}

/** A test list of this name ends `failed`. */
export function isFailing(name: string): boolean {
  return name === FAILING_NAME;
}

export function testOutcome({ email, resume }: Question, nowMs: number): Outcome {
  const parsed = parseAddress(email);
  if (!parsed.ok)
    return final(email, { ...ACCEPTED, ...FACTS['invalid-email'], address: null }, `syntax: ${parsed.why}`);
  const word = wordOf(email)!;
  if (word === SLOW && !resume)
    return {
      kind: 'later',
      notBeforeMs: nowMs + SLOW_MS,
      resume: {
        ...{ attempt: 1, source: null, mailFrom: '', firstAskedAtMs: nowMs, meaning: null },
        ...{ mx: TEST_MX, provider: 'other', detail: 'greylisted' },
      },
      why: 'test: slow',
    };
  const isListed = Object.hasOwn(FACTS, word);
  const facts: Facts = {
    ...ACCEPTED,
    address: parsed.address,
    ...(isListed ? FACTS[word] : {}),
  };
  return final(email, facts, isListed || word === SLOW ? `test: ${word}` : 'test: accepted-email');
}

const ACCEPTED: Omit<Facts, 'address'> = {
  role: false,
  free: false,
  disposable: false,
  dns: 'ok',
  mx: TEST_MX,
  provider: 'other',
  mailbox: 'accepted',
  connected: true,
  catchAll: 'no',
  refusesAll: false,
  cause: null,
};

const NO_LINES: readonly DialogueLine[] = [];
const TEST_LINES: readonly DialogueLine[] = [
  { atMs: 0, from: 'note', text: 'This is a test: no DNS server and no mail server was asked.' },
];

function final(email: string, facts: Facts, rule: string): Outcome {
  const evidence: Evidence = {
    dns: null,
    host: null,
    ip: null,
    source: null,
    tls: false,
    meaning: null,
    session: NO_LINES,
    dialogue: TEST_LINES,
    rule,
    suggestion: null,
    attempts: 0,
  };
  return { kind: 'final', finding: { email, ...verdict(facts), evidence } };
}

/** Null: not an address. */
function wordOf(email: string): string | null {
  const parsed = parseAddress(email);
  if (!parsed.ok) return null;
  const { local } = parsed.address;
  return local.slice(local.lastIndexOf('+') + 1);
}
