// What sending mail needs, and when it is tried again.
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { MailSender } from '../../settings/alert-settings.ts';
import type { Database } from '../../store/database.ts';
import { servingNodes } from '../../store/http-nodes.ts';
import type { MailOptions } from './send-mail.ts';

const FIRST_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 4 * 3_600;

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

/** Where browsers reach the service, without a slash at its end. */
export async function urlOf({ db, publicUrl, localUrl }: Pick<MailService, 'db' | 'publicUrl' | 'localUrl'>) {
  const url = publicUrl ?? (await servingNodes(db, hostname()))[0]?.url ?? localUrl;
  return url.replace(/\/$/, '');
}

export function delayAfter(attempts: number): number {
  return Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(attempts - 1, 20));
}
