// Compound files whose numbers lie: the directory is read as far as it goes, or refused in one sentence.
import { expect, test } from 'vitest';
import { compoundFile, END_OF_CHAIN, NO_ENTRY } from '../test/compound.ts';
import { COMPOUND, compoundKind } from './compound-file.ts';

const nameOf = (bytes: Uint8Array) => compoundKind(bytes).name;

test('what the file holds is told by the streams at its top, not by those of an embedded one', () => {
  expect(nameOf(compoundFile(['Workbook']))).toBe('an old Excel workbook (.xls)');
  expect(nameOf(compoundFile(['BOOK']))).toBe('an old Excel workbook (.xls)');
  expect(nameOf(compoundFile(['1Table', 'WordDocument']))).toBe('an old Word document (.doc)');
  expect(nameOf(compoundFile(['PowerPoint Document']))).toBe('an old presentation (.ppt)');
  expect(nameOf(compoundFile(['__properties_version1.0']))).toBe('an Outlook message (.msg)');
  expect(nameOf(compoundFile(['EncryptionInfo', 'EncryptedPackage']))).toBe('an Office file with a password');
  expect(nameOf(compoundFile(['Contents']))).toBe('an Office file of another kind');
  const document = compoundFile(['WordDocument', 'ObjectPool'], { inside: { of: 2, names: ['Workbook'] } });
  expect(nameOf(document)).toBe('an old Word document (.doc)');
});

test('a stream far behind is found, whether in small sectors or large, the table of sectors chained or not', () => {
  const names = [...Array.from({ length: 900 }, (_, at) => `x${at}`), 'Workbook'];
  for (const shift of [9, 12] as const)
    expect(nameOf(compoundFile(names, { shift })), String(shift)).toBe('an old Excel workbook (.xls)');
  expect(nameOf(compoundFile(names, { isTableChained: true }))).toBe('an old Excel workbook (.xls)');
});

test('siblings that lead in a ring are visited once', () => {
  const ring = compoundFile(['a', 'b', 'c'], { siblings: { 1: [2, 3], 2: [1, 1], 3: [3, 2] } });
  expect(nameOf(ring)).toBe('an Office file of another kind');
});

test('a directory that leads back to itself, and a chained table that does, are read up to a bound', () => {
  const entries = compoundFile(['a', 'b'], { directoryAfter: (sector) => sector });
  expect(nameOf(entries)).toBe('an Office file of another kind');
  const chained = compoundFile(['Workbook'], { isTableChained: true, isChainRing: true });
  expect(nameOf(chained)).toBe('an old Excel workbook (.xls)');
});

test.each([
  ['only its first bytes', () => Uint8Array.from(COMPOUND, (char) => char.charCodeAt(0))],
  ['a sector of no size', () => compoundFile(['a'], { header: { 30: 0 } })],
  ['a sector of 64 KiB', () => compoundFile(['a'], { header: { 30: 16 } })],
  ['a directory beyond the end', () => compoundFile(['a'], { header: { 48: 0x7fffffff } })],
  [
    'a directory whose chain leads beyond the end',
    () => compoundFile(['a'], { directoryAfter: () => 9_999_999 }),
  ],
  ['a table beyond the end', () => compoundFile(['a'], { header: { 76: 0x00ffffff } })],
  ['a table that is not there', () => compoundFile(['a'], { header: { 76: END_OF_CHAIN } })],
  ['a chained table beyond the end', () => compoundFile(['a'], { header: { 68: 0x00ffffff } })],
])('%s is one sentence', (_, make) => {
  expect(() => compoundKind(make())).toThrow(/^This is an Office file that is damaged or cut off: [^\n]+\.$/);
});

test('entries that lead nowhere end the walk', () => {
  const lost = compoundFile(['a'], { siblings: { 1: [0x00ffffff, NO_ENTRY] } });
  expect(nameOf(lost)).toBe('an Office file of another kind');
});
