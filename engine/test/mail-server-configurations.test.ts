// The engine against mail servers as administrators set them up. Promise: whatever they bear and refuse, a mailbox is
// told apart where the server tells it apart, and blamed for nothing that is about us or about the moment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChecker } from '../src/checker.ts';
import type { Finding } from '../src/types.ts';
import { CONFIGURATIONS, type Configuration } from './mail-servers/configurations.ts';
import { startExim } from './mail-servers/exim.ts';
import { fastClock } from './mail-servers/fast-clock.ts';
import { type GreyBook, startGreyBook } from './mail-servers/grey-book.ts';
import { freePort, type MailServer, withoutServer } from './mail-servers/mail-server.ts';
import { onlyAt } from './mail-servers/only-at.ts';
import { startOpensmtpd } from './mail-servers/opensmtpd.ts';
import { startPostfix } from './mail-servers/postfix.ts';
import { startSendmail } from './mail-servers/sendmail.ts';

const START = {
  postfix: startPostfix,
  exim: startExim,
  opensmtpd: startOpensmtpd,
  sendmail: startSendmail,
} as const;
const DOMAIN = 'users.example';
const ALL = 'all.example';
const SOURCE = '127.0.62.9';
const ADDRESS = (at: number): string => `127.0.62.${10 + at}`;

const USUAL: Readonly<Record<string, string>> = {
  [`anna@${DOMAIN}`]: 'deliverable accepted_email',
  [`info@${DOMAIN}`]: 'risky low_quality',
  [`stranger@${DOMAIN}`]: 'undeliverable rejected_email',
  [`whoever@${ALL}`]: 'risky low_deliverability',
};
const PEOPLE = [`anna@${DOMAIN}`, `bernd@${DOMAIN}`, `stranger@${DOMAIN}`];

let grey: GreyBook;
let port: number;
beforeAll(async () => {
  grey = await startGreyBook();
  port = await freePort(CONFIGURATIONS.map((_, at) => ADDRESS(at)));
});
afterAll(() => grey.close());

function start({ make, options, extra }: Configuration, at: number): Promise<MailServer | null> {
  return START[make]({
    domain: DOMAIN,
    catchAllDomain: ALL,
    tls: 'offered',
    nullSender: 'accepted',
    client: 'welcome',
    smtpUtf8: true,
    recipientsMax: null,
    connectionsMax: null,
    ...options,
    address: ADDRESS(at),
    port,
    greyPort: grey.port,
    extra,
  });
}

async function ask(server: MailServer, mailFrom: string, emails: readonly string[]): Promise<string[]> {
  const checker = createChecker({
    resolver: onlyAt(server.address),
    // It has a mail host for every name, which no honest resolver has.
    dnsSentinels: [],
    smtpPort: server.port,
    sources: [{ ip: SOURCE, heloName: 'checker.example' }],
    mailFrom,
    allowPrivateTargets: true,
    clock: fastClock,
    retrySeconds: [5, 10],
  });
  const found = new Map<string, Finding>();
  for await (const finding of checker.checkAll(emails)) found.set(finding.email, finding);
  await checker.close();
  return emails.map((email) => `${email}: ${found.get(email)?.state} ${found.get(email)?.reason}`);
}

describe.each(['postfix', 'exim', 'sendmail', 'opensmtpd'] as const)('%s', (make) => {
  it.concurrent.for(
    CONFIGURATIONS.map((row, at) => [row.what, row, at] as const).filter(([, row]) => row.make === make),
  )('%s', async ([, row, at], context) => {
    const server = (await start(row, at)) ?? withoutServer(make, context);
    try {
      const strangers = Array.from({ length: row.strangers ?? 0 }, (_, n) => `stranger${n}@${DOMAIN}`);
      const emails = row.expected === 'as_usual' ? [...Object.keys(USUAL), ...strangers] : PEOPLE;
      const wanted = (email: string) =>
        row.expected === 'as_usual' ? (USUAL[email] ?? 'undeliverable rejected_email') : row.expected;
      const found = await ask(server, row.mailFrom ?? '', emails);
      expect(found).toEqual(emails.map((email) => `${email}: ${wanted(email)}`));
      if (row.unseen !== undefined) expect(server.log()).not.toMatch(row.unseen);
    } catch (error) {
      console.error(server.log());
      throw error;
    } finally {
      await server.stop();
    }
  });
});
