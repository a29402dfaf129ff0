// Rows that are chosen by cards, in random tables: what stays of their addresses, and of everything else.

import { csvCell } from '@mxproof/common/csv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addressesWithin,
  CARDS,
  type Card,
  cardIn,
  expectationOf,
  testCell,
  verdict,
} from '../test/chosen-rows.ts';
import { clean, collect } from '../test/in-memory.ts';
import { sheetXml, workbookParts, zipOf } from '../test/workbook.ts';
import type { ResultRow } from './result-columns.ts';
import { createDecoder, ENCODINGS, encode } from './text/encoding.ts';
import { RowSplitter, unquoted } from './text/row-splitter.ts';
import { columnName } from './xlsx/sheet-reader.ts';
import { decodeXml, encodeXml } from './xlsx/xml-scanner.ts';
import { Zip } from './xlsx/zip.ts';

const RUNS = 400;

const cards = fc.option(fc.subarray([...CARDS]).map((chosen) => new Set<Card>(chosen)));

const table = fc.integer({ min: 1, max: 3 }).chain((columns) =>
  fc.record({
    rows: fc.array(fc.array(testCell, { minLength: columns, maxLength: columns }), {
      minLength: 1,
      maxLength: 6,
    }),
    notes: fc.array(fc.string({ unit: fc.constantFrom(...'ab é="ß@;,\n'), maxLength: 6 }), {
      minLength: 6,
      maxLength: 6,
    }),
    cards,
    encoding: fc.constantFrom(...ENCODINGS),
    separator: fc.constantFrom(',', ';', '\t'),
    isQuoted: fc.boolean(),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    chunkBytes: fc.integer({ min: 1, max: 80 }),
  }),
);

const choice = (chosen: ReadonlySet<Card> | null) =>
  chosen && {
    keep: ({ email }: ResultRow) => chosen.has(cardIn(email)),
    keepsRest: chosen.has('new'),
  };

test('no address that is not chosen is in a column that was checked, every chosen one is, and no other byte changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      async ({ rows, notes, cards, encoding, separator, isQuoted, lineEnd, chunkBytes }) => {
        const dialect = { separator, isQuoted };
        const lines = rows.map((row, y) =>
          [notes[y]!, ...row.map(({ text }) => text)].map((text) => csvCell(text, 'exact', dialect)),
        );
        const head = ['note', ...rows[0]!.map((_, at) => `e${at}`)];
        const text = [head, ...lines].map((cells) => cells.join(separator) + lineEnd).join('');
        const named = {
          ...{ encoding, separator, hasHeader: true },
          columns: rows[0]!.map((_, at) => at + 1),
        };
        const cleaned = await clean(encode(text, encoding), named, {
          ...{ chunkBytes, verdict, words: null },
          ...choice(cards),
        });
        const back = rawRows(cleaned.bytes, encoding, separator);
        expect(back.shift()).toEqual([...head, lineEnd]);

        const expected = expectationOf(cards);
        const staying = rows.map((row, y) => ({ row, y })).filter(({ row }) => expected.stays(row));
        expect(back).toHaveLength(staying.length);
        expect(cleaned.kept).toBe(staying.length);
        const counts = { corrected: 0, emptied: 0, leftAlone: 0 };
        for (const [at, { row, y }] of staying.entries()) {
          const [note, ...cells] = back[at]!;
          expect(note).toBe(lines[y]![0]);
          expect(cells.pop()).toBe(lineEnd);
          for (const [x, cell] of row.entries()) {
            expect(addressesWithin(unquoted(cells[x]!))).toEqual(expected.addressesOf(cell));
            if (expected.isAsItWas(cell)) expect(cells[x]).toBe(lines[y]![x + 1]);
            counts.corrected += expected.corrected(cell);
            counts.emptied += expected.emptied(cell);
          }
        }
        expect(cleaned.changes).toEqual(counts);
      },
    ),
    { numRuns: RUNS },
  );
});

/** Cells with their quotes, and the line end behind them. */
function rawRows(bytes: Uint8Array, encoding: (typeof ENCODINGS)[number], separator: string): string[][] {
  const decode = createDecoder(encoding);
  const rows: string[][] = [];
  const splitter = new RowSplitter(encoding, separator, (row) => {
    const cells = Array.from({ length: row.count }, (_, at) => decode(row.cell(at)));
    rows.push([...cells, decode(row.bytes.subarray(row.end, row.next))]);
  });
  splitter.push(bytes);
  splitter.end();
  return rows;
}

const KINDS = ['shared', 'inline', 'formula', 'linked'] as const;
const book = fc.integer({ min: 1, max: 3 }).chain((columns) =>
  fc.record({
    rows: fc.array(
      fc.array(fc.tuple(testCell, fc.constantFrom(...KINDS)), { minLength: columns, maxLength: columns }),
      { minLength: 1, maxLength: 5 },
    ),
    cards,
  }),
);

test('in a workbook too; cells with a formula or a link are left alone, and counted', async () => {
  await fc.assert(
    fc.asyncProperty(book, async ({ rows, cards }) => {
      const shared: string[] = [];
      const links: string[] = [];
      const xml = rows.map((row, y) => {
        const cells = row.map(([{ text }, kind], x) => {
          const at = `${columnName(x + 1)}${y + 2}`;
          if (kind === 'linked') links.push(`<hyperlink ref="${at}" r:id="rId${y}"/>`);
          return text === '' ? `<c r="${at}" s="1"/>` : cellOf(kind, at, text, shared);
        });
        return { number: y + 2, cells: [`<c r="A${y + 2}" s="1"><v>45000</v></c>`, ...cells] };
      });
      const written = xml.map(({ number, cells }) => `<row r="${number}">${cells.join('')}</row>`);
      const sheet = sheetXml(`<row r="1"><c r="A1"><v>1</v></c></row>${written.join('')}`, {
        after: `<hyperlinks>${links.join('')}</hyperlinks>`,
      });
      const parts = workbookParts({ S: sheet }, shared);
      const columns = rows[0]!.map((_, at) => at + 1);
      const cleaned = await clean(
        zipOf(parts),
        { columns, hasHeader: true },
        {
          ...{ verdict, words: null },
          ...choice(cards),
        },
      );
      const back = await collect(new Zip(cleaned.bytes).read('xl/worksheets/sheet1.xml', 1e6));
      const [, ...found] = new TextDecoder().decode(back).match(/<row .*?<\/row>/gs)!;

      const expected = expectationOf(cards);
      const staying = rows.flatMap((row, y) =>
        expected.stays(row.map(([cell]) => cell)) ? [{ row, y }] : [],
      );
      expect(found).toHaveLength(staying.length);
      const counts = { corrected: 0, emptied: 0, leftAlone: 0 };
      for (const [at, { row, y }] of staying.entries()) {
        const cells = found[at]!.match(/<c .*?(?:\/>|<\/c>)/gs)!;
        const moved = (cell: string) =>
          cards === null ? cell : cell.replace(/(r="[A-Z])\d+/, `$1${at + 2}`).replace(/<f>.*<\/f>/s, '');
        expect(cells[0]).toBe(moved(xml[y]!.cells[0]!));
        for (const [x, [cell, kind]] of row.entries()) {
          const isFixed = kind === 'formula' || kind === 'linked';
          if (isFixed || expected.isAsItWas(cell)) expect(cells[x + 1]).toBe(moved(xml[y]!.cells[x + 1]!));
          else {
            expect(cells[x + 1]).toMatch(
              new RegExp(`^<c r="${columnName(x + 1)}\\d+" s="1"(/>| t="inlineStr">)`),
            );
            expect(addressesWithin(decodeXml(cells[x + 1]!))).toEqual(expected.addressesOf(cell));
            counts.corrected += expected.corrected(cell);
            counts.emptied += expected.emptied(cell);
          }
          if (isFixed && !expected.isAsItWas(cell)) counts.leftAlone += 1;
        }
      }
      expect(cleaned.changes).toEqual(counts);
    }),
    { numRuns: RUNS },
  );
});

function cellOf(kind: (typeof KINDS)[number], at: string, text: string, shared: string[]): string {
  const t = `<t xml:space="preserve">${encodeXml(text)}</t>`;
  if (kind === 'inline') return `<c r="${at}" s="1" t="inlineStr"><is>${t}</is></c>`;
  if (kind === 'formula') return `<c r="${at}" s="1" t="str"><f>A1&amp;"x"</f><v>${encodeXml(text)}</v></c>`;
  shared.push(t);
  return `<c r="${at}" t="s" s="1"><v>${shared.length - 1}</v></c>`;
}
