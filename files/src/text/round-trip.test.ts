// Random tables in random dialects, against an independent reader of CSV.

import { csvCell } from '@mxproof/common/csv';
import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { clean } from '../../test/in-memory.ts';
import { RESULT_COLUMNS } from '../result-columns.ts';
import { createDecoder, ENCODINGS, encode } from './encoding.ts';
import { RowSplitter, unquoted } from './row-splitter.ts';

const RUNS = 300;
const SEPARATORS = [',', ';', '\t', '|'];

interface WrittenTable {
  readonly rows: readonly (readonly string[])[];
  /** Whether the cell is quoted though it need not be. */
  readonly quotes: readonly (readonly boolean[])[];
  readonly lineEnds: readonly string[];
  readonly separator: string;
  readonly encoding: (typeof ENCODINGS)[number];
  readonly hasMark: boolean;
  readonly isLastEnded: boolean;
  readonly chunkBytes: number;
}

/** Characters that every encoding has, those that mean something among them. */
const cell = fc.string({ unit: fc.constantFrom(...'ab zé=ß"",;\t|\n\r\'-+@'), maxLength: 8 });
const address = fc.stringMatching(/^[e-h]{1,3}@[a-c]\.x$/);

const written: fc.Arbitrary<WrittenTable> = fc
  .record({ width: fc.integer({ min: 0, max: 4 }), height: fc.integer({ min: 1, max: 8 }) })
  .chain(({ width, height }) =>
    fc.record({
      rows: fc
        .array(fc.tuple(fc.array(cell, { minLength: width, maxLength: width }), address), {
          minLength: height,
          maxLength: height,
        })
        .map((rows) => [
          [...Array.from({ length: width }, (_, at) => `c${at}`), 'email'],
          ...rows.map(([cells, email]) => [...cells, email]),
        ]),
      quotes: fc.array(fc.array(fc.boolean(), { minLength: width + 1, maxLength: width + 1 }), {
        minLength: height + 1,
        maxLength: height + 1,
      }),
      lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r'), {
        minLength: height + 1,
        maxLength: height + 1,
      }),
      separator: fc.constantFrom(...SEPARATORS),
      encoding: fc.constantFrom(...ENCODINGS),
      hasMark: fc.boolean(),
      isLastEnded: fc.boolean(),
      chunkBytes: fc.integer({ min: 1, max: 40 }),
    }),
  );

function isQuoted({ rows, quotes, separator }: WrittenTable, y: number, x: number): boolean {
  const text = rows[y]![x]!;
  return quotes[y]![x]! || text.includes(separator) || /[\r\n]|^"/.test(text);
}

function serialised(table: WrittenTable, lineEnd = (at: number) => table.lineEnds[at]!): string {
  const { rows, separator, isLastEnded } = table;
  const lines = rows.map((row, y) => {
    const cells = row.map((text, x) => (isQuoted(table, y, x) ? `"${text.replaceAll('"', '""')}"` : text));
    return cells.join(separator) + (y < rows.length - 1 || isLastEnded ? lineEnd(y) : '');
  });
  return lines.join('');
}

function bytesOf(table: WrittenTable, text = serialised(table)): Uint8Array {
  const isMarked = table.hasMark && table.encoding !== 'windows-1252';
  return encode((isMarked ? '\ufeff' : '') + text, table.encoding);
}

/** The encoding of a few random characters cannot be guessed: it is named. */
function named({ encoding, separator }: WrittenTable) {
  return { encoding, separator, column: 'email' };
}

test('every address is read, whatever the dialect and the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(written, async (table) => {
      const { addresses } = await clean(bytesOf(table), named(table), table);
      expect(addresses).toEqual(table.rows.slice(1).map((row) => row.at(-1)));
    }),
    { numRuns: RUNS },
  );
});

test('without the added cells, the bytes are those of the original', async () => {
  await fc.assert(
    fc.asyncProperty(written, async (table) => {
      const { bytes } = await clean(bytesOf(table), named(table), table);
      const verdict = 'deliverable,r,9,False,False,False,False,mx.x,other,,,';
      const texts = [RESULT_COLUMNS.join(), ...table.rows.slice(1).map(() => verdict)];
      const isAllQuoted = table.rows.every((row, y) =>
        row.every((text, x) => text === '' || isQuoted(table, y, x)),
      );
      const cells = texts.map((text) =>
        text.split(',').map((one) => (isAllQuoted && one !== '' ? `"${one}"` : one)),
      );
      const wider = serialised({ ...table, isLastEnded: true }, (y) => `\u0002${y}\u0003`)
        .split(/\u0002\d+\u0003/)
        .slice(0, -1)
        .map((line, y) => {
          const isEnded = y < table.rows.length - 1 || table.isLastEnded;
          return [line, ...cells[y]!].join(table.separator) + (isEnded ? table.lineEnds[y] : '');
        });
      expect(bytes).toEqual(bytesOf(table, wider.join('')));
    }),
    { numRuns: RUNS },
  );
});

test('without added columns, rows that are left out take their bytes with them, and no other byte changes', async () => {
  await fc.assert(
    fc.asyncProperty(written, async (table) => {
      // The verdict of a test is in the local part: half of the rows are bad.
      const rows = table.rows.map((row, y) =>
        row.map((cell, x) => (y % 2 === 0 && y > 0 && x === row.length - 1 ? `bad${cell}` : cell)),
      );
      const given = { ...table, rows };
      const { bytes, kept } = await clean(bytesOf(given), named(given), {
        chunkBytes: table.chunkBytes,
        keep: 'deliverable',
        words: null,
      });
      const good = serialised({ ...given, isLastEnded: true }, (y) => `\u0002${y}\u0003`)
        .split(/\u0002\d+\u0003/)
        .slice(0, -1)
        .map((line, y) => line + (y < rows.length - 1 || table.isLastEnded ? table.lineEnds[y] : ''))
        .filter((_, y) => y === 0 || y % 2 === 1);
      expect(bytes).toEqual(bytesOf(given, good.join('')));
      expect(kept).toBe(good.length - 1);
    }),
    { numRuns: RUNS },
  );
});

test('an independent reader finds the same rows, plus the columns', async () => {
  await fc.assert(
    fc.asyncProperty(written, fc.constantFrom('\n', '\r\n', '\r'), async (table, lineEnd) => {
      // It knows one kind of line end in a file, and no text behind a closing quote.
      const before = bytesOf(
        table,
        serialised(table, () => lineEnd),
      );
      const { bytes } = await clean(before, named(table), table);
      const text = createDecoder(table.encoding)(bytes).replace(/^\ufeff/, '');
      const { data } = Papa.parse<string[]>(text, { delimiter: table.separator, newline: lineEnd });
      const rows = table.isLastEnded ? data.slice(0, -1) : data;
      expect(rows.map((row) => row.slice(0, -RESULT_COLUMNS.length))).toEqual(table.rows);
      expect(rows[0]!.slice(-RESULT_COLUMNS.length)).toEqual(RESULT_COLUMNS);
      for (const row of rows.slice(1)) expect(row.at(-RESULT_COLUMNS.length)).toBe('deliverable');
    }),
    { numRuns: RUNS },
  );
});

/** As our own reader has it, in pieces of any size. */
function readBack(bytes: Uint8Array, { separator, encoding, chunkBytes }: WrittenTable): string[][] {
  const decode = createDecoder(encoding);
  const rows: string[][] = [];
  const splitter = new RowSplitter(encoding, separator, (row) => {
    rows.push(Array.from({ length: row.count }, (_, at) => unquoted(decode(row.cell(at)))));
  });
  for (let at = 0; at < bytes.length; at += chunkBytes) splitter.push(bytes.subarray(at, at + chunkBytes));
  splitter.end();
  return rows;
}

test.each(['exact', 'defused'] as const)('what we write is read back, formulas %s', (formulas) => {
  fc.assert(
    fc.property(written, fc.boolean(), (table, isQuoted) => {
      const { rows, separator, encoding } = table;
      const text = rows
        .map((row) => row.map((cell) => csvCell(cell, formulas, { separator, isQuoted })).join(separator))
        .map((line) => `${line}\r\n`)
        .join('');
      const isRun = (cell: string) => formulas === 'defused' && /^[=+\-@\t\r]/.test(cell);
      const expected = rows.map((row) => row.map((cell) => (isRun(cell) ? `'${cell}` : cell)));
      expect(readBack(encode(text, encoding), table)).toEqual(expected);
      const { data } = Papa.parse<string[]>(text, { delimiter: separator, newline: '\r\n' });
      expect(data.slice(0, -1)).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test('any bytes at all come back whole, or are refused in one sentence', async () => {
  const bytes = fc.array(fc.constantFrom(...[...'a@b.c,;"\n\r\t|= \0é'].map((char) => char.charCodeAt(0))), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(...ENCODINGS),
      async (raw, chunkBytes, encoding) => {
        const before = Uint8Array.from(raw);
        const options = { column: '1', hasHeader: false, separator: ',', encoding };
        const refused = (error: Error) => {
          expect(error.name).toBe('FileError');
          return null;
        };
        const once = await clean(before, options, { chunkBytes }).catch(refused);
        const whole = await clean(before, options).catch(refused);
        expect(once?.bytes).toEqual(whole?.bytes);
        // The full stop behind `a@b.c.` goes.
        if (once === null || once.changes.corrected > 0) return;
        // Every byte of the original, in its order.
        let at = 0;
        for (const byte of once.bytes) if (byte === before[at]) at += 1;
        expect(at).toBe(before.length);
      },
    ),
    { numRuns: RUNS * 5 },
  );
});
