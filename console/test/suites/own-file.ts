// The whole way: a file is dropped, checked, and comes back as it was with the results added.
import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';
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

async function download(page: Page, item: string): Promise<Download> {
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const started = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item }).click();
  return started;
}

const bytesOf = async (file: Download) => readFileSync(await file.path());

export function ownFile(rig: () => Rig): void {
  test('a dropped file is understood, priced, checked, and comes back byte for byte with the results added', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/new');
    await drop(page, 'Kunden.csv', GIVEN);
    await page.getByText('WINDOWS-1252, semicolons').waitFor();
    const fact = (name: string) =>
      page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').first();
    expect(await fact('Unique addresses').textContent()).toContain('4');
    expect(await fact('Duplicates').textContent()).toContain('1');
    expect(await fact('Invalid syntax').textContent()).toContain('Line 8');
    expect(await fact('Credits needed').textContent()).toContain('4');
    await page.getByRole('button', { name: 'Start checking' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    const address = page.url();

    const file = await download(page, 'Your file');
    expect(file.suggestedFilename()).toBe('Kunden-checked.csv');
    expect((await bytesOf(file)).toString('latin1')).toBe(EXPECTED.toString('latin1'));

    // The original stays in this browser, and in no other.
    await page.reload();
    expect((await bytesOf(await download(page, 'Your file'))).equals(EXPECTED)).toBe(true);
    const elsewhere = await rig().open(rig().first);
    await elsewhere.goto(address);
    await elsewhere.getByText('Done', { exact: true }).waitFor();
    await elsewhere.getByRole('button', { name: 'Download', exact: true }).click();
    await elsewhere.getByRole('menuitem', { name: 'Your file' }).click();
    const taken = elsewhere.waitForEvent('download');
    const field = elsewhere.getByLabel('The file you checked');
    await field.setInputFiles({ name: 'Kunden.csv', mimeType: 'text/csv', buffer: GIVEN });
    expect((await bytesOf(await taken)).equals(EXPECTED)).toBe(true);
    await closePage(elsewhere);

    // The same file again says so before it costs anything.
    await page.goto('/new');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'renamed.csv',
      mimeType: 'text/csv',
      buffer: GIVEN,
    });
    await page.getByText('You checked this file on').waitFor();
    await closePage(page);
  });

  test('everything comes as CSV and XLSX, a segment as CSV, and a row opens its evidence', async () => {
    const emails = ['ann@shop.example', 'nobody@shop.example', 'x@catchall.example', 'ben@gmail.com'];
    const made = await rig().call(rig().first, 'POST', '/lists', { emails, name: 'Parts' });
    const { id } = (await made.json()) as { id: number };
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
