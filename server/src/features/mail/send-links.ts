// Sends mails with a link, each at once. Promise: the token of a link is made for the message that carries it, and only its hash is
// stored; each attempt has a token of its own, and all of them work, since the first message may have arrived.
import { randomBytes } from 'node:crypto';
import { makeInvitation } from '../../flow/join.ts';
import { makeToken, TOKEN_RANDOM_BYTES } from '../../rules/bearer-token.ts';
import type { Tx } from '../../store/database.ts';
import { insertMailedLink } from '../../store/link-mails.ts';
import { linkMailText } from './link-mail-text.ts';
import { delayAfter, type MailService, urlOf } from './mail-service.ts';
import { sendMail } from './send-mail.ts';
import { type DueLink, noteLinkFailed, noteLinkSent, SIGN_IN_TRIED_SECONDS } from './stored-link-mails.ts';
import { TRIED_DAYS } from './stored-mail.ts';

/** A person is waiting for it. */
const SIGN_IN_AGAIN_SECONDS = 20;

export async function deliverLink(service: MailService, due: DueLink): Promise<void> {
  const { db, sender, log } = service;
  const { kind, attempts, ageSeconds } = due;
  const token = await db.transaction((tx) => tokenFor(tx, due));
  const written = linkMailText({ told: due, url: await urlOf(service), token });
  const mail = { ...written, from: sender.from, to: [due.email], id: `link.${due.id}`, date: new Date() };
  const { error } = await sendMail(sender.relay, mail, service.target);
  if (error === null) {
    log.info({ kind, attempts }, 'mail with a link sent');
    return noteLinkSent(db, due);
  }
  const [triedSeconds, againSeconds] =
    kind === 'sign_in'
      ? [SIGN_IN_TRIED_SECONDS, SIGN_IN_AGAIN_SECONDS]
      : [TRIED_DAYS * 86_400, delayAfter(attempts)];
  const isLast = ageSeconds > triedSeconds;
  if (isLast) log.error({ kind, attempts, error }, 'mail with a link given up');
  else log.warn({ kind, attempts, error }, 'mail with a link not sent, retrying');
  await noteLinkFailed(db, due, { error, afterSeconds: isLast ? null : againSeconds });
}

async function tokenFor(tx: Tx, due: DueLink): Promise<string> {
  if (due.kind === 'invitation') return makeInvitation(tx, due.memberId, true);
  const { token, hash } = makeToken(randomBytes(TOKEN_RANDOM_BYTES));
  await insertMailedLink(tx, due.email, hash);
  return token;
}
