// Refusals that mail hosts publish or are known for, and what each is about. Promise: the wording is the host's own, with
// the client's address, names and ids replaced; nothing here was made up to be misread.
import type { FaultStage } from '../../world/src/spec.ts';

export interface PublishedReply {
  /** Stable: the kept answers of the peers are found by it. */
  readonly id: string;
  /** Who says it. */
  readonly by: string;
  /** The end of that host's MX names, where programs go by it. */
  readonly mxSuffix?: string;
  /** Where it is said. */
  readonly at: Extract<FaultStage, 'banner' | 'mail' | 'rcpt'>;
  /** Mostly said after a message, which no verifier sends; here at RCPT. */
  readonly mostlyAfterData?: true;
  /** `accepted`: the mailbox exists, and others are refused. */
  readonly about: 'other' | 'mailbox' | 'accepted';
  /** `ASKED` stands for the recipient. */
  readonly lines: readonly string[];
  /** Where the wording is from. */
  readonly published: string;
}

/** In the replies: the recipient asked about. */
export const ASKED = 'someone@example.com';

const SISIMAI = 'github.com/sisimai: bounce messages';
const GOOGLE = 'support.google.com/a/answer/3726730';
const MICROSOFT = 'learn.microsoft.com: NDR codes of Exchange Online';
const POSTFIX = 'postfix.org: postconf(5)';

export const PUBLISHED_REPLIES: readonly PublishedReply[] = [
  // Block lists and reputation
  {
    id: 'spamhaus-postfix',
    by: 'Postfix with Spamhaus ZEN',
    at: 'rcpt',
    about: 'other',
    lines: [
      '554 5.7.1 Service unavailable; Client host [192.0.2.10] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.10',
    ],
    published: `${POSTFIX}, reject_rbl_client`,
  },
  {
    id: 'spamhaus-exim',
    by: 'cPanel (Exim) with Spamhaus',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550-"JunkMail rejected - mail.example.org [192.0.2.10]:34032 is in an RBL:',
      '550 https://www.spamhaus.org/query/ip/192.0.2.10"',
    ],
    published: 'docs.cpanel.net: RBLs of Exim',
  },
  {
    id: 'spamhaus-microsoft',
    by: 'Microsoft 365 with Spamhaus',
    mxSuffix: 'mail.protection.outlook.com',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550 5.7.1 Service unavailable, Client host [192.0.2.10] blocked using Spamhaus. To request removal from this list see https://www.spamhaus.org/query/ip/192.0.2.10 (AS3130)',
    ],
    published: MICROSOFT,
  },
  {
    id: 'spamcop-postfix',
    by: 'Postfix with SpamCop',
    at: 'rcpt',
    about: 'other',
    lines: [
      '554 5.7.1 Service unavailable; Client host [192.0.2.10] blocked using bl.spamcop.net; Blocked - see https://www.spamcop.net/bl.shtml?192.0.2.10',
    ],
    published: `${POSTFIX}, reject_rbl_client`,
  },
  {
    id: 'barracuda',
    by: 'Barracuda',
    mxSuffix: 'ess.barracudanetworks.com',
    at: 'rcpt',
    about: 'other',
    lines: [
      '554 Service unavailable; Client host [192.0.2.10] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1&ip=192.0.2.10',
    ],
    published: 'barracudacentral.org; server logs',
  },
  {
    id: 'trendmicro',
    by: 'sendmail with Trend Micro',
    at: 'rcpt',
    about: 'other',
    lines: [
      `550 5.7.1 <${ASKED}>... Mail from 192.0.2.10 blocked using Trend Micro RBL+. Please see http://www.mail-abuse.com/cgi-bin/lookup?ip_address=192.0.2.10`,
    ],
    published: 'server logs',
  },
  {
    id: 'recipient-blacklist',
    by: 'hosts with a list of their own',
    at: 'rcpt',
    about: 'other',
    lines: ['550 5.7.1 IP address blacklisted by recipient'],
    published: SISIMAI,
  },
  {
    id: 'microsoft-606',
    by: 'Microsoft 365',
    mxSuffix: 'mail.protection.outlook.com',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550 5.7.606 Access denied, banned sending IP [192.0.2.10]. To request removal from this list please visit https://sender.office.com/ and follow the directions. (AS16012609)',
    ],
    published: `${MICROSOFT}, 5.7.606-649`,
  },
  {
    id: 'microsoft-511',
    by: 'Microsoft 365',
    mxSuffix: 'mail.protection.outlook.com',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550 5.7.511 Access denied, banned sender[192.0.2.10]. To request removal from this list please forward this message to delist@microsoft.com. For more information please go to http://go.microsoft.com/fwlink/?LinkId=526653.',
    ],
    published: `${MICROSOFT}, 5.7.511`,
  },
  {
    id: 'outlook-s3150',
    by: 'Outlook.com',
    mxSuffix: 'olc.protection.outlook.com',
    at: 'mail',
    about: 'other',
    lines: [
      "550 5.7.1 Unfortunately, messages from [192.0.2.10] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.",
    ],
    published: 'sendersupport.olc.protection.outlook.com: troubleshooting',
  },
  {
    id: 'yahoo-tss09',
    by: 'Yahoo',
    mxSuffix: 'am0.yahoodns.net',
    at: 'mail',
    about: 'other',
    lines: [
      '553 5.7.2 [TSS09] All messages from 192.0.2.10 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes',
    ],
    published: 'senders.yahooinc.com: SMTP error codes',
  },
  {
    id: 'yahoo-bl21',
    by: 'Yahoo',
    mxSuffix: 'am0.yahoodns.net',
    at: 'banner',
    about: 'other',
    lines: [
      "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.10, because the ip is in Spamhaus's list; see http://postmaster.yahoo.com/550-bl23.html",
    ],
    published: SISIMAI,
  },
  {
    id: 'gmail-not-authorized',
    by: 'Gmail',
    mxSuffix: 'l.google.com',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: [
      "550-5.7.1 [192.0.2.10] The IP you're using to send mail is not authorized to",
      '550-5.7.1 send email directly to our servers. Please use the SMTP relay at your',
      '550 5.7.1 service provider instead. a1-20020a05600c00c100b003c6de3b15fasi1234567wmm.1 - gsmtp',
    ],
    published: GOOGLE,
  },
  {
    id: 'gmail-low-reputation',
    by: 'Gmail',
    mxSuffix: 'l.google.com',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: [
      '550-5.7.1 [192.0.2.10] Our system has detected that this message is likely suspicious',
      '550-5.7.1 due to the very low reputation of the sending IP address. To best protect our',
      '550 5.7.1 users from spam, the message has been blocked. https://support.google.com/mail/answer/188131',
    ],
    published: GOOGLE,
  },
  {
    id: 'proofpoint',
    by: 'Proofpoint',
    mxSuffix: 'pphosted.com',
    at: 'mail',
    about: 'other',
    lines: ['554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.10'],
    published: SISIMAI,
  },
  {
    id: 'mimecast-reputation',
    by: 'Mimecast',
    mxSuffix: 'mimecast.com',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550 [6ATVl4DjOvSA6XNsWGoUFw.us31]',
    ],
    published: 'mimecastsupport.zendesk.com: SMTP error codes',
  },
  {
    id: 'ironport-sbrs',
    by: 'Cisco IronPort',
    at: 'banner',
    about: 'other',
    lines: [
      '554-mx1.example.com',
      "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient via alternate means.",
    ],
    published: 'cisco.com: Secure Email, default text of the blocked list',
  },
  {
    id: 'gmx-banner',
    by: 'GMX',
    mxSuffix: 'gmx.net',
    at: 'banner',
    about: 'other',
    lines: [
      '554-gmx.net (mxgmx117) Nemesis ESMTP Service not available',
      '554-No SMTP service',
      '554-IP address is block listed.',
      '554 For explanation visit https://www.gmx.net/mail/senderguidelines?c=bl',
    ],
    published: 'postmaster.gmx.net',
  },
  {
    id: 'webde-policy',
    by: 'web.de, GMX, IONOS',
    mxSuffix: 'web.de',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550-Requested action not taken: mailbox unavailable',
      '550-Reject due to policy restrictions.',
      '550 For explanation visit https://postmaster.web.de/en/error-messages?ip=192.0.2.10&c=hi',
    ],
    published: 'postmaster.web.de, postmaster.1und1.de',
  },
  {
    id: 't-online',
    by: 'T-Online',
    mxSuffix: 't-online.de',
    at: 'banner',
    about: 'other',
    lines: [
      '554 IP=192.0.2.10 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)',
    ],
    published: SISIMAI,
  },
  {
    id: 'orange-ofr',
    by: 'Orange',
    mxSuffix: 'orange.fr',
    at: 'banner',
    about: 'other',
    lines: [
      '550 mwinf5c04 ME Adresse IP source bloquee pour incident de spam. Client host blocked for spamming issues. OFR006_102 Ref http://csi.cloudmark.com/reset-request/?ip=192.0.2.10 [102]',
    ],
    published: SISIMAI,
  },
  {
    id: 'comcast-bl',
    by: 'Comcast',
    mxSuffix: 'comcast.net',
    at: 'banner',
    about: 'other',
    lines: [
      '554 resimta-h1p-037598.sys.comcast.net 192.0.2.10 found on one or more DNSBLs, see http://postmaster.comcast.net/smtp-error-codes.php#BL000001',
    ],
    published: 'postmaster.comcast.net: mail error codes',
  },
  {
    id: 'cox-cdrbl',
    by: 'Cox',
    at: 'mail',
    about: 'other',
    lines: [
      '550 5.1.0 <bench@bench.example> sender rejected. Refer to Error Codes section at https://www.cox.com/residential/support/email-error-codes.html for more information. AUP#CDRBL',
    ],
    published: 'cox.com: e-mail error codes',
  },
  {
    id: 'att-rbl',
    by: 'AT&T',
    at: 'mail',
    about: 'other',
    lines: [
      '553 5.3.0 flpd575 DNSBL:RBL 521< 192.0.2.10 >_is_blocked.For assistance forward this error to abuse_rbl@abuse-att.net',
    ],
    published: 'server logs',
  },
  // Rate
  {
    id: 'gmail-rate',
    by: 'Gmail',
    mxSuffix: 'l.google.com',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: [
      '550-5.7.1 [192.0.2.10] Our system has detected an unusual rate of unsolicited mail',
      '550-5.7.1 originating from your IP address. To protect our users from spam, mail sent from',
      '550 5.7.1 your IP address has been blocked. Review https://support.google.com/mail/answer/81126',
    ],
    published: GOOGLE,
  },
  {
    id: 'godaddy-recipients',
    by: 'GoDaddy',
    mxSuffix: 'secureserver.net',
    at: 'rcpt',
    about: 'other',
    lines: [
      `550 5.1.1 <${ASKED}> - 192.0.2.10 has sent to too many recipients this hour. IB607 <http://x.co/rlbounce>`,
    ],
    published: SISIMAI,
  },
  {
    id: 'unknown-recipients',
    by: 'Alice (TIM)',
    at: 'rcpt',
    about: 'other',
    lines: ['554 Too many unknown RCPT TO addresses from host 192.0.2.10'],
    published: 'bounce collections',
  },
  {
    id: 'unrecognized-recipients',
    by: 'hosts that count unknown recipients',
    at: 'rcpt',
    about: 'other',
    lines: ['550 too many unrecognized recipients'],
    published: 'bounce collections',
  },
  {
    id: 'qq-frequency',
    by: 'QQ',
    mxSuffix: 'qq.com',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550 Connection frequency limited [MTI3MTY2MDge IP: 192.0.2.10]. https://service.mail.qq.com/detail/122/175',
    ],
    published: 'service.mail.qq.com',
  },
  {
    id: 'policyd-weight',
    by: 'Postfix with policyd-weight',
    at: 'rcpt',
    about: 'other',
    lines: [
      `550 5.7.1 <${ASKED}>: Recipient address rejected: temporarily blocked because of previous errors - retrying too fast. penalty: 30 seconds x 0 retries.`,
    ],
    published: 'policyd-weight.org; server logs',
  },
  // Our name, sender and authentication
  {
    id: 'gmail-ptr',
    by: 'Gmail',
    mxSuffix: 'l.google.com',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: [
      '550-5.7.25 [192.0.2.10] The IP address sending this message does not have a PTR record',
      '550-5.7.25 setup, or the corresponding forward DNS entry does not point to the sending IP.',
      '550 5.7.25 As a policy, Gmail does not accept messages from IPs with missing PTR records.',
    ],
    published: GOOGLE,
  },
  {
    id: 'gmail-unauthenticated',
    by: 'Gmail',
    mxSuffix: 'l.google.com',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: [
      '550-5.7.26 Your email has been blocked because the sender is unauthenticated. Gmail requires all',
      '550 5.7.26 senders to authenticate with either SPF or DKIM. https://support.google.com/mail/answer/81126#authentication',
    ],
    published: GOOGLE,
  },
  {
    id: 'gmail-spf',
    by: 'Gmail',
    mxSuffix: 'l.google.com',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: [
      "550-5.7.27 Your email has been blocked because SPF authentication didn't pass for this message.",
      '550 5.7.27 Gmail requires all bulk email senders to authenticate their email with SPF.',
    ],
    published: GOOGLE,
  },
  {
    id: 'mailru-dmarc',
    by: 'Mail.ru',
    mxSuffix: 'mail.ru',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: [
      '550 5.7.1 This message was not accepted due to domain (bench.example) owner DMARC policy (RFC 7489) https://help.mail.ru/mail-help/postmaster/dmarc',
    ],
    published: SISIMAI,
  },
  {
    id: 'postfix-spf',
    by: 'Postfix with policyd-spf',
    at: 'rcpt',
    about: 'other',
    lines: [
      `550 5.7.23 <${ASKED}>: Recipient address rejected: Message rejected due to: SPF fail - not authorized. Please see http://www.openspf.net/Why?s=mfrom;id=bench@bench.example;ip=192.0.2.10`,
    ],
    published: 'pypi.org/project/spf-engine',
  },
  {
    id: 'postfix-sender-domain',
    by: 'Postfix',
    at: 'rcpt',
    about: 'other',
    lines: ['550 5.1.8 <bench@bench.example>: Sender address rejected: Domain not found'],
    published: `${POSTFIX}, reject_unknown_sender_domain`,
  },
  {
    id: 'exim-sender-verify',
    by: 'Exim, sender callout',
    at: 'rcpt',
    about: 'other',
    lines: [
      '550-Verification failed for <bench@bench.example>',
      '550-Called:   192.0.2.20',
      '550-Sent:     RCPT TO:<bench@bench.example>',
      '550-Response: 550 No Such User Here',
      '550 Sender verify failed',
    ],
    published: 'exim.org: specification, callout verification',
  },
  {
    id: 'exim-ptr',
    by: 'Exim',
    at: 'rcpt',
    about: 'other',
    lines: ['550 Inconsistent/Missing DNS PTR record (RFC 1912 2.1) (mail.example.org) [192.0.2.10]:51234'],
    published: 'server logs',
  },
  // Policy, TLS, relaying
  {
    id: 'postfix-policy',
    by: 'Postfix with policyd',
    at: 'rcpt',
    about: 'other',
    lines: [`554 5.7.1 <${ASKED}>: Recipient address rejected: Policy Rejection- Abuse. Go away.`],
    published: 'Postfix policyd: default blacklist text',
  },
  {
    id: 'local-policy',
    by: 'hosts with a policy',
    at: 'rcpt',
    about: 'other',
    lines: ['550 5.7.0 Local Policy Violation'],
    published: SISIMAI,
  },
  {
    id: 'amavis-content',
    by: 'amavisd',
    at: 'rcpt',
    mostlyAfterData: true,
    about: 'other',
    lines: ['550 5.7.1 Message content rejected, UBE, id=22220-02-222'],
    published: SISIMAI,
  },
  {
    id: 'starttls',
    by: 'hosts that require TLS',
    at: 'mail',
    about: 'other',
    lines: ['530 5.7.0 Must issue a STARTTLS command first'],
    published: `RFC 3207; ${POSTFIX}, smtpd_tls_security_level`,
  },
  {
    id: 'exchange-relay',
    by: 'Exchange',
    at: 'rcpt',
    about: 'other',
    lines: ['550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain'],
    published: MICROSOFT,
  },
  {
    id: 'postfix-relay',
    by: 'Postfix',
    at: 'rcpt',
    about: 'other',
    lines: [`554 5.7.1 <${ASKED}>: Relay access denied`],
    published: `${POSTFIX}, reject_unauth_destination`,
  },
  // The mailbox: to see that each verifier can say no and yes.
  {
    id: 'gone-postfix',
    by: 'Postfix',
    at: 'rcpt',
    about: 'mailbox',
    lines: [`550 5.1.1 <${ASKED}>: Recipient address rejected: User unknown in virtual mailbox table`],
    published: `${POSTFIX}, reject_unlisted_recipient`,
  },
  {
    id: 'gone-gmail',
    by: 'Gmail',
    mxSuffix: 'l.google.com',
    at: 'rcpt',
    about: 'mailbox',
    lines: [
      '550-5.1.1 The email account that you tried to reach does not exist. Please try',
      "550-5.1.1 double-checking the recipient's email address for typos or",
      '550 5.1.1 unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser',
    ],
    published: GOOGLE,
  },
  {
    id: 'gone-microsoft',
    by: 'Microsoft 365',
    mxSuffix: 'mail.protection.outlook.com',
    at: 'rcpt',
    about: 'mailbox',
    lines: [
      '550 5.4.1 Recipient address rejected: Access denied. [AM4PEPF00027A68.eurprd04.prod.outlook.com 2026-11-17T09:00:00.000Z 08DD05A1B2C3D4E5]',
    ],
    published: `${MICROSOFT}, directory-based edge blocking`,
  },
  {
    id: 'gone-outlook',
    by: 'Outlook.com',
    mxSuffix: 'olc.protection.outlook.com',
    at: 'rcpt',
    about: 'mailbox',
    lines: ['550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
    published: 'sendersupport.olc.protection.outlook.com: troubleshooting',
  },
  {
    id: 'gone-exim',
    by: 'cPanel (Exim)',
    at: 'rcpt',
    about: 'mailbox',
    lines: ['550 No Such User Here'],
    published: 'cPanel: default of /etc/valiases',
  },
  {
    id: 'there-postfix',
    by: 'Postfix',
    at: 'rcpt',
    about: 'accepted',
    lines: ['250 2.1.5 Ok'],
    published: POSTFIX,
  },
];
