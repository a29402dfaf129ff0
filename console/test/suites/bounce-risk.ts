// How likely mail bounces, by what became of the account's own: in the rows of a list, beside the evidence, and as the limit at which
// “Send carefully” is cut.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bytesOf, downloadGoodRows, makeList, pressed, untilDone } from '../lists.ts';
import { type Account, closePage, type Rig } from '../rig.ts';
import { isWithinWidth } from './suppressed.ts';

const MAILED = 40;
const PHONE = { width: 390, height: 844 };

const at = (domain: string, count: number) =>
  Array.from({ length: count }, (_, place) => `a${place}@${domain}`);

/** Nothing bounced at one domain, every other mail at the other, and nothing is known of a full mailbox. */
async function withOutcomes(rig: Rig): Promise<{ readonly account: Account; readonly id: number }> {
  const account = await rig.openAccount(500);
  await rig.call(account, 'PATCH', '/account', { outcomes: true });
  const [good, bad] = [at('catchall.example', MAILED), at('yahoo.com', MAILED)];
  const id = await makeList(rig, account, {
    name: 'Fair.csv',
    emails: ['ann@shop.example', 'ann@full.example', ...good, ...bad],
  });
  await untilDone(rig, account, id);
  const bounced = (email: string) => ({ email, outcome: 'bounced', reply: '550 5.1.1 User unknown' });
  const outcomes = [
    ...good.map((email) => ({ email, outcome: 'delivered' })),
    ...bad.map((email, place) => (place % 2 === 0 ? bounced(email) : { email, outcome: 'delivered' })),
  ];
  const answer = await rig.call(account, 'POST', '/outcomes', { outcomes });
  expect(await answer.json()).toMatchObject({ accepted: 2 * MAILED });
  return { account, id };
}

const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email }).first();

export function bounceRisk(rig: () => Rig): void {
  test('rows say it where it is known; “Send carefully” is cut at a limit, in the card, the dialog and the file', async () => {
    const { account, id } = await withOutcomes(rig());
    const page = await rig().open(account, { viewport: { width: 1280, height: 900 } });
    await page.goto(`/lists/${id}`);
    const card = page.locator('.action').filter({ hasText: 'Send carefully' });
    // Half of those at Yahoo bounced, and are suppressed.
    await card.getByText('20 are on your suppression list').waitFor();
    const few = page.locator('.careful-few');
    await few.getByText('40 below, 20 above, 1 unknown').waitFor();
    await row(page, 'a1@catchall.example').getByText('0 % (0–8.8 %)').waitFor();
    expect(await row(page, 'ann@shop.example').locator('[data-column=risk]').textContent()).toBe('');
    await page
      .getByRole('textbox', { name: 'Search' })
      .or(page.getByRole('searchbox', { name: 'Search' }))
      .fill('a0@');
    await row(page, 'a0@yahoo.com').getByText('Do not send').waitFor();
    await row(page, 'a0@yahoo.com').getByText('Suppressed · Cannot be checked in advance').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('columnheader', { name: 'Bounce risk' }).getByRole('button').click();
    await page.locator('[role=grid][aria-busy=false]').waitFor();

    await row(page, 'a1@catchall.example').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('0 %, between 0 and 8.8 %').waitFor();
    await panel.getByText('by what became of your mail to 40 addresses at catchall.example').waitFor();
    await page.keyboard.press('Escape');

    const safer = (await bytesOf(await pressed(page, 'Download the 40 below 5 %'))).toString();
    const addresses = safer
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(addresses.toSorted()).toEqual(at('catchall.example', MAILED).toSorted());
    expect(safer.split('\r\n')[0]).toMatch(/bounce risk,Email: suppressed$/);

    // What is no number changes nothing.
    const limit = few.getByRole('spinbutton', { name: 'Bounce risk below' });
    await limit.fill('');
    await few.getByText('40 below, 20 above, 1 unknown').waitFor();
    await limit.fill('60');
    await few.getByText('60 below, 0 above, 1 unknown').waitFor();
    await few.getByRole('button', { name: 'Download the 60 below 60 %' }).waitFor();

    await page.getByRole('button', { name: 'Other downloads' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download' });
    await dialog.getByRole('checkbox', { name: /^Send carefully/ }).check();
    await dialog.getByRole('radio', { name: /^CSV/ }).check();
    await dialog.getByRole('checkbox', { name: 'Only the safer ones' }).check();
    await dialog.getByRole('spinbutton', { name: 'Bounce risk below' }).fill('5');
    await dialog.getByText('40 below, 20 above, 1 unknown').waitFor();
    await dialog.getByText('20 addresses are on your suppression list, and only among all rows.').waitFor();
    const [started] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    // With the one that is good.
    const chosen = (await bytesOf(started)).toString().trimEnd().split('\r\n').slice(1);
    expect(chosen.length).toBe(MAILED + 1);

    // Others are not concerned.
    const good = (await bytesOf(await downloadGoodRows(page))).toString();
    expect(
      good
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    ).toEqual(['ann@shop.example']);
    await closePage(page);
  });

  test('on a phone it stands under what to do, and nothing is wider than the screen', async () => {
    const { account, id } = await withOutcomes(rig());
    const page = await rig().open(account, { viewport: PHONE, colorScheme: 'dark' });
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: 'Download the 40 below 5 %' }).waitFor();
    await row(page, 'a1@catchall.example').getByText('0 % (0–8.8 %)').waitFor();
    expect(await isWithinWidth(page)).toBe(true);
    await page.getByRole('button', { name: 'Other downloads' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download' });
    await dialog.getByRole('checkbox', { name: /^Send carefully/ }).check();
    await dialog.getByRole('spinbutton', { name: 'Bounce risk below' }).waitFor();
    expect(await isWithinWidth(page)).toBe(true);
    await closePage(page);
  });

  test('without outcomes nothing is said of it', async () => {
    const account = await rig().openAccount(20);
    const id = await makeList(rig(), account, { emails: ['ann@shop.example', 'x@catchall.example'] });
    await untilDone(rig(), account, id);
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await row(page, 'x@catchall.example').waitFor();
    expect(await page.getByText('Bounce risk').count()).toBe(0);
    expect(await page.getByRole('spinbutton').count()).toBe(0);
    await closePage(page);
  });
}
