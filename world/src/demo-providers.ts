// The ten large providers of the demo, by how they are known to answer. Data only; everything about them is simulated
// and none of them is ever contacted: names resolve in the demo's own DNS, to loopback.
import type { HostSpec, MailSpec } from './spec.ts';

export interface DemoProvider {
  readonly domains: readonly string[];
  readonly mxHosts: readonly string[];
  /** Share of the sample list. */
  readonly share: number;
  readonly host: HostSpec;
}

/** Made up: how many mailboxes were closed and opened since, what filters refuse, and how many readers call it spam. */
const mail = (closedShare: number, refusedShare: number, complaintShare: number): MailSpec => ({
  closedShare,
  openedShare: 0.006,
  refusedShare,
  complaintShare,
});

export const DEMO_PROVIDERS: readonly DemoProvider[] = [
  {
    // Multi-line 5.1.1, TLS, a hundred recipients a transaction.
    domains: ['gmail.com', 'googlemail.com'],
    mxHosts: ['gmail-smtp-in.l.google.com', 'alt1.gmail-smtp-in.l.google.com'],
    share: 0.24,
    host: {
      wording: 'google',
      tls: 'offered',
      replyDelayMs: 25,
      limits: { recipientsPerTransaction: 100 },
      mail: mail(0.002, 0.003, 0.0006),
    },
  },
  {
    // 5.5.0 for a missing mailbox; ends sessions after a few dozen recipients.
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
    mxHosts: ['outlook-com.olc.protection.outlook.com'],
    share: 0.09,
    host: {
      wording: 'outlook',
      tls: 'offered',
      replyDelayMs: 40,
      limits: { recipientsPerConnection: 50 },
      mail: mail(0.006, 0.015, 0.0015),
    },
  },
  {
    // Defers new clients at MAIL at first; accepts every recipient, and would decide after the message.
    domains: ['yahoo.com', 'aol.com'],
    mxHosts: ['mta5.am0.yahoodns.net', 'mta6.am0.yahoodns.net'],
    share: 0.07,
    host: {
      wording: 'yahoo',
      tls: 'offered',
      everyRcpt: 'accept',
      replyDelayMs: 60,
      mail: mail(0, 0.01, 0.001),
      at: {
        mail: {
          reply:
            '421 4.7.0 [TSS04] Messages temporarily deferred due to unexpected volume or user complaints',
          times: 2,
        },
      },
    },
  },
  {
    domains: ['icloud.com', 'me.com'],
    mxHosts: ['mx01.mail.icloud.com', 'mx02.mail.icloud.com'],
    share: 0.04,
    host: { wording: 'apple', tls: 'offered', replyDelayMs: 45, mail: mail(0.003, 0.004, 0.0005) },
  },
  {
    domains: ['gmx.de', 'gmx.net', 'web.de'],
    mxHosts: ['mx00.emig.gmx.net', 'mx01.emig.gmx.net'],
    share: 0.04,
    host: {
      wording: 'gmx',
      tls: 'offered',
      replyDelayMs: 30,
      limits: { connectionsPerSource: 5 },
      mail: mail(0.009, 0.01, 0.001),
    },
  },
  {
    domains: ['mail.ru'],
    mxHosts: ['mxs.mail.ru'],
    share: 0.02,
    host: { wording: 'mailru', tls: 'offered', replyDelayMs: 90, mail: mail(0.02, 0.03, 0.001) },
  },
  {
    domains: ['yandex.ru'],
    mxHosts: ['mx.yandex.ru'],
    share: 0.015,
    host: { wording: 'yandex', tls: 'offered', replyDelayMs: 80, mail: mail(0.015, 0.02, 0.001) },
  },
  {
    domains: ['proton.me'],
    mxHosts: ['mail.protonmail.ch', 'mailsec.protonmail.ch'],
    share: 0.015,
    host: { tls: 'offered', replyDelayMs: 35, mail: mail(0.001, 0.002, 0.0005) },
  },
  {
    // Known for two connections a client and not one more.
    domains: ['orange.fr', 'wanadoo.fr'],
    mxHosts: ['smtp-in.orange.fr'],
    share: 0.02,
    host: {
      wording: 'french',
      replyDelayMs: 35,
      limits: { connectionsPerSource: 2 },
      mail: mail(0.012, 0.04, 0.001),
    },
  },
  {
    // One recipient at a time.
    domains: ['comcast.net'],
    mxHosts: ['mx1.mxge.comcast.net'],
    share: 0.02,
    host: { tls: 'offered', pipelining: 'none', replyDelayMs: 110, mail: mail(0.015, 0.01, 0.001) },
  },
];

/** MX hosts that many small domains share. */
export const DEMO_GATEWAYS: Readonly<Record<string, HostSpec>> = {
  'aspmx.l.google.com': { wording: 'google', tls: 'offered', replyDelayMs: 25 },
  'alt1.aspmx.l.google.com': { wording: 'google', tls: 'offered', replyDelayMs: 35 },
  'mx.zoho.com': { tls: 'offered', replyDelayMs: 120 },
  'eu-smtp-inbound-1.mimecast.com': { tls: 'offered', replyDelayMs: 45, greylist: { delayMs: 60_000 } },
  'mxa-00000000.gslb.pphosted.com': { tls: 'offered', replyDelayMs: 50 },
  'd00000a.ess.barracudanetworks.com': { tls: 'offered', replyDelayMs: 70, everyRcpt: 'accept' },
  'mx1.emailsrvr.com': { replyDelayMs: 60 },
};
