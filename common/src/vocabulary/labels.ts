// What people read of a verdict: labels of states, reasons and detail words, what to do with an address, and what addresses wait for.
// The console shows them on its first page, so that nothing else of a word stands here: the rest of its row is in verdicts.ts and
// details.ts, which do not compile while a word of these tables is missing there.

interface StateRow {
  /** In tables that people read. */
  readonly label: string;
}

export const STATES = {
  deliverable: { label: 'Deliverable' },
  risky: { label: 'Risky' },
  undeliverable: { label: 'Undeliverable' },
  unknown: { label: 'Unknown' },
} as const satisfies Record<string, StateRow>;

export const PENDING_LABEL = 'Checking';

export type State = keyof typeof STATES;
export const STATE_WORDS = Object.keys(STATES) as readonly State[];

interface ActionRow {
  readonly title: string;
  /** Of the addresses, in sentences. */
  readonly meaning: string;
  /** The state whose mark stands for it. */
  readonly mark: State;
}

/** What a list owner does with an address. The cards of the console and the groups of a cleaned file; the best first. */
export const ACTIONS = {
  send: { title: 'Send', meaning: 'Their mail servers accept them. Safe to send.', mark: 'deliverable' },
  separate: {
    title: 'Send carefully',
    meaning: 'Mail may arrive. Send to a few at a time, and watch the bounces.',
    mark: 'risky',
  },
  skip: {
    title: 'Leave out',
    meaning: 'Role addresses and disposable domains, rarely a real person.',
    mark: 'risky',
  },
  remove: {
    title: 'Remove',
    meaning: 'They do not exist or accept no mail. They would bounce.',
    mark: 'undeliverable',
  },
  retry: {
    title: 'No answer yet',
    meaning: 'Not charged. Check them again later.',
    mark: 'unknown',
  },
} as const satisfies Record<string, ActionRow>;

export type Action = keyof typeof ACTIONS;
export const ACTION_WORDS = Object.keys(ACTIONS) as readonly Action[];

interface ReasonLabel {
  readonly label: string;
  readonly action: Action;
}

export const REASON_LABELS = {
  accepted_email: { label: 'Accepted', action: 'send' },
  low_deliverability: { label: 'Accepts everyone or mailbox full', action: 'separate' },
  low_quality: { label: 'Role address', action: 'skip' },
  disposable: { label: 'Disposable domain', action: 'skip' },
  rejected_email: { label: 'No such mailbox', action: 'remove' },
  invalid_domain: { label: 'Domain accepts no mail', action: 'remove' },
  invalid_email: { label: 'Not an e-mail address', action: 'remove' },
  unavailable_smtp: { label: 'No clear answer', action: 'retry' },
  no_connect: { label: 'Server not reached', action: 'retry' },
  dns_error: { label: 'DNS failed', action: 'retry' },
} as const satisfies Record<string, ReasonLabel>;

export type Reason = keyof typeof REASON_LABELS;

/** Null: not checked, or for a reason that a later service gives. */
export function actionFor({ reason }: { readonly reason: string }): Action | null {
  return REASON_LABELS[reason as Reason]?.action ?? null;
}

/** A host "which …" and servers "that …"; or what is said of the addresses themselves. */
export type WaitingPhrase = readonly [which: string, that: string] | string;

interface DetailLabel {
  readonly label: string;
  /** Of addresses that wait because of it. Unset: their answer is being confirmed. */
  readonly waiting?: WaitingPhrase;
}

export const DETAIL_LABELS = {
  accepted: { label: 'Accepted' },
  role: { label: 'Role address' },
  disposable: { label: 'Disposable domain' },
  catch_all: { label: 'Accepts everyone' },
  catch_all_unknown: { label: 'May accept everyone' },
  decides_after_data: { label: 'Cannot be checked in advance' },
  tenant_accepts_all: { label: 'Microsoft 365 accepts everyone' },
  gateway_accepts_all: { label: 'Gateway accepts everyone' },
  mailbox_full: { label: 'Mailbox full', waiting: 'whose mailbox is full' },
  no_such_mailbox: { label: 'No such mailbox' },
  mailbox_disabled: { label: 'Mailbox closed' },
  mailbox_moved: { label: 'Mailbox moved' },
  syntax: { label: 'Not an e-mail address' },
  no_such_domain: { label: 'No such domain' },
  no_mx: { label: 'Domain without a mail server' },
  null_mx: { label: 'Domain accepts no mail' },
  private_address: { label: 'Mail server without a public address' },
  tenant_lapsed: { label: 'Domain without an active mail service' },
  greylisted: {
    label: 'Server defers first-time senders',
    waiting: ['asks first-time senders to try again later', 'ask first-time senders to try again later'],
  },
  rate_limited: {
    label: 'Server is asked at a slower pace',
    waiting: ['is asked at a slower pace', 'are asked at a slower pace'],
  },
  blocked: {
    label: 'Server blocks our IP address',
    waiting: ['refuses this service for now', 'refuse this service for now'],
  },
  source_resting: {
    label: 'Paused here after a block',
    waiting: [
      'blocked this service and is not contacted for a while',
      'blocked this service and are not contacted for a while',
    ],
  },
  budget: {
    label: 'Limit for this provider used up',
    waiting: ['has reached its limit for now', 'have reached their limit for now'],
  },
  sender_refused: {
    label: 'Server refuses our sender address',
    waiting: ['refuses the sender', 'refuse the sender'],
  },
  temporary: {
    label: 'Temporary problem at the server',
    waiting: ['has a temporary problem', 'have a temporary problem'],
  },
  unclear: { label: 'No clear answer', waiting: ['gave no clear answer', 'gave no clear answer'] },
  timeout: { label: 'Server did not answer in time', waiting: ['does not answer', 'do not answer'] },
  connection_refused: {
    label: 'Server refuses connections',
    waiting: ['refuses connections', 'refuse connections'],
  },
  connection_lost: { label: 'Connection dropped', waiting: ['drops connections', 'drop connections'] },
  tls_failed: {
    label: 'Encryption failed',
    waiting: ['cannot set up encryption', 'cannot set up encryption'],
  },
  proxy_refused: {
    label: 'Our proxy did not connect',
    waiting: 'waiting until the proxy of this service connects again',
  },
  proxy_no_route: {
    label: 'Our proxy has no route to the server',
    waiting: ['our proxy has no route to', 'our proxy has no route to'],
  },
  dns_failed: { label: 'DNS gave no answer', waiting: 'whose domain cannot be looked up for now' },
  dns_untrusted: { label: 'DNS answer not trusted', waiting: 'waiting until DNS can be trusted again' },
  network_down: {
    label: 'Our network was down',
    waiting: 'waiting until the network of this service recovers',
  },
  never_asked: { label: 'Excluded by policy' },
  list_ended: { label: 'List ended first' },
} as const satisfies Record<string, DetailLabel>;

export type Detail = keyof typeof DETAIL_LABELS;
export const DETAIL_WORDS = Object.keys(DETAIL_LABELS) as readonly Detail[];

/** `queued` and `paused` are no details, since they never end a check. */
export type Waiting = 'queued' | 'paused' | Detail;

export function waitingPhrase(why: Waiting): WaitingPhrase {
  if (why === 'queued') return 'still queued';
  if (why === 'paused') return 'paused';
  const row: DetailLabel | undefined = DETAIL_LABELS[why];
  return row?.waiting ?? 'whose answer is being confirmed';
}
