// English. Everything a person reads in the console is here or, of a page that loads later, in the files beside it; numbers come
// formatted.
import { ACTIONS } from '@mxproof/common/vocabulary/labels';
import { RESULT_WORDS } from '@mxproof/files/result-words';
import { formatCount, formatDuration } from '../design/format.ts';

const plural = new Intl.PluralRules('en');
export const some = (count: number, one: string, other: string) =>
  `${formatCount(count)} ${plural.select(count) === 'one' ? one : other}`;

export const en = {
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected: press Ctrl+C or ⌘C to copy.',
  status: {
    paused: {
      port_25: 'Checking is paused: this service cannot reach mail servers (port 25).',
      dns: 'Checking is paused: this service cannot look up domains (DNS).',
      database: 'Checking is paused: the database of this service does not answer.',
      no_node: 'Checking is paused: no process of this service checks addresses.',
    },
    /** While the rest is checked. */
    partly: {
      port_25: 'Part of this service cannot reach mail servers (port 25); the rest goes on checking.',
      dns: 'Part of this service cannot look up domains (DNS); the rest goes on checking.',
      database: 'Part of this service has no database; the rest goes on checking.',
      source_blocked: 'A mail provider has blocked this service: addresses there wait or end as unknown.',
    },
    unavailable: 'This service is not available at the moment: its database may not answer.',
    goesOn: 'Lists keep their place and continue by themselves. A check that gets no answer is refunded.',
    goesOnUnknown: 'Addresses that get no answer meanwhile end as unknown and are refunded.',
    since: (moment: string) => `Since ${moment}.`,
    forOperator: 'For the operator:',
    startNode: 'Start “mxproof work”, or “mxproof serve” without --no-checks.',
  },
  nav: {
    home: 'MXProof, home',
    pages: 'Pages',
    skip: 'Skip to content',
    check: 'Check',
    lists: 'Lists',
    newList: 'New list',
    bounces: 'Bounces',
    outcomes: 'Outcomes',
    account: 'Account',
    credits: (count: number) => (plural.select(count) === 'one' ? 'credit' : 'credits'),
    low: 'low',
    testMode: 'Test mode',
    testModeMeaning: 'Test mode: no mail server is contacted and nothing is charged',
    signOut: 'Sign out',
    signedInAs: 'Signed in as',
    guide: 'Guide',
    reference: 'API reference',
  },
  simulated: {
    test: 'Test mode: this is not a real result. The part before the @ decides it, and no mail server was asked.',
    demo: 'Demo: this is not a real result. It comes from simulated mail servers on this computer.',
  },
  theme: {
    title: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
  },
  states: RESULT_WORDS.states,
  /** What to do, where only the state is known. */
  todo: {
    deliverable: ACTIONS.send.title,
    risky: `${ACTIONS.separate.title}, ${ACTIONS.skip.title}`,
    undeliverable: ACTIONS.remove.title,
    unknown: ACTIONS.retry.title,
  },
  notChecked: 'Not checked',
  reasons: RESULT_WORDS.reasons,
  details: RESULT_WORDS.details,
  flags: {
    accept_all: 'Accepts everyone',
    role: 'Role address',
    free: 'Free provider',
    disposable: 'Disposable domain',
  },
  problems: {
    title: 'Something went wrong',
    noPage: 'Page not found',
    noPageWhy: 'There is no page at this address. It may be mistyped.',
    noList: 'List not found',
    noListWhy:
      'It may have been deleted, or it belongs to another account. Test lists are deleted after 7 days.',
    toLists: 'All lists',
    toNewList: 'Check a list',
    toCheck: 'Check one address',
    insufficientCredits: (needed: number) =>
      `This needs ${some(needed, 'credit', 'credits')}, more than you have. Nothing was charged. Ask your operator for more.`,
    rateLimited: (seconds: number | null) =>
      seconds === null
        ? 'Too many requests. Try again shortly.'
        : `Too many requests. Try again in ${formatDuration(seconds)}.`,
    signedOut: 'You are signed out. Sign in again; nothing you typed is lost.',
    suspended: 'This account is suspended: it can read and delete, but start nothing new. Ask your operator.',
    forbidden: 'This key is not allowed to do that. Sign in with a key that can manage keys.',
    role: 'Your role in this account does not allow that. Ask an owner of the account.',
    listNotFound: 'List not found. It may have been deleted.',
    listFailed: 'The check failed and was refunded. Try again.',
    refused: (sentence: string) => `The service says: ${sentence}.`,
    unavailable: 'The service is not available at the moment. Try again in a minute.',
    noConnection: 'No connection to the service. Check your network and try again.',
    unexpected: 'Something unexpected happened. Reload the console and try again.',
  },
  charge: {
    // The price stays in one line.
    priced: (label: string, credits: number) =>
      `${label} (${some(credits, 'credit', 'credits').replace(' ', '\u00a0')})`,
    pricedUpTo: (label: string, credits: number) =>
      `${label} (up to\u00a0${some(credits, 'credit', 'credits').replace(' ', '\u00a0')})`,
    short: (needed: number, balance: number, otherWay = '') =>
      `You have ${some(balance, 'credit', 'credits')} and need ${formatCount(needed)}: ${otherWay}ask your operator for more.`,
  },
  signIn: {
    title: 'Sign in',
    forOperators: 'For operators',
  },
  roles: { owner: 'Owner', member: 'Member', viewer: 'Viewer' },
  check: {
    title: 'Check an address',
    address: 'Address',
    placeholder: 'name@example.com',
    submit: 'Check',
    busy: 'Checking…',
    needed: 'Enter an address.',
    several:
      'There is more than one address here. Leave one, or make a list of them: New list takes pasted addresses.',
    invalid: (text: string) =>
      `“${text}” cannot be an e-mail address that receives mail, so it was not checked and nothing was charged.`,
    checkInvalid: 'Check it anyway',
    price: 'A check costs 1 credit, which is refunded if there is no clear answer.',
    question: (address: string) => `Check ${address}?`,
    slow: 'The mail server is taking its time. The result will appear here.',
    slowNote: 'You can also leave: the check continues, and this link will show its result.',
    score: 'Score',
    scoreOf: (score: string) => `${score} of 100`,
    scoreMeaning: 'how confident we are that mail arrives and is wanted',
    provider: 'Provider',
    mx: 'Mail server',
    noMx: 'None',
    reason: 'Reason',
    didYouMean: (address: string) => `Did you mean ${address}?`,
    checkThat: 'Check that instead',
    why: 'Why',
    empty: 'MXProof asks the address’s mail server whether the mailbox exists. It never sends a message.',
    refunded: 'There was no clear answer, so this check was not charged.',
    result: (address: string, state: string) => `${address}: ${state}`,
    recent: 'Recent checks',
    stopped: 'Stopped',
    erased: 'erased',
  },
  lists: {
    nothingYet: 'Nothing yet',
    unnamed: (id: number) => `List ${id}`,
    addresses: (count: number) => some(count, 'address', 'addresses'),
    renameShort: 'Rename',
    rename: (name: string) => `Rename ${name}`,
    newName: (name: string) => `New name of ${name}`,
    save: 'Save',
  },
  evidence: {
    loading: 'Loading the evidence…',
    none: 'The evidence of this check has expired.',
    checkedAt: 'Checked',
    technical: 'Technical',
    apiWords: 'API words',
    rule: 'Decided by',
    dns: 'DNS',
    host: 'Server',
    encrypted: 'encrypted',
    attempts: (count: number) => some(count, 'attempt', 'attempts'),
    dialogue: 'SMTP dialogue',
    client: 'MXProof',
    server: 'Mail server',
    note: 'Note',
    ms: (ms: number) => `${formatCount(ms)}\u00a0ms`,
    notAsked: 'No mail server was contacted.',
  },
};
