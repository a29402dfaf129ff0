import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mailText, shownName, type ToldEvent } from './mail-text.ts';

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
This mail is sent to you because the operator of verify.example has entered this address for account 7 (Marketing).
To stop it, write to mxproof@a.example.
`);
  for (const said of ['1,204 addresses', 'Send carefully', '<b>100</b>', 'No answer yet'])
    expect(html).toContain(said);
  expect(html).toContain('href="https://verify.example/lists/4711"');
  expect(html).not.toMatch(/<img|<script|<link|src=|url\(/i);
  expect(unsubscribe).toBe('<mailto:mxproof@a.example?subject=Stop%20mail%20for%20account%207>');
});

test('low credits and an endpoint that was switched off are told of; its URL may be a secret, and its host is not', () => {
  expect(mail([LOW]).subject).toBe('MXProof: credits are low: 4,990 credits are left');
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
  expect(mail([DONE, LOW]).subject).toBe('MXProof: 2 events: your list is done: spring.xlsx');
  const many = mail([DONE], 37);
  expect(many.subject).toBe('MXProof: 38 events: your list is done: spring.xlsx');
  expect(many.text).toContain('And 37 events more.');
});

test('a list whose results are gone is told of without counts', () => {
  expect(mail([{ ...DONE, counts: null }]).text).toContain(
    '1,204 addresses. Its results are deleted already.',
  );
});

test('whatever lists and accounts are called, no name adds a line, a tag or an address', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '\r\nBcc: ',
          'x@y.example',
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
        ),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, text, (name, accountName) => {
      const made = mail([{ ...DONE, accountName, list: { ...DONE.list!, name } }]);
      const plain = mail([{ ...DONE, accountName: 'a', list: { ...DONE.list!, name: 'a' } }]);
      expect(made.subject).not.toMatch(/[\x00-\x1f\x7f\u0085\u2028\u2029]/);
      expect(made.subject.length).toBeLessThanOrEqual(150);
      expect(made.text.split('\n').length).toBe(plain.text.split('\n').length);
      expect(made.html!.match(/</g)!.length).toBe(plain.html!.match(/</g)!.length);
      expect(shownName(name)).not.toMatch(/[@\uff20]/);
    }),
  );
  expect(shownName('of anna@example.com, 2026')).toBe('of [address], 2026');
});
