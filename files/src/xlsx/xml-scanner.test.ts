import fc from 'fast-check';
import { expect, test } from 'vitest';
import { XmlScanner } from './xml-scanner.ts';

function piecesOf(xml: string, chunkCharacters: number): string[] {
  const pieces: string[] = [];
  const scanner = new XmlScanner({
    onTag: (name, raw) => void pieces.push(`${name}: ${raw}`),
    onOther: (raw) => void pieces.push(`: ${raw}`),
  });
  try {
    for (let at = 0; at < xml.length; at += chunkCharacters)
      scanner.push(xml.slice(at, at + chunkCharacters));
    scanner.end();
  } catch (error) {
    pieces.push((error as Error).message);
  }
  return pieces;
}

test('tags, texts, comments, sections and instructions are told apart', () => {
  expect(piecesOf('<?x a>?><a b=">" c=\'"\'>1<!-- <b> --><![CDATA[</a>]]></x:a>\n', 1_000)).toEqual([
    ': <?x a>?>',
    'a: <a b=">" c=\'"\'>',
    ': 1',
    ': <!-- <b> -->',
    ': <![CDATA[</a>]]>',
    'a: </x:a>',
  ]);
});

test('how a document is cut changes nothing, and joined the pieces are the document', () => {
  const piece = fc.constantFrom(
    ...[
      '<',
      '>',
      '/',
      '"',
      "'",
      '!',
      '-',
      '--',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      'a',
      ' ',
      '=',
    ],
  );
  const document = fc.array(piece, { maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 9 }), (xml, chunkCharacters) => {
      const whole = piecesOf(xml, 1_000);
      expect(piecesOf(xml, chunkCharacters)).toEqual(whole);
      const isRefused = whole.at(-1)?.endsWith('again.');
      const joined = whole.map((each) => each.slice(each.indexOf(': ') + 2)).join('');
      if (!isRefused) expect(joined).toBe(xml.slice(0, joined.length));
    }),
    { numRuns: 2_000 },
  );
});

test('a piece is bounded, however it arrives', () => {
  for (const begin of ['<a ', '<!--', 'a', '<a b="'])
    for (const chunkCharacters of [10_000, 2_000_000])
      expect(piecesOf(`${begin}${'x'.repeat(1_048_577)}</b>`, chunkCharacters)).toEqual([
        'The sheet cannot be read, since its XML has a cell that is too long: open the workbook and save it again.',
      ]);
});
