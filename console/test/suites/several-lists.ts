// A file of more addresses than a list holds: two lists at the service, shown as one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesOf, checkFile, download, WHOLE } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

/** One more than a list holds. */
const ROWS = 100_001;
const LIMIT_MS = 240_000;
/** Decided without a mail server. */
const LINES = [
  'name,email',
  ...Array.from({ length: ROWS }, (_, at) => `Person ${at},p ${at}@shop.example`),
  '',
];
const ADDED = /^,undeliverable,invalid_email,0,False,False,False,False,,,syntax,,$/;

export function severalLists(rig: () => Rig): void {
  test('100,001 addresses become two lists that are shown, taken back, deleted and brought back as one', {
    timeout: LIMIT_MS,
  }, async () => {
    const account = await rig().openAccount(ROWS);
    const totals = async () => {
      const { lists } = (await (await rig().call(account, 'GET', '/lists')).json()) as {
        lists: readonly { total: number }[];
      };
      return lists.map(({ total }) => total);
    };
    const page = await rig().open(account);
    await page.goto('/new');
    // From the disk: a file held in memory would pass through the console's main thread.
    const folder = mkdtempSync(join(tmpdir(), 'mxproof-several-'));
    const file = join(folder, 'people.csv');
    writeFileSync(file, LINES.join('\n'));
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('checkbox', { name: 'Send these to the check anyway' }).check();
    await page.getByText('this file becomes 2 lists').waitFor();
    await checkFile(page);
    expect(await totals()).toEqual([1, ROWS - 1]);

    const back = (await bytesOf(await download(page, WHOLE))).toString().split('\n');
    expect(back).toHaveLength(LINES.length);
    const others = back.filter(
      (line, at) => !line.startsWith(LINES[at]!) || !ADDED.test(line.slice(LINES[at]!.length)),
    );
    expect(others).toEqual([expect.stringMatching(/^name,email,state,/), '']);

    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    await page.getByRole('link', { name: 'people.csv' }).waitFor();
    expect(await page.getByRole('link', { name: /^people/ }).allTextContents()).toEqual(['people.csv']);
    await page.getByRole('link', { name: 'people.csv' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('people.csv deleted.').waitFor();
    expect(await totals()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'people.csv' }).waitFor();
    expect(await totals()).toEqual([1, ROWS - 1]);
    await closePage(page);
    rmSync(folder, { recursive: true, force: true });
  });
}
