// A workbook through the console: the second of two sheets is checked, and everything else of it comes back as it was.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RESULT_COLUMNS } from '../../../files/src/result-columns.ts';
import { Zip } from '../../../files/src/xlsx/zip.ts';
import { collect } from '../../../files/test/in-memory.ts';
import { sheetXml, workbookParts, zipOf } from '../../../files/test/workbook.ts';
import { bytesOf, checkFile, download, downloadGoodRows, pickFile, WHOLE } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const FIXTURES = join(import.meta.dirname, '../../../files/test/fixtures');
const fixture = (name: string) => readFileSync(join(FIXTURES, name));
const PART_MAX_BYTES = 1_000_000;
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const STAFF = sheetXml(
  `<row r="1">${text('A1', 'email')}</row><row r="2">${text('A2', 'info@shop.example')}</row>`,
);
/** Leading zeros as text, a styled date, a number, a formula, a blank row, rich text among the shared strings. */
const CUSTOMERS = sheetXml(
  [
    '<row r="1" ht="22"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c></row>',
    `<row r="2"><c r="A2" t="s"><v>4</v></c><c r="B2" t="s"><v>5</v></c><c r="C2" s="1"><v>45000</v></c><c r="D2"><f>C2*2</f><v>90000</v></c></row>`,
    `<row r="4"><c r="A4"><v>0.1</v></c>${text('B4', 'gone@shop.example')}<c r="C4" s="1"><v>45001.5</v></c></row>`,
  ].join(''),
  {
    before: '<dimension ref="A1:D4"/><cols><col min="1" max="1" width="30"/></cols>',
    after: '<mergeCells count="1"><mergeCell ref="A6:B6"/></mergeCells>',
  },
);
const SHARED = ['ZIP', 'E-mail', 'Since', 'Sum', '00501'].map((one) => `<t>${one}</t>`);
const PARTS = workbookParts({ Staff: STAFF, Customers: CUSTOMERS }, [
  ...SHARED,
  '<r><t>ann@</t></r><r><rPr><b/></rPr><t>shop.example</t></r>',
]);
const CHECKED = 'xl/worksheets/sheet2.xml';
/** Right of D, where the sheet ended. */
const ADDED = /<c r="([E-P])(\d+)"[^>]*?(?:\/>|>(.*?)<\/c>)/g;

export function workbook(rig: () => Rig): void {
  test('the second sheet is chosen, checked, and gets the results; nothing else of the workbook changes', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    await pickFile(page, 'people.xlsx', zipOf(PARTS));
    await page.getByText('Excel workbook').waitFor();
    await page.getByRole('cell', { name: 'info@shop.example' }).waitFor();
    await page.getByText('Addresses are also on the sheet “Customers”').waitFor();
    await page.getByRole('combobox', { name: 'Sheet' }).selectOption('Customers');
    await page.getByText('Addresses are also on the sheet “Staff”').waitFor();
    // As the sheet says it.
    for (const shown of ['00501', 'ann@shop.example', 'gone@shop.example', '2023-03-15', '2023-03-16'])
      await page.getByRole('cell', { name: shown, exact: true }).waitFor();
    await checkFile(page);
    const file = await download(page, WHOLE);
    expect(file.suggestedFilename()).toBe('people-checked.xlsx');

    const back = new Zip(new Uint8Array(await bytesOf(file)));
    const part = async (name: string) =>
      new TextDecoder().decode(await collect(back.read(name, PART_MAX_BYTES)));
    for (const [name, xml] of Object.entries(PARTS))
      if (name !== CHECKED) expect(await part(name), name).toBe(xml);
    const xml = await part(CHECKED);
    expect(xml.replace(ADDED, '').replace('A1:P4', 'A1:D4')).toBe(CUSTOMERS);
    const cells = [...xml.matchAll(ADDED)].map(([, , row, inner = '']) => [row, inner.replace(/<.*?>/g, '')]);
    const row = (number: string) => cells.filter(([at]) => at === number).map(([, value]) => value);
    expect(row('1')).toEqual([...RESULT_COLUMNS]);
    const flags = ['0', '0', '0', '0', 'mx.shop.example', 'other'];
    expect(row('2')).toEqual(['deliverable', 'accepted_email', '100', ...flags, 'accepted']);
    expect(row('4')).toEqual(['undeliverable', 'rejected_email', '0', ...flags, 'no_such_mailbox']);

    // Only the good rows, and no cell that was not there; the formula is its last value.
    const good = await downloadGoodRows(page);
    expect(good.suggestedFilename()).toBe('people-good.xlsx');
    const zip = new Zip(new Uint8Array(await bytesOf(good)));
    const goodXml = new TextDecoder().decode(await collect(zip.read(CHECKED, PART_MAX_BYTES)));
    const [head, first] = CUSTOMERS.match(/<row .*?<\/row>/g)!;
    expect(goodXml.match(/<sheetData>(.*)<\/sheetData>/)![1]).toBe(
      `${head}${first!.replace('<f>C2*2</f>', '')}`,
    );
    await closePage(page);
  });

  test('of a workbook, cells with a formula or a link stay as they are, and the notice counts them', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    const rows = [
      `<row r="1">${text('A1', 'Work')}${text('B1', 'Home')}</row>`,
      `<row r="2">${text('A2', 'ann@shop.example')}<c r="B2" s="1" t="inlineStr"><is><t>gone@shop.example</t></is></c></row>`,
      `<row r="3">${text('A3', 'ben@shop.example')}<c r="B3" t="str"><f>"gone@"&amp;"shop.example"</f><v>gone@shop.example</v></c></row>`,
      `<row r="4">${text('A4', 'ann@shop.example')}${text('B4', 'gone@shop.example')}</row>`,
    ];
    const sheet = sheetXml(rows.join(''), {
      after: '<hyperlinks><hyperlink ref="B4" location="A1"/></hyperlinks>',
    });
    await pickFile(page, 'links.xlsx', zipOf(workbookParts({ S: sheet })));
    await page.getByRole('checkbox', { name: 'Home' }).check();
    await checkFile(page);
    const zip = new Zip(new Uint8Array(await bytesOf(await downloadGoodRows(page))));
    const xml = new TextDecoder().decode(await collect(zip.read('xl/worksheets/sheet1.xml', PART_MAX_BYTES)));
    expect(xml.match(/<c r="B.*?(?:\/>|<\/c>)/g)!.slice(1)).toEqual([
      '<c r="B2" s="1"/>',
      '<c r="B3" t="str"><v>gone@shop.example</v></c>',
      text('B4', 'gone@shop.example'),
    ]);
    await page
      .getByText(
        '1 other address was removed from these rows. 2 cells with a formula or a link were not changed: check the addresses in them.',
      )
      .waitFor();
    await closePage(page);
  });

  test('a file that is something else is named, whatever its name says, and the next can be chosen at once', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    for (const [name, bytes, said] of [
      ['list.csv', fixture('old.xls'), 'This is an old Excel workbook (.xls).'],
      ['list.xlsx', fixture('password.xlsx'), 'This file has a password.'],
      ['list.xls', fixture('page.xls'), 'This is a web page, though its name may end in .xls.'],
      ['list.csv', 'BEGIN:VCARD\r\nEMAIL:ann@shop.example\r\nEND:VCARD\r\n', 'This is an address book'],
      ['list.txt', '["ann@shop.example"]', 'This is JSON.'],
      ['list.txt', '%PDF-1.7 ann@shop.example', 'This is a PDF.'],
    ] as const) {
      await pickFile(page, name, bytes);
      await page.getByRole('alert').filter({ hasText: said }).waitFor();
    }
    await pickFile(page, 'people.csv', 'ann@shop.example\n');
    await page.getByRole('button', { name: 'Start checking' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await closePage(page);
  });
}
