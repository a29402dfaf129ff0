import { expect, test } from 'vitest';
import { bounceClass } from './bounce-class.ts';
import { readReport } from './read-report.ts';

const report = (fields: string, text = 'Your message could not be delivered.') => `Return-Path: <>
Date: Tue, 17 Nov 2026 10:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.a.example
Message-ID: <1@mx.a.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b/1"

--b/1
Content-Type: text/plain; charset=us-ascii

${text}

--b/1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.a.example

${fields}
--b/1
Content-Type: message/rfc822

From: news@a.example
To: somebody@else.example
Subject: 550 5.1.1 user unknown

--b/1--
`;

test('a report is a bounce of each recipient that failed, as it was written to, and of no other', () => {
  const found = readReport(
    report(`Final-Recipient: rfc822; Ann@new.example
Original-Recipient: rfc822; Ann@b.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <ann@new.example>: Recipient address rejected:
    User unknown

Final-Recipient: rfc822; bob@b.example
Action: delayed
Status: 4.2.2
Diagnostic-Code: smtp; 452 4.2.2 Mailbox full

Final-Recipient: rfc822; eve@b.example
Action: delivered
Status: 2.0.0
`),
  );
  expect(found).toMatchObject({ isReport: true, messageId: '<1@mx.a.example>' });
  expect(found?.reported).toEqual([
    {
      email: 'ann@b.example',
      outcome: 'bounced',
      reply: expect.stringContaining('550 5.1.1 <ann@new.example>: Recipient address rejected: User unknown'),
    },
  ]);
});

test('the command that was answered is told, where only the sentence above the fields names it', () => {
  const text =
    '<ann@b.example>: host mx.b.example[192.0.2.1] said: 550 5.1.1 sorry (in reply to RCPT TO command)';
  const fields =
    'Final-Recipient: rfc822; ann@b.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 sorry\n';
  const [found] = readReport(report(fields, text))?.reported ?? [];
  expect(found?.reply).toBe('550 5.1.1 sorry (in reply to RCPT TO command)');
  expect(bounceClass(found?.reply ?? '', 'ann@b.example')).toBe('bounced');
});

test('a complaint is told of the recipient that it names, and only where it is one', () => {
  const feedback = (type: string) => `From: fbl@b.example
Date: Tue, 17 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=x

--x
Content-Type: text/plain

This is a complaint.
--x
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: FBL/1
Version: 1
Original-Rcpt-To: <Ann@b.example>

--x
Content-Type: message/rfc822

To: other@b.example

--x--
`;
  expect(readReport(feedback('abuse'))?.reported).toEqual([
    { email: 'ann@b.example', outcome: 'complained', reply: '' },
  ]);
  expect(readReport(feedback('auth-failure'))?.reported).toEqual([]);
});

test('what a person wrote, quoted or forwarded is no report', () => {
  const quoted = `From: ann@b.example
Subject: Re: failed
Message-ID: <2@b.example>

> <bob@b.example>: host mx said: 550 5.1.1 User unknown
> Final-Recipient: rfc822; bob@b.example
> Action: failed
`;
  const forwarded = `From: ann@b.example
Content-Type: multipart/mixed; boundary=f

--f
Content-Type: message/rfc822

${report('Final-Recipient: rfc822; bob@b.example\nAction: failed\nStatus: 5.1.1\n')}
--f--
`;
  expect(readReport(quoted)).toMatchObject({ reported: [], isReport: false });
  expect(readReport(forwarded)).toMatchObject({ reported: [], isReport: false });
  expect(readReport('550 5.1.1 User unknown')).toBeNull();
});

test.each([
  ['550 5.1.1 <a@b.example>: Recipient address rejected: User unknown', 'bounced'],
  ['host mx.b.example[192.0.2.1] said: 550 5.1.1 sorry (in reply to RCPT TO command)', 'bounced'],
  // A number alone says nothing after DATA.
  ['host mx.b.example[192.0.2.1] said: 550 5.1.1 sorry (in reply to end of DATA command)', 'unclear'],
  ['452 4.2.2 Mailbox full', 'full'],
  ['550 5.7.1 Service unavailable; client host [192.0.2.1] blocked using zen.spamhaus.org', 'blocked'],
  ['550 5.7.1 Message rejected as spam by content filter', 'blocked'],
  ['Host or domain name not found. Name service error for name=b.example type=A: Host not found', 'unclear'],
  ['connect to mx.b.example[192.0.2.1]:25: Connection timed out', 'unclear'],
  ['hard bounce', 'unclear'],
  ['', 'unclear'],
])('%j is %s', (reply, expected) => {
  expect(bounceClass(reply, 'a@b.example')).toBe(expected);
});
