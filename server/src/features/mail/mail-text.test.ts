import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkMailText } from './link-mail-text.ts';
import { shownName } from './mail-forms.ts';
import { mailText, type ToldEvent } from './mail-text.ts';
import { type Mail, messageOf } from './send-mail.ts';

const COUNTS = { send: 1_000, separate: 100, skip: 20, remove: 80, retry: 4 };
const DONE: ToldEvent = {
  id: 1,
  event: 'list.done',
  facts: {},
  atSeconds: 1_700_000_000,
  accountId: 7,
  accountName: 'Marketing',
  forMember: false,
  list: { id: 4711, name: 'spring.xlsx', total: 1_204 },
  endpoint: null,
  counts: COUNTS,
};
const LOW: ToldEvent = {
  ...DONE,
  event: 'credits.low',
  list: null,
  counts: null,
  facts: { credits: 4_990, lowCredits: 5_000 },
};
const OFF: ToldEvent = {
  ...DONE,
  event: 'webhook.off',
  list: null,
  counts: null,
  endpoint: { id: 3, url: 'https://hooks.example/secret-token/anna@example.com' },
  facts: { reason: 'gone' },
};
const mail = (events: ToldEvent[], more = 0) =>
  mailText({ events, more, url: 'https://verify.example', from: 'mxproof@a.example', stopToken: 'x' });

test('a list that is done is told with its five counts and a link to its page', () => {
  const { subject, text, html, unsubscribe } = mail([DONE]);
  expect(subject).toBe('MXProof: your list is done: spring.xlsx');
  expect(text).toBe(`Your list is done: spring.xlsx
1,204 addresses:

  Send            1,000
  Send carefully    100
  Leave out          20
  Remove             80
  No answer yet       4

https://verify.example/lists/4711

-- 
You get this mail because the operator of verify.example has entered this address for account 7 (Marketing).
Stop these mails: https://verify.example/stop-mail/x
`);
  for (const said of ['1,204 addresses', '<b>100</b> Send carefully', '<b>4</b> No answer yet'])
    expect(html).toContain(said);
  expect(html).toContain('href="https://verify.example/lists/4711"');
  expect(html).not.toMatch(/<img|<script|<link|<table|src=|url\(/i);
  expect(unsubscribe).toEqual({
    url: 'https://verify.example/stop-mail/x',
    mailto: 'mailto:mxproof@a.example?subject=Stop%20mail%20for%20account%207',
  });
});

test('low credits and an endpoint that was switched off are told of; its URL may be a secret, and its host is not', () => {
  expect(mail([LOW]).subject).toBe('MXProof: 4,990 credits are left');
  const { subject, text, html } = mail([OFF]);
  expect(subject).toBe('MXProof: a webhook endpoint was switched off: hooks.example');
  expect(text).toContain('Endpoint 3 answered 410');
  expect(text).toContain('https://verify.example/account#webhooks');
  expect(text + html).not.toMatch(/secret-token|anna/);
});

test('several events are one mail, which says how many and of which account', () => {
  const two = mail([DONE, { ...DONE, accountId: 8, accountName: 'Sales' }]);
  expect(two.subject).toBe('MXProof: 2 lists are done');
  expect(two.text).toContain('Account 8 (Sales)');
  expect(mail([DONE, LOW]).subject).toBe('MXProof: your list is done: spring.xlsx, and 1 more event');
  const many = mail([DONE], 37);
  expect(many.subject).toBe('MXProof: your list is done: spring.xlsx, and 37 more events');
  expect(many.text).toContain('And 37 more events.');
  expect(mail([DONE], 1).text).toContain('And 1 more event.');
});

test('a member reads why they get it; one click stops it only where there is https', () => {
  const { text } = mail([{ ...DONE, forMember: true }]);
  expect(text).toContain('because you are a member of account 7 (Marketing) on verify.example.');
  expect(text).not.toContain('operator');
  const both = mail([DONE, { ...LOW, accountId: 8, accountName: 'Sales', forMember: true }]).text;
  expect(both).toContain('has entered this address for account 7 (Marketing).');
  expect(both).toContain('you are a member of account 8 (Sales)');
  const plain = mailText({
    events: [DONE],
    more: 0,
    url: 'http://localhost:8080',
    from: 'a@b.example',
    stopToken: 'x',
  });
  expect(plain.unsubscribe!.url).toBe(null);
  expect(plain.text).toContain('http://localhost:8080/stop-mail/x');
});

test('an invitation and a link that signs in say what they are for, and can not be unsubscribed from', () => {
  const url = 'https://verify.example';
  const invitation = linkMailText({
    told: { kind: 'invitation', accountName: 'Marketing', role: 'viewer' },
    url,
    token: 'tok',
  });
  expect(invitation.subject).toBe('MXProof: you are invited to Marketing');
  expect(invitation.text).toContain('https://verify.example/join/tok');
  expect(invitation.text).toContain('As a viewer you can read');
  expect(invitation.text).toContain('within 7 days');
  const signIn = linkMailText({ told: { kind: 'sign_in' }, url, token: 'tok' });
  expect(signIn.text).toContain('https://verify.example/sign-in/mail/tok');
  expect(signIn.text).toContain('If you did not request it, ignore this mail');
  for (const each of [invitation, signIn]) {
    expect(each).not.toHaveProperty('unsubscribe');
    expect(each.text).not.toContain('stop-mail');
  }
});

test('a list whose results are gone is told of without counts', () => {
  expect(mail([{ ...DONE, counts: null }]).text).toContain(
    '1,204 addresses. The results have already been deleted.',
  );
});

const NAMES = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '\r\nBcc: ',
        '\n\n',
        'x@y.example',
        'https://evil.example/',
        'www.evil.example',
        '<b>',
        '</title>',
        '"',
        "'",
        '&',
        ' ',
        '\u2028',
        '\u202e',
        'a',
        '\ud800',
        '＠',
        '%40',
        '=?utf-8?B?DQpCY2M6IGE=?=',
      ),
    )
    .map((parts) => parts.join('')),
);

test('whatever lists and accounts are called, no name adds a line, a tag, an address or a link', () => {
  fc.assert(
    fc.property(NAMES, NAMES, (name, accountName) => {
      const made = mail([{ ...DONE, accountName, list: { ...DONE.list!, name } }]);
      const plain = mail([{ ...DONE, accountName: 'a', list: { ...DONE.list!, name: 'a' } }]);
      expect(made.subject).not.toMatch(/[\x00-\x1f\x7f\u0085\u2028\u2029]/);
      expect([...made.subject].length).toBeLessThanOrEqual(150);
      expect(made.subject.isWellFormed()).toBe(true);
      expect(made.text.split('\n').length).toBe(plain.text.split('\n').length);
      expect(made.html.match(/</g)!.length).toBe(plain.html.match(/</g)!.length);
      expect(shownName(name)).not.toMatch(/[@\uff20]|:\/\/|\bwww\./);
    }),
  );
  expect(shownName('of anna@example.com, 2026')).toBe('of [address], 2026');
  expect(shownName('see https://evil.example/x now')).toBe('see [link] now');
  expect(shownName('evil.example/sign-in, www.evil.example')).toBe('[link], [link]');
  expect(shownName('customers.csv, 1/2')).toBe('customers.csv, 1/2');
});

test('names in other scripts and emoji stay as they are; one that cannot be seen is a number', () => {
  for (const name of ['می‌خواهم', '👩‍💻 Messe', 'رسالة الربيع']) expect(shownName(name)).toBe(name);
  const named = (name: string) => mail([{ ...DONE, accountName: name, list: { ...DONE.list!, name } }]);
  for (const name of ['', ' ', '\u200d', '\u2066\u202e'])
    expect(named(name)).toMatchObject({
      subject: 'MXProof: your list is done: number 4711',
      text: expect.stringContaining('for account 7.'),
    });
  const { subject } = named('😀'.repeat(200));
  expect(subject).toBe(`MXProof: your list is done: ${'😀'.repeat(79)}…`);
});

/** The headers of a message and of its parts, unfolded, by what nodemailer makes of it. */
async function headersOf(written: Pick<Mail, 'subject' | 'text' | 'html' | 'unsubscribe'>) {
  const { createTransport } = await import('nodemailer');
  const made = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(
    messageOf({
      ...written,
      from: 'mxproof@a.example',
      to: ['anna@b.example'],
      id: 'mail.1',
      date: new Date(0),
    }),
  );
  const raw = (made.message as Buffer).toString('latin1');
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(head)![1]!;
  const parts = raw.split(`\r\n--${boundary}`).slice(1, -1);
  const unfolded = (text: string) =>
    text
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .filter((line) => line !== '');
  return {
    head: unfolded(head),
    parts: parts.map((part) => unfolded(part.trimStart().split('\r\n\r\n', 1)[0]!)),
    raw,
  };
}

test('whatever lists and accounts are called, the message has exactly its own headers, one recipient and two parts', async () => {
  await fc.assert(
    fc.asyncProperty(NAMES, NAMES, async (name, accountName) => {
      const named = { accountName, list: { ...DONE.list!, name } };
      const told = { kind: 'invitation', accountName, role: 'owner' } as const;
      const invitation = linkMailText({ told, url: 'https://verify.example', token: 'tok' });
      for (const [written, more] of [
        [
          mail([
            { ...DONE, ...named },
            { ...LOW, accountName },
          ]),
          ['List-Unsubscribe', 'List-Unsubscribe-Post'],
        ],
        [invitation, []],
      ] as const) {
        const { head, parts, raw } = await headersOf(written);
        expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/);
        const names = head.map((line) => line.slice(0, line.indexOf(':')));
        expect(names.toSorted()).toEqual(
          [
            'Auto-Submitted',
            'Content-Type',
            'Date',
            'From',
            'MIME-Version',
            'Message-ID',
            'Subject',
            'To',
            ...more,
          ].toSorted(),
        );
        expect(head).toContain('To: anna@b.example');
        expect(head).toContain('From: mxproof@a.example');
        expect(parts.map((part) => part.find((line) => line.startsWith('Content-Type')))).toEqual([
          'Content-Type: text/plain; charset=utf-8',
          'Content-Type: text/html; charset=utf-8',
        ]);
      }
    }),
  );
});
