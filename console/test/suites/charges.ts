// What costs credits: every button says how many, a large sum is asked about first, and the balance is live.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mxproof } from '../../../cli/test/run-mxproof.ts';
import { until } from '../../../server/test/until.ts';
import { findStates } from '../findings.ts';
import { makeList, pickFile } from '../lists.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

const UNANSWERED = ['ann@silent.example', 'ben@silent.example', 'eve@silent.example'];
const AGAIN = 'Try the 3 again (up to 3 credits)';

async function creditsOf(rig: Rig, account: Account): Promise<number> {
  return ((await (await rig.call(account, 'GET', '/account')).json()) as { credits: number }).credits;
}

async function retriesOf(rig: Rig, account: Account, id: number): Promise<readonly number[]> {
  return ((await (await rig.call(account, 'GET', `/lists/${id}/retries`)).json()) as { lists: number[] })
    .lists;
}

/** A finished list of three addresses, all unknown and refunded. */
async function makeUnknown(rig: Rig, account: Account): Promise<number> {
  const id = await makeList(rig, account, { emails: UNANSWERED, name: 'Guests' });
  await findStates(rig, id, ['unknown', 'unknown', 'unknown']);
  return id;
}

const question = (page: Page) => page.getByRole('alertdialog');
const hasFocus = (one: Locator) => until(() => one.evaluate((element) => element === document.activeElement));

export function charges(rig: () => Rig): void {
  test('a retry of more than a tenth of the balance asks with its price; Cancel and Escape charge nothing', async () => {
    const account = await rig().openAccount(29);
    const id = await makeUnknown(rig(), account);
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    const again = page.getByRole('button', { name: AGAIN, exact: true });
    await again.click();
    await question(page).getByText('This costs 3 of your 29 credits and leaves 26.').waitFor();
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
    await hasFocus(again);
    await page.keyboard.press('Enter');
    await question(page).waitFor();
    await question(page).press('Escape');
    await question(page).waitFor({ state: 'detached' });
    await hasFocus(again);
    expect(await retriesOf(rig(), account, id)).toEqual([]);
    expect(await creditsOf(rig(), account)).toBe(29);

    await again.click();
    await question(page).getByRole('button', { name: 'Check for 3 credits' }).click();
    await page.getByText('Trying those without an answer again: 0 of 3').waitFor();
    expect(await creditsOf(rig(), account)).toBe(26);
    await page.getByRole('banner').getByText('26 credits').waitFor();
    await findStates(rig(), (await retriesOf(rig(), account, id))[0]!, ['unknown', 'unknown', 'unknown']);
    await closePage(page);
  });

  test('a retry of a tenth of the balance or less has its price on the button and runs', async () => {
    const account = await rig().openAccount(30);
    const id = await makeUnknown(rig(), account);
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: AGAIN, exact: true }).click();
    await page.getByText('Trying those without an answer again: 0 of 3').waitFor();
    expect(await creditsOf(rig(), account)).toBe(27);
    await findStates(rig(), (await retriesOf(rig(), account, id))[0]!, ['deliverable', 'unknown', 'unknown']);
    // Next time it costs less.
    await page.getByRole('button', { name: 'Try the 2 again (up to 2 credits)' }).waitFor();
    await closePage(page);
  });

  test('what was begun elsewhere meanwhile is not charged again', async () => {
    const account = await rig().openAccount(100);
    const id = await makeUnknown(rig(), account);
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    const again = page.getByRole('button', { name: AGAIN, exact: true });
    await until(async () => await again.isEnabled());
    await rig().call(account, 'POST', `/lists/${id}/retry`);
    await again.click();
    await page.getByText('Trying those without an answer again: 0 of 3').waitFor();
    const [retry, ...others] = await retriesOf(rig(), account, id);
    expect(others).toEqual([]);
    expect(await creditsOf(rig(), account)).toBe(97);
    await findStates(rig(), retry!, ['unknown', 'unknown', 'unknown']);
    await closePage(page);
  });

  test('the rest of a stopped list has its price, asks, and is charged once into its own page, also from two windows', async () => {
    const account = await rig().openAccount(25);
    const id = await makeList(rig(), account, { emails: UNANSWERED, name: 'Stopped' });
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    const rest = { name: 'Check the other 3 (up to 3 credits)' };
    const pages = [await rig().open(account), await rig().open(account)];
    for (const page of pages) {
      await page.goto(`/lists/${id}`);
      await page.getByRole('button', rest).click();
      await question(page).getByText('This costs 3 of your 25 credits and leaves 22.').waitFor();
    }
    for (const page of pages)
      await question(page).getByRole('button', { name: 'Check for 3 credits' }).click();
    for (const page of pages) await page.getByText('Trying those without an answer again: 0 of 3').waitFor();
    const [retry, ...others] = await retriesOf(rig(), account, id);
    expect(others).toEqual([]);
    expect(await creditsOf(rig(), account)).toBe(22);

    // While it runs nothing more is offered; what it brings is in this page, and what it leaves is offered again.
    for (const page of pages)
      expect(await page.getByRole('button', { name: /^(Try|Check) the/ }).count()).toBe(0);
    await findStates(rig(), retry!, ['deliverable', 'unknown']);
    const [page] = pages as [Page, Page];
    await page.getByRole('row', { name: 'ann@silent.example Send Accepted' }).waitFor();
    await rig().call(account, 'POST', `/lists/${retry}/cancel`);
    await page.getByText('With what was checked since, 2 of 3 have a result.').waitFor();
    await page.getByRole('button', { name: 'Check the other 1 and try 1 again (up to 2 credits)' }).click();
    await page.getByText('Trying those without an answer again: 0 of 2').waitFor();
    const [, last] = await retriesOf(rig(), account, id);
    await findStates(rig(), last!, ['deliverable', 'deliverable']);
    await until(async () => {
      const shown = await page.locator('.action-count').allTextContents();
      expect(shown.map((text) => text.split(' ')[0])).toEqual(['3', '0', '0', '0', '0']);
    });
    expect(await creditsOf(rig(), account)).toBe(25 - 3);
    for (const each of pages) await closePage(each);
  });

  test('Start is off without the credits, and on as soon as the operator adds them', async () => {
    const account = await rig().openAccount(1);
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'l.txt', 'ann@shop.example\nben@shop.example\ncarla@shop.example');
    const start = page.getByRole('button', { name: 'Start checking (3 credits)', exact: true });
    await page.getByText('you have 1: you need 2 more').waitFor();
    expect(await start.isDisabled()).toBe(true);
    await mxproof(['credits', 'add', String(account.id), '4'], rig().service.operator);
    await until(async () => await start.isEnabled());
    await page.getByRole('banner').getByText('5 credits').waitFor();
    expect(await page.getByText('you need 2 more').count()).toBe(0);
    // Enter in the field of the name is no agreement.
    await page.getByRole('textbox', { name: 'List name' }).press('Enter');
    await question(page).getByText('This costs 3 of your 5 credits and leaves 2.').waitFor();
    await question(page).press('Escape');
    await question(page).waitFor({ state: 'detached' });
    expect(await creditsOf(rig(), account)).toBe(5);
    await start.click();
    await question(page).getByRole('button', { name: 'Check for 3 credits' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await closePage(page);
  });

  test('a single check has its price beside it, is off without a credit, and on as soon as there is one', async () => {
    const account = await rig().openAccount(0);
    const page = await rig().open(account);
    await page.goto('/');
    const field = page.getByRole('textbox', { name: 'Address' });
    await field.fill('ann@gmial.com');
    await page.getByText('You have 0 credits and need 1: ask your operator for more.').waitFor();
    const check = page.getByRole('button', { name: 'Check', exact: true });
    expect(await check.isDisabled()).toBe(true);
    await field.press('Enter');
    expect(await field.inputValue()).toBe('ann@gmial.com');
    await mxproof(['credits', 'add', String(account.id), '10'], rig().service.operator);
    await page.getByText('A check costs 1 credit').waitFor();
    // A tenth of the balance: it is not asked about.
    await check.click();
    await page.getByText('Did you mean ann@gmail.com?').waitFor();
    await page.getByRole('button', { name: 'Check that instead (1 credit)' }).click();
    await question(page).getByRole('heading', { name: 'Check ann@gmail.com?' }).waitFor();
    await question(page).getByRole('button', { name: 'Check for 1 credit' }).click();
    await page.getByRole('heading', { name: /^Send.*ann@gmail\.com$/ }).waitFor();
    expect(await creditsOf(rig(), account)).toBe(8);
    await closePage(page);
  });
}
