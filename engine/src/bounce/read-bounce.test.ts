// Whatever a postmaster pastes: what was answered to each recipient, told once, and never by name.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BOUNCE_CHARS, MAX_RECIPIENTS } from './find-replies.ts';
import { type ReplyReport, readBounce, reportReply } from './read-bounce.ts';

const told = (text: string) => [...readBounce(text)].map(({ detail }) => detail);
const REFUSED =
  '550 5.1.1 <bob@b.example>: Recipient address rejected: User unknown in virtual mailbox table';

/** Text, and the detail of each recipient in order. */
const TEXTS: Readonly<Record<string, readonly [text: string, ...details: string[]]>> = {
  'one reply': ['550 5.1.1 User unknown', 'no_such_mailbox'],
  'a reply of several lines': [
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking it',
    'no_such_mailbox',
  ],
  'a reply that was wrapped': [
    'The response from the remote server was:\n552 5.7.1 The message you sent to this address could not be taken, as the mailbox\nis full',
    'mailbox_full',
  ],
  'an acceptance': ['250 2.1.5 Ok', 'accepted'],
  'words without a number': ['Sorry, the mailbox is full.', 'mailbox_full'],
  'a letter': ['Dear all,\n\nwe meet at 450 Main Street. Total: 512 KB.\nYours, ann@a.example'],
  nothing: [' \n '],
  'Postfix: bounced, deferred, sent, after DATA, no such domain': [
    `Nov 17 10:00:00 mx postfix/smtp[1]: 4F1: to=<bob@b.example>, relay=mx.b.example[192.0.2.1]:25, delay=1, dsn=5.1.1, status=bounced (host mx.b.example[192.0.2.1] said: ${REFUSED} (in reply to RCPT TO command))
Nov 17 10:00:01 mx postfix/smtp[1]: 4F2: to=<ann@c.example>, relay=none, dsn=4.4.1, status=deferred (connect to mx.c.example[192.0.2.2]:25: Connection timed out)
Nov 17 10:00:02 mx postfix/smtp[1]: 4F3: to=<cy@d.example>, relay=mx.d.example[192.0.2.3]:25, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 1)
Nov 17 10:00:03 mx postfix/smtp[1]: 4F4: to=<di@d.example>, dsn=5.1.1, status=bounced (host mx.d.example[192.0.2.3] said: 550 5.1.1 (in reply to end of DATA command))
Nov 17 10:00:04 mx postfix/smtp[1]: 4F5: to=<ed@no.example>, relay=none, dsn=5.4.4, status=bounced (Host or domain name not found. Name service error for name=no.example type=AAAA: Host not found)`,
    'no_such_mailbox',
    'timeout',
    'accepted',
    'unclear',
    'no_such_domain',
  ],
  'Postfix: what came of it since': [
    'x: to=<bob@b.example>, dsn=4.7.1, status=deferred (host mx.b.example[192.0.2.1] said: 450 4.7.1 Greylisted (in reply to RCPT TO command))\nx: to=<Bob@b.example>, dsn=5.2.2, status=bounced (host mx.b.example[192.0.2.1] said: 552 5.2.2 Mailbox full (in reply to RCPT TO command))',
    'mailbox_full',
  ],
  'two lines, one of them without a name': [
    'x: to=<bob@b.example>, dsn=5.1.1, status=bounced (550 5.1.1 User unknown)\n552 5.2.2 Mailbox full',
    'no_such_mailbox',
    'mailbox_full',
  ],
  'Exim: deferred, failed after the data, delivered': [
    `2026-11-17 10:00:00 1abc-000-01 == ann@b.example R=dnslookup T=remote_smtp defer (-44): SMTP error from remote mail server after RCPT TO:<ann@b.example>: host mx.b.example [192.0.2.1]: 451 4.7.1 Greylisted
2026-11-17 10:00:00 1abc-000-01 ** bob@b.example R=dnslookup T=remote_smtp H=mx.b.example [192.0.2.1]: SMTP error from remote mail server after end of data: 550 5.7.1 Message rejected as spam
2026-11-17 10:00:00 1abc-000-01 => cy@b.example R=dnslookup T=remote_smtp H=mx.b.example [192.0.2.1] C="250 OK id=1"`,
    'greylisted',
    'unclear',
    'accepted',
  ],
  'a bounce of Exim, the message below it': [
    `The following address(es) failed:

  ann@b.example
    host mx.b.example [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<ann@b.example>:
    550 5.1.1 <ann@b.example>: Recipient address rejected:
    User unknown
  bob@b.example
    host mx.b.example [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<bob@b.example>:
    552 5.2.2 Mailbox full

------ This is a copy of the message, including all the headers. ------
cy@b.example said: 550 5.7.1 no`,
    'no_such_mailbox',
    'mailbox_full',
  ],
  'Sendmail: a log': [
    `mx sm-mta[1]: xAH: to=<ann@b.example>,<bob@b.example>, delay=00:00:01, mailer=esmtp, relay=mx.b.example. [192.0.2.1], dsn=5.1.1, stat=User unknown
mx sm-mta[1]: xAH: to=<cy@b.example>, relay=mx.b.example., dsn=4.7.1, stat=Deferred: 451 4.7.1 Greylisted, try again in 300 seconds`,
    'no_such_mailbox',
    'no_such_mailbox',
    'greylisted',
  ],
  'Sendmail: a bounce with its transcript': [
    `   ----- The following addresses had permanent fatal errors -----
<bob@b.example>
    (reason: 550 5.1.1 <bob@b.example>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx.b.example.:
>>> RCPT To:<bob@b.example>
<<< 550 5.1.1 <bob@b.example>... User unknown
550 5.1.1 <bob@b.example>... User unknown
>>> DATA
<<< 503 5.0.0 Need RCPT (recipient)`,
    'no_such_mailbox',
  ],
  'qmail: a log': [
    '@4000 starting delivery 7: msg 12 to remote bob@b.example\n@4000 delivery 7: failure: 192.0.2.1_does_not_like_recipient./Remote_host_said:_550_5.1.1_User_unknown/Giving_up_on_192.0.2.1./',
    'no_such_mailbox',
  ],
  'qmail: a bounce': [
    `<bob@b.example>:
192.0.2.1 does not like recipient.
Remote host said: ${REFUSED}
Giving up on 192.0.2.1.

<ann@no.example>:
Sorry, I couldn't find any host named no.example. (#5.1.2)

--- Below this line is a copy of the message.

550 5.2.2 mailbox full`,
    'no_such_mailbox',
    'no_such_domain',
  ],
  OpenSMTPD: [
    'smtpd[1]: 01 mta delivery evpid=1 from=<x@y.example> to=<bob@b.example> rcpt=<bob@b.example> relay="192.0.2.1 (mx.b.example)" delay=1s result="PermFail" stat="550 5.1.1 User unknown"',
    'no_such_mailbox',
  ],
  'PowerMTA: an accounting file': [
    'b,2026-11-17 10:00:00+0000,2026-11-17 09:59:59+0000,news@y.example,bob@b.example,,failed,5.1.1 (bad destination mailbox address),"smtp;550 5.1.1 <bob@b.example>, unknown user",mx.b.example (192.0.2.1),bad-mailbox,smtp',
    'no_such_mailbox',
  ],
  'KumoMTA: a log': [
    `{"type":"Bounce","sender":"news@y.example","recipient":"bob@b.example","response":{"code":550,"enhanced_code":{"class":5,"subject":1,"detail":1},"content":"user unknown","command":"RCPT TO:<bob@b.example>"},"peer_address":{"name":"mx.b.example."}}
{"type":"Bounce","sender":"news@y.example","recipient":"ann@b.example","response":{"code":550,"enhanced_code":null,"content":"no","command":"MAIL FROM:<news@y.example>"},"peer_address":{"name":"mx.b.example."}}`,
    'no_such_mailbox',
    'sender_refused',
  ],
  'Amazon SES: a notification of two recipients': [
    JSON.stringify({
      notificationType: 'Bounce',
      bounce: {
        bouncedRecipients: [
          { emailAddress: 'bob@b.example', action: 'failed', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
          { emailAddress: 'ann@b.example', action: 'failed', diagnosticCode: 'smtp; 552 5.2.2 mailbox full' },
        ],
      },
      mail: { source: 'news@y.example' },
    }),
    'no_such_mailbox',
    'mailbox_full',
  ],
  'Exchange: a report': [
    `Delivery has failed to these recipients or groups:

Bob (bob@b.example)<mailto:bob@b.example>
The email address you entered couldn't be found.

Diagnostic information for administrators:

Generating server: EX1.contoso.example

bob@b.example
Remote Server returned '${REFUSED}'

ann@b.example
mx.b.example #<mx.b.example #5.2.2 smtp;552 5.2.2 Mailbox full> #SMTP#

Original message headers:

Received: from cy@b.example: 550 5.7.1 no`,
    'no_such_mailbox',
    'mailbox_full',
  ],
  'Gmail: a bounce': [
    `** Address not found **

Your message wasn't delivered to bob@b.example because the address couldn't be found, or is unable to receive mail.

The response was:

550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser x - gsmtp`,
    'mailbox_disabled',
  ],
  'quoted in a letter': [
    `On Monday Ann wrote:
> <bob@b.example>: host mx.b.example[192.0.2.1] said: 550 5.1.1
>     <bob@b.example>: Recipient address rejected: User unknown in virtual
>     mailbox table (in reply to RCPT TO command)`,
    'no_such_mailbox',
  ],
  'status fields without their message': [
    'Final-Recipient: rfc822; bob@b.example\nAction: failed\nStatus: 5.2.2\n\nFinal-Recipient: rfc822; ann@b.example\nAction: delayed\nStatus: 4.4.7',
    'mailbox_full',
    'temporary',
  ],
};

describe('a pasted text tells of each recipient once', () => {
  it.each(Object.entries(TEXTS))('%s', (_name, [text, ...details]) => {
    expect(told(text)).toEqual(details);
    expect(told(text.replaceAll('\n', '\r\n'))).toEqual(details);
  });
});

const base64 = (text: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/(.{76})/g, '$1\n');
const report = (...parts: readonly string[]) =>
  `Return-Path: <>
Received: from y.example (192.0.2.9)
Subject: 550 5.7.1 in the subject
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="a=_b/1"

This is a MIME message.

${parts.map((part) => `--a=_b/1\n${part}\n`).join('')}--a=_b/1--
epilogue: 550 5.7.1 no
`;
const STATUS = `Content-Type: message/delivery-status

Reporting-MTA: dns; y.example

Final-Recipient: rfc822; Bob@b.example
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.b.example
Diagnostic-Code: smtp; 550 5.1.1 <bob@b.example>: Recipient address rejected:
    User unknown in virtual mailbox table

Original-Recipient: rfc822; orders@y.example
Final-Recipient: rfc822; ann@c.example
Action: delayed
Status: 4.2.2
Diagnostic-Code: smtp; 452 4.2.2 Mailbox full

Final-Recipient: rfc822; cy@b.example
Action: relayed
Status: 2.1.9`;
const NOTICE = `Content-Type: text/plain; charset=us-ascii

<bob@b.example>: host mx.b.example[192.0.2.1] said: 550 5.1.1
    <bob@b.example>: Recipient address rejected: User unknown (in reply to RCPT TO command)

<ann@c.example>: host mx.c.example[192.0.2.2] said: 452 4.2.2 Mailbox full (in reply to RCPT TO command)`;
const RETURNED =
  'Content-Type: message/rfc822\n\nFrom: x@y.example\nSubject: hi\n\n<zed@b.example>: host mx said: 550 5.1.1 no';

describe('a whole message', () => {
  it('the text and the status fields tell of the same recipients; the returned message tells nothing', () => {
    expect(told(report(NOTICE, STATUS, RETURNED))).toEqual(['no_such_mailbox', 'mailbox_full', 'accepted']);
    expect(told(report(STATUS, RETURNED))).toEqual(['no_such_mailbox', 'mailbox_full', 'accepted']);
    expect(told(report(NOTICE, RETURNED))).toEqual(['no_such_mailbox', 'mailbox_full']);
  });

  it('of which only the header came back tells nothing by that header', () => {
    const header = 'Content-Type: text/rfc822-headers\n\nSubject: 550 5.1.1 <zed@b.example> no';
    expect(told(report(STATUS, header))).toHaveLength(3);
  });

  it('may name the stage in one place and quote the reply in another', () => {
    const notice =
      'Content-Type: text/plain\n\n<bob@b.example>: host mx.b.example[192.0.2.1] said: 550 5.1.1 (in reply to end of DATA command)';
    const status =
      'Content-Type: message/delivery-status\n\nFinal-Recipient: rfc822; bob@b.example\nAction: failed\nDiagnostic-Code: smtp; 550 5.1.1';
    expect(told(report(status))).toEqual(['no_such_mailbox']);
    expect(told(report(notice, status))).toEqual(['unclear']);
  });

  it('is read when it was cut off, quoted, or taken out of a mailbox file', () => {
    const whole = report(NOTICE, STATUS, RETURNED);
    const cut = whole.slice(0, whole.indexOf('Content-Type: message/rfc822'));
    expect(told(cut)).toHaveLength(3);
    expect(told(`From MAILER-DAEMON Tue Nov 17 10:00:00 2026\n${whole}`)).toHaveLength(3);
    expect(told(whole.replace(/^/gm, '> '))).toHaveLength(3);
  });

  it.each([
    ['base64', 'utf-8', base64(`The response was:\n\n${REFUSED}\n`)],
    [
      'quoted-printable',
      'utf-8',
      `<bob@b.example>: host mx.b.example[192.0.2.1] said: 550 Empf=C3=A4nger unbe=\nkannt`,
    ],
    ['quoted-printable', 'iso-8859-1', 'said: 550 Der Empf=E4nger ist unbekannt'],
    ['quoted-printable', 'no-such-charset', 'said: 550 Der Empf=E4nger ist unbekannt'],
    ['base64', 'windows-1251', 'PDw8IDU1MCDP7uv85+7i4PLl6/wg7eUg7eDp5OXt'],
  ])('%s in %s is decoded', (encoding, charset, body) => {
    const part = `Content-Type: text/plain; charset="${charset}"\nContent-Transfer-Encoding: ${encoding}\n\n${body}`;
    expect(told(report(part))).toEqual(['no_such_mailbox']);
  });

  it('in HTML alone is read, and only then', () => {
    const html =
      'Content-Type: text/html\n\n<style>p { a: 550 5.7.1 }</style><p>Your message to <b>bob@b.example</b> failed.</p><p>Remote Server returned &#39;550 5.1.1&nbsp;User<br>unknown&#39;</p>';
    expect(told(report(html))).toEqual(['no_such_mailbox']);
    expect(told(report(`Content-Type: text/plain\n\n<bob@b.example>: 552 5.2.2 Mailbox full`, html))).toEqual(
      ['mailbox_full'],
    );
  });

  it('for people with other alphabets has its own types', () => {
    const status =
      'Content-Type: message/global-delivery-status\nContent-Transfer-Encoding: 8bit\n\nReporting-MTA: dns; y.example\n\nFinal-Recipient: utf-8; юзер@пример.example\nAction: failed\nStatus: 5.1.1';
    expect(told(report(status))).toEqual(['no_such_mailbox']);
  });

  it('names its recipient in the header if nowhere else', () => {
    const message = (recipients: string) =>
      `X-Failed-Recipients: ${recipients}\nContent-Type: text/plain\n\n550 5.1.1 User unknown\n\n552 5.2.2 Mailbox full`;
    // One recipient: the first reply that says something is its own.
    expect(told(message('bob@b.example'))).toEqual(['no_such_mailbox']);
    expect(told(message('bob@b.example, ann@b.example'))).toEqual(['no_such_mailbox', 'mailbox_full']);
  });

  it('of any depth and of any number of parts is given up at a bound', () => {
    let nested = `Content-Type: text/plain\n\n${REFUSED}`;
    for (let depth = 0; depth < 5; depth += 1)
      nested = `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n${nested}\n--b${depth}--`;
    expect(told(`Received: x\n${nested}`)).toEqual(['no_such_mailbox']);
    for (let depth = 5; depth < 2_000; depth += 1)
      nested = `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n${nested}\n--b${depth}--`;
    expect(told(`Received: x\n${nested}`)).toEqual([]);
    const parts = Array.from({ length: 5_000 }, (_, at) => `\n<u${at}@b.example>: 550 5.1.1 no`);
    expect(told(report(...parts)).length).toBeLessThan(100);
  });
});

describe('the stage of a reply', () => {
  const at = (command: string, reply: string) =>
    told(
      `to=<bob@b.example>, dsn=5.0.0, status=bounced (host mx.b.example[192.0.2.1] said: ${reply} (in reply to ${command} command))`,
    );

  it.each([
    ['RCPT TO', '550 5.1.1', 'no_such_mailbox'],
    // Yahoo says it only now.
    [
      'end of DATA',
      "554 delivery error: dd This user doesn't have a yahoo.com account (bob@yahoo.com) [0]",
      'no_such_mailbox',
    ],
    ['end of DATA', '550 5.1.1', 'unclear'],
    ['end of DATA', '554 5.7.1 Message contains spam', 'unclear'],
    ['MAIL FROM', '550 5.1.1 User unknown', 'sender_refused'],
    ['EHLO', '550 5.1.1 User unknown', 'blocked'],
  ])('%s: %s is %s', (command, reply, detail) => expect(at(command, reply)).toEqual([detail]));

  it('where it is not known, a number is about the mailbox only with a status that says so', () => {
    const status = (diagnostic: string) =>
      told(`Final-Recipient: rfc822; bob@b.example\nAction: failed\nDiagnostic-Code: smtp; ${diagnostic}`);
    expect(status('550 5.1.1')).toEqual(['no_such_mailbox']);
    expect(status('550')).toEqual(['unclear']);
  });

  it('a lone reply is one to RCPT unless it says otherwise', () => {
    expect(reportReply('550').meaning).toBe('no_mailbox');
    expect(reportReply('550 (in reply to end of DATA command)').meaning).toBe('unclear');
    expect(reportReply('550 no (in reply to MAIL FROM command)').meaning).toBe('sender_refused');
  });
});

it('a report says what a check would say, and what to do', () => {
  expect(reportReply('550 5.1.1 <bob@b.example>... User unknown')).toEqual({
    meaning: 'no_mailbox',
    clarity: 'plain',
    rule: expect.stringMatching(/^no mailbox, like "/),
    state: 'undeliverable',
    reason: 'rejected_email',
    detail: 'no_such_mailbox',
    explanation: 'The mail server says that this mailbox does not exist.',
    advice: 'Remove this address from your list: further mail to it harms your reputation as a sender.',
  });
  const blocked = '550 5.7.1 Service unavailable, client [192.0.2.1] blocked using Spamhaus';
  expect(reportReply(blocked)).toMatchObject({ meaning: 'blocked', state: 'unknown', detail: 'blocked' });
  expect(reportReply(blocked).advice).toContain('check.spamhaus.org');
  const named = '550 5.7.1 <spamhaus@b.example> blocked, see http://www.barracudanetworks.com/reputation';
  expect(reportReply(named).advice).toMatch(/barracudacentral\.org/);
  expect(reportReply(named).advice).not.toContain('spamhaus');
  expect(reportReply('451 4.7.1 Greylisted, try again in 5 minutes').advice).toContain('wait 5 minutes');
});

it('at most a thousand recipients are told of', () => {
  const lines = Array.from({ length: MAX_RECIPIENTS + 50 }, (_, at) => `<u${at}@b.example>: 550 5.1.1 no`);
  expect(told(lines.join('\n'))).toHaveLength(MAX_RECIPIENTS);
});

/** Pieces that lead the reader everywhere. */
const PIECES = [
  ...[
    '550 5.1.1 ',
    '550-',
    '451 4.7.1 ',
    '5.1.1',
    '(#5.1.1)',
    'User unknown',
    'Mailbox full',
    '\n',
    '\r\n',
    '\n\n',
    '    ',
    '> ',
  ],
  ...[
    '<secret.name@private.example>',
    'secret.name@private.example',
    'to=<',
    '>',
    '@',
    '"',
    'status=bounced (',
    'dsn=5.1.1, stat=',
  ],
  ...[
    'Content-Type: multipart/report; boundary=x\n\n',
    '\n--x\n',
    '\n--x--\n',
    'Content-Transfer-Encoding: base64\n\n',
    'Content-Type: text/html\n\n',
  ],
  ...[
    'Final-Recipient: rfc822; ',
    'Action: failed\n',
    'Diagnostic-Code: smtp; ',
    'Status: 5.2.2\n',
    '>>> RCPT TO:<',
    '<<< ',
    '** ',
    ' R=',
    'smtp;',
  ],
  ...[
    '{"recipient":"',
    '","response":"',
    '"}',
    'delivery 1: failure: ',
    'host mx.private.example[192.0.2.1] said: ',
    '(in reply to RCPT TO command)',
    ',',
  ],
];

it('whatever the text, reports are bounded, well-formed, and name nobody', () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12, unit: 'binary' })), {
      maxLength: 40,
    })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (pasted) => {
      const reports: ReplyReport[] = [...readBounce(pasted), reportReply(pasted)];
      expect(reports.length).toBeLessThanOrEqual(MAX_RECIPIENTS + 1);
      for (const one of reports) {
        expect(JSON.stringify(one)).not.toMatch(/@|private|secret/);
        expect(one.explanation).toMatch(/^[A-Z].{10,200}\.$/);
        expect(one.advice).toMatch(/^[A-Z].{10,400}\.$/);
        expect(one.rule.length).toBeLessThan(300);
      }
    }),
    { numRuns: 1_000 },
  );
});

it('what stands behind the bound is not read', () => {
  expect(told(`${'x'.repeat(MAX_BOUNCE_CHARS)}\n${REFUSED}`)).toEqual([]);
});
