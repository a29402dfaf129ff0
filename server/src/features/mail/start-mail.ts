// Sends people of accounts what they are still to be told.
// Promise: at least once, with the same Message-ID each time; at most one mail a minute to a person; what no relay takes for three
// days is given up, with a line in the log. Nothing waits for a mail.
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { MailSender } from '../../settings/alert-settings.ts';
import type { Database } from '../../store/database.ts';
import { servingNodes } from '../../store/http-nodes.ts';
import { createIsolation } from '../../worker/isolate.ts';
import { startLoop } from '../../worker/loop.ts';
import { waitUntil } from '../../worker/wait-until.ts';
import { countActions } from './count-actions.ts';
import { mailText, type ToldEvent } from './mail-text.ts';
import { type MailOptions, sendMail } from './send-mail.ts';
import { claimMail, type DueEvent, type DueMail, noteFailed, noteSent, TRIED_DAYS } from './stored-mail.ts';

const EVERY_MS = 5_000;
const STOP_GRACE_MS = 3_000;
/** Of one mail; the others of it are counted. */
const EVENTS_SHOWN = 20;
const FIRST_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 4 * 3_600;
const DAY_SECONDS = 86_400;

export interface MailService {
  readonly db: Database;
  readonly sender: MailSender;
  readonly target: MailOptions;
  /** Null: where a node listens. */
  readonly publicUrl: string | null;
  /** Where no node is known to serve. */
  readonly localUrl: string;
  readonly log: Logger;
}

export function startMail(
  options: MailService & { readonly stopGraceMs?: number; readonly everyMs?: number },
): { stop(): Promise<void> } {
  const { db, log } = options;
  const isolated = createIsolation<string>({ name: 'mail', log });
  let underWay = 0;

  async function run(): Promise<void> {
    const due = await claimMail(db);
    underWay += due.length;
    await Promise.all(
      due.map((mail) =>
        // One that cannot be made keeps no other back; its claim lapses.
        isolated.run(mail.message, () => deliver(options, mail)).finally(() => underWay--),
      ),
    );
  }

  const loop = startLoop({ name: 'mail', everyMs: options.everyMs ?? EVERY_MS, log, run });
  return {
    async stop() {
      const stopped = loop.stop();
      // What is cut off is sent again by another node, or after the next start.
      await waitUntil(() => underWay === 0, options.stopGraceMs ?? STOP_GRACE_MS);
      if (underWay === 0) await stopped;
    },
  };
}

async function deliver(service: MailService, due: DueMail): Promise<void> {
  const { db, sender, log } = service;
  const { address, stopToken, message, attempts, ageSeconds } = due;
  const events = lastOfEach(due.events);
  const told: ToldEvent[] = [];
  for (const event of events.slice(0, EVENTS_SHOWN))
    told.push({ ...event, counts: event.list && (await countActions(db, event.list)) });
  const content = mailText({
    events: told,
    more: events.length - told.length,
    url: await urlOf(service),
    from: sender.from,
    stopToken,
  });
  const mail = { ...content, from: sender.from, to: [address], id: `mail.${message}`, date: new Date() };
  const { error } = await sendMail(sender.relay, mail, service.target);
  const ids = { accounts: [...new Set(events.map(({ accountId }) => accountId))].slice(0, 10), attempts };
  if (error === null) {
    log.info({ ...ids, events: events.length }, 'mail sent');
    return noteSent(db, due);
  }
  const isLast = ageSeconds > TRIED_DAYS * DAY_SECONDS;
  if (isLast) log.error({ ...ids, error }, 'mail given up');
  else log.warn({ ...ids, error }, 'mail not sent, retrying');
  await noteFailed(db, due, { error, isLast, afterSeconds: delayAfter(attempts) });
}

/** Credits of an account and an endpoint are told of as they were last. */
function lastOfEach(events: readonly DueEvent[]): DueEvent[] {
  const keyOf = ({ event, accountId, list, endpoint }: DueEvent) =>
    `${event} ${accountId} ${list?.id ?? ''} ${endpoint?.id ?? ''}`;
  return [...new Map(events.map((event) => [keyOf(event), event])).values()];
}

async function urlOf({ db, publicUrl, localUrl }: MailService): Promise<string> {
  const url = publicUrl ?? (await servingNodes(db, hostname()))[0]?.url ?? localUrl;
  return url.replace(/\/$/, '');
}

export function delayAfter(attempts: number): number {
  return Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(attempts - 1, 20));
}
