// The services whose events are taken. Another one is a file here, and a word in rules/sending-services.ts.
import type { SendingServiceName } from '../../../rules/sending-services.ts';
import { mailgun } from './mailgun.ts';
import { postmark } from './postmark.ts';
import { sendgrid } from './sendgrid.ts';
import type { SendingService } from './service.ts';
import { createSes } from './ses.ts';

export type SendingServices = Readonly<Record<SendingServiceName, SendingService>>;

/** Each service of ours in a process has its own, since certificates are kept in memory. */
export function createServices(): SendingServices {
  return { postmark, sendgrid, ses: createSes(), mailgun };
}
