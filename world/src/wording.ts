// How real servers say the same things. Promise: every wording has every sentence; one line or several, with
// `{rcpt}`, `{local}`, `{domain}`, `{host}` and `{source}` to be filled in.
import type { VagueWording, Wording } from './spec.ts';

export interface Sentences {
  readonly banner: string;
  /** To MAIL, and to RSET. */
  readonly sender: string;
  readonly reset: string;
  readonly accepted: string;
  readonly unknown: string;
  readonly disabled: string;
  readonly overQuota: string;
  readonly fullForNow: string;
  readonly busy: string;
  readonly tempfail: string;
  readonly greylisted: string;
  readonly blocked: string;
}

const POSTFIX: Sentences = {
  banner: '220 {host} ESMTP Postfix',
  sender: '250 2.1.0 Ok',
  reset: '250 2.0.0 Ok',
  accepted: '250 2.1.5 Ok',
  unknown: '550 5.1.1 <{rcpt}>: Recipient address rejected: User unknown in virtual mailbox table',
  disabled: '550 5.2.1 <{rcpt}>: Recipient address rejected: This mailbox is disabled',
  overQuota: '552 5.2.2 <{rcpt}>: Recipient address rejected: Mailbox full',
  fullForNow: '452 4.2.2 <{rcpt}>: Recipient address rejected: Mailbox full',
  busy: '450 4.2.1 <{rcpt}>: Mailbox received too much email in a short period of time',
  tempfail: '451 4.3.0 <{rcpt}>: Temporary lookup failure',
  greylisted: '450 4.2.0 <{rcpt}>: Recipient address rejected: Greylisted, try again later',
  blocked: '554 5.7.1 Service unavailable; Client host [{source}] blocked using bl.example.test',
};

/** Only what differs from Postfix. */
const OTHERS: Readonly<Record<Exclude<Wording, 'postfix'>, Partial<Sentences>>> = {
  exim: {
    banner: '220 {host} ESMTP Exim 4.96',
    sender: '250 OK',
    reset: '250 Reset OK',
    accepted: '250 Accepted',
    unknown: '550 Unrouteable address',
    overQuota: '552 Mailbox is full / over quota',
    greylisted: '451 Temporary local problem - greylisted, please try later',
  },
  sendmail: {
    banner: '220 {host} ESMTP Sendmail 8.17.1; ready',
    sender: '250 2.1.0 Sender ok',
    reset: '250 2.0.0 Reset state',
    accepted: '250 2.1.5 <{rcpt}>... Recipient ok',
    unknown: '550 5.1.1 <{rcpt}>... User unknown',
    overQuota: '552 5.2.2 <{rcpt}>... Mailbox Full',
    tempfail: '451 4.3.0 <{rcpt}>... Temporary failure',
  },
  google: {
    banner: '220 {host} ESMTP - gsmtp',
    sender: '250 2.1.0 OK - gsmtp',
    reset: '250 2.1.5 Flushed - gsmtp',
    accepted: '250 2.1.5 OK - gsmtp',
    unknown:
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550 5.1.1 unnecessary spaces. - gsmtp",
    disabled: '550 5.2.1 The email account that you tried to reach is disabled. - gsmtp',
    overQuota:
      '552-5.2.2 The email account that you tried to reach is over quota.\n552 5.2.2 Please direct the recipient to support. - gsmtp',
    fullForNow: '452 4.2.2 The email account that you tried to reach is over quota. - gsmtp',
    busy: '450-4.2.1 The user you are trying to contact is receiving mail at a rate that\n450 4.2.1 prevents additional messages from being delivered. - gsmtp',
  },
  microsoft: {
    banner: '220 {host} Microsoft ESMTP MAIL Service ready',
    sender: '250 2.1.0 Sender OK',
    reset: '250 2.0.0 Resetting',
    accepted: '250 2.1.5 Recipient OK',
    unknown: '550 5.4.1 Recipient address rejected: Access denied. [{host}]',
  },
  outlook: {
    banner: '220 {host} Microsoft ESMTP MAIL Service ready',
    sender: '250 2.1.0 Sender OK',
    reset: '250 2.0.0 Resetting',
    accepted: '250 2.1.5 Recipient OK',
    unknown: '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [{host}]',
  },
  yahoo: {
    accepted: '250 recipient <{rcpt}> ok',
    unknown: "554 delivery error: dd This user doesn't have a yahoo.com account ({rcpt}) [0] - {host}",
  },
  apple: { unknown: '550 5.1.1 <{rcpt}>: user does not exist' },
  mailru: {
    accepted: '250 OK',
    unknown:
      '550 Message was not accepted -- invalid mailbox. Local mailbox {rcpt} is unavailable: user not found',
  },
  yandex: { accepted: '250 2.1.5 <{rcpt}> recipient ok', unknown: '550 5.7.1 No such user!' },
  gmx: {
    banner: '220 {host} Nemesis ESMTP Service ready',
    accepted: '250 Requested mail action okay, completed',
    unknown: '550 Requested action not taken: mailbox unavailable',
  },
  german: { unknown: '550 5.1.1 Empfänger <{rcpt}> unbekannt', overQuota: '552 5.2.2 Postfach ist voll' },
  french: {
    unknown: '550 5.1.1 Adresse destinataire inconnue',
    overQuota: '552 5.2.2 Boîte aux lettres pleine',
  },
  spanish: { unknown: '550 5.1.1 El usuario no existe', overQuota: '552 5.2.2 El buzón está lleno' },
  italian: { unknown: '550 5.1.1 Utente sconosciuto', overQuota: '552 5.2.2 Casella piena' },
  portuguese: { unknown: '550 5.1.1 Usuário desconhecido', overQuota: '552 5.2.2 Caixa postal cheia' },
  japanese: {
    unknown: '550 5.1.1 宛先のユーザーが存在しません',
    overQuota: '552 5.2.2 メールボックスが一杯です',
  },
  bare: { sender: '250 OK', reset: '250 OK', accepted: '250 OK', unknown: '550 User unknown' },
  cannot_deliver: { unknown: '550 I cannot deliver mail for <{rcpt}>' },
  relaying_denied: { unknown: '550 5.7.1 <{rcpt}>... Relaying denied' },
  relay_access: { unknown: '554 5.7.1 <{rcpt}>: Relay access denied' },
  not_our_user: { unknown: '551 not our user' },
  rejected_542: { unknown: '542 <{rcpt}> Rejected' },
  security_bare: { unknown: '550 5.7.1 <{rcpt}>' },
  access_denied: { unknown: '550 5.7.1 <{rcpt}>... Access denied' },
  transaction_failed: { unknown: '554 Transaction failed' },
  go_away: { unknown: '550 Sorry, go away' },
  russian: { unknown: '550 5.1.1 Пользователь не найден', overQuota: '552 5.2.2 Почтовый ящик переполнен' },
};

export const VAGUE_WORDINGS: readonly VagueWording[] = [
  'cannot_deliver',
  'relaying_denied',
  'relay_access',
  'not_our_user',
  'rejected_542',
  'security_bare',
  'access_denied',
  'transaction_failed',
  'go_away',
];

/** Those that say what they mean. */
export const WORDINGS = ['postfix', ...Object.keys(OTHERS)].filter(
  (wording) => !VAGUE_WORDINGS.some((vague) => vague === wording),
) as readonly Wording[];

export function sentencesFor(wording: Wording): Sentences {
  return wording === 'postfix' ? POSTFIX : { ...POSTFIX, ...OTHERS[wording] };
}
