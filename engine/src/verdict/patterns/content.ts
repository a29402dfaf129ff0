// About a message we never sent. Seen at RCPT where a filter judges by the envelope, and in pasted bounces.
import type { ReplyRow } from '../reply-row.ts';

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
      /(?:mail|message) content|content (?:was |is )?(?:rejected|denied|filter)|attachment|\b8-?bit\b|\bmime\b|line (?:limit|length|too long)|lines? too long|rfc ?(?:2?822|5322)|(?:duplicate|missing|invalid|malformed|bad) header|header (?:error|field|check|line|based)|multiple addresses in|too (?:big|large) for/,
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
