// Who gets mail for an account, and what they are still to be told. The events are written by the triggers of migrations 0036 and
// 0043, one for each who is told, in the transaction in which they happen.
// Promise: an event is one node's at a time, and gone only once its mail was taken or given up; what went into a mail stays its
// content in every attempt.
import { randomUUID } from 'node:crypto';
import { nameOf } from '../../rules/list-name.ts';
import type { Database, Tx } from '../../store/database.ts';
import { BETWEEN_MAILS_SECONDS } from '../../store/link-mails.ts';

type MailEvent = 'list.done' | 'credits.low' | 'webhook.off';

export interface DueEvent {
  readonly id: number;
  readonly event: MailEvent;
  readonly facts: object;
  readonly atSeconds: number;
  readonly accountId: number;
  readonly accountName: string;
  /** Or else for the account's address. */
  readonly forMember: boolean;
  readonly list: { readonly id: number; readonly name: string; readonly total: number } | null;
  readonly endpoint: { readonly id: number; readonly url: string } | null;
}

export interface DueMail {
  readonly address: string;
  /** In the link that stops mail to it. */
  readonly stopToken: string;
  /** The same in every attempt. */
  readonly message: string;
  /** Since the last success, this one included. */
  readonly attempts: number;
  /** Of its oldest event. */
  readonly ageSeconds: number;
  /** Never empty. */
  readonly events: readonly DueEvent[];
}

export interface AccountMail {
  readonly address: string;
  /** Null: the last attempt went well, or there was none. */
  readonly failure: { readonly sinceSeconds: number; readonly error: string } | null;
  /** When its reader stopped it; null: told. */
  readonly stoppedAtSeconds: number | null;
}

/** Longer than an attempt takes, what is counted for it included. */
const CLAIM_SECONDS = 120;
const CLAIMED_AT_ONCE = 10;
/** Of one mail; the others are in the next. */
const EVENTS_AT_ONCE = 500;
const MAX_ERROR_CHARACTERS = 200;
/** From when it happened; also how long it waits for a relay. */
export const TRIED_DAYS = 3;

/** A list that is deleted, and may be brought back, is not told of meanwhile; nor is an endpoint that is on again. */
const OPEN_EVENTS = `mxproof.mail_events e JOIN mxproof.accounts a ON a.id = e.account_id
  LEFT JOIN mxproof.members m ON m.id = e.member_id LEFT JOIN mxproof.people p ON p.id = m.person_id
  LEFT JOIN mxproof.lists l ON l.id = e.list_id LEFT JOIN mxproof.webhook_endpoints w ON w.id = e.endpoint_id`;
const IS_SHOWN = `(e.list_id IS NULL OR l.account_id IS NOT NULL) AND (e.endpoint_id IS NULL OR w.off_at IS NOT NULL)`;
const ADDRESS = 'CASE WHEN e.member_id IS NULL THEN a.mail ELSE p.email END';
/** A mailbox is an account's address, or one that a person has proved. */
const IS_UNUSED = `NOT EXISTS (SELECT FROM mxproof.accounts WHERE mail = r.address)
  AND NOT EXISTS (SELECT FROM mxproof.people WHERE email = r.address)`;

/** Null: no person is told any more. What the one before was not told yet is dropped with them. */
export async function setAccountMail(tx: Tx, accountId: number, given: string | null): Promise<void> {
  // As the mailboxes of members are: a mailbox has one pace, and is stopped as one.
  const address = given?.toLowerCase() ?? null;
  await tx.query('SELECT FROM mxproof.accounts WHERE id = $1 FOR UPDATE', [accountId]);
  // Set again after it was mended: the next attempt is made at once.
  if (address !== null)
    await tx.query(
      `INSERT INTO mxproof.mail_recipients AS r (address) VALUES ($1)
       ON CONFLICT (address) DO UPDATE
       SET next_at = CASE WHEN r.failing_since IS NULL THEN r.next_at ELSE now() END, attempts = 0, failing_since = NULL, error = NULL, stopped_at = NULL`,
      [address],
    );
  await tx.query(
    `DELETE FROM mxproof.mail_events
     WHERE member_id IS NULL AND account_id = (SELECT id FROM mxproof.accounts WHERE id = $1 AND mail IS DISTINCT FROM $2)`,
    [accountId, address],
  );
  await tx.query('UPDATE mxproof.accounts SET mail = $2 WHERE id = $1 AND test_of IS NULL', [
    accountId,
    address,
  ]);
  await removeUnusedRecipients(tx);
}

async function removeUnusedRecipients(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.mail_recipients r WHERE ${IS_UNUSED}`);
}

/** Null: no person is told. */
export async function readAccountMail(tx: Tx, accountId: number): Promise<AccountMail | null> {
  const [row] = await tx.query<{
    address: string;
    sinceSeconds: number | null;
    error: string | null;
    stoppedAtSeconds: number | null;
  }>(
    `SELECT r.address, floor(extract(epoch FROM r.failing_since))::bigint AS "sinceSeconds", r.error,
       floor(extract(epoch FROM r.stopped_at))::bigint AS "stoppedAtSeconds"
     FROM mxproof.accounts a JOIN mxproof.mail_recipients r ON r.address = a.mail WHERE a.id = $1`,
    [accountId],
  );
  if (!row) return null;
  const { address, sinceSeconds, error, stoppedAtSeconds } = row;
  const failure = sinceSeconds === null ? null : { sinceSeconds, error: error ?? '' };
  return { address, failure, stoppedAtSeconds };
}

/** People who may be sent a mail now, and what is in it; a node has them for a while. */
export async function claimMail(db: Database): Promise<DueMail[]> {
  return db.transaction(async (tx) => {
    // A member's mailbox has its row from its first event on.
    await tx.query(
      `INSERT INTO mxproof.mail_recipients (address) SELECT DISTINCT p.email FROM ${OPEN_EVENTS}
       WHERE p.email IS NOT NULL ORDER BY 1 ON CONFLICT DO NOTHING`,
    );
    const recipients = await tx.query<Recipient>(
      `WITH due AS (
         SELECT address FROM mxproof.mail_recipients r
         -- A clock that has stepped back must not leave it unsent until it is there again.
         WHERE (next_at <= now() OR next_at > now() + interval '5 hours')
           AND NOT EXISTS (SELECT FROM mxproof.link_mails l WHERE l.email = r.address
             AND l.created_at > now() - make_interval(secs => ${BETWEEN_MAILS_SECONDS}))
           AND stopped_at IS NULL AND address IN (SELECT ${ADDRESS} FROM ${OPEN_EVENTS} WHERE ${IS_SHOWN})
         ORDER BY next_at LIMIT ${CLAIMED_AT_ONCE} FOR UPDATE SKIP LOCKED)
       UPDATE mxproof.mail_recipients r
       SET attempts = attempts + 1, next_at = now() + make_interval(secs => ${CLAIM_SECONDS})
       FROM due WHERE r.address = due.address RETURNING r.address, r.attempts, r.stop_token AS "stopToken"`,
    );
    const mails: DueMail[] = [];
    for (const recipient of recipients) {
      const mail = await gather(tx, recipient);
      if (mail) mails.push(mail);
    }
    return mails;
  });
}

type Recipient = Pick<DueMail, 'address' | 'attempts' | 'stopToken'>;

/** What an earlier attempt had in it, or else all that has happened since. */
async function gather(tx: Tx, recipient: Recipient): Promise<DueMail | null> {
  const rows = await tx.query<DueEventRow>(
    `SELECT e.id, e.event, e.facts, e.message, floor(extract(epoch FROM e.created_at))::bigint AS "atSeconds",
       floor(extract(epoch FROM now() - e.created_at))::bigint AS "ageSeconds", a.id AS "accountId", a.name AS "accountName",
       e.member_id IS NOT NULL AS "forMember", l.id AS "listId", l.name_json AS "nameJson", l.total, w.id AS "endpointId", w.url
     FROM ${OPEN_EVENTS} WHERE ${ADDRESS} = $1 AND ${IS_SHOWN}
     ORDER BY e.message IS NULL, e.message, e.id LIMIT ${EVENTS_AT_ONCE}`,
    [recipient.address],
  );
  const [first] = rows;
  if (!first) return null;
  const message = first.message ?? randomUUID();
  const own = rows.filter((row) => row.message === first.message);
  if (first.message === null)
    await tx.query('UPDATE mxproof.mail_events SET message = $2 WHERE id = ANY($1::bigint[])', [
      own.map(({ id }) => id),
      message,
    ]);
  const ageSeconds = Math.max(...own.map((row) => row.ageSeconds));
  return { ...recipient, message, ageSeconds, events: own.map(toEvent) };
}

type DueEventRow = Omit<DueEvent, 'list' | 'endpoint'> & {
  readonly message: string | null;
  readonly ageSeconds: number;
  readonly listId: number | null;
  readonly nameJson: string | null;
  readonly total: number | null;
  readonly endpointId: number | null;
  readonly url: string | null;
};

function toEvent(row: DueEventRow): DueEvent {
  const { id, event, facts, atSeconds, accountId, accountName, forMember } = row;
  const { listId, nameJson, total, endpointId, url } = row;
  return {
    ...{ id, event, facts, atSeconds, accountId, accountName, forMember },
    list: listId === null ? null : { id: listId, name: nameOf(nameJson!), total: total! },
    endpoint: endpointId === null ? null : { id: endpointId, url: url! },
  };
}

/** Taken by the relay. */
export async function noteSent(db: Database, { address, message }: DueMail): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('DELETE FROM mxproof.mail_events WHERE message = $1', [message]);
    await tx.query(
      `UPDATE mxproof.mail_recipients SET next_at = now() + make_interval(secs => ${BETWEEN_MAILS_SECONDS}),
         attempts = 0, failing_since = NULL, error = NULL WHERE address = $1`,
      [address],
    );
  });
}

/** Unless another node has it by now. `isLast`: its events are given up; those that came later have their turn. */
export async function noteFailed(
  db: Database,
  { address, message, attempts }: DueMail,
  { error, afterSeconds, isLast }: { error: string; afterSeconds: number; isLast: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.query(
      `UPDATE mxproof.mail_recipients SET next_at = now() + make_interval(secs => $3), error = $4,
         failing_since = coalesce(failing_since, now()) WHERE address = $1 AND attempts = $2 RETURNING address`,
      [address, attempts, afterSeconds, error.slice(0, MAX_ERROR_CHARACTERS)],
    );
    if (isLast && rows.length === 1)
      await tx.query('DELETE FROM mxproof.mail_events WHERE message = $1', [message]);
  });
}

/** For the doctor. `failing`: of those who are still to be told of something; what was given up is in the log. */
export async function mailState(tx: Tx): Promise<{
  readonly recipients: number;
  readonly failing: number;
  readonly error: string | null;
  readonly waiting: number;
}> {
  const [row] = await tx.query<{
    recipients: number;
    failing: number;
    error: string | null;
    waiting: number;
  }>(
    `SELECT count(*) AS recipients, count(*) FILTER (WHERE is_failing) AS failing,
       (array_agg(error ORDER BY failing_since DESC) FILTER (WHERE is_failing))[1] AS error,
       (SELECT count(*) FROM mxproof.mail_events) AS waiting
     FROM (SELECT *, failing_since IS NOT NULL AND address IN (SELECT ${ADDRESS} FROM ${OPEN_EVENTS}) AS is_failing
           FROM mxproof.mail_recipients) r`,
  );
  return row!;
}

/** A day more than they are tried: a relay that is set again has them until then. */
export async function sweepMail(db: Database): Promise<void> {
  await db.query(
    `DELETE FROM mxproof.mail_events WHERE created_at < now() - make_interval(days => ${TRIED_DAYS + 1})`,
  );
  // Of accounts and people that are gone.
  await removeUnusedRecipients(db);
}

/** In the page that stops mail. */
export async function isStopToken(tx: Tx, token: string): Promise<boolean> {
  return (await tx.query('SELECT FROM mxproof.mail_recipients WHERE stop_token = $1', [token])).length === 1;
}

/** The reader of the mailbox wants no more mail. Events that wait to be mailed are dropped. False: no such mailbox is known. */
export async function stopMail(db: Database, token: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ address: string }>(
      `UPDATE mxproof.mail_recipients SET stopped_at = coalesce(stopped_at, now()), failing_since = NULL, error = NULL
       WHERE stop_token = $1 RETURNING address`,
      [token],
    );
    if (!row) return false;
    await tx.query(
      `UPDATE mxproof.members SET list_mail = false
       WHERE list_mail AND person_id = (SELECT id FROM mxproof.people WHERE email = $1)`,
      [row.address],
    );
    await tx.query(
      `DELETE FROM mxproof.mail_events WHERE id IN (SELECT e.id FROM ${OPEN_EVENTS} WHERE ${ADDRESS} = $1)`,
      [row.address],
    );
    return true;
  });
}
