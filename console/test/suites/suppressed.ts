// Addresses on the account's suppression list: found before anything is paid, left out, marked in the file, and checked all the same
// where that is chosen.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { agree, bytesOf, checkFile, download, downloadGoodRows, pickFile, WHOLE } from '../lists.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

const FILE = [
  'name,email',
  'Gone,p1@shop.example',
  'Ann,ann@shop.example',
  'Ben,ben@shop.example',
  'Upper,P2@Shop.example',
  'Carla,carla@shop.example',
  '',
].join('\n');
const SUPPRESSED = ['p1@shop.example', 'p2@shop.example', 'elsewhere@shop.example'];
const PHONE = { width: 390, height: 844 };

async function withSuppressed(rig: Rig, credits: number): Promise<Account> {
  const account = await rig.openAccount(credits);
  await rig.call(account, 'POST', '/suppressions', { emails: SUPPRESSED });
  return account;
}

async function creditsOf(rig: Rig, account: Account): Promise<number> {
  return ((await (await rig.call(account, 'GET', '/account')).json()) as { credits: number }).credits;
}

const found = (page: Page) => page.getByRole('region', { name: '2 addresses are on your suppression list' });
const lineOf = (text: string, name: string) => text.split('\n').find((line) => line.startsWith(`${name},`));

export async function isWithinWidth(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}

export function suppressed(rig: () => Rig): void {
  test('they are not checked and not charged; the file comes back with their rows marked, the good rows without', async () => {
    const account = await withSuppressed(rig(), 20);
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'people.csv', FILE);
    await found(page).getByText('not checked and not charged').waitFor();
    const cost = page.getByRole('form', { name: 'Cost' });
    expect(await cost.locator('.cost-needed').textContent()).toBe('3');
    await cost.getByText('Suppressed, left out').waitFor();
    await checkFile(page);
    expect(await creditsOf(rig(), account)).toBe(17);
    await page.getByRole('row', { name: 'carla@shop.example' }).waitFor();
    expect(await page.getByRole('row', { name: 'p1@shop.example' }).count()).toBe(0);

    const whole = (await bytesOf(await download(page, WHOLE))).toString();
    expect(whole.split('\n')[0]).toMatch(/,suppressed$/);
    expect(lineOf(whole, 'Gone')).toBe('Gone,p1@shop.example,,,,,,,,,,,,,True');
    expect(lineOf(whole, 'Upper')).toMatch(/^Upper,P2@Shop\.example,,.*,True$/);
    expect(lineOf(whole, 'Ann')).toMatch(/^Ann,ann@shop\.example,deliverable,.*,False$/);
    await page.getByText('people-checked.csv has all 5 rows of your file.').waitFor();
    expect(await page.getByText('not part of this list').count()).toBe(0);
    expect((await bytesOf(await downloadGoodRows(page))).toString()).toBe(
      'name,email\nAnn,ann@shop.example\nBen,ben@shop.example\nCarla,carla@shop.example\n',
    );
    await closePage(page);
  });

  test('checked all the same they are charged and shown, and still in no file of good rows', async () => {
    const account = await withSuppressed(rig(), 20);
    const page = await rig().open(account, { viewport: PHONE });
    await page.goto('/new');
    await pickFile(page, 'people.csv', FILE);
    await found(page).getByRole('checkbox', { name: 'Check them all the same (2 credits)' }).check();
    expect(await page.locator('.cost-needed').textContent()).toBe('5');
    expect(await isWithinWidth(page)).toBe(true);
    await checkFile(page);
    expect(await creditsOf(rig(), account)).toBe(15);
    const row = page.getByRole('row').filter({ hasText: 'p1@shop.example' });
    await row.getByText('Do not send').waitFor();
    await page.getByText('2 are on your suppression list, and not in what you download here.').waitFor();
    expect(await isWithinWidth(page)).toBe(true);
    expect((await bytesOf(await downloadGoodRows(page))).toString()).toBe(
      'name,email\nAnn,ann@shop.example\nBen,ben@shop.example\nCarla,carla@shop.example\n',
    );
    await row.click();
    await page.getByRole('dialog').getByText('On your suppression list:').waitFor();
    await closePage(page);
  });

  test('where nobody could be asked it is said, checking goes on, and asking again is enough', async () => {
    const account = await withSuppressed(rig(), 20);
    const page = await rig().open(account);
    const refuse = (route: { fulfill(answer: object): Promise<void> }) =>
      route.fulfill({ status: 400, json: { error: 'not now' } });
    await page.route('**/v1/suppressions/check', refuse);
    await page.goto('/new');
    await pickFile(page, 'people.csv', FILE);
    const warning = page.getByText('Your suppression list could not be asked:');
    await warning.waitFor();
    expect(await page.getByRole('button', { name: 'Start checking' }).isDisabled()).toBe(false);
    expect(await page.locator('.cost-needed').textContent()).toBe('5');
    await page.unroute('**/v1/suppressions/check', refuse);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await found(page).waitFor();
    expect(await warning.count()).toBe(0);
    expect(await page.locator('.cost-needed').textContent()).toBe('3');
    await closePage(page);
  });

  test('until it is known the price is open; who checks all of them need not wait', async () => {
    const account = await withSuppressed(rig(), 20);
    const page = await rig().open(account);
    let answer = () => {};
    const asked = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/v1/suppressions/check', async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto('/new');
    await pickFile(page, 'people.csv', FILE);
    const asking = page.getByRole('region', { name: 'Looking for suppressed addresses… 0 of 5' });
    const start = page.getByRole('button', { name: 'Start checking' });
    await asking.waitFor();
    expect(await start.isDisabled()).toBe(true);
    await asking.getByRole('checkbox').check();
    expect(await start.isDisabled()).toBe(false);
    await asking.getByRole('checkbox').uncheck();
    answer();
    await found(page).waitFor();
    expect(await start.isDisabled()).toBe(false);
    await closePage(page);
  });

  test('as many as the balance covers, and the rest later: none of them is charged, whatever is suppressed by then', async () => {
    const account = await withSuppressed(rig(), 2);
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'people.csv', FILE);
    // The first of the file is not sent.
    await page.getByRole('button', { name: 'Check the first 2' }).click();
    await agree(page);
    await page.getByText('Done', { exact: true }).waitFor();
    expect(await creditsOf(rig(), account)).toBe(0);
    await page.getByRole('row', { name: 'ben@shop.example' }).waitFor();
    await rig().call(account, 'POST', '/suppressions', { emails: ['ann@shop.example'] });
    await page.goto('/new');
    await pickFile(page, 'people.csv', FILE);
    await page.getByRole('button', { name: 'Check only the other 2' }).click();
    await page.getByText('you need 1 more').first().waitFor();
    expect(await page.locator('.cost-needed').textContent()).toBe('1');
    await closePage(page);
  });
}
