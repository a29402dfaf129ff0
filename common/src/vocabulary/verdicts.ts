// The words of a verdict: states, reasons, and what people do about them. One row is everything that is said of a word; the API,
// the console, exports, the command line, the OpenAPI document and the guide's tables read it here.

export const STATES = {
  deliverable: { label: 'Deliverable' },
  risky: { label: 'Risky' },
  undeliverable: { label: 'Undeliverable' },
  unknown: { label: 'Unknown' },
} as const satisfies Record<string, StateRow>;

export const PENDING = { label: 'Checking' } as const satisfies StateRow;

interface StateRow {
  /** In tables that people read. */
  readonly label: string;
}

export type State = keyof typeof STATES;
export const STATE_WORDS = Object.keys(STATES) as readonly State[];

/** What a list owner does with an address. The cards of the console and the groups of a cleaned file. */
export const ACTIONS = {
  send: { title: 'Send', meaning: 'Their mail servers accept them. Safe to send.', mark: 'deliverable' },
  separate: {
    title: 'Separate',
    meaning: 'Mail may arrive. Send separately, a few at a time.',
    mark: 'risky',
  },
  skip: {
    title: 'Skip',
    meaning: 'Role addresses and disposable domains, rarely a real person. Leave them out.',
    mark: 'risky',
  },
  remove: {
    title: 'Remove',
    meaning: 'They do not exist or accept no mail. They would bounce.',
    mark: 'undeliverable',
  },
  retry: {
    title: 'Retry',
    meaning: 'No clear answer yet, and not charged. Check them again later.',
    mark: 'unknown',
  },
} as const satisfies Record<string, ActionRow>;

interface ActionRow {
  readonly title: string;
  /** Of the addresses, in sentences. */
  readonly meaning: string;
  /** The state whose mark stands for it. */
  readonly mark: State;
}

export type Action = keyof typeof ACTIONS;
/** The best first. */
export const ACTION_WORDS = Object.keys(ACTIONS) as readonly Action[];

interface ReasonRow {
  /** How chunks store it: rows keep their number for good, and a new row takes the next. */
  readonly stored: number;
  readonly state: State;
  readonly action: Action;
  readonly label: string;
  /** For the guide, in Markdown. */
  readonly meaning: string;
  readonly toDo: string;
}

export const REASONS = {
  accepted_email: {
    stored: 0,
    state: 'deliverable',
    action: 'send',
    label: 'Accepted',
    meaning: 'the server accepts mail for this mailbox, and refuses the [catch-all probe](#catch-all-probe)',
    toDo: 'send',
  },
  low_deliverability: {
    stored: 1,
    state: 'risky',
    action: 'separate',
    label: 'Accepts everyone or mailbox full',
    meaning: 'a catch-all domain, or it is not known whether it is one; or the mailbox is full',
    toDo: 'send separately, a few first; [details](#details) say more',
  },
  low_quality: {
    stored: 2,
    state: 'risky',
    action: 'skip',
    label: 'Role address',
    meaning: 'a role address: `info@`, `sales@`, `postmaster@`',
    toDo: 'skip',
  },
  disposable: {
    stored: 3,
    state: 'risky',
    action: 'skip',
    label: 'Disposable domain',
    meaning: 'a disposable domain',
    toDo: 'skip',
  },
  rejected_email: {
    stored: 4,
    state: 'undeliverable',
    action: 'remove',
    label: 'No such mailbox',
    meaning: 'the server says that the mailbox does not exist, or is closed for good',
    toDo: 'remove',
  },
  invalid_domain: {
    stored: 5,
    state: 'undeliverable',
    action: 'remove',
    label: 'Domain accepts no mail',
    meaning: 'the domain cannot receive mail',
    toDo: 'remove',
  },
  invalid_email: {
    stored: 6,
    state: 'undeliverable',
    action: 'remove',
    label: 'Invalid address',
    meaning: 'not an address that a mail server would accept',
    toDo: 'remove',
  },
  unavailable_smtp: {
    stored: 7,
    state: 'unknown',
    action: 'retry',
    label: 'No clear answer',
    meaning: 'the server answered, but said nothing about the mailbox',
    toDo: 'try later; refunded',
  },
  no_connect: {
    stored: 8,
    state: 'unknown',
    action: 'retry',
    label: 'Server not reached',
    meaning: 'no mail server could be reached',
    toDo: 'try later; refunded',
  },
  dns_error: {
    stored: 9,
    state: 'unknown',
    action: 'retry',
    label: 'DNS failed',
    meaning: 'DNS gave no usable answer',
    toDo: 'try later; refunded',
  },
} as const satisfies Record<string, ReasonRow>;

export type Reason = keyof typeof REASONS;
/** In the order of their stored numbers. */
export const REASON_WORDS = Object.keys(REASONS) as readonly Reason[];
