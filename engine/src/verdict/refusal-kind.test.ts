// Each refusal for what we are has its kind; a reply about a mailbox, a message or the moment has none.
import { expect, test } from 'vitest';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';
import { refusalKind } from './refusal-kind.ts';

test.each([
  [
    'other',
    '554 5.7.1 Service unavailable; Client host [203.0.113.9] blocked using zen.spamhaus.org',
    'block',
  ],
  ['other', '553 http://www.spamhaus.org/query/bl?ip=203.0.113.9', 'block'],
  [
    'microsoft',
    '550 5.7.606 Access denied, banned sending IP [203.0.113.9]. See https://sender.office.com/',
    'block',
  ],
  [
    'other',
    "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
    'block',
  ],
  [
    'yahoo',
    '421 4.7.0 [TSS04] Messages from 203.0.113.9 temporarily deferred due to user complaints',
    'rate',
  ],
  ['other', '450 4.7.1 Error: too many connections from 203.0.113.9', 'rate'],
  ['other', '550 5.7.25 Client host rejected: cannot find your reverse hostname, [203.0.113.9]', 'ptr'],
  [
    'gmx',
    '554-gmx.net (mxgmx115) Nemesis ESMTP Service not available 554 Bad DNS PTR resource record.',
    'ptr',
  ],
  ['other', '550 5.7.1 Email rejected per DMARC policy for example.org', 'policy'],
  ['other', '550 5.7.1 <mail.example.org[203.0.113.9]>: Client host rejected: Access denied', 'policy'],
  ['other', '554 Reject due to policy restrictions', 'policy'],
  ['other', '550 5.7.1 Service over limit, message blocked', 'policy'],
  ['other', '550 5.7.1', 'policy'],
  ['other', '550 5.1.1 <anna@a.example>: Recipient address rejected: User unknown', null],
  ['other', '450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/help/a.example.html', null],
  ['other', '550 5.7.1 The recipient has chosen to not accept mail from this address', null],
  ['other', '452 4.2.2 Mailbox full', null],
])('at %s: %s', (provider, text, kind) => {
  const reply = replyFromText(text);
  expect(refusalKind(readReply('rcpt', reply, provider), reply)).toBe(kind);
});
