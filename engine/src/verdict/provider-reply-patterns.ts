// Wordings of one provider's servers that the general tables would miss or misread; tried first. If the provider is not
// known (a pasted reply, an MX host under its owner's name), they are all tried after the general ones.
import type { Meaning } from '../types.ts';
import type { ProviderReplyRow } from './reply-row.ts';

const row = (provider: string, means: Meaning, match: RegExp, seen: string): ProviderReplyRow => ({
  provider,
  means,
  match,
  seen,
});
/** A mailbox that was closed. */
const closed = (provider: string, match: RegExp, seen: string): ProviderReplyRow => ({
  ...row(provider, 'no_mailbox', match, seen),
  detail: 'mailbox_disabled',
});
/** The recipient's own policy: about every sender, and not about us. */
const ownPolicy = (provider: string, match: RegExp, seen: string): ProviderReplyRow => ({
  ...row(provider, 'blocked', match, seen),
  detail: 'unclear',
});
const link = (provider: string, means: Meaning, match: RegExp, seen: string): ProviderReplyRow => ({
  ...row(provider, means, match, seen),
  in: 'links',
});

/** Two services of one company, whose front ends speak for each other: where the rows of one have nothing, the other's. */
export const SAME_COMPANY: Readonly<Record<string, string>> = {
  microsoft: 'outlook',
  outlook: 'microsoft',
};

export const PROVIDER_REPLY_ROWS: readonly ProviderReplyRow[] = [
  // Google names the page that explains the refusal; the page is steadier than the sentence.
  link(
    'google',
    'no_mailbox',
    /[?&]p=nosuchuser/,
    '550 5.1.1 https://support.google.com/mail/?p=NoSuchUser a1-20020a056402.123 - gsmtp',
  ),
  {
    ...link(
      'google',
      'no_mailbox',
      /[?&]p=(?:disableduser|inactiveuser)/,
      '550 5.2.1 https://support.google.com/mail/?p=DisabledUser a1-20020a056402.123 - gsmtp',
    ),
    detail: 'mailbox_disabled',
  },
  link(
    'google',
    'over_quota',
    /[?&]p=overquota/,
    '452 4.2.2 https://support.google.com/mail/?p=OverQuotaTemp a1-20020a056402.123 - gsmtp',
  ),
  link(
    'google',
    'mailbox_busy',
    /[?&]p=receivingrate(?![a-z])/,
    '450 4.2.1 https://support.google.com/mail/?p=ReceivingRate a1-20020a056402.123 - gsmtp',
  ),
  link(
    'google',
    'rate_limited',
    /[?&]p=(?:receivingrateperm|unsolicitedratelimiterror)/,
    '550 5.2.1 https://support.google.com/mail/?p=ReceivingRatePerm a1-20020a056402.123 - gsmtp',
  ),
  row(
    'google',
    'unclear',
    /the group you tried to contact/,
    "550-5.7.1 We're writing to let you know that the group you tried to contact (all) may not exist, or you may not have permission to post messages to the group.",
  ),
  ownPolicy(
    'google',
    /policy that prohibited the mail/,
    '550-5.7.1 The user or domain that you are sending to (or from) has a policy that prohibited the mail that you sent.',
  ),

  // Microsoft 365: the recipient filter of a directory-based edge says "access denied" for an unknown mailbox.
  {
    provider: 'microsoft',
    means: 'no_mailbox',
    clarity: 'meant',
    match: /recipient address(?:es)? rejected ?: access denied/,
    seen: '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR01FT003.eop-EUR01.prod.protection.outlook.com 2024-01-01T00:00:00.000Z 08DC000000000000]',
  },
  ownPolicy(
    'microsoft',
    /not permitted to send to (?:this|the) (?:recipient|group)|authenticat\w{1,20} (?:is )?required to send/,
    '550 5.7.1 You are not permitted to send to this recipient',
  ),
  row(
    'microsoft',
    'blocked',
    /banned send(?:er|ing ip) ?IP|access denied, (?:banned send|bad helo|spam abuse|traffic not accepted)/,
    '550 5.7.511 Access denied, banned sender[203.0.113.9]. To request removal from this list please forward this message to delist@messaging.microsoft.com.',
  ),
  link(
    'microsoft',
    'blocked',
    /\bsender\.office\.com/,
    '550 5.7.606 Refused, see https://sender.office.com/ (AS16012609)',
  ),
  row(
    'microsoft',
    'rate_limited',
    /resource (?:temporarily )?unavailable|mailbox server is (?:offline|busy)|storedrv\.\S{1,40}; (?:throttl|sender thread limit)/,
    '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded',
  ),
  closed(
    'microsoft',
    /accountdisabled/,
    '554 5.2.0 STOREDRV.Deliver.Exception:AccountDisabledException.MapiExceptionAccountDisabled; Failed to process message due to a permanent exception with message Cannot open mailbox.',
  ),
  row(
    'microsoft',
    'over_quota',
    /mapiexception(?:shutoff)?quotaexceeded|storedrv\S{0,20}:? mailbox full/,
    '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded',
  ),

  // Outlook, for consumers, has block lists and limits of its own; its postmaster's pages number them.
  row(
    'outlook',
    'no_mailbox',
    /requested action not taken: mailbox unavailable/,
    '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [VE1EUR03FT049.eop-EUR03.prod.protection.outlook.com]',
  ),
  row(
    'outlook',
    'rate_limited',
    /\brp-00\d\b|\bsome messages from\b|rate limited due to ip reputation/,
    "421 RP-001 (SNT004-MC3F15) Unfortunately, some messages from 203.0.113.9 weren't sent. Please try again. We have limits for how many messages can be sent per hour and per day.",
  ),
  row(
    'outlook',
    'blocked',
    /\b(?:sc|ou|dy)-00\d\b|unfortunately, messages from|block list \(s\d{3,5}\)|\(s31[45]0\)/,
    "550 5.7.1 Unfortunately, messages from [203.0.113.9] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
  ),

  // Yahoo and AOL
  row(
    'yahoo',
    'no_mailbox',
    /doesn't have a \S{1,40} account/,
    "554 delivery error: dd This user doesn't have a yahoo.com account (info@yahoo.com) [0] - mta1001.mail.example.com",
  ),
  closed(
    'yahoo',
    /this (?:mailbox|account) (?:is|has been) disabled|\(554\.30\)/,
    '554 30 Sorry, your message to info@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
  ),
  closed(
    'yahoo',
    /your recipient never logged/,
    '550 We would love to have gotten this email to info@aol.com. But, your recipient never logged onto their free AIM Mail account.',
  ),
  row(
    'yahoo',
    'blocked',
    /permanently deferred|retrying will not succeed|\[ts03\]|\[tss(?:05|09|1\d)\]/,
    '421 4.7.1 [TS03] All messages from 203.0.113.9 will be permanently deferred; Retrying will NOT succeed. See http://postmaster.yahoo.com/421-ts03.html',
  ),
  row(
    'yahoo',
    'rate_limited',
    /\[tss?\d{1,4}\]|temporarily deferred/,
    '421 4.7.0 [TSS04] Messages from 203.0.113.9 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
  ),
  row(
    'yahoo',
    'blocked',
    /\[(?:bl|gl|ph|pbl)\d{1,4}\]/,
    "553 5.7.1 [BL21] Connections will not be accepted from 203.0.113.9, because the ip is in Spamhaus's list",
  ),

  row(
    'yahoojapan',
    'rate_limited',
    /\bvs\d{1,3}-(?!rt)[a-z]{2}\d{0,3}\b/,
    '421 VS98-IP0 deferred - see help.yahoo.co.jp',
  ),

  // Apple
  row(
    'apple',
    'no_mailbox',
    /unknown or illegal alias/,
    '550 5.1.1 unknown or illegal alias: info@icloud.com',
  ),
  closed(
    'apple',
    /inactive email address|recipient no longer on server/,
    '550 5.1.6 recipient no longer on server: info@icloud.com',
  ),
  row(
    'apple',
    'rate_limited',
    /\[bs\d{2}\]|deferred due to excessive volume/,
    '451 4.7.1 [BS02] Temporary server error. Please try again later',
  ),
  row(
    'apple',
    'blocked',
    /\[(?:cs|hm|pr)\d{2}\]/,
    '554 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
  ),

  // German providers
  row(
    'gmx',
    'blocked',
    /(?:ip address is (?:block ?listed|listed)|bad dns ptr|dynamic ip|reject due to policy restrictions|invalid dns (?:mx|a))/,
    '554-gmx.net (mxgmx115) Nemesis ESMTP Service not available 554-No SMTP service 554-Bad DNS PTR resource record.',
  ),
  row(
    'webde',
    'blocked',
    /transaction failed[^.]{0,40}(?:polic|reputation|refused)/,
    '554-Transaction failed 554 Reject due to policy restrictions.',
  ),
  row(
    'telekom',
    'blocked',
    /ip ?= ?IP|none\/bad reputation|ask your postmaster/,
    '554 IP=203.0.113.9 - None/bad reputation. Ask your postmaster for help or to contact tobr@rx.t-online.de for reset. (NOWL)',
  ),

  // French providers number their refusals: 416 unknown, 417 full, 420 archived.
  row(
    'orange',
    'no_mailbox',
    /\bofr\S{0,4} ?\d{0,6} ?416\b|\[416\]|adresse d.?au moins un destinataire invalide/,
    '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_416 [416]',
  ),
  row(
    'orange',
    'over_quota',
    /\bofr ?417\b|\[417\]|recipient overquota/,
    '552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]',
  ),
  closed(
    'orange',
    /\bofr ?420\b|\[420\]|archived recipient/,
    '550 5.5.0 Boite du destinataire archivee. Archived recipient. OFR_420 [420]',
  ),
  row(
    'orange',
    'rate_limited',
    /\bofr004|too many connections, slow down/,
    '421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104]',
  ),
  row(
    'laposte',
    'no_mailbox',
    /\blpn\d{3} 416\b|adresse destinataire invalide/,
    '550 5.5.0 Adresse destinataire invalide. Invalid recipient. LPN007_416',
  ),
  closed(
    'free',
    /blocked due to inactivity/,
    '550 5.2.1 This mailbox has been blocked due to inactivity (UserSearch)',
  ),
  row('free', 'no_mailbox', /\(usersearch\)/, '550 5.1.1 user unknown (UserSearch)'),

  // Russian providers
  row(
    'mailru',
    'no_mailbox',
    /invalid mailbox|local mailbox (?:MAIL )?is unavailable/,
    '550 Message was not accepted -- invalid mailbox. Local mailbox info@mail.ru is unavailable: user not found',
  ),
  row('mailru', 'rate_limited', /\bratelimit\b|try again later ?\(/, '451 Try again later (ratelimit_by_ip)'),
  row('yandex', 'no_mailbox', /\bno such user\b/, '550 5.7.1 No such user!'),
  closed(
    // Yandex closes the mailboxes of users who broke its terms, in the words of a policy.
    'yandex',
    /policy rejection on the target address/,
    '550 5.7.1 Policy rejection on the target address; https://yandex.ru/support/mail/',
  ),

  // Chinese providers
  {
    provider: 'qq',
    means: 'no_mailbox',
    clarity: 'vague',
    match: /mailbox not found|recipient may contain a non-?existent account/,
    seen: '550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000728',
  },
  row(
    // By its help page: the mailbox was sent so much in a short time that it takes no more for a while.
    'qq',
    'rate_limited',
    /mailbox unavailable or access denied/,
    '550 Mailbox unavailable or access denied. http://service.mail.qq.com/detail/122/166',
  ),
  row(
    'qq',
    'rate_limited',
    /(?:ip|domain|sender|connection|mail) frequency limited/,
    '550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000725',
  ),
  closed('netease', /user suspended|user is locked/, '550 User suspended'),
  row('netease', 'no_mailbox', /user not found|invalid user|\bmi:usr\b/, '550 User not found: info@163.com'),
  row(
    'netease',
    'blocked',
    /\b(?:mi|rp|hl|dt|wm):(?:spf|ipl|rep|mep|ipb|ihu|dma|sbl|hel|nhd|tsc|rdn|rbl|bli|blu)\b/,
    '554 MI:SPF mx12,QMCowECpA0.1234S2 1700000000 http://mail.163.com/help/help_spam_16.htm',
  ),
  row(
    'netease',
    'rate_limited',
    /\b(?:mi|rp|dt|hl|rl):(?:cel|ccl|dmc|drc|trc|qrc|orq|sfq|stc|icc|ifc|nfc|ist|bwl|rate|mct|imf|ife|iec)\b/,
    '450 RP:CEL mx12,QMCowECpA0.1234S2 1700000000',
  ),
  row(
    'netease',
    'content',
    /\bdt:spm\b/,
    '554 DT:SPM 163 mx12,QMCowECpA0.1234S2 1700000000 http://mail.163.com/help/help_spam_16.htm',
  ),

  // Others
  row(
    'comcast',
    'no_mailbox',
    /not our customer|account not available/,
    '551 5.1.1 <info@comcast.net> not our customer',
  ),
  row(
    'cox',
    'no_mailbox',
    /MAIL recipient rejected/,
    '550 5.1.1 <info@cox.net> recipient rejected. Refer to Error Codes section at https://www.cox.com/residential/support/email-error-codes.html',
  ),
  row(
    'zoho',
    'no_mailbox',
    /user does not exist|mailbox not found|account .{0,20}not (?:found|exist)/,
    '553 5.1.1 User does not exist - <info@zoho.example>',
  ),
  row(
    'libero',
    'over_quota',
    /mailbox disk quota exceeded/,
    '552 RCPT TO:<info@libero.it> Mailbox disk quota exceeded',
  ),
  row('softbank', 'no_mailbox', /invalid recipient/, '550 Invalid recipient: <info@softbank.ne.jp>'),
  row(
    'rackspace',
    'no_mailbox',
    /could not be found, or was misspelled/,
    '550 5.1.1 <info@example.com>: Email address could not be found, or was misspelled (G8)',
  ),
  row(
    'godaddy',
    'no_mailbox',
    /recipient not found|account .{0,20}(?:does not exist|not found)/,
    '550 5.1.1 <info@example.com> Recipient not found. <http://x.co/irbounce>',
  ),

  // Gateways
  row(
    'mimecast',
    'no_mailbox',
    /^invalid recipient\b/,
    '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [abcDEF.uk12]',
  ),
  row(
    'mimecast',
    'blocked',
    /administrative prohibition|envelope (?:blocked|rejected)|anti-spoofing|blocked senders|poor reputation sender|email rejected due to security policies/,
    '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550',
  ),
  row(
    'proofpoint',
    'blocked',
    /^blocked - see|local policy violation|delivery not authorized/,
    '554 Blocked - see https://ipcheck.proofpoint.com/?ip=203.0.113.9',
  ),
  ownPolicy(
    'barracuda',
    /permanent failure for one or more recipients \( ?MAIL ?: ?blocked/,
    '550 permanent failure for one or more recipients (info@example.com:blocked)',
  ),
  row('cisco', 'no_mailbox', /^address rejected\.?$/, '550 #5.1.0 Address rejected.'),
  row(
    'cisco',
    'blocked',
    /your access to (?:submit|this mail system)/,
    '550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.',
  ),
  row(
    'broadcom',
    'relay_denied',
    /trying to use me/,
    '553 you are trying to use me [server-4.tower-555.messagelabs.com] as a relay, but I have not been configured to let you',
  ),
  row(
    'broadcom',
    'blocked',
    /connection rejected by policy/,
    '501 Connection rejected by policy [7.7] 19911, please visit www.messagelabs.com/support for more details about this error message.',
  ),
];
