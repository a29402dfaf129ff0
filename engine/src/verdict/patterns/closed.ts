// The mailbox existed and is closed. Read before the topics about us: providers close mailboxes in the words of a block
// ("blocked due to inactivity", "suspended for spamming"), and only the subject distinguishes them.
import type { ReplyRow } from '../reply-row.ts';

export const CLOSED_ROWS: readonly ReplyRow[] = [
  {
    // Abandoned, but it exists: full says more than inactive.
    match: /(?:\bfull|quota|storage space|quota exceeded)(?:,| and)(?: \S{1,20}){0,3} inactive\b/,
    means: 'over_quota',
    seen: '552-5.2.2 The email account that you tried to reach is over quota and inactive. Please direct the recipient to https://support.example.com/mail/?p=OverQuotaPerm',
  },
  {
    match:
      /(?:user|owner|recipient|receiver|MAIL|NAME) (?:\S{1,40} )?(?:should|must|needs to|has to) (?:log|sign) ?in\b|rejection on the target address|banned recipient|recipient address rejected: (?:blocked|inactive|locked|closed|disabled|suspended|frozen|deleted)[.!]?$/,
    means: 'no_mailbox',
    seen: '554 5.7.1 User info@example.com should log in to enable receiving the mail',
  },
  {
    match:
      /temporar(?:y|ily) (?:\S{1,40} )?(?:locked|disabled|suspended|inactive|unavailable|blocked|closed|deactivated|unknown|not available|on hold)|(?:locked|disabled|suspended|unavailable|blocked) temporar|locked by another|(?:for|under|undergoing|during|because of|due to) (?:\S{1,20} )?maintenance\b|(?:mail ?box|user|account) (?:is )?(?:busy|in use by)|at this (?:time|moment)/,
    means: 'temporary',
    seen: '550 5.7.1 <info@example.com>: Recipient address rejected: User info@example.com temporary locked. Please try again later!',
  },
  {
    // Closed, in a permanent refusal that asks to try again: it is not meant to be permanent.
    match:
      /\b(?:unavailable|not available|disabled|inactive|locked|suspended)\b(?![^;]{0,80}\b(?:check|verify|correct|confirm)\b)[^;]{0,60}\b(?:try|retry) (?:it )?(?:again )?(?:later\b|again[.! ]{0,3}$)/,
    means: 'temporary',
    seen: '550-Requested action not taken: mailbox unavailable 550 Failure sending mail. Try again later',
  },
  {
    // Closed to us, not for good: the mailbox has its mail from inside.
    match:
      /\b(?:external|outside|internet) (?:e-?mails?|mails?|messages?|senders?|domains?|addresses)\b|(?:e-?mails?|mails?|messages?) (?:coming )?from (?:outside|external|the internet)\b|\boutside (?:of )?(?:the|this|your|its|their|our) (?:\S{1,20} )?(?:domain|school|district|university|college|campus|network|institution|tenant)\b/,
    means: 'blocked',
    detail: 'unclear',
    seen: '550 5.7.1 Message rejected as this student is not able to send or receive external mail',
  },
  {
    // A user who broke the terms lost the mailbox; a sender's would be called "yours".
    match:
      /(?<!your |sender |sender's |sending )(?:account|mail ?box|user)(?: MAIL| NAME){0,2} (?:is |was |has been )(?:blocked|suspended|closed|disabled|deleted|terminated) (?:for|due to|because of|after) (?:\S{1,20} )?(?:abuse|spam|violat|breach|terms|non-?payment|unpaid|misuse|fraud)/,
    means: 'no_mailbox',
    seen: '553 5.3.0 The account has been blocked for abuse',
    composed: true,
  },
  {
    match: /(?:message )?sending for this account|account[^.]{0,20} (?:not allowed|permitted) to send/,
    means: 'sender_refused',
    seen: '550 message sending for this account is disabled',
  },
  {
    match:
      /\binactivity\b|no (?:recipient |user |account )?activity (?:since|for)|recipient suspend|(?:account|mailbox|user) inactiv|(?:^|\b(?:account|mail ?box|recipient|receiver|addressee|user|address|alias|inbox|person|customer|subscriber|MAIL|NAME)\b[^.;]{0,30} )no longer (?:valid|available|active|in (?:use|service)|accept\w{0,3}(?! connect| mail from| messages? (?:from|with))|used|receiv\w{0,12}|monitored|in operation|supported|on server)\b|not currently being accepted|(?:mail ?box|account|recipient)[^.]{0,20} not accepting (?:any )?(?:mail|messages|e-?mails?)(?! from| with| of)/,
    means: 'no_mailbox',
    seen: '550 5.2.1 This mailbox has been blocked due to inactivity (UserSearch)',
  },
  {
    // From no sender at all: "… from you" has more words.
    match:
      /\b(?:mail ?box|account|recipient|address|alias|route) (?:does(?: not|n't)|no longer|will not|won't) (?:accept|receive)s? (?:any |new |incoming |inbound )?(?:mail|messages|e-?mails?)[.! ]{0,3}$/,
    means: 'no_mailbox',
    seen: '550 Route does not accept incoming messages',
  },
  {
    match:
      /(?<!your |sender |sender's |sending )(?:account|mail ?box|recipient|receiver|addressee|user|(?:e-?mail )?address|alias|inbox|mbox|subscriber|customer)(?: MAIL| NAME| here| (?:that |which )?you (?:are |were |have )?(?:tr(?:ied|ying) to |attempt(?:ed|ing) to |want(?:ed)? to |wish(?:ed)? to )?(?:reach|contact|send(?:ing)? to|sent to|writ(?:e|ing) to|wrote to|specified|entered)| address| status|:|\.{3}){0,8} (?:is |was |are |has been |have been |had been |has |currently |being |been |now |temporarily |administratively |permanently ){0,8}(?:disabled|deactivated|de-activated|inactivated|inactive|non-?active|suspended|closed|terminated|cancell?ed|deleted|erased|purged|removed|expired|discontinued|frozen|archived|retired|dormant|abandoned|unsubscribed|unregistered|revoked|withdrawn|obsolete|defunct|decommissioned|de-?provisioned|not active|no longer active|locked)\b/,
    means: 'no_mailbox',
    seen: '550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.example.com/mail/?p=DisabledUser',
  },
  {
    // Not "closed": such a list may take its members' mail.
    match:
      /(?<!\byour )\b(?:distribution|mailing) (?:list|group)(?: MAIL| NAME)?(?: (?:that )?you (?:are trying to reach|wrote to))? (?:no longer exists|(?:is |was |has been )(?:not active|no longer (?:active|in use)|inactive|disabled|deactivated|suspended|deleted))\b/,
    means: 'no_mailbox',
    seen: '550 Distribution list is not active',
  },
  {
    match:
      /\b(?:disabled|deactivated|inactive|suspended|closed|terminated|cancell?ed|deleted|expired|discontinued|archived|dormant|unused|locked|frozen|obsolete|purged)(?: or \w{1,20})? (?:e-?mail )?(?:account|mail ?box|mbox|recipient|receiver|user|address|alias)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 <info@example.com>: inactive email address',
  },
];
