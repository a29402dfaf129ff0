import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceOf } from '../../test/in-memory.ts';
import { JsonOutcomes, MAX_RECORD_CHARS } from './json-outcomes.ts';
import { MailReports } from './mail-reports.ts';
import { type OutcomeOptions, openOutcomes } from './open-outcomes.ts';
import type { Outcome, OutcomeHandlers, TextReader } from './outcome.ts';
import { logSeconds, MAX_LINE_CHARS, PostfixLog } from './postfix-log.ts';

const NOW = Date.UTC(2026, 10, 19) / 1_000;
const TIME = Date.UTC(2026, 10, 17, 10) / 1_000;

interface Heard extends OutcomeHandlers {
  readonly outcomes: Outcome[];
  readonly ignored: string[];
  unreadable: number;
}

function hear(): Heard {
  const heard: Heard = {
    ...{ outcomes: [], ignored: [], unreadable: 0 },
    onOutcome: (outcome) => void heard.outcomes.push(outcome),
    onIgnored: (word) => void heard.ignored.push(word),
    onUnreadable() {
      heard.unreadable += 1;
    },
  };
  return heard;
}

async function read(
  file: string | Uint8Array,
  { chunkBytes = 65_536, ...options }: Partial<OutcomeOptions> & { chunkBytes?: number } = {},
) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const opened = await openOutcomes(sourceOf(bytes, chunkBytes), { nowSeconds: NOW, ...options });
  const heard = hear();
  await opened.read(heard);
  const told = heard.outcomes.map(({ email, outcome, reply }) => [email, outcome, reply]);
  return { ...heard, kind: opened.kind, table: opened.table, told };
}

const said = '550 5.1.1 User unknown (in reply to RCPT TO command)';
const line = (to: string, status: string, text: string, relay = 'mx.b.example[192.0.2.1]:25') =>
  `Nov 17 10:00:00 mail postfix/smtp[4711]: 4F1AB2: to=<${to}>, relay=${relay}, delay=1.2, delays=0/0/1/0.2, dsn=5.1.1, status=${status} (${text})\n`;
const LOG = [
  'Nov 17 09:59:59 mail postfix/smtpd[1]: connect from a.example[192.0.2.9]\n',
  line('Ann@b.example', 'sent', '250 2.0.0 Ok: queued as 1'),
  line('bob@b.example', 'bounced', `host mx.b.example[192.0.2.1] said: ${said}`),
  line('eve@b.example', 'deferred', 'host mx said: 451 4.7.1 Greylisted'),
  line(
    'ann@b.example',
    'sent',
    '250 2.0.0 from MTA(smtp:[127.0.0.1]:10025): 250 Ok',
    '127.0.0.1[127.0.0.1]:10024',
  ),
  'Nov 17 10:00:01 mail postfix/local[9]: 4F1AB2: to=<root@a.example>, relay=local, delay=0, dsn=2.0.0, status=sent (delivered to mailbox)\n',
  'Nov 17 10:00:01 mail postfix/qmgr[9]: 4F1AB2: from=<n@a.example>, status=expired, returned to sender\n',
  '2026-11-17T11:00:00.123456+01:00 postfix.a.example postfix/relay/smtp[4711]: 4XyZ12abcde: to=<zoe@b.example>, orig_to=<z@a.example>, relay=none, conn_use=2, delay=1, delays=1/0/0/0, dsn=5.4.4, status=bounced (Host or domain name not found. Name service error for name=b.example type=A: Host not found)\n',
].join('');
const LOG_TOLD = [
  ['ann@b.example', 'delivered', ''],
  ['bob@b.example', 'bounced', `host mx.b.example[192.0.2.1] said: ${said}`],
  [
    'zoe@b.example',
    'bounced',
    'Host or domain name not found. Name service error for name=b.example type=A: Host not found',
  ],
];

test("of Postfix's log, what its SMTP client delivered and bounced counts, and nothing else", async () => {
  const { kind, told, ignored, outcomes } = await read(LOG);
  expect(kind).toBe('postfix');
  expect(told).toEqual(LOG_TOLD);
  expect(ignored).toEqual(['deferred', 'sent within the own network']);
  expect(outcomes.map(({ at }) => at)).toEqual([TIME, TIME, TIME]);
});

test('a packed log reads as the log does, however it is cut; a damaged one is a sentence', async () => {
  const packed = new Uint8Array(gzipSync(LOG));
  expect((await read(packed, { chunkBytes: 7 })).told).toEqual(LOG_TOLD);
  await expect(read(packed.subarray(0, packed.length - 30))).rejects.toThrow(/cannot be unpacked/);
});

test('syslog leaves out the year: a log is not from the future', () => {
  expect(logSeconds('Nov 17 10:00:00 mail ', NOW)).toBe(TIME);
  expect(logSeconds('Dec 24 00:00:00 mail ', NOW)).toBe(Date.UTC(2025, 11, 24) / 1_000);
  expect(logSeconds('mail ', NOW)).toBeNull();
});

test('the columns of a table are found by their headings, and outcomes by their words', async () => {
  const { kind, table, told, ignored, unreadable } = await read(
    [
      'Time;Subscriber;Type;Event;Reason;sg_event_id',
      '2026-11-17 10:00:00;Ann@b.example;transactional;delivered;250 OK;e1',
      `2026-11-17 10:00:00;bob@b.example;transactional;bounce;${said};e2`,
      '2026-11-17 10:00:00;eve@b.example;transactional;open;;e3',
      '2026-11-17 10:00:00;zoe@b.example;transactional;Spam Report;;e4',
      '2026-11-17 10:00:00;sue@b.example;transactional;bounce;550 user is on the suppression list;e5',
      '2026-11-17 10:00:00;;transactional;bounce;;e6',
    ].join('\n'),
  );
  expect(kind).toBe('table');
  expect(table?.columns).toEqual({
    email: { column: 1, heading: 'Subscriber' },
    outcome: { column: 3, heading: 'Event' },
    reply: { column: 4, heading: 'Reason' },
    at: { column: 0, heading: 'Time' },
    id: { column: 5, heading: 'sg_event_id' },
  });
  expect(told).toEqual([
    ['ann@b.example', 'delivered', ''],
    ['bob@b.example', 'bounced', said],
    ['zoe@b.example', 'complained', ''],
  ]);
  expect(ignored).toEqual(['open', 'suppressed']);
  expect(unreadable).toBe(1);
});

test('a table of bounces alone is read with what became of all of them, and columns can be named', async () => {
  const file = `email,why,created\nann@b.example,${said},1795168800\n`;
  expect((await read(file)).table?.columns.outcome).toBeUndefined();
  const { told, outcomes } = await read(file, { assumed: 'bounced', columns: { reply: 'why' } });
  expect(told).toEqual([['ann@b.example', 'bounced', said]]);
  expect(outcomes[0]?.at).toBe(1_795_168_800);
  await expect(read(file, { columns: { reply: 'nowhere' } })).rejects.toThrow(/no column "nowhere"/);
});

const RECORDS = [
  { email: 'ann@b.example', outcome: 'delivered', at: TIME, id: 'e1' },
  { email: 'bob@b.example', event: 'bounce', reason: said, timestamp: TIME },
  { email: 'eve@b.example', event: 'processed' },
  { outcome: 'bounced' },
];

test.each([
  ['a line each', `${RECORDS.map((each) => JSON.stringify(each)).join('\n')}\n`],
  ['one array', JSON.stringify(RECORDS, null, 2)],
])('records in JSON are read, %s', async (_, text) => {
  const { kind, told, ignored, unreadable } = await read(text, { chunkBytes: 3 });
  expect(kind).toBe('json');
  expect(told).toEqual([
    ['ann@b.example', 'delivered', ''],
    ['bob@b.example', 'bounced', said],
  ]);
  expect(ignored).toEqual(['processed']);
  expect(unreadable).toBe(1);
});

test("Sisimai's records are read by their reply, not by their reason", async () => {
  const base = { recipient: 'ann@b.example', deliverystatus: '5.1.1', replycode: '550', timestamp: TIME };
  const failed = { ...base, action: 'failed', reason: 'userunknown', feedbacktype: '', token: 't' };
  const { told, ignored } = await read(
    JSON.stringify([
      { ...failed, diagnosticcode: '550 5.1.1 sorry', smtpcommand: 'RCPT' },
      { ...failed, recipient: { address: 'bob@b.example' }, diagnosticcode: 'sorry', smtpcommand: 'DATA' },
      { ...base, action: 'delayed', reason: 'mailboxfull', feedbacktype: '', diagnosticcode: '' },
      { ...base, action: 'failed', reason: 'expired', feedbacktype: '', diagnosticcode: '4.4.7' },
      {
        ...base,
        recipient: 'zoe@b.example',
        action: '',
        reason: 'feedback',
        feedbacktype: 'abuse',
        diagnosticcode: '',
      },
    ]),
  );
  expect(told).toEqual([
    ['ann@b.example', 'bounced', '550 5.1.1 sorry (in reply to RCPT TO command)'],
    ['bob@b.example', 'bounced', '550 5.1.1 sorry'],
    ['zoe@b.example', 'complained', ''],
  ]);
  expect(ignored).toEqual(['not failed', 'expired']);
});

test('a damaged record costs itself, and one without an end the rest of its line', async () => {
  const { told, unreadable } = await read(
    [
      '{"email": "ann@b.example", "outcome": "delivered"}',
      '{"email": "cut',
      '{"email": nothing}',
      `{"email": "long@b.example", "reply": "${'x'.repeat(MAX_RECORD_CHARS)}", "outcome": "bounced"}`,
      '{"email": "bob@b.example", "outcome": "delivered"}',
    ].join('\n'),
  );
  expect(told.map(([email]) => email)).toEqual(['ann@b.example', 'bob@b.example']);
  expect(unreadable).toBe(3);
});

const message = (who: string, action = 'failed') => `From: MAILER-DAEMON@a.example
Date: Tue, 17 Nov 2026 10:00:00 +0000 (UTC)
Message-ID: <${who}>
Content-Type: multipart/report; boundary=x

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; a.example

Final-Recipient: rfc822; ${who}
Action: ${action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown

--x--
`;
const FOLDER = [
  message('ann@b.example'),
  message('bob@b.example', 'delayed'),
  'From: a person\nSubject: hello\n\n550 5.1.1 <eve@b.example> User unknown\n>From there\n',
  message('zoe@b.example'),
]
  .map((each) => `From MAILER-DAEMON Tue Nov 17 10:00:00 2026\n${each}\n`)
  .join('');

test('a folder of messages tells of its reports, and one message of its own', async () => {
  const folder = await read(FOLDER.replaceAll('\n', '\r\n'), { chunkBytes: 11 });
  expect(folder.kind).toBe('mail');
  expect(folder.told).toEqual([
    ['ann@b.example', 'bounced', '550 5.1.1 User unknown'],
    ['zoe@b.example', 'bounced', '550 5.1.1 User unknown'],
  ]);
  expect(folder.outcomes[0]?.at).toBe(TIME);
  expect(folder.ignored).toEqual(['reports of no failure', 'messages that are no report']);
  expect((await read(message('ann@b.example'))).told).toHaveLength(1);
});

test('what is no file of outcomes is refused by the sentence of what it is', async () => {
  await expect(read('%PDF-1.7\n')).rejects.toThrow(/PDF/);
});

const READERS: Readonly<Record<string, (handlers: OutcomeHandlers) => TextReader>> = {
  postfix: (handlers) => new PostfixLog(handlers, NOW),
  json: (handlers) => new JsonOutcomes(handlers, null),
  mail: (handlers) => new MailReports(handlers),
};
const SAMPLES: Readonly<Record<string, string>> = {
  postfix: LOG,
  json: JSON.stringify(RECORDS),
  mail: FOLDER,
};

function heardBy(name: string, pieces: readonly string[]): Heard {
  const heard = hear();
  const reader = READERS[name]!(heard);
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return heard;
}

test.each(Object.keys(READERS))('%s: what is heard does not depend on where the text is cut', (name) => {
  const text = SAMPLES[name]!;
  const whole = heardBy(name, [text]);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((to, each) => text.slice(at[each], to));
      const { outcomes, ignored, unreadable } = heardBy(name, pieces);
      expect({ outcomes, ignored, unreadable }).toEqual({
        outcomes: whole.outcomes,
        ignored: whole.ignored,
        unreadable: whole.unreadable,
      });
    }),
  );
});

test('a line without an end is not held', () => {
  const heard = hear();
  const reader = new PostfixLog(heard, NOW);
  reader.push(line('ann@b.example', 'sent', 'ok').trimEnd());
  for (let pieces = 0; pieces < 100; pieces += 1) reader.push('x'.repeat(MAX_LINE_CHARS / 50));
  reader.push(`\n${line('bob@b.example', 'sent', 'ok')}`);
  reader.end();
  expect(heard.outcomes.map(({ email }) => email)).toEqual(['bob@b.example']);
});
