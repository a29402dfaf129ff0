// A list that is paused and resumed, in one browser and another; what else a list's page says of how it was made.
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { bytesOf, download, makeList, STUCK, stopList } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

export function pausedLists(rig: () => Rig): void {
  test('a list is paused and resumed; every window says since when, and Stop can still be chosen', async () => {
    const account = await rig().openAccount(20);
    const id = await makeList(rig(), account, { emails: STUCK, name: 'Webinar guests' });
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await page.getByText('1 address checked so far').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText(/^Paused since \d\d:\d\d; nothing is asked until you resume$/).waitFor();
    await page.locator('.list-heading').getByText('Paused', { exact: true }).waitFor();
    expect(await page.getByText('we stop asking at').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Notify me' }).count()).toBe(0);
    // What is there can be taken, and says that it is not all.
    const good = await download(page, { rows: ['Send'], format: 'CSV' });
    expect(good.suggestedFilename()).toBe('Webinar guests-good-so-far.csv');
    expect((await bytesOf(good)).toString()).toContain('ann@shop.example');

    const other = await rig().open(account);
    await other.goto('/lists');
    await other.getByText('Paused: 25%').waitFor();
    await other.goto(`/lists/${id}`);
    await other.getByRole('button', { name: 'Resume' }).click();
    await other.getByText('we stop asking at').waitFor();
    // The first window hears of it.
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await other.getByRole('button', { name: 'Resume' }).waitFor();
    await stopList(other);
    await page.getByText('Stopped: 1 of its 4 addresses were checked.').waitFor();
    await other.getByRole('button', { name: 'Check the other 3 (up to 3 credits)' }).waitFor();
    const { credits } = (await (await rig().call(account, 'GET', '/account')).json()) as { credits: number };
    expect(credits).toBe(19);
    await closePage(other);
    await closePage(page);
  });

  test('the finished list and its report keep what the review of the file knew', async () => {
    const account = await rig().openAccount(20);
    const file = { name: 'fair.xlsx', rows: 1_209, addresses: 8, invalid: 3, duplicates: 5, corrected: 2 };
    const emails = ['ann@shop.example', 'ann@gmial.com', 'not an address'];
    const id = await makeList(rig(), account, { emails, name: 'Trade fair', file });
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await page.getByText('Done', { exact: true }).waitFor();
    await page
      .getByText(
        '3 addresses · 1,209 rows in fair.xlsx · 5 duplicates left out · 3 not an e-mail address · 2 corrected before the check',
      )
      .waitFor();
    await page.getByRole('button', { name: /^Fix and check 1 address/ }).click();
    await page.getByText(/1 misspelt address was corrected and checked/).waitFor();
    await page.emulateMedia({ media: 'print' });
    const report = page.getByRole('region', { name: 'Verification report' });
    for (const [name, value] of [
      ['File', 'fair.xlsx'],
      ['Rows in the file', '1,209'],
      ['Addresses in the file', '8'],
      ['Duplicates left out', '5'],
      ['Not an e-mail address', '3'],
      ['Corrected before the check', '2'],
      ['Credits used by fixes', '1'],
      ['Credits used', '4'],
    ] as const)
      expect(
        await report
          .locator('dt')
          .getByText(name, { exact: true })
          .locator('xpath=following-sibling::dd')
          .textContent(),
        name,
      ).toBe(value);
    await closePage(page);
  });

  test('in test mode and in the demo, the page and the evidence say that no result is real', async () => {
    const owner = await rig().openAccount(5);
    const made = await rig().call(owner, 'POST', '/keys', { label: 'tests', test: true });
    const account = { id: owner.id, apiKey: ((await made.json()) as { api_key: string }).api_key };
    for (const [who, words] of [
      [account, 'Test mode: this is not a real result.'],
      [owner, 'Demo: this is not a real result.'],
    ] as const) {
      const id = await makeList(rig(), who, { emails: ['ann@shop.example'], name: 'Try' });
      const page = await rig().open(who);
      if (who === owner)
        await page.route(`**/lists/${id}`, async (route) => {
          if (!route.request().isNavigationRequest()) return route.fallback();
          const response = await route.fetch();
          const body = (await response.text()).replace('<html ', '<html data-demo ');
          await route.fulfill({ response, body });
        });
      await page.goto(`/lists/${id}`);
      await page.getByRole('status').getByText(words).or(page.getByText(words)).first().waitFor();
      await page.getByRole('row', { name: 'ann@shop.example' }).click();
      await page.getByRole('dialog').getByText(words).waitFor();
      await until(async () => (await page.getByText(words).count()) >= 2);
      await closePage(page);
    }
  });
}
