import { expect, test } from 'vitest';
import { cleanText } from './clean-text.ts';

test('what hides text, turns its direction or moves a cursor is gone, and the rest is as it was', () => {
  expect(cleanText('550 5.1.1\r\n\u001b[2Jno\u202euser\u200b \u{e0049}\u{e0047}here\ufe0f\ud800')).toBe(
    '550 5.1.1 [2Jno user   here',
  );
  expect(cleanText('Grüße, 日本 👋')).toBe('Grüße, 日本 👋');
});

test('it is bounded, and no character is halved', () => {
  expect(cleanText('a'.repeat(5_000))).toBe(`${'a'.repeat(1_000)}…`);
  expect(cleanText('ab👋', 3)).toBe('ab…');
});
