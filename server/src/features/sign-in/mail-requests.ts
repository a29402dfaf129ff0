// Links that are asked for by mail, one after the other, after the answer.
// Promise: an answer waits for nothing here and says nothing of what is known; there is a bound to what waits, and what is beyond it is
// dropped.
import type { FastifyBaseLogger } from 'fastify';
import { mailboxIn } from '../../rules/mailbox.ts';
import type { Database } from '../../store/database.ts';
import { askForSignInMail } from '../../store/link-mails.ts';

/** Of this process. Each takes milliseconds. */
const MAX_WAITING = 1_000;

export interface MailRequests {
  add(text: string): void;
  /** Resolves when none is waiting any more. */
  settled(): Promise<void>;
}

export function createMailRequests(db: Database, log: FastifyBaseLogger): MailRequests {
  const waiting: string[] = [];
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    for (let email = waiting.shift(); email !== undefined; email = waiting.shift())
      await db
        .transaction((tx) => askForSignInMail(tx, email))
        .catch((error: unknown) => {
          const name = error instanceof Error ? error.name : 'unknown';
          log.warn({ error: name }, 'a sign-in link could not be prepared: its reader has to ask again');
        });
    working = null;
  }

  return {
    add(text) {
      const email = mailboxIn(text);
      if (email === null) return;
      if (waiting.length >= MAX_WAITING) {
        log.warn('too many sign-in links are asked for: one was left out');
        return;
      }
      waiting.push(email);
      // Later, so that an answer waits for no part of it.
      working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(work);
    },
    settled: async () => {
      await working;
    },
  };
}
