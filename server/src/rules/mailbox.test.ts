// Spellings of mailboxes.
import { expect, test } from 'vitest';
import { mailboxIn } from './mailbox.ts';

test('a mailbox is one text, however its name and its domain are written', () => {
  for (const text of ['ann@bücher.example', ' Ann@BÜCHER.example', 'ANN@xn--bcher-kva.example '])
    expect(mailboxIn(text)).toBe('ann@xn--bcher-kva.example');
});

test('two mailboxes are two texts, though other alphabets have letters that lower case turns into ours', () => {
  expect(mailboxIn('\u212aevin@x.test')).toBe('\u212aevin@x.test');
  expect(mailboxIn('kevin@x.test')).toBe('kevin@x.test');
});

test('what is no mailbox is none', () => {
  for (const text of ['', 'ann', 'ann@', 'a b@x.test', 'ann@x.test\r\nBcc: eve@x.test'])
    expect(mailboxIn(text)).toBeNull();
});
