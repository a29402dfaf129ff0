// The engine against mail servers people run: the same promises at every make, installed or unpacked below
// MXPROOF_MTA_DIR (scripts/unpack-mail-servers.sh).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChecker } from '../src/checker.ts';
import type { CheckerOptions } from '../src/checker-options.ts';
import type { Finding } from '../src/types.ts';
import { startExim } from './mail-servers/exim.ts';
import { fastClock } from './mail-servers/fast-clock.ts';
import { type GreyBook, startGreyBook } from './mail-servers/grey-book.ts';
import {
  freePort,
  type MailServer,
  type MailServerOptions,
  type MailServerStarter,
  withoutServer,
} from './mail-servers/mail-server.ts';
import { onlyAt } from './mail-servers/only-at.ts';
import { startOpensmtpd } from './mail-servers/opensmtpd.ts';
import { startPostfix } from './mail-servers/postfix.ts';
import { startSendmail } from './mail-servers/sendmail.ts';

/** Servers trust 127.0.0.1 with things they refuse to strangers. */
const SOURCE = '127.0.61.9';
const DOMAIN = 'users.example';
const ALL = 'all.example';
/** Its MX host is the server under test, which has never heard of it. */
const NOT_SERVED = 'stranger.example';
const SENDER = 'probe@checker.example';

const MAKES: readonly (readonly [string, MailServerStarter])[] = [
  ['postfix', startPostfix],
  ['exim', startExim],
  ['opensmtpd', startOpensmtpd],
  ['sendmail', startSendmail],
];

const ORDINARY: Omit<MailServerOptions, 'address' | 'port' | 'greyPort'> = {
  domain: DOMAIN,
  catchAllDomain: ALL,
  tls: 'offered',
  nullSender: 'accepted',
  client: 'welcome',
  smtpUtf8: true,
  recipientsMax: null,
  connectionsMax: null,
};

/** Each on an address of its own, so that a make's can run beside one another. */
const VARIANTS = {
  ordinary: {},
  withoutTls: { tls: 'none' },
  tlsRequired: { tls: 'required' },
  nullSenderRefused: { nullSender: 'refused' },
  refusedAtConnect: { client: 'refused_at_connect' },
  refusedAtRcpt: { client: 'refused_at_rcpt' },
  small: { recipientsMax: 3, connectionsMax: 2 },
} as const satisfies Readonly<Record<string, Partial<MailServerOptions>>>;
type Variant = keyof typeof VARIANTS;

let grey: GreyBook;
beforeAll(async () => {
  grey = await startGreyBook();
});
afterAll(() => grey.close());

async function ask(
  server: MailServer,
  emails: readonly string[],
  options: CheckerOptions = {},
): Promise<Map<string, Finding>> {
  const checker = createChecker({
    resolver: onlyAt(server.address),
    // It has a mail host for every name, which no honest resolver has.
    dnsSentinels: [],
    smtpPort: server.port,
    sources: [{ ip: SOURCE, heloName: 'checker.example' }],
    allowPrivateTargets: true,
    clock: fastClock,
    retrySeconds: [1],
    ...options,
  });
  const found = new Map<string, Finding>();
  for await (const finding of checker.checkAll(emails)) found.set(finding.email, finding);
  await checker.close();
  return found;
}

const words = (finding: Finding | undefined): string => `${finding?.state} ${finding?.reason}`;
const all = (found: ReadonlyMap<string, Finding>): Record<string, string> =>
  Object.fromEntries([...found].map(([email, finding]) => [email, words(finding)]));

describe.each(MAKES)('%s', (make, startMake) => {
  // Debian 12's OpenSMTPD offers STARTTLS and fails every handshake since OpenSSL 3: asked in clear after that.
  const tlsWorks = (server: MailServer) => !/OpenSMTPD 6\./.test(server.log());
  const servers = new Map<Variant, MailServer>();

  beforeAll(async () => {
    const names = Object.keys(VARIANTS) as Variant[];
    const addresses = names.map((_, at) => `127.0.61.${at + 10}`);
    const port = await freePort(addresses);
    // All of them: one that fails must not leave the others behind.
    const started = await Promise.allSettled(
      names.map(async (name, at) => {
        const options = {
          ...ORDINARY,
          ...VARIANTS[name],
          address: addresses[at] ?? '',
          port,
          greyPort: grey.port,
        };
        const server = await startMake(options);
        if (server !== null) servers.set(name, server);
      }),
    );
    for (const one of started) if (one.status === 'rejected') throw one.reason;
  });
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  });

  function promise(what: string, variant: Variant, test: (server: MailServer) => Promise<void>): void {
    it(what, async (context) => {
      const server = servers.get(variant) ?? withoutServer(make, context);
      try {
        await test(server);
      } catch (error) {
        console.error(server.log());
        throw error;
      }
    });
  }

  const EXPECTED: Readonly<Record<string, string>> = {
    [`anna@${DOMAIN}`]: 'deliverable accepted_email',
    [`BERND@${DOMAIN.toUpperCase()}`]: 'deliverable accepted_email',
    [`info@${DOMAIN}`]: 'risky low_quality',
    [`nobody.of.that.name@${DOMAIN}`]: 'undeliverable rejected_email',
    [`closed@${DOMAIN}`]: 'undeliverable rejected_email',
    [`full@${DOMAIN}`]: 'risky low_deliverability',
    [`full.for.now@${DOMAIN}`]: 'risky low_deliverability',
    [`broken@${DOMAIN}`]: 'unknown unavailable_smtp',
    [`grey.one@${DOMAIN}`]: 'deliverable accepted_email',
    [`whoever@${ALL}`]: 'risky low_deliverability',
  };

  for (const [how, mailFrom] of [
    ['the null sender', '<>'],
    ['a sender', SENDER],
  ] as const)
    promise(
      `tells every kind of mailbox apart, asking with ${how} over TLS where it works`,
      'ordinary',
      async (server) => {
        const found = await ask(server, Object.keys(EXPECTED), { mailFrom });
        expect(all(found)).toEqual(EXPECTED);
        expect(found.get(`anna@${DOMAIN}`)?.evidence.tls).toBe(tlsWorks(server));
        expect(found.get(`whoever@${ALL}`)?.acceptAll).toBe(true);
        expect(found.get(`anna@${DOMAIN}`)?.acceptAll).toBe(false);
        expect(found.get(`grey.one@${DOMAIN}`)?.evidence.attempts).toBe(2);
      },
    );

  promise('does the same without TLS', 'withoutTls', async (server) => {
    const found = await ask(server, Object.keys(EXPECTED));
    expect(all(found)).toEqual(EXPECTED);
  });

  promise('gives a server that demands TLS its TLS, where it works', 'tlsRequired', async (server) => {
    const found = await ask(server, [`anna@${DOMAIN}`, `nobody.of.that.name@${DOMAIN}`]);
    const [anna, nobody] = tlsWorks(server)
      ? ['deliverable accepted_email', 'undeliverable rejected_email']
      : ['unknown unavailable_smtp', 'unknown unavailable_smtp'];
    expect(all(found)).toEqual({ [`anna@${DOMAIN}`]: anna, [`nobody.of.that.name@${DOMAIN}`]: nobody });
  });

  promise('blames no mailbox for a refused sender', 'nullSenderRefused', async (server) => {
    const emails = [`anna@${DOMAIN}`, `nobody.of.that.name@${DOMAIN}`];
    const withSender = await ask(server, emails, { mailFrom: SENDER });
    expect(withSender.get(emails[0] ?? '')?.state).toBe('deliverable');
    // Sendmail accepts <> whatever its tables say, as RFC 1123 asks.
    if (make === 'sendmail') return;
    const without = await ask(server, emails);
    for (const finding of without.values()) expect(words(finding)).toBe('unknown unavailable_smtp');
  });

  for (const [where, variant] of [
    ['connect', 'refusedAtConnect'],
    ['RCPT', 'refusedAtRcpt'],
  ] as const)
    promise(`blames no mailbox when we are refused at ${where}`, variant, async (server) => {
      const found = await ask(server, [`anna@${DOMAIN}`, `nobody.of.that.name@${DOMAIN}`, `a@${ALL}`]);
      expect(found.size).toBe(3);
      for (const finding of found.values()) expect(words(finding)).toBe('unknown unavailable_smtp');
    });

  promise('blames no mailbox when the host does not serve its domain', 'ordinary', async (server) => {
    const emails = ['a', 'b', 'c', 'd'].map((local) => `${local}@${NOT_SERVED}`);
    for (const finding of (await ask(server, emails, { mailFrom: SENDER })).values())
      expect(words(finding)).toBe('unknown unavailable_smtp');
  });

  const crowd = Array.from({ length: 60 }, (_, n) =>
    n % 2 === 0 ? `stranger${n}@${DOMAIN}` : `guest${n}@${ALL}`,
  );

  promise(
    'stays below the error limits as they come, however many do not exist',
    'ordinary',
    async (server) => {
      const found = await ask(server, [...crowd, `anna@${DOMAIN}`, `bernd@${DOMAIN}`]);
      for (const [email, finding] of found)
        expect([email, finding.state]).toEqual([
          email,
          email.startsWith('stranger')
            ? 'undeliverable'
            : email.startsWith('guest')
              ? 'risky'
              : 'deliverable',
        ]);
      expect(server.log()).not.toMatch(/too many (errors|nonmail|unknown|syntax|bad)/i);
    },
  );

  promise('is right where few recipients and few connections are borne', 'small', async (server) => {
    const found = await ask(server, [...crowd, `anna@${DOMAIN}`], { mailFrom: SENDER });
    for (const [email, finding] of found)
      expect([email, finding.state]).toEqual([
        email,
        email.startsWith('stranger') ? 'undeliverable' : email.startsWith('guest') ? 'risky' : 'deliverable',
      ]);
  });
});
