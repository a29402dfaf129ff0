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

/** The file on the New list page is checked; resolves on the list's own page. */
export async function checkFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start checking' }).click();
  await page.getByText('Done', { exact: true }).waitFor();
}

export async function chooseDownload(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export async function download(page: Page, item: string): Promise<Download> {
  const [started] = await Promise.all([page.waitForEvent('download'), chooseDownload(page, item)]);
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
