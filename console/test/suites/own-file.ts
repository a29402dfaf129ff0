// The whole way: a file is dropped, checked, and comes back as it was with the results added.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bytesOf, checkFile, download, makeList, pickFile } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

/** As a German spreadsheet saves it: Windows-1252, semicolons, quoted newlines, a formula, a blank row, no last line end. */
const ROWS = [
  ['Name;E-Mail;Ort', 'state;reason;score;role;free;disposable;accept_all;provider;mx'],
  [
    'Müller;ann@shop.example;Köln',
    'deliverable;accepted_email;100;false;false;false;false;other;mx.shop.example',
  ],
  [
    '"Groß; Söhne";"gone@shop.example";"Am Markt 1\r\nUlm"',
    'undeliverable;rejected_email;0;false;false;false;false;other;mx.shop.example',
  ],
  ['=1+1;info@shop.example;007', 'risky;low_quality;50;true;false;false;false;other;mx.shop.example'],
  ['Leer;;', ';;;;;;;;'],
  [
    'Twin;ANN@shop.example;"a ""b"""',
    'deliverable;accepted_email;100;false;false;false;false;other;mx.shop.example',
  ],
  ['Falsch;kein@;€', 'undeliverable;invalid_email;0;false;false;false;false;;'],
] as const;

const latin = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
const GIVEN = latin(ROWS.map(([own]) => own).join('\r\n'));
const EXPECTED = latin(ROWS.map(([own, added]) => `${own};${added}`).join('\r\n'));

const FOUND = {
  ann: 'deliverable|accepted_email|100|false|false|false|false|other|mx.shop.example',
  gone: 'undeliverable|rejected_email|0|false|false|false|false|other|mx.shop.example',
  headings: 'state|reason|score|role|free|disposable|accept_all|provider|mx',
} as const;
type FoundKind = keyof typeof FOUND;
type Row = (own: string, added: string) => string;

const added = (separator: string, found: FoundKind) => separator + FOUND[found].replaceAll('|', separator);
/** Where a file quotes everything, so is what is added. */
const quoted = (found: FoundKind) => `,"${FOUND[found].replaceAll('|', '","')}"`;

const DIALECTS: readonly {
  readonly name: string;
  readonly file: string;
  readonly text: (row: Row) => string;
  readonly encode: (text: string) => Buffer;
}[] = [
  {
    name: 'UTF-16 with a byte-order mark and tabs, as Excel saves text',
    file: 'unicode.txt',
    encode: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    text: (row) =>
      [
        row('Name\tE-mail\tNote', added('\t', 'headings')),
        row('Жанна\tann@shop.example\t"two\nlines"', added('\t', 'ann')),
        row('愛\tgone@shop.example\t', added('\t', 'gone')),
        '',
      ].join('\r\n'),
  },
  {
    name: 'UTF-8 with a byte-order mark, commas, everything quoted',
    file: 'crm.csv',
    encode: (text) => Buffer.from(`\uFEFF${text}`, 'utf8'),
    text: (row) =>
      [
        row('"id","e-mail","said"', quoted('headings')),
        row('"0017","ann@shop.example","a ""quote"", a comma"', quoted('ann')),
        row('"0018","gone@shop.example","-1"', quoted('gone')),
        '',
      ].join('\n'),
  },
];

/** As a mouse does it. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const held = await page.evaluateHandle(
    ([name, text]) => {
      const held = new DataTransfer();
      held.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name));
      return held;
    },
    [name, bytes.toString('base64')] as const,
  );
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.getByRole('main').dispatchEvent(type, { dataTransfer: held });
}

export function ownFile(rig: () => Rig): void {
  test('a dropped file is understood, priced, checked, and comes back byte for byte with the results added', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    await drop(page, 'Kunden.csv', GIVEN);
    await page.getByText('WINDOWS-1252, semicolons').waitFor();
    const fact = (name: string) =>
      page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').first();
    expect(await fact('Unique addresses').textContent()).toContain('3');
    expect(await fact('Duplicates').textContent()).toContain('1');
    expect(await fact('Cannot receive mail').textContent()).toContain('Line 8');
    expect(await fact('Credits needed').textContent()).toContain('3');
    await checkFile(page);

    const file = await download(page, 'Your file');
    expect(file.suggestedFilename()).toBe('Kunden-checked.csv');
    expect((await bytesOf(file)).toString('latin1')).toBe(EXPECTED.toString('latin1'));

    // It stays in this browser.
    await page.reload();
    expect((await bytesOf(await download(page, 'Your file'))).equals(EXPECTED)).toBe(true);

    // The same file again says so before it costs anything.
    await page.goto('/new');
    await pickFile(page, 'renamed.csv', GIVEN);
    await page.getByText('You checked this file on').waitFor();
    await closePage(page);
  });

  test.each(DIALECTS)('$name comes back byte for byte', async ({ file, text, encode }) => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    await pickFile(page, file, encode(text((own) => own)));
    await checkFile(page);
    const back = await bytesOf(await download(page, 'Your file'));
    expect(back.toString('hex')).toBe(encode(text((own, added) => own + added)).toString('hex'));
    await closePage(page);
  });

  test('pasted addresses, between anything, come back one per row with the results added', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    await page.getByText('Paste addresses instead').click();
    const field = page.getByRole('textbox', { name: 'Addresses' });
    await field.fill('Ben Lee <ben@shop.example>, Ann@shop.example; foo@bar\nfoo\n gone@shop.example x@');
    await page.getByRole('button', { name: 'Continue' }).click();
    const fact = (name: string) =>
      page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').first();
    expect(await fact('Unique addresses').textContent()).toBe('3');
    expect(await fact('Cannot receive mail').textContent()).toBe('3Lines 3, 4, 6');
    await page.getByText('Show the lines').click();
    await page.getByText('foo@bar').locator('..').getByText('Domain accepts no mail').waitFor();
    // A box sends those with an @ all the same, and says what that costs.
    const box = page.getByRole('checkbox', { name: 'Send these to the check anyway (2 credits)' });
    await box.check();
    await page.locator('.cost-needed', { hasText: '5' }).waitFor();
    await box.uncheck();
    await page.locator('.cost-needed', { hasText: '3' }).waitFor();
    await checkFile(page);
    const file = await download(page, 'Your file');
    expect(file.suggestedFilename()).toBe('Pasted addresses-checked.txt');
    const invalid = (reason: string) => `,undeliverable,${reason},0,false,false,false,false,,`;
    expect((await bytesOf(file)).toString().split('\n')).toEqual([
      `ben@shop.example${added(',', 'ann')}`,
      `Ann@shop.example${added(',', 'ann')}`,
      `foo@bar${invalid('invalid_domain')}`,
      `foo${invalid('invalid_email')}`,
      `gone@shop.example${added(',', 'gone')}`,
      `x@${invalid('invalid_email')}`,
      '',
    ]);
    await closePage(page);
  });

  test('everything comes as CSV and XLSX, a segment as CSV, and a row opens its evidence', async () => {
    const emails = ['ann@shop.example', 'nobody@shop.example', 'x@catchall.example', 'ben@gmail.com'];
    const id = await makeList(rig(), rig().first, { emails, name: 'Parts' });
    const page = await rig().open(rig().first);
    await page.goto(`/lists/${id}`);
    await page.getByText('Done', { exact: true }).waitFor();
    const csv = (await bytesOf(await download(page, 'Everything (CSV)'))).toString();
    for (const email of emails) expect(csv).toContain(email);
    expect((await bytesOf(await download(page, 'Everything (XLSX)'))).subarray(0, 2).toString()).toBe('PK');
    const segment = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Send' }).click();
    const sent = (await bytesOf(await segment)).toString();
    expect(emails.filter((email) => sent.includes(email))).toEqual(['ann@shop.example', 'ben@gmail.com']);

    await page.getByRole('row', { name: 'nobody@shop.example' }).click();
    await page.getByRole('dialog').getByText('RCPT TO:<nobody@shop.example>').waitFor();
    await page.keyboard.press('Escape');
    await closePage(page);
  });
}
