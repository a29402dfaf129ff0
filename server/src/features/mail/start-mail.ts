// Sends people of accounts what they are still to be told.
// Promise: at least once, with the same Message-ID each time; at most one mail a minute to a person; what no relay takes for three
// days is given up, with a line in the log. Nothing waits for a mail.
import type { Database } from '../../store/database.ts';
import { createIsolation } from '../../worker/isolate.ts';
import { startLoop } from '../../worker/loop.ts';
import { waitUntil } from '../../worker/wait-until.ts';
import { countActions } from './count-actions.ts';
import { delayAfter, type MailService, urlOf } from './mail-service.ts';
import { mailText, type ToldEvent } from './mail-text.ts';
import { deliverLink } from './send-links.ts';
import { sendMail } from './send-mail.ts';
import { claimLinks } from './stored-link-mails.ts';
import { claimMail, type DueEvent, type DueMail, noteFailed, noteSent, TRIED_DAYS } from './stored-mail.ts';

const EVERY_MS = 5_000;
/** A person may be waiting for a link. */
const LINKS_EVERY_MS = 1_000;
const STOP_GRACE_MS = 3_000;
/** Of one mail; the others of it are counted. */
const EVENTS_SHOWN = 20;
const DAY_SECONDS = 86_400;

export function startMail(
  options: MailService & {
    readonly stopGraceMs?: number;
    readonly everyMs?: number;
    readonly linksEveryMs?: number;
  },
): { stop(): Promise<void> } {
  const { db, log } = options;
  const isolated = createIsolation<string>({ name: 'mail', log });
  let underWay = 0;

  async function sendAll<Due>(
    claim: (db: Database) => Promise<readonly Due[]>,
    send: (service: MailService, due: Due) => Promise<void>,
    idOf: (due: Due) => string,
  ): Promise<void> {
    const claimed = await claim(db);
    underWay += claimed.length;
    await Promise.all(
      claimed.map((due) =>
        // One that cannot be made keeps no other back; its claim lapses.
        isolated.run(idOf(due), () => send(options, due)).finally(() => underWay--),
      ),
    );
  }

  const { everyMs = EVERY_MS, linksEveryMs = LINKS_EVERY_MS } = options;
  const loops = [
    startLoop({
      ...{ name: 'mail', everyMs, log },
      run: () => sendAll(claimMail, deliver, ({ message }) => message),
    }),
    startLoop({
      ...{ name: 'mail with links', everyMs: linksEveryMs, log },
      run: () => sendAll(claimLinks, deliverLink, ({ id }) => id),
    }),
  ];
  return {
    async stop() {
      const stopped = Promise.all(loops.map((loop) => loop.stop()));
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
