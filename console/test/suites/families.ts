// Lists: what was made of a list lies under it, and goes where it goes.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findStates } from '../findings.ts';
import { makeList, STUCK, untilDone } from '../lists.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

const row = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: `Select ${name}`, exact: true }) });

export function families(rig: () => Rig): void {
  const ask = (account: Account, method: string, path: string, body?: object) =>
    rig().call(account, method, path, body);
  const summary = async (account: Account, id: number) => (await ask(account, 'GET', `/lists/${id}`)).json();
  const statusesOf = async (account: Account, ids: readonly number[]) =>
    Promise.all(ids.map(async (id) => (await ask(account, 'GET', `/lists/${id}`)).status));

  /** One without an answer and one misspelt, which are both good in what was made of the list since, by a program. */
  async function makeFamily(account: Account, name: string) {
    const emails = ['ann@shop.example', 'x@stuck.example', 'ann@gmial.com'];
    const first = await makeList(rig(), account, { emails, name });
    await findStates(rig(), first, ['deliverable', 'unknown']);
    await untilDone(rig(), account, first);
    const made = async (how: string) =>
      (await (await ask(account, 'POST', `/lists/${first}/${how}`)).json()).id as number;
    const retry = await made('retry');
    await findStates(rig(), retry, ['deliverable']);
    const correction = await made('corrections');
    for (const id of [retry, correction]) await untilDone(rig(), account, id);
    return [first, retry, correction] as const;
  }

  test('retries and corrections lie under their first list, whose row counts their answers as its own page does', async () => {
    const account = await rig().openAccount(100);
    const [first] = await makeFamily(account, 'people.csv');
    await makeList(rig(), account, { emails: ['not an address'], name: 'Another' });
    expect((await summary(account, first)).counts.deliverable).toBe(1);
    const page = await rig().open(account);
    await page.goto('/lists');
    await row(page, 'people.csv').getByText('Done: 100% to send').waitFor();
    expect(await page.getByRole('checkbox', { name: /^Select (?!all)/ }).count()).toBe(2);
    await row(page, 'people.csv').getByRole('img', { name: 'Send: 3', exact: true }).waitFor();
    await row(page, 'people.csv').getByRole('link', { name: '1 address checked again' }).waitFor();
    await row(page, 'people.csv').getByRole('link', { name: '1 address corrected' }).waitFor();
    await page.getByRole('link', { name: 'people.csv', exact: true }).click();
    await page.locator('.action-count', { hasText: /^3 / }).waitFor();
    await closePage(page);
  });

  test('a list is renamed with what was made of it; what fails is said, and saved again', async () => {
    const account = await rig().openAccount(100);
    const ids = await makeFamily(account, 'Spring');
    const names = () => Promise.all(ids.map(async (id) => (await summary(account, id)).name));
    const page = await rig().open(account);
    const refused = `**/v1/lists/${ids[1]}`;
    await page.route(refused, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 409, json: { error: 'no' }, headers: { 'mxproof-error': 'conflict' } })
        : route.continue(),
    );
    await page.goto('/lists');
    await page.getByRole('button', { name: 'Rename Spring' }).click();
    await page.getByRole('textbox', { name: 'New name of Spring' }).fill('Summer');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('1 of its 3 lists still has the old name: save again.').waitFor();
    expect(await names()).toEqual(['Summer', 'Spring', 'Summer: corrected addresses']);
    await page.unroute(refused);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Summer', exact: true }).waitFor();
    expect(await names()).toEqual([
      'Summer',
      expect.stringMatching(/^Summer: /),
      'Summer: corrected addresses',
    ]);
    await closePage(page);
  });

  test('several lists are deleted with what was made of them, without a mouse, and one undo brings all back', async () => {
    const account = await rig().openAccount(100);
    const ids = [...(await makeFamily(account, 'One')), ...(await makeFamily(account, 'Two'))];
    const other = await makeList(rig(), account, { emails: ['not an address'], name: 'Other' });
    await untilDone(rig(), account, other);
    const page = await rig().open(account);
    await page.goto('/lists');
    await row(page, 'One').getByText('Done: 100% to send').waitFor();
    for (const name of ['One', 'Two']) {
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('status').getByText('2 lists selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 lists deleted.').waitFor();
    await page.getByRole('link', { name: 'One', exact: true }).waitFor({ state: 'detached' });
    expect(await statusesOf(account, ids)).toEqual(ids.map(() => 404));
    expect(await statusesOf(account, [other])).toEqual([200]);
    // The focus is where the next ones are selected.
    expect(
      await page
        .getByRole('checkbox', { name: 'Select all' })
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Control+z');
    await row(page, 'Two').getByText('Done: 100% to send').waitFor();
    expect(await statusesOf(account, ids)).toEqual(ids.map(() => 200));
    await closePage(page);
  });

  test('where one of them is refused, nothing is deleted, which is said; it can be tried again', async () => {
    const account = await rig().openAccount(100);
    const ids = await makeFamily(account, 'Stubborn');
    const page = await rig().open(account);
    const refused = `**/v1/lists/${ids[2]}?undo=*`;
    await page.route(refused, (route) =>
      route.fulfill({ status: 409, json: { error: 'no' }, headers: { 'mxproof-error': 'conflict' } }),
    );
    await page.goto('/lists');
    await page.getByRole('checkbox', { name: 'Select Stubborn' }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alert').getByText('Stubborn could not be deleted.').waitFor();
    expect(await statusesOf(account, ids)).toEqual([200, 200, 200]);
    await page.unroute(refused);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Stubborn deleted.').waitFor();
    expect(await statusesOf(account, ids)).toEqual([404, 404, 404]);
    await closePage(page);
  });

  test('on its own page, too, a list goes with what was made of it, and not while it is being checked again', async () => {
    const account = await rig().openAccount(100);
    const [first, retry, correction] = await makeFamily(account, 'Own page');
    const page = await rig().open(account);
    await page.goto(`/lists/${first}`);
    await page.getByText('corrected and checked on').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Own page deleted.').waitFor();
    expect(await statusesOf(account, [first, retry, correction])).toEqual([404, 404, 404]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Own page').getByText('Done: 100% to send').waitFor();

    const running = await makeList(rig(), account, { emails: STUCK, name: 'Running' });
    await page.reload();
    await page.getByRole('link', { name: 'Running' }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select Running' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('status').getByText('1 list selected').waitFor();
    await ask(account, 'POST', `/lists/${running}/cancel`);
    await closePage(page);
  });
}
