// What many tests do with lists and files.
import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { until } from '../../server/test/until.ts';
import type { Account, Rig } from './rig.ts';

/** Ends only when it is stopped. */
export const STUCK = ['ann@shop.example', 'a@stuck.example', 'b@stuck.example', 'c@stuck.example'];

export async function makeList(rig: Rig, account: Account, body: object): Promise<number> {
  const made = await rig.call(account, 'POST', '/lists', body);
  return ((await made.json()) as { id: number }).id;
}

export async function untilDone(rig: Rig, account: Account, id: number): Promise<void> {
  await until(async () => (await (await rig.call(account, 'GET', `/lists/${id}`)).json()).status === 'done');
}

export async function pickFile(page: Page, name: string, bytes: Uint8Array | string): Promise<void> {
  const file = { name, mimeType: '', buffer: Buffer.from(bytes as string) };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
}

/** The question before a large charge is answered with yes. */
export async function agree(page: Page): Promise<void> {
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Check for/ })
    .click();
}

/** The question is answered with yes. */
export async function stopList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop and refund the rest…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop and refund', exact: true }).click();
}

/** The file on the New list page begins, asked about or not; resolves on the list's own page. */
export async function startFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start checking' }).click();
  const question = page.getByRole('alertdialog');
  await question.or(page.locator('.list-page')).first().waitFor();
  if ((await question.count()) > 0) await agree(page);
  await page.locator('.list-page').waitFor();
}

/** The same, to its end. */
export async function checkFile(page: Page): Promise<void> {
  await startFile(page);
  await page.getByText('Done', { exact: true }).waitFor();
}

export interface WantedDownload {
  /** Titles of actions, or all rows there are. */
  readonly rows: readonly string[] | 'all';
  readonly format?: 'Your file' | 'CSV' | 'Excel';
  /** Of one's own file; absent: no columns are added. */
  readonly words?: 'For people' | 'For programs';
}

/** One's own file with every row, and the results in the words of the API. */
export const WHOLE: WantedDownload = { rows: 'all', words: 'For programs' };

export async function chooseDownload(page: Page, wanted: WantedDownload): Promise<void> {
  const { rows, format = 'Your file', words } = wanted;
  await page.getByRole('button', { name: 'Other downloads' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await dialog.getByRole('checkbox', { name: 'All rows' }).setChecked(true);
  if (rows !== 'all') await dialog.getByRole('checkbox', { name: 'All rows' }).setChecked(false);
  for (const title of rows === 'all' ? [] : rows)
    await dialog.getByRole('checkbox', { name: new RegExp(`^${title} \\d`) }).check();
  await dialog.getByRole('radio', { name: new RegExp(`^${format}`) }).check();
  if (format === 'Your file')
    await dialog.getByRole('checkbox', { name: 'Add the results' }).setChecked(words !== undefined);
  if (words) await dialog.getByRole('radio', { name: words }).check();
  await dialog.getByRole('button', { name: 'Download' }).click();
}

export async function download(page: Page, wanted: WantedDownload): Promise<Download> {
  const [started] = await Promise.all([page.waitForEvent('download'), chooseDownload(page, wanted)]);
  return started;
}

/** The first download there is, in one press. */
export async function downloadGoodRows(page: Page): Promise<Download> {
  return pressed(page, 'Download the good rows');
}

/** What a button downloads. */
export async function pressed(page: Page, name: string): Promise<Download> {
  const [started] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return started;
}

/** The list's page does not have the file, and takes it once more. */
export async function takeAgain(page: Page, name: string, bytes: Uint8Array | string): Promise<void> {
  const file = { name, mimeType: '', buffer: Buffer.from(bytes as string) };
  await page.getByLabel('The file you checked').setInputFiles(file);
}

export async function bytesOf(file: Download): Promise<Buffer> {
  return readFileSync(await file.path());
}
