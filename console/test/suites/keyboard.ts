// Everything without a mouse. Promise: no test here clicks.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bytesOf } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const TABS_MAX = 60;
const LIMIT_MS = 240_000;
const GIVEN = 'Name,E-mail\nBen,ben@shop.example\nNobody,nobody@shop.example\n';

/** Tab, until it has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${TABS_MAX} times Tab did not come to ${wanted}`);
}

/** Without a key being pressed. */
async function untilFocused(wanted: Locator): Promise<void> {
  await wanted.waitFor();
  await wanted.page().waitForFunction((one) => one === document.activeElement, await wanted.elementHandle());
}

export function keyboard(rig: () => Rig): void {
  test('signing in, checking, a list, its evidence and its download need no mouse', {
    timeout: LIMIT_MS,
  }, async () => {
    const page = await rig().open(null, { viewport: { width: 1_280, height: 800 } });
    await page.goto('/');
    await tabTo(page, page.getByRole('textbox', { name: 'API key' }));
    await page.keyboard.type(rig().first.apiKey);
    await page.keyboard.press('Enter');
    // The focus is where one goes on: an address can be typed at once, and what was checked is typed over.
    await untilFocused(page.getByRole('textbox', { name: 'Address' }));
    await page.keyboard.type('typo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Check it anyway' }).waitFor();
    await page.keyboard.type('ann@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Send/ }).waitFor();

    // Out of the field, or the letters would be typed.
    await page.keyboard.press('Tab');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New list', level: 1 }).waitFor();
    // Waited for before Tab: Playwright must intercept the file dialog before it opens.
    const chooser = page.waitForEvent('filechooser');
    await untilFocused(page.getByLabel('File', { exact: true }));
    // There is nothing to type in it: the keys of the console work.
    await page.keyboard.press('/');
    await untilFocused(page.getByRole('textbox', { name: 'Address' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('n');
    await untilFocused(page.getByLabel('File', { exact: true }));
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(GIVEN) });
    await page.getByRole('button', { name: 'Start checking' }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Start checking' }));
    await page.keyboard.press('Enter');
    await page.getByText('Done', { exact: true }).waitFor();

    const good = page.waitForEvent('download');
    await tabTo(page, page.getByRole('button', { name: 'Download the good rows' }));
    await page.keyboard.press('Enter');
    expect((await bytesOf(await good)).toString()).toBe('Name,E-mail\nBen,ben@shop.example\n');
    await tabTo(page, page.getByRole('button', { name: 'Other downloads' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Download' });
    for (const name of ['All rows', 'Add the results']) {
      await tabTo(page, dialog.getByRole('checkbox', { name }));
      await page.keyboard.press('Space');
    }
    await tabTo(page, dialog.getByRole('radio', { name: 'For people' }));
    await page.keyboard.press('ArrowDown');
    const whole = page.waitForEvent('download');
    await tabTo(page, dialog.getByRole('button', { name: 'Download' }));
    await page.keyboard.press('Enter');
    expect((await bytesOf(await whole)).toString()).toMatch(
      /^Name,E-mail,state,.*\nBen,ben@shop.example,deliverable,.*\nNobody,nobody@shop.example,undeliverable,.*\n$/,
    );
    // The dialogue gives the focus back.
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Other downloads'));

    await page.keyboard.press('/');
    await page.keyboard.type('nobody');
    const row = page.getByRole('row', { name: 'nobody@shop.example' });
    await tabTo(page, row);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await row.evaluate((one) => one === document.activeElement)).toBe(true);
    await closePage(page);
  });
}
