import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charsLookedAt } from '../../../common/test/looked-at.ts';
import { htmlLines } from './html-text.ts';

const textOf = (html: string) => htmlLines(html.split('\n')).join('\n');

test.each([
  ['<p>one</p>two', '\none\ntwo'],
  ['a<style>b</style>c', 'ac'],
  ['<HEAD><TITLE>a</TITLE></HEAD>b', 'b'],
  ['a<SCRIPT>b</script>c', 'ac'],
  ['<head>a</header>b</head>c', 'c'],
  ['<style>no end', 'no end'],
  ['<style>a</style>b<style>no end', 'bno end'],
  ['<header>shown</header>', 'shown'],
  ['<head>ı İ</head>550', '550'],
  ['a < b', 'a '],
  ['&lt;a&#64;b&gt; &amp; &#x41; &zzz; &#0;', '<a@b> & A &zzz; &#0;'],
])('%j reads %j', (html, text) => {
  expect(textOf(html)).toBe(text);
});

/** For the next tag, and for its end. */
const LOOKS_PER_CHAR_MAX = 2;

test('whatever it is made of, HTML is walked twice and no more', async () => {
  const piece = fc.constantFrom(
    ...['<', '>', '</', '<head>', '<HEAD>', '<head', '</head>', '<style>', '</STYLE', '<script>', '<title>'],
    ...['<br>', '&lt;', '&#', 'x', ' ', '\n'],
  );
  const unit = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(unit, unit, async (first, rest) => {
      const html = first + rest.repeat(16_384 / rest.length);
      expect(await charsLookedAt(() => htmlLines([html]))).toBeLessThanOrEqual(
        LOOKS_PER_CHAR_MAX * html.length,
      );
    }),
    {
      examples: [
        ['', '<head>'],
        ['', '<sTyle>'],
        ['</head>', '<head>'],
      ],
    },
  );
});
