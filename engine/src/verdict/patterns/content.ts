// About a message we never sent. Seen at RCPT where a filter judges by the envelope, and in pasted bounces.
import type { ReplyRow } from '../reply-row.ts';

const LINK = 'urls?|uris?|links?|web ?sites?';
const MESSAGE = '(?:(?:message|mail|e-?mail) )?(?:messages?|mails?|e-?mails?|body|content|text)';
const LISTED = '(?:black-?|block-?)?(?:listed|blocked|banned|forbidden)';

/** Read before what is about us or the sender: lists of links are named, and asked about, as those of addresses are. */
export const MESSAGE_ROWS: readonly ReplyRow[] = [
  {
    match: new RegExp(
      `\\b(?:black|block)-?listed (?:${LINK})\\b|\\b${LISTED} (?:${LINK}|domains?|HOST|URL) (?:found )?in (?:the |your |this )?${MESSAGE}\\b`,
    ),
    means: 'content',
    seen: '550-REJECTED - Blacklisted URL in message. (example.org) in [black]. 550 See http://lookup.example.com.',
  },
  {
    match: new RegExp(
      `\\b(?:${LINK}|domain(?:s|\\(s\\))?) (?:found |used )?in (?:the |your |this )?${MESSAGE}(?: \\([^();]{1,60}\\))?,? (?:(?:is|are|was|were|has been|have been) )?(?:currently )?${LISTED}\\b`,
    ),
    means: 'content',
    seen: '550 A URL in this email (example.org) is listed on https://lists.example.com/. Please resolve and retry',
  },
  {
    match: new RegExp(
      `(?:^|: |\\b${MESSAGE} (?:\\S{1,20} )?)(?:contain(?:s|ed|ing)?|includ(?:es?|ed|ing)) [^.;]{0,30}(?:\\b${LISTED} (?:${LINK}|domains?|HOST|URL)\\b|\\b(?:${LINK}|domains?)\\b[^.;]{0,40} ${LISTED}\\b)`,
    ),
    means: 'content',
    seen: '554 5.7.1 Message contains a URL listed in a block list',
    composed: true,
  },
  {
    match:
      /\bblocked because (?:of )?its content\b|\brejected due to spam classification\b|\bmessages? with multiple addresses in\b/,
    means: 'content',
    seen: '552-5.7.0 This message was blocked because its content presents a potential 552 5.7.0 security issue.',
  },
];

export const CONTENT_ROWS: readonly ReplyRow[] = [
  {
    match: /\bvirus|malware|trojan|\bworm\b|phish|infected/,
    means: 'content',
    seen: '550 Virus Detected; Content Rejected',
  },
  {
    // A filter's name, or "this is not spam", says nothing of a message.
    match:
      /(?<!anti|anti-|anti |not |non-)spam(?! ?trap|experts|titan|hero|wall|drain|fighter)|\bube\b|\buce\b|unsolicited|junk ?mail|bulk (?:mail|e-?mail)|suspicious/,
    means: 'content',
    seen: '554 5.7.1 [2] Message rejected under suspicion of SPAM; http://help.example.ru/spam-reject.xml',
  },
  {
    match:
      /(?:mail|message) content|content (?:was |is )?(?:rejected|denied|filter)|attachment|\b8-?bit\b|\bmime\b|line (?:limit|length|too long)|lines? too long|rfc ?(?:2?822|5322)|(?:duplicate|missing|invalid|malformed|bad) header|header (?:error|field|check|line|based)|too (?:big|large) for/,
    means: 'content',
    seen: '550 5.7.1 Message content rejected, id=12345-01-123',
  },
];

/** Read after the mailbox rows: "message not accepted: invalid mailbox" is the mailbox. */
export const VAGUE_CONTENT_ROWS: readonly ReplyRow[] = [
  {
    match:
      /(?:message|mail|e-?mail|header|body|content|subject|media|data)s? (?:\S{1,40} ){0,2}?(?:rejected|refused|denied|blocked|filtered|error|not accepted|discarded|bounced|too (?:big|large|long))|(?:not|n't) accept (?:delivery of )?(?:this|your|the) (?:message|mail|e-?mail)\b|spam/,
    means: 'content',
    seen: '550 5.2.0 Message Filtered',
  },
];
