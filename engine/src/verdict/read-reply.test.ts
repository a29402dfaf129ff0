import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Meaning, Reply, Stage } from '../types.ts';
import { replyFromText } from './parse-reply-text.ts';
import { PROVIDER_REPLY_ROWS } from './provider-reply-patterns.ts';
import { readReply } from './read-reply.ts';
import { REPLY_TOPICS } from './reply-patterns.ts';
import { replyWords } from './reply-words.ts';
import { meaningOutcome } from './verdict.ts';

const meaningOf = (text: string, stage: Stage = 'rcpt', provider = ''): Meaning =>
  readReply(stage, replyFromText(text), provider).meaning;

describe('every row decides the reply it came from', () => {
  const rows = REPLY_TOPICS.flatMap((topic) => topic.rows.map((row) => [topic.name, row.seen, row] as const));
  it.each(rows)('%s: %s', (name, seen, row) => {
    const reply = replyFromText(seen);
    const reading = readReply('rcpt', reply, '');
    expect(reading.rule.startsWith(`${name}, like "${seen.slice(0, 4)}`)).toBe(true);
    expect(reading.meaning).toBe(row.means);
    const said = replyWords(reply.lines);
    const first = REPLY_TOPICS.flatMap((topic) => topic.rows).find((other) =>
      other.match.test(other.in === 'links' ? said.links : said.words),
    );
    expect(first).toBe(row);
  });

  const own = PROVIDER_REPLY_ROWS.map((row) => [row.provider, row.seen, row] as const);
  it.each(own)('%s: %s', (name, seen, row) => {
    const reply = replyFromText(seen);
    const reading = readReply('rcpt', reply, name);
    expect(reading.rule.startsWith(`${name}, like "`)).toBe(true);
    expect(reading.meaning).toBe(row.means);
    const said = replyWords(reply.lines);
    const ownRows = PROVIDER_REPLY_ROWS.filter((other) => other.provider === name);
    expect(ownRows.find((other) => other.match.test(other.in === 'links' ? said.links : said.words))).toBe(
      row,
    );
    // Where the provider is not known another row may decide, to the same end.
    expect(meaningOutcome(meaningOf(seen))).toEqual(meaningOutcome(row.means));
  });

  it('no rule’s name carries an address', () => {
    for (const [, seen] of [...rows, ...own]) {
      for (const provider of ['', 'google', 'microsoft', 'qq']) {
        expect(readReply('rcpt', replyFromText(seen), provider).rule).not.toContain('@');
      }
    }
  });
});

describe('what must hold', () => {
  const must: readonly (readonly [string, string, Meaning])[] = [
    [
      'a rate text overrules 5.1.1',
      '550 5.1.1 <a@b.example> 192.0.2.1 has sent to too many recipients this hour',
      'rate_limited',
    ],
    [
      'a block-list text overrules 5.1.1',
      '550 5.1.1 <a@b.example> rejected, 192.0.2.1 is listed in zen.spamhaus.org',
      'blocked',
    ],
    [
      'a quota text overrules 5.1.1',
      '552 sorry, mailbox a@b.example is over quota temporarily (#5.1.1)',
      'over_quota',
    ],
    ['a content text overrules 5.1.1', '550 5.1.1 message content rejected, virus found', 'content'],
    ['a missing mailbox overrules 5.7.1', '550 5.7.1 No such user!', 'no_mailbox'],
    ['a missing mailbox overrules 5.4.1', '550 5.4.1 <a@b.example>: user unknown', 'no_mailbox'],
    ['a bare 5.7.1 is about us', '550 5.7.1', 'blocked'],
    ['5.7.1 with an address is about us', '550 5.7.1 <a@b.example>', 'blocked'],
    [
      'a block-list text at RCPT is about us',
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using bl.spamcop.net',
      'blocked',
    ],
    [
      'a block list named by its link alone is about us',
      '550 5.1.1 https://www.spamhaus.org/query/ip/192.0.2.1',
      'blocked',
    ],
    ['mailbox full is not no such user', '550 5.1.1 <a@b.example> mailbox is full', 'over_quota'],
    [
      "Microsoft's access denied is the mailbox",
      '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)',
      'no_mailbox',
    ],
    [
      'access denied that names our address is us',
      '550 5.7.606 Access denied, banned sending IP [192.0.2.1]',
      'blocked',
    ],
    [
      'access denied that names our domain is us',
      '550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification',
      'blocked',
    ],
    ['access denied that names our HELO is us', '550 5.7.504 Access denied, bad HELO', 'blocked'],
    ['access denied without a recipient is us', '550 5.7.1 Access denied', 'blocked'],
    [
      '5.2.1 of a flooded mailbox is the pace',
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that 550 5.2.1 prevents additional messages',
      'rate_limited',
    ],
    [
      '4.2.1 of a flooded mailbox says that it is there',
      '450-4.2.1 The user you are trying to contact is receiving mail at a rate that 450 4.2.1 prevents additional messages',
      'mailbox_busy',
    ],
    [
      'a flooded server says nothing',
      '450 4.2.1 We are receiving mail at a rate that is too high',
      'rate_limited',
    ],
    ['a flood of ours says nothing', '450 4.2.1 user is receiving mail too quickly from you', 'rate_limited'],
    [
      'a limit for one sender is the pace',
      "550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded.",
      'rate_limited',
    ],
    [
      'a disabled mailbox is closed',
      '550 5.2.1 The email account that you tried to reach is disabled',
      'no_mailbox',
    ],
    ['a mailbox locked for now is not', '550 5.2.1 mailbox temporarily locked', 'temporary'],
    [
      'a 4xx is no verdict whatever it says',
      '450 4.1.1 <a@b.example>: Recipient address rejected: User unknown',
      'temporary',
    ],
    ['greylisting is no verdict', '550 5.1.1 Greylisted, try again', 'greylisted'],
    ['4.2.2 is over quota', '452 4.2.2 mailbox full', 'over_quota'],
    ['4.5.3 wants another transaction', '452 4.5.3 recipients', 'too_many_recipients'],
    [
      "Exim's quote of our sender's host is about the sender",
      '550-Verification failed for <p@example.org> 550-No Such User Here 550 Sender verify failed',
      'sender_refused',
    ],
    [
      'mailbox closed in the words of a block',
      '550 5.2.1 This mailbox has been blocked due to inactivity',
      'no_mailbox',
    ],
    ['a bare 550 is the mailbox', '550', 'no_mailbox'],
    ['one of the two is neither', '550 5.1.1 user unknown or over quota', 'unclear'],
    ['one of the two is asked again at 4xx', '451 <a@b.example>: user unknown or mailbox full', 'temporary'],
    ['552 is space, whatever its words', '552 zut alors', 'over_quota'],
    ['552 that names a message is not', '552 zut, the message', 'unclear'],
    ['a mailbox in an invalid wording of its domain', '550 invalid domain mailbox user', 'no_mailbox'],
    ['an invalid domain is no mailbox', '550 invalid domain', 'relay_denied'],
    ['a null MX is the domain', '556 5.1.10 <a@b.example> nothing here', 'relay_denied'],
    ['a version is no enhanced code', '550 (Exim 4.96.2)', 'unclear'],
    ['a word without a reason leaves it to the number', '550 5.1.1 <a@b.example> rejected', 'no_mailbox'],
    ['a sending quota is the pace', '550 quota exceeded for this sender', 'rate_limited'],
    [
      'advice to ask a provider is not a block',
      '550 User unknown. Please contact your provider.',
      'no_mailbox',
    ],
    ['a 550 in unknown words is not', '550 zut alors', 'unclear'],
    ['unreadable words are words', '550 \ufffd\ufffd \ufffd', 'unclear'],
    ['a bare 554 says nothing', '554', 'unclear'],
    ['251 is accepted', '251 User not local; will forward to <x@y.example>', 'accepted'],
    ['SMTPUTF8 missing is the protocol', '553 5.6.7 SMTPUTF8 not supported', 'protocol'],
  ];
  it.each(must)('%s: %s', (_what, text, means) => expect(meaningOf(text)).toBe(means));
});

describe('words that stand in the address do not count', () => {
  it.each([
    ['550 5.1.1 User quota.full unknown', 'no_mailbox'],
    ['550 No such user spam here', 'no_mailbox'],
    ['550 5.1.1 Mailbox greylist not found', 'no_mailbox'],
    ['550 5.7.1 <user.unknown@quota.example>', 'blocked'],
    ['550 5.1.1 <spamhaus@blacklist.example>', 'no_mailbox'],
    ['550 5.1.1 <mailbox.full@over.quota.example>... User unknown', 'no_mailbox'],
    ['550 5.1.1 <too.many.connections@greylisted.example>: User unknown', 'no_mailbox'],
    ['550 5.1.1 "spf.dkim"@blocked.example no such user', 'no_mailbox'],
    ["550 5.1.1 User 'quota.exceeded' unknown", 'no_mailbox'],
    ['550 5.7.1 mx.no-such-user.example', 'blocked'],
    [
      '554 5.7.1 <user-unknown.mailbox-not-found.example[192.0.2.1]>: Client host rejected: Access denied',
      'blocked',
    ],
  ] as const)('%s is %s', (text, means) => expect(meaningOf(text)).toBe(means));
});

describe('a mailbox denied in words of no table is denied', () => {
  it.each([
    '550 mailbox never activated',
    '550 no customer of that name',
    '550 subscriber was removed',
    '550 5.0.0 this alias was retired',
    '554 employee account has been cancelled',
    "550 user isn't registered",
    '553 address could not be resolved',
  ])('%s', (text) => expect(meaningOf(text)).toBe('no_mailbox'));
});

describe('before RCPT nothing is about a mailbox', () => {
  const stages: readonly Stage[] = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rset'];
  const mailbox: ReadonlySet<Meaning> = new Set(['no_mailbox', 'over_quota', 'mailbox_busy']);
  const seen = [...REPLY_TOPICS.flatMap((topic) => topic.rows), ...PROVIDER_REPLY_ROWS].map(
    (row) => row.seen,
  );

  it.each(stages)('at %s no wording and no code reads as the mailbox', (stage) => {
    for (const text of seen) expect(mailbox.has(meaningOf(text, stage)), text).toBe(false);
    for (let code = 400; code < 600; code++)
      expect(mailbox.has(meaningOf(`${code} 5.1.1`, stage))).toBe(false);
  });

  it.each([
    ['banner', '554 5.7.1 no', 'blocked'],
    ['banner', '550 5.1.1 user unknown', 'blocked'],
    ['banner', '421 4.7.0 too many connections from your host', 'rate_limited'],
    ['ehlo', '502 command not implemented', 'protocol'],
    ['ehlo', '550 go', 'blocked'],
    ['mail', '550 no', 'sender_refused'],
    ['mail', '550 5.7.1 no', 'blocked'],
    ['mail', '530 5.7.0 Must issue a STARTTLS command first', 'tls_required'],
    ['mail', '450 4.7.1 Greylisted, try again in 5 minutes', 'greylisted'],
    ['starttls', '454 4.7.0 TLS not available', 'rate_limited'],
    ['rset', '500 what', 'protocol'],
  ] as const)('%s: %s is %s', (stage, text, means) => expect(meaningOf(text, stage)).toBe(means));
});

describe('languages and character sets', () => {
  it.each([
    ['550 5.1.1 EmpfÃ¤nger unbekannt', 'UTF-8 read as Latin-1'],
    ['550 Der Empf\u00e4nger ist unbekannt', 'Latin-1'],
    ['550 Empfaenger unbekannt', 'transcribed'],
    ["550 L'adresse du destinataire n'existe pas", 'French'],
    [`550 ${cyrillicAsLatin1('Пользователь не найден')}`, 'windows-1251 read as Latin-1'],
    ['550 \xca\xd5\xbc\xfe\xc8\xcb\xb2\xbb\xb4\xe6\xd4\xda', 'GB 18030 read as Latin-1'],
  ])('%j (%s) is the mailbox', (text) => expect(meaningOf(text)).toBe('no_mailbox'));
});

/** Cyrillic only: what the reader makes of windows-1251 bytes. */
function cyrillicAsLatin1(text: string): string {
  return [...text]
    .map((letter) => {
      const point = letter.codePointAt(0) ?? 0;
      return point >= 0x410 && point <= 0x44f ? String.fromCharCode(point - 0x410 + 0xc0) : letter;
    })
    .join('');
}

describe('a delay the reply names', () => {
  it.each([
    ['451 4.7.1 Greylisting in action, please come back in 00:05:00', 300_000],
    ['450 4.2.0 Greylisted for 300 seconds', 300_000],
    ['451 try again in 5 minutes', 300_000],
    ['450 4.7.1 greylisted, please retry in 15 min', 900_000],
    ['421 4.7.0 rate limited, wait 2 hours', 7_200_000],
    ['451 greylisted, retry after 30s', 30_000],
    ['450 greylisted, try again in 0 seconds', 1_000],
    ['451 greylisted, try again in 400 hours', 86_400_000],
    ['451 Bitte versuchen Sie es in 10 Minuten erneut, Greylisting', 600_000],
    ['451 Greylisted, réessayez dans 5 minutes', 300_000],
    ['451 しばらくしてから(5分後に)再送してください', 300_000],
    ['451 Попробуйте через 5 минут', 300_000],
    ['451 greylisted', null],
    ['550 5.1.1 user unknown, try again in 5 minutes', null],
    ['421 4.7.0 192.0.2.5 try later', null],
  ])('%s: %s ms', (text, ms) => {
    expect(readReply('rcpt', replyFromText(text), '').retryAfterMs).toBe(ms);
  });
});

describe('for every row', () => {
  const sources = [...REPLY_TOPICS.flatMap((topic) => topic.rows), ...PROVIDER_REPLY_ROWS].map(
    (row) => row.match.source,
  );
  // Without `*`, `+` and `{n,}` no pattern can look further than a few dozen signs from where it starts; `.*` is
  // allowed once a pattern is tied to the start of the reply.
  it.each(sources)('nothing repeats without a bound: %s', (source) => {
    const signs = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
    const tied = source.startsWith('^') ? signs.replaceAll('.*', '') : signs;
    expect(tied).not.toMatch(/[*+]|\{\d+,\}/);
  });
});

describe('for every reply', () => {
  const reply: fc.Arbitrary<Reply> = fc.record({
    code: fc.integer({ min: 0, max: 999 }),
    enhanced: fc.option(fc.constantFrom('5.1.1', '5.7.1', '4.7.0', '9.9.9', '5.999.999', 'x'), { nil: null }),
    lines: fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 3 }),
  });
  const stage = fc.constantFrom<Stage>('connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt', 'rset');

  it('is read by its enhanced code too, which may stand in a line that was cut off', () => {
    const reading = (enhanced: string | null) =>
      readReply('rcpt', { code: 0, enhanced, lines: [''] }, '').meaning;
    expect(['4.2.2', '5.1.1', null].map(reading)).toEqual(['over_quota', 'no_mailbox', 'unclear']);
  });

  it('never throws, reads the same twice, and never makes a 4xx a verdict', () => {
    fc.assert(
      fc.property(
        stage,
        reply,
        fc.constantFrom('', 'other', 'google', 'qq', '__proto__'),
        (at, given, provider) => {
          const reading = readReply(at, given, provider);
          expect(readReply(at, given, provider)).toEqual(reading);
          expect(reading.rule.length).toBeGreaterThan(0);
          if (given.code >= 400 && given.code < 500) expect(reading.meaning).not.toBe('no_mailbox');
          if (at !== 'rcpt')
            expect(['no_mailbox', 'over_quota', 'mailbox_busy']).not.toContain(reading.meaning);
          if (given.code >= 500) expect(reading.meaning).not.toBe('mailbox_busy');
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    ['blanks', ' '.repeat(65_536)],
    ['one word', 'a'.repeat(65_536)],
    ['addresses without an end', '<a@'.repeat(21_845)],
    ['at signs', '@'.repeat(65_536)],
    ['dots', 'a.'.repeat(32_768)],
    ['hosts', 'a.b.c.d.e.f.g.h.com.'.repeat(3_276)],
    ['numbers', '1.1.1.'.repeat(10_922)],
    ['colons', 'ab:'.repeat(21_845)],
    ['quotes', '"'.repeat(65_536)],
    ['half wordings', 'user recipient mailbox account is was not '.repeat(1_560)],
    ['half quotas', 'mailbox over limit exceed size '.repeat(2_114)],
    ['codes', '550 5.1.1 '.repeat(6_553)],
    ['lost line ends', '550-5.1.1 x '.repeat(5_461)],
    ['high bytes', '\xe0\xff'.repeat(32_768)],
    ['combining marks', 'e\u0301\u0301'.repeat(21_845)],
  ])(
    '64 KiB of %s are read in bounded work',
    (_what, text) => {
      // Every pattern is linear and sees 2,048 characters: a runaway one would not end within the test's time.
      for (const at of ['rcpt', 'banner'] as const) {
        readReply(at, { code: 550, enhanced: null, lines: [text] }, '');
        readReply(at, replyFromText(text), '');
        readReply(at, replyFromText(`550 ${text}`), 'google');
      }
    },
    2_000,
  );
});

it.each([
  ['550 5.1.1 <anna@a.example>: Recipient address rejected: User unknown', 'wording'],
  ['550 5.1.1', 'code'],
  // The user that is not known is ours: the words do not count.
  ['535 5.7.8 User unknown', 'code'],
  ['250 2.1.5 Ok', 'code'],
])('whether words or numbers decided is a tag, not a matter of the rule text: %s', (text, by) => {
  expect(readReply('rcpt', replyFromText(text), 'other').by).toBe(by);
});
