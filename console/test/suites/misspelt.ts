// Misspelt domains: shown in the rows, corrected and checked in one click, and answered in the same list's page and file.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import {
  agree,
  bytesOf,
  checkFile,
  download,
  downloadGoodRows,
  makeList,
  pickFile,
  untilDone,
  WHOLE,
} from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const FILE = [
  'name,email',
  'Ann,ann@gmial.com',
  // The same person once more.
  'Anna,ann@gmai.com',
  // No such mailbox, as it was meant either.
  'Cy,cy@gmial.com',
  'Eve,eve@hotmial.com',
  // Both spellings are in the file.
  'Ben,ben@gmial.com',
  'Benny,ben@gmail.com',
  'Carla,carla@shop.example',
  '',
].join('\n');

const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email }).first();
const countsOf = async (page: Page) =>
  (await page.locator('.action-count').allTextContents()).map((text) => text.split(' ')[0]);

export function misspelt(rig: () => Rig): void {
  test('they are corrected and checked in one click; the answers are in the page, the file and another browser', async () => {
    const account = await rig().openAccount(20);
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'guests.csv', FILE);
    await checkFile(page);
    const path = new URL(page.url()).pathname;
    const card = page.getByRole('region', { name: '3 misspelt domains, 4 addresses' });
    await card.getByText('gmial.com → gmail.com, 2').first().waitFor();
    await card.getByText('1 other is in this list in the right spelling too').waitFor();
    await row(page, 'cy@gmial.com').getByText('did you mean cy@gmail.com?').waitFor();
    expect(await row(page, 'carla@shop.example').getByText('did you mean').count()).toBe(0);
    expect(await countsOf(page)).toEqual(['2', '0', '0', '5', '0']);

    // A domain may be right. Nothing is charged for it, nor for Ann twice, nor for Ben.
    await card.getByRole('button', { name: 'Fix and check 3 addresses (3 credits)' }).waitFor();
    await card.getByText('Choose domains').click();
    await card.getByRole('checkbox', { name: /hotmial\.com/ }).uncheck();
    await card.getByRole('button', { name: 'Fix and check 2 addresses (2 credits)' }).click();
    await agree(page);
    await page
      .getByText(/^3 misspelt addresses were corrected and checked on .*: 2 are safe to send\./)
      .waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    const { credits } = (await (await rig().call(account, 'GET', '/account')).json()) as { credits: number };
    expect(credits).toBe(20 - 7 - 2);

    await row(page, 'ann@gmial.com').getByText('checked as ann@gmail.com').waitFor();
    await row(page, 'cy@gmial.com').getByText('checked as cy@gmail.com').waitFor();
    await row(page, 'ben@gmial.com').getByText('did you mean ben@gmail.com?').waitFor();
    expect(await countsOf(page)).toEqual(['4', '0', '0', '3', '0']);
    // What was left out is still offered.
    await page.getByRole('region', { name: '1 misspelt domain, 1 address' }).waitFor();

    await row(page, 'ann@gmial.com').click();
    const evidence = page.getByRole('dialog');
    await evidence.getByText('checked as ann@gmail.com').waitFor();
    await evidence.getByText('RCPT TO:<ann@gmail.com>').first().waitFor();
    await page.keyboard.press('Escape');

    const lines = (await bytesOf(await download(page, WHOLE))).toString().trimEnd().split('\n');
    const stateOf = (name: string) => lines.find((line) => line.startsWith(`${name},`))?.split(',')[2];
    // What was corrected stands in its cell, whatever the answer; the rest is as it was.
    const corrected = FILE.replace('ann@gmial', 'ann@gmail').replace('ann@gmai.', 'ann@gmail.');
    expect(lines.map((line) => line.split(',').slice(0, 2).join())).toEqual(
      corrected.replace('cy@gmial', 'cy@gmail').trimEnd().split('\n'),
    );
    await page
      .getByText('guests-checked.csv has all 7 rows of your file. 3 misspelt addresses were corrected.')
      .waitFor();
    expect(lines[0]).toMatch(/,suggestion,checked_as$/);
    expect(lines.find((line) => line.startsWith('Ann,'))).toMatch(/,gmail\.com,ann@gmail\.com$/);
    expect([stateOf('Ann'), stateOf('Anna')]).toEqual([stateOf('Benny'), stateOf('Benny')]);
    expect(stateOf('Cy')).toBe(stateOf('Eve'));
    expect(stateOf('Cy')).not.toBe(stateOf('Benny'));

    // The good rows hold nothing else, and so does a table of our own, in a browser that never had the file.
    const good =
      'name,email\nAnn,ann@gmail.com\nAnna,ann@gmail.com\nBenny,ben@gmail.com\nCarla,carla@shop.example\n';
    expect((await bytesOf(await downloadGoodRows(page))).toString()).toBe(good);
    await page
      .getByText('guests-good.csv has 4 of the 7 rows of your file. 2 misspelt addresses were corrected.')
      .waitFor();

    const other = await rig().open(account);
    await other.goto(path);
    await row(other, 'ann@gmial.com').getByText('checked as ann@gmail.com').waitFor();
    await until(async () => (await countsOf(other)).join() === '4,0,0,3,0');
    const table = (await bytesOf(await downloadGoodRows(other))).toString().trimEnd().split('\r\n');
    expect(table.slice(1).map((line) => line.split(',')[0])).toEqual(good.match(/[a-z]+@[a-z.]+/g));
    await closePage(other);
    await closePage(page);
  });

  test('without the credits for it the button is off and says so, and a domain less makes it affordable', async () => {
    const account = await rig().openAccount(4);
    const emails = ['ann@gmial.com', 'ben@gmial.com', 'eve@hotmial.com'];
    const id = await makeList(rig(), account, { emails });
    await untilDone(rig(), account, id);
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    const card = page.getByRole('region', { name: '2 misspelt domains, 3 addresses' });
    const fix = card.getByRole('button', { name: /^Fix and check/ });
    await card
      .getByText('You have 1 credit and need 3: untick some domains, or ask your operator for more.')
      .waitFor();
    expect(await fix.isDisabled()).toBe(true);
    await card.getByText('Choose domains').click();
    await card.getByRole('checkbox', { name: /gmial\.com → gmail\.com/ }).uncheck();
    await until(async () => !(await fix.isDisabled()));
    expect(await fix.textContent()).toBe('Fix and check 1 address (1\u00a0credit)');
    await closePage(page);
  });
}
