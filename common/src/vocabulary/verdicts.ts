// The reasons of a verdict, beside their labels (labels.ts): how they are stored, which state they stand for, and what the guide says.

import { REASON_LABELS, type Reason, type State } from './labels.ts';

interface ReasonRow {
  /** How chunks store it: rows keep their number for good, and a new row takes the next. */
  readonly stored: number;
  readonly state: State;
  /** For the guide, in Markdown. */
  readonly meaning: string;
  readonly toDo: string;
  /** One sentence for people who know nothing of SMTP; `{attempts}` is how often the server was asked. */
  readonly explanation: string;
}

export const REASONS: Readonly<Record<Reason, ReasonRow>> = {
  accepted_email: {
    stored: 0,
    state: 'deliverable',
    meaning: 'the server accepts mail for this mailbox, and refuses the [catch-all probe](#catch-all-probe)',
    toDo: 'send',
    explanation:
      'The mail server accepts mail for this address, and refuses it for addresses that do not exist.',
  },
  low_deliverability: {
    stored: 1,
    state: 'risky',
    meaning: 'a catch-all domain, or it is not known whether it is one; or the mailbox is full',
    toDo: 'send carefully, a few first; [details](#details) say more',
    explanation:
      'The mail server accepts this address, but may accept every other one too, so it may not exist.',
  },
  low_quality: {
    stored: 2,
    state: 'risky',
    meaning: 'a role address: `info@`, `sales@`, `postmaster@`',
    toDo: 'leave out',
    explanation: 'The mail server accepts mail for this address, but it belongs to a role, not to a person.',
  },
  disposable: {
    stored: 3,
    state: 'risky',
    meaning: 'a disposable domain',
    toDo: 'leave out',
    explanation: 'The domain of this address provides disposable mailboxes.',
  },
  rejected_email: {
    stored: 4,
    state: 'undeliverable',
    meaning: 'the server says that the mailbox does not exist, or is closed for good',
    toDo: 'remove',
    explanation: 'The mail server says that this mailbox does not exist.',
  },
  invalid_domain: {
    stored: 5,
    state: 'undeliverable',
    meaning: 'the domain cannot receive mail',
    toDo: 'remove',
    explanation: 'The domain of this address cannot receive mail.',
  },
  invalid_email: {
    stored: 6,
    state: 'undeliverable',
    meaning: 'not an address that a mail server would accept',
    toDo: 'remove',
    explanation: 'This is not a valid e-mail address.',
  },
  unavailable_smtp: {
    stored: 7,
    state: 'unknown',
    meaning: 'the server answered, but said nothing about the mailbox',
    toDo: 'try later; refunded',
    explanation: 'The mail server gave no answer about this address in {attempts}.',
  },
  no_connect: {
    stored: 8,
    state: 'unknown',
    meaning: 'no mail server could be reached',
    toDo: 'try later; refunded',
    explanation: 'No mail server of this domain could be reached.',
  },
  dns_error: {
    stored: 9,
    state: 'unknown',
    meaning: 'DNS gave no usable answer',
    toDo: 'try later; refunded',
    explanation: 'DNS gave no usable answer about the domain of this address.',
  },
};

/** In the order of their stored numbers. */
export const REASON_WORDS = Object.keys(REASON_LABELS) as readonly Reason[];
