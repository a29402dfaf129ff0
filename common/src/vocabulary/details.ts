// The detail words, why an address got its state more finely than the reason, beside their labels (labels.ts): how they are stored,
// which reasons they stand with, and what is said of them where there is room.

import { DETAIL_WORDS, type Detail, type Reason } from './labels.ts';

interface DetailRow {
  /** How chunks store it: rows keep their number for good, and a new row takes the next. */
  readonly stored: number;
  /**
   * Which reasons it can stand with; the first is the usual one. When a list's time is over, what an address waited for may stand
   * with the reason of an earlier attempt.
   */
  readonly reasons: readonly [Reason, ...Reason[]];
  /** Beside the word, on a terminal. */
  readonly brief: string;
  /** For the guide, in Markdown. */
  readonly meaning: string;
  readonly toDo: string;
  /** One sentence for people who know nothing of SMTP, where it says more than that of the reason. */
  readonly explanation?: string;
  /** In its place where the server was there and said nothing; `{attempts}` is how often it was asked. */
  readonly unanswered?: string;
  /** For a sender whose own message was answered so, where it differs from that of the reply's meaning. */
  readonly senderAdvice?: string;
}

export const DETAILS: Readonly<Record<Detail, DetailRow>> = {
  accepted: {
    stored: 0,
    reasons: ['accepted_email'],
    brief: 'the server accepts the mailbox',
    meaning: 'the server accepts this mailbox, and refuses the [catch-all probe](#catch-all-probe)',
    toDo: 'send',
  },
  role: {
    stored: 1,
    reasons: ['low_quality'],
    brief: 'a role address, not a person',
    meaning: 'the address names a function, such as `info@`',
    toDo: 'leave it out of mail to persons',
  },
  disposable: {
    stored: 2,
    reasons: ['disposable'],
    brief: 'a disposable domain',
    meaning: 'a disposable domain',
    toDo: 'leave out; at sign-up, ask for another address',
  },
  catch_all: {
    stored: 3,
    reasons: ['low_deliverability'],
    brief: 'the domain accepts every address',
    meaning:
      'the domain accepts every address, so this one may not exist; three kinds of it have words of their own, below',
    toDo: 'send carefully: a few first, and watch the bounces',
  },
  catch_all_unknown: {
    stored: 4,
    reasons: ['low_deliverability'],
    brief: 'the domain may accept every address',
    meaning: 'accepted, but whether the domain accepts every address is not known',
    toDo: 'check again later; until then treat as `catch_all`',
  },
  decides_after_data: {
    stored: 34,
    reasons: ['low_deliverability'],
    brief: 'the server accepts every address and decides after the message',
    meaning:
      'the provider (Yahoo, AOL) accepts every address, and says only after the message that there is no such mailbox; we never send one',
    toDo: 'send to those who wrote or clicked lately; otherwise carefully: a few first, and watch the bounces',
    explanation:
      'The mail server accepts every address at first and decides only once it has the message, which this service never sends.',
  },
  tenant_accepts_all: {
    stored: 35,
    reasons: ['low_deliverability'],
    brief: 'the mail service of the domain accepts every address',
    meaning:
      'the domain is at Microsoft 365 and accepts every address: either a catch-all or a tenant whose recipient check (directory-based edge blocking) is off; the replies do not tell which',
    toDo: 'as `catch_all`',
    explanation:
      'The mail service of this domain, at Microsoft 365, accepts every address, so nobody can tell whether this one exists.',
  },
  gateway_accepts_all: {
    stored: 36,
    reasons: ['low_deliverability'],
    brief: 'the gateway in front of the domain accepts every address',
    meaning:
      "a filter in front of the domain's own server (Proofpoint, Mimecast, Barracuda, …) accepts every address: for want of a list of mailboxes, or for a catch-all behind it",
    toDo: 'as `catch_all`',
    explanation:
      'The mail gateway in front of this domain accepts every address, so nobody can tell whether this one exists.',
  },
  mailbox_full: {
    stored: 5,
    reasons: ['low_deliverability'],
    brief: 'the mailbox is full',
    meaning: 'the mailbox exists and has no room',
    toDo: 'send carefully, a few days later; remove it if it is still full after several weeks: it is abandoned',
  },
  no_such_mailbox: {
    stored: 6,
    reasons: ['rejected_email'],
    brief: 'the mailbox does not exist',
    meaning: 'the server says that there is no such mailbox',
    toDo: 'remove',
  },
  mailbox_disabled: {
    stored: 7,
    reasons: ['rejected_email'],
    brief: 'the mailbox is closed',
    meaning: 'the mailbox existed, and is closed or locked',
    toDo: 'remove',
    explanation: 'The mail server says that this mailbox has been closed.',
    senderAdvice: 'Remove this address from your list: its mailbox has been closed.',
  },
  mailbox_moved: {
    stored: 8,
    reasons: ['rejected_email'],
    brief: 'the mailbox has moved to another address',
    meaning: 'the server says that the mailbox is now elsewhere',
    toDo: 'remove; ask for the new address',
    explanation: 'The mail server says that this mailbox has moved to another address.',
    senderAdvice: 'Remove this address, and ask its owner for the new one by other means.',
  },
  syntax: {
    stored: 9,
    reasons: ['invalid_email'],
    brief: 'not a valid e-mail address',
    meaning: 'not an address that a mail server would accept',
    toDo: 'correct the typing, or remove',
  },
  no_such_domain: {
    stored: 10,
    reasons: ['invalid_domain'],
    brief: 'the domain does not exist',
    meaning: 'the domain does not exist',
    toDo: 'look at `suggestion` for a typo, otherwise remove',
    explanation: 'The domain of this address does not exist.',
    senderAdvice: 'Check the spelling of the domain; if it is right, remove this address.',
  },
  no_mx: {
    stored: 11,
    reasons: ['invalid_domain'],
    brief: 'the domain has no mail server',
    meaning: 'the domain exists and has no usable mail server',
    toDo: 'look at `suggestion` for a typo, otherwise remove',
    explanation: 'The domain of this address has no mail server.',
    senderAdvice: 'Check the spelling of the domain; if it is right, remove this address.',
  },
  null_mx: {
    stored: 12,
    reasons: ['invalid_domain'],
    brief: 'the domain declares that it accepts no mail',
    meaning: 'the domain declares that it accepts no mail (a null MX)',
    toDo: 'remove',
    explanation: 'The domain of this address says that it accepts no mail.',
    senderAdvice: 'Remove this address: its domain accepts no mail.',
  },
  private_address: {
    stored: 13,
    reasons: ['invalid_domain'],
    brief: 'the mail server has no public address',
    meaning: 'the mail servers of the domain have no public address',
    toDo: 'remove; for mail inside your own network, see `MXPROOF_ALLOW_PRIVATE_TARGETS`',
    explanation: 'The mail servers of this domain have only private addresses, which cannot receive mail.',
  },
  tenant_lapsed: {
    stored: 33,
    reasons: ['unavailable_smtp'],
    brief: 'the provider runs no mail service for the domain at present',
    meaning:
      'the provider says that it runs no mail service for the domain at present: its subscription has lapsed',
    toDo: 'retry in a few weeks; remove if it is still so',
    explanation: 'The provider of this domain says that it runs no mail service for the domain at present.',
  },
  greylisted: {
    stored: 14,
    reasons: ['unavailable_smtp'],
    brief: 'the server defers first-time senders',
    meaning: 'the server deferred us as a first-time sender until the last retry',
    toDo: 'retry in a few hours',
  },
  rate_limited: {
    stored: 15,
    reasons: ['unavailable_smtp'],
    brief: 'the server limits how fast it may be asked',
    meaning:
      'the server limits how fast it may be asked, or refuses everyone and is [asked slowly](engine.md#what-it-promises-mail-servers)',
    toDo: 'retry later; as the operator, [ask more slowly](reputation.md#when-a-provider-blocks-you)',
  },
  blocked: {
    stored: 16,
    reasons: ['unavailable_smtp'],
    brief: 'the server blocks our IP address',
    meaning: 'the server blocks our IP address',
    toDo: 'as the operator, see [when a provider blocks you](reputation.md#when-a-provider-blocks-you); retry afterwards',
  },
  source_resting: {
    stored: 17,
    reasons: ['unavailable_smtp'],
    brief: 'our IP address was blocked here and is not used for a while',
    meaning: 'the provider blocked our IP address, which is paused there: this address was not asked about',
    toDo: 'retry after the pause',
    explanation:
      'The mail server has blocked the address that this service asks from, which is why it was not asked again so soon.',
  },
  budget: {
    stored: 18,
    reasons: ['unavailable_smtp', 'no_connect'],
    brief: 'the limit per hour or day for this provider is used up',
    meaning:
      "the operator's [limit per hour or day](engine.md#limits-per-hour-and-day) for the provider was used up until the list ended",
    toDo: 'retry the next day; as the operator, raise the limit as your address becomes known',
    explanation:
      'The policy of this service limits how many addresses a provider is asked about in an hour and in a day, and that limit was used up.',
  },
  sender_refused: {
    stored: 19,
    reasons: ['unavailable_smtp'],
    brief: 'the server refuses our sender address',
    meaning: 'the server refuses our sender address',
    toDo: 'as the operator, check `MXPROOF_MAIL_FROM`; retry afterwards',
  },
  temporary: {
    stored: 20,
    reasons: ['unavailable_smtp'],
    brief: 'the server has a temporary problem',
    meaning: 'the server had a temporary problem until the last retry',
    toDo: 'retry tomorrow',
  },
  unclear: {
    stored: 21,
    reasons: ['unavailable_smtp', 'no_connect'],
    brief: "the server's reply does not say whether the mailbox exists",
    meaning: 'the reply does not say whether the mailbox exists',
    toDo: 'read it in the evidence; a retry seldom helps',
  },
  timeout: {
    stored: 22,
    reasons: ['no_connect', 'unavailable_smtp'],
    brief: 'the server did not answer in time',
    meaning: 'the server did not answer in time',
    toDo: 'retry in a few hours; after several days, treat it as undeliverable',
    senderAdvice:
      'Keep the address and try again in a few hours; most mail servers retry by themselves. If it is always so, check the firewall of your server and the spelling of the domain.',
    unanswered: 'The mail server gave no answer about this address in {attempts}.',
  },
  connection_refused: {
    stored: 23,
    reasons: ['no_connect', 'unavailable_smtp'],
    brief: 'the server refuses connections',
    meaning: 'the server refuses connections',
    toDo: 'retry in a few hours; after several days, treat it as undeliverable',
    explanation: 'The mail servers of this domain refuse connections.',
    senderAdvice:
      'Keep the address and try again in a few hours; most mail servers retry by themselves. If it is always so, check the spelling of the domain.',
  },
  connection_lost: {
    stored: 24,
    reasons: ['unavailable_smtp', 'no_connect'],
    brief: 'the connection was dropped',
    meaning: 'the connection dropped before there was an answer',
    toDo: 'retry in a few hours',
    senderAdvice: 'Keep the address and try again in a few hours; most mail servers retry by themselves.',
    unanswered: 'The mail server ended the connection without an answer in {attempts}.',
  },
  tls_failed: {
    stored: 25,
    reasons: ['unavailable_smtp', 'no_connect'],
    brief: 'no encrypted connection could be established',
    meaning: 'the server requires encryption, which could not be established',
    toDo: 'retry later; the evidence says what failed',
    explanation: 'The mail server insists on an encrypted connection that could not be established.',
    senderAdvice: 'Keep the address, switch STARTTLS on in your mail server, and send again.',
  },
  proxy_refused: {
    stored: 26,
    reasons: ['no_connect', 'unavailable_smtp'],
    brief: 'our own proxy did not connect',
    meaning:
      "the service's own [proxy](reputation.md#connect-through-a-proxy) does not answer, refuses the login, or refuses to connect to the mail server",
    toDo: 'as the operator, check the proxy; retry afterwards',
    explanation:
      'The proxy that this service connects through does not answer or refuses to connect, which says nothing about this address.',
  },
  proxy_no_route: {
    stored: 27,
    reasons: ['no_connect', 'unavailable_smtp'],
    brief: 'our own proxy has no route to the server',
    meaning:
      "the service's own [proxy](reputation.md#connect-through-a-proxy) has no route to the mail server, such as none for IPv6",
    toDo: "as the operator, check the proxy's own network; retry afterwards",
    explanation:
      'The proxy that this service connects through has no route to the mail server, which says nothing about this address.',
  },
  dns_failed: {
    stored: 28,
    reasons: ['dns_error', 'no_connect', 'unavailable_smtp'],
    brief: 'DNS gave no answer',
    meaning:
      'DNS gave no answer about the domain, or there was [no time to ask](engine.md#what-it-promises-name-servers)',
    toDo: 'retry later',
    senderAdvice: 'Keep the address and try again in a few hours; most mail servers retry by themselves.',
  },
  dns_untrusted: {
    stored: 29,
    reasons: ['dns_error', 'no_connect', 'unavailable_smtp'],
    brief: 'the DNS answer is not trusted',
    meaning:
      'the DNS servers fail for every name, or say that there is no such domain and have not [proven themselves](#which-dns-servers-are-trusted)',
    toDo: 'as the operator, check `MXPROOF_DNS_SERVERS`; retry afterwards',
    explanation:
      'The DNS servers of this service gave no answer that can be trusted, which says nothing about the domain of this address.',
  },
  network_down: {
    stored: 30,
    reasons: ['no_connect', 'unavailable_smtp', 'dns_error'],
    brief: 'our own network is down',
    meaning: 'hardly any mail server could be reached from here; with `dns_error`, no DNS server',
    toDo: 'as the operator, see [what keeps the service from checking](troubleshooting.md#when-nothing-is-checked); retry afterwards',
    explanation: 'This service could not reach any mail server, which says nothing about this address.',
  },
  never_asked: {
    stored: 31,
    reasons: ['no_connect', 'unavailable_smtp'],
    brief: 'the policy excludes this server',
    meaning: 'the policy excludes this server',
    toDo: 'a retry does not help; decide without a check',
    explanation: 'The policy of this service says that this address is not to be asked about.',
  },
  list_ended: {
    stored: 32,
    reasons: ['no_connect', 'unavailable_smtp'],
    brief: 'the list ended before there was an answer',
    meaning: "the list's time limit came before an answer",
    toDo: 'retry',
    explanation: 'The time for this list was over before the mail server gave an answer.',
  },
};

/** By their stored numbers. */
export const STORED_DETAILS = DETAIL_WORDS.toSorted(
  (one, other) => DETAILS[one].stored - DETAILS[other].stored,
);

/** Null: a later version stored a word that this one does not know. */
export function storedDetail(stored: number): Detail | null {
  return STORED_DETAILS[stored] ?? null;
}
