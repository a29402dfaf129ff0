// The whole way: a file is dropped, checked, and comes back as it was with the results added.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTable } from '../../../files/src/open-table.ts';
import { sourceOf } from '../../../files/test/in-memory.ts';
import {
  bytesOf,
  checkFile,
  download,
  downloadGoodRows,
  makeList,
  pickFile,
  pressed,
  WHOLE,
} from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

/** As a German spreadsheet saves it: Windows-1252, semicolons, quoted newlines, a formula, a blank row, no last line end. */
const ROWS = [
  [
    'Name;E-Mail;Ort',
    'state;reason;score;accept_all;role;free;disposable;mx;provider;detail;suggestion;checked_as',
  ],
  [
    'Müller;ann@shop.example;Köln',
    'deliverable;accepted_email;100;False;False;False;False;mx.shop.example;other;accepted;;',
  ],
  [
    '"Groß; Söhne";"gone@shop.example";"Am Markt 1\r\nUlm"',
    'undeliverable;rejected_email;0;False;False;False;False;mx.shop.example;other;no_such_mailbox;;',
  ],
  ['=1+1;info@shop.example;007', 'risky;low_quality;50;False;True;False;False;mx.shop.example;other;role;;'],
  ['Leer;;', ';;;;;;;;;;;'],
  [
    'Twin;ANN@shop.example;"a ""b"""',
    'deliverable;accepted_email;100;False;False;False;False;mx.shop.example;other;accepted;;',
  ],
  ['Falsch;kein@;€', 'undeliverable;invalid_email;0;False;False;False;False;;;syntax;;'],
] as const;

const latin = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
const GIVEN = latin(ROWS.map(([own]) => own).join('\r\n'));
const EXPECTED = latin(ROWS.map(([own, added]) => `${own};${added}`).join('\r\n'));

/** Some rows of the file as it is. */
const rowsOf = (places: readonly number[]) =>
  latin(places.map((place) => `${ROWS[place]![0]}${place < ROWS.length - 1 ? '\r\n' : ''}`).join(''));

const SAID = {
  headings: [
    'what to do',
    'status',
    'reason',
    'score',
    'accepts everyone',
    'role address',
    'free provider',
    'disposable domain',
    'mail server',
    'provider',
    'detail',
    'did you mean',
    'checked as',
  ],
  ann: 'Send;Deliverable;Accepted;100;no;no;no;no;mx.shop.example;Other;Accepted;;',
  info: 'Leave out;Risky;Role address;50;no;yes;no;no;mx.shop.example;Other;Role address;;',
} as const;

const FOUND = {
  ann: 'deliverable|accepted_email|100|False|False|False|False|mx.shop.example|other|accepted||',
  gone: 'undeliverable|rejected_email|0|False|False|False|False|mx.shop.example|other|no_such_mailbox||',
  headings: 'state|reason|score|accept_all|role|free|disposable|mx|provider|detail|suggestion|checked_as',
} as const;
type FoundKind = keyof typeof FOUND;
type Row = (own: string, added: string) => string;

const added = (separator: string, found: FoundKind) => separator + FOUND[found].replaceAll('|', separator);
/** Where a file quotes everything, so is what is added. */
const quoted = (found: FoundKind) => added(',', found).replace(/[^,]+/g, '"$&"');

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
    // The page takes what is dropped from when it is shown.
    await page.getByLabel('File', { exact: true }).waitFor({ state: 'attached' });
    await drop(page, 'Kunden.csv', GIVEN);
    await page.getByText('WINDOWS-1252, semicolons').waitFor();
    const fact = (name: string) =>
      page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').first();
    expect(await fact('Unique addresses').textContent()).toContain('3');
    expect(await fact('Duplicates').textContent()).toContain('1');
    expect(await fact('Not an e-mail address').textContent()).toContain('Row 7');
    expect(await fact('Credits needed').textContent()).toContain('3');
    await checkFile(page);

    const file = await download(page, WHOLE);
    expect(file.suggestedFilename()).toBe('Kunden-checked.csv');
    expect((await bytesOf(file)).toString('latin1')).toBe(EXPECTED.toString('latin1'));

    // The first download there is: the good rows, and not a byte that was not there.
    const good = await downloadGoodRows(page);
    expect(good.suggestedFilename()).toBe('Kunden-good.csv');
    expect((await bytesOf(good)).toString('latin1')).toBe(rowsOf([0, 1, 5]).toString('latin1'));
    await page
      .getByText('Kunden-good.csv has 2 of the 6 rows of your file. 1 row of your file has no address.')
      .waitFor();

    // Any actions, in people's words; an action's own download follows that choice.
    const said = await bytesOf(await download(page, { rows: ['Send', 'Leave out'], words: 'For people' }));
    expect(said.toString('latin1').split('\r\n')).toEqual([
      `Name;E-Mail;Ort${SAID.headings.map((heading) => `;E-Mail: ${heading}`).join('')}`,
      `M\xfcller;ann@shop.example;K\xf6ln;${SAID.ann}`,
      `=1+1;info@shop.example;007;${SAID.info}`,
      `Twin;ANN@shop.example;"a ""b""";${SAID.ann}`,
      '',
    ]);
    const leftOut = await pressed(page, 'Download Leave out');
    expect(leftOut.suggestedFilename()).toBe('Kunden-leave-out.csv');
    const [, leftOutRow] = (await bytesOf(leftOut)).toString('latin1').split('\r\n');
    expect(leftOutRow).toBe(`=1+1;info@shop.example;007;${SAID.info}`);

    // The rows that are shown, in the file; what was chosen last holds.
    await page.getByRole('searchbox', { name: 'Search' }).fill('gone');
    await page.getByText('1 address of 3').waitFor();
    const found = await pressed(page, 'Save these as Your file');
    expect(found.suggestedFilename()).toBe('Kunden-found.csv');
    expect((await bytesOf(found)).toString('latin1')).toMatch(
      /^Name;E-Mail;Ort;E-Mail: what to do;[^\r]*\r\n"Gro\xdf; S\xf6hne";"gone@shop\.example";"Am Markt 1\r\nUlm";Remove;Undeliverable;No such mailbox;0;[^\r]*\r\n$/,
    );
    expect((await bytesOf(await pressed(page, 'Save these as CSV'))).toString()).toMatch(
      /^Email,Email: what to do,Email: status,[^\r]*\r\ngone@shop\.example,Remove,Undeliverable,[^\r]*\r\n$/,
    );

    // It stays in this browser.
    await page.reload();
    // So does the choice.
    await page.getByRole('button', { name: 'Other downloads' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download' });
    await dialog.getByText('Kunden.csv, with its own columns').waitFor();
    expect(await dialog.locator('label:has(:checked)').allTextContents()).toEqual([
      ' Send 1 address',
      ' Leave out 1 address',
      'Your file Kunden.csv, with its own columns and format',
      'Add the results as columns',
      expect.stringMatching(/^For people/),
    ]);
    await page.keyboard.press('Escape');
    expect((await bytesOf(await download(page, WHOLE))).equals(EXPECTED)).toBe(true);

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
    const back = await bytesOf(await download(page, WHOLE));
    expect(back.toString('hex')).toBe(encode(text((own, added) => own + added)).toString('hex'));
    await closePage(page);
  });

  test('with two columns of addresses a row goes with its best one, and the others are removed from it', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    await pickFile(
      page,
      'two.csv',
      [
        'Name;Work;Home',
        'Ann;ann@shop.example;gone@shop.example',
        'Ben;"Ben <nobody@shop.example>";ben@shop.example',
        'Cy;info@shop.example;gone@shop.example',
        'Eve;gone@shop.example;kein@',
        '',
      ].join('\n'),
    );
    await page.getByRole('checkbox', { name: 'Home' }).check();
    await checkFile(page);
    const good = await bytesOf(await downloadGoodRows(page));
    expect(good.toString()).toBe('Name;Work;Home\nAnn;ann@shop.example;\nBen;;ben@shop.example\n');
    await page
      .getByText(
        'two-good.csv has 2 of the 4 rows of your file. 2 other addresses were removed from these rows.',
      )
      .waitFor();
    const removed = await bytesOf(await download(page, { rows: ['Remove'] }));
    expect(removed.toString()).toBe('Name;Work;Home\nEve;gone@shop.example;kein@\n');

    // A search finds its rows by any of their addresses.
    await page.getByRole('searchbox', { name: 'Search' }).fill('gone');
    const found = await bytesOf(await pressed(page, 'Save these as Your file'));
    expect(found.toString()).toBe(
      'Name;Work;Home\nAnn;;gone@shop.example\nCy;;gone@shop.example\nEve;gone@shop.example;\n',
    );
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
    expect(await fact('Not an e-mail address').textContent()).toBe('3Rows 4, 5, 7');
    await page.getByText('Show these rows').click();
    await page.getByText('foo@bar').locator('..').getByText('Domain accepts no mail').waitFor();
    // A box sends those with an @ all the same, and says what that costs.
    const box = page.getByRole('checkbox', { name: 'Send these to the check anyway (2 credits)' });
    await box.check();
    await page.locator('.cost-needed', { hasText: '5' }).waitFor();
    await box.uncheck();
    await page.locator('.cost-needed', { hasText: '3' }).waitFor();
    await checkFile(page);
    const file = await download(page, WHOLE);
    expect(file.suggestedFilename()).toBe('Pasted addresses-checked.txt');
    const invalid = (reason: string, detail: string) =>
      `,,undeliverable,${reason},0,False,False,False,False,,,${detail},,`;
    const [head, ...rows] = (await bytesOf(file)).toString().split('\n');
    expect(head).toMatch(/^Email,Name,state,reason,/);
    expect(rows).toEqual([
      `ben@shop.example,Ben Lee${added(',', 'ann')}`,
      `Ann@shop.example,${added(',', 'ann')}`,
      `foo@bar${invalid('invalid_domain', 'no_such_domain')}`,
      `foo${invalid('invalid_email', 'syntax')}`,
      `gone@shop.example,${added(',', 'gone')}`,
      `x@${invalid('invalid_email', 'syntax')}`,
      '',
    ]);
    await closePage(page);
  });

  test('everything comes as CSV and as a workbook, an action as CSV, and a row opens its evidence', async () => {
    const emails = ['ann@shop.example', 'nobody@shop.example', 'x@catchall.example', 'ben@gmail.com'];
    const id = await makeList(rig(), rig().first, { emails, name: 'Parts' });
    const page = await rig().open(rig().first);
    await page.goto(`/lists/${id}`);
    await page.getByText('Done', { exact: true }).waitFor();
    const csv = (await bytesOf(await download(page, { rows: 'all', format: 'CSV' }))).toString();
    expect(csv).toMatch(/^Email,Email: what to do,Email: status,/);
    for (const email of emails) expect(csv).toContain(email);
    const book = await bytesOf(await download(page, { rows: 'all', format: 'Excel', words: 'For programs' }));
    const { head } = await openTable(sourceOf(book));
    expect(head.map(([email, state]) => [email, state])).toEqual([
      ['email', 'state'],
      ['ann@shop.example', 'deliverable'],
      ['nobody@shop.example', 'undeliverable'],
      ['x@catchall.example', 'risky'],
      ['ben@gmail.com', 'deliverable'],
    ]);
    // No file was ever dropped: what is to be sent to comes as a table, and that is said.
    const sent = (await bytesOf(await pressed(page, 'Download Send'))).toString();
    expect(emails.filter((email) => sent.includes(email))).toEqual(['ann@shop.example', 'ben@gmail.com']);
    await page.getByText('This browser does not have the file of this list').waitFor();
    const good = await downloadGoodRows(page);
    expect(good.suggestedFilename()).toBe('Parts-good.csv');

    await page.getByRole('row', { name: 'nobody@shop.example' }).click();
    await page.getByRole('dialog').getByText('RCPT TO:<nobody@shop.example>').waitFor();
    await page.keyboard.press('Escape');
    await closePage(page);
  });
}
