// The dropped file stays in one browser. Where it is not, or has no room, the list's page says so and takes it again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bytesOf, checkFile, chooseDownload, download, pickFile, takeAgain, WHOLE } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const GIVEN = 'name,email\nAnn,ann@shop.example\nGone,gone@shop.example\n';
const EXPECTED =
  'name,email,state,reason,score,accept_all,role,free,disposable,mx,provider,detail,suggestion,checked_as\n' +
  'Ann,ann@shop.example,deliverable,accepted_email,100,False,False,False,False,mx.shop.example,other,accepted,,\n' +
  'Gone,gone@shop.example,undeliverable,rejected_email,0,False,False,False,False,mx.shop.example,other,no_such_mailbox,,\n';
const MISSING = 'Your file is stored only in the browser you dropped it in';

async function checked(rig: Rig): Promise<Page> {
  const page = await rig.open(rig.first);
  await page.goto('/new');
  await pickFile(page, 'people.csv', GIVEN);
  await checkFile(page);
  return page;
}

/** Takes the file on a page that has said that it is missing. */
async function mergedFrom(page: Page, name: string, text: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), takeAgain(page, name, text)]);
  return (await bytesOf(file)).toString();
}

export function fileElsewhere(rig: () => Rig): void {
  test('a browser that has lost the file says so, refuses another one, and takes the right one for good', async () => {
    const page = await checked(rig());
    await page.evaluate(
      () =>
        new Promise<void>((done, fail) => {
          const gone = indexedDB.deleteDatabase('mxproof');
          gone.onsuccess = () => done();
          gone.onerror = gone.onblocked = () => fail(new Error('it is still there'));
        }),
    );
    await page.reload();
    await chooseDownload(page, WHOLE);
    await page.getByText(MISSING).waitFor();
    await takeAgain(page, 'people.pdf', '%PDF-1.7');
    await page.getByRole('alert').filter({ hasText: 'This is not the file that was checked' }).waitFor();
    await takeAgain(page, 'others.csv', 'email\nben@shop.example\n');
    await page.getByRole('alert').filter({ hasText: 'This is not the file that was checked' }).waitFor();
    expect(await mergedFrom(page, 'people.csv', GIVEN)).toBe(EXPECTED);
    expect(await page.getByText(MISSING).count()).toBe(0);
    // From now on it is here again.
    await page.reload();
    expect((await bytesOf(await download(page, WHOLE))).toString()).toBe(EXPECTED);
    await closePage(page);
  });

  test('a file with more in it than was checked comes back with what there is, and that is said', async () => {
    const page = await checked(rig());
    const elsewhere = await rig().open(rig().first);
    await elsewhere.goto(page.url());
    await chooseDownload(elsewhere, WHOLE);
    await elsewhere.getByText(MISSING).waitFor();
    const more = await mergedFrom(elsewhere, 'people.csv', `${GIVEN}Ben,ben@shop.example\n`);
    expect(more).toBe(`${EXPECTED}Ben,ben@shop.example,,,,,,,,,,,,\n`);
    await elsewhere.getByText('1 address in this file is not part of this list').waitFor();
    await closePage(elsewhere);
    await closePage(page);
  });

  test('a file that has changed since it was chosen is said, with the button that chooses it again', async () => {
    const page = await rig().open(rig().first);
    const folder = mkdtempSync(join(tmpdir(), 'mxproof-changed-'));
    const file = join(folder, 'people.csv');
    writeFileSync(file, GIVEN);
    await page.goto('/new');
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    const header = page.getByRole('checkbox', { name: 'The first row is a header' });
    await header.waitFor();
    writeFileSync(file, `${GIVEN}Ben,ben@shop.example\n`);
    await header.click();
    const alert = page.getByRole('alert').filter({ hasText: 'It may have been moved or changed' });
    const chooser = page.waitForEvent('filechooser');
    await alert.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles(file);
    await page.getByRole('cell', { name: 'ben@shop.example' }).waitFor();
    expect(await alert.count()).toBe(0);
    await closePage(page);
    rmSync(folder, { recursive: true, force: true });
  });

  test('a browser without room begins the list, says so, and knows the file again to the byte', async () => {
    const page = await rig().open(rig().first);
    await fillStore(page);
    await page.goto('/new');
    await pickFile(page, 'people.csv', GIVEN);
    await page.getByRole('button', { name: 'Start checking' }).click();
    await page.getByText('no room to store your file').waitFor();
    await page.getByRole('link', { name: 'Open the list' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await chooseDownload(page, WHOLE);
    await page.getByText(MISSING).waitFor();
    await takeAgain(page, 'people.csv', GIVEN.replace('Ann', 'Anna'));
    await page.getByRole('alert').filter({ hasText: 'This is not the file that was checked' }).waitFor();
    expect(await mergedFrom(page, 'people.csv', GIVEN)).toBe(EXPECTED);
    await page.getByText('This browser has no room to store the file').waitFor();
    await closePage(page);
  });

  test('a browser that keeps nothing at all begins the list, says so, and takes the file again', async () => {
    const page = await rig().open(rig().first);
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('denied', 'SecurityError');
      };
    });
    await page.goto('/new');
    await pickFile(page, 'people.csv', GIVEN);
    await page.getByRole('button', { name: 'Start checking' }).click();
    await page.getByText('this browser does not allow storing files').waitFor();
    await page.getByRole('link', { name: 'Open the list' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await chooseDownload(page, WHOLE);
    await page.getByText(MISSING).waitFor();
    expect(await mergedFrom(page, 'people.csv', GIVEN)).toBe(EXPECTED);
    await page.getByText('This browser has no room to store the file').waitFor();
    await closePage(page);
  });
}

/** No file fits any more, as where a disk is full: what is small does. */
async function fillStore(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value, ...key) {
      if (value?.file instanceof Blob) throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, ...key);
    };
  });
}
