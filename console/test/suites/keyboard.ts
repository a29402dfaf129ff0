// Everything without a mouse. Promise: no test here clicks.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { closePage, type Rig } from '../rig.ts';

const TABS_MAX = 40;

/** Tab, until what has the focus is called so. */
async function tabTo(page: Page, role: string, name: string): Promise<void> {
  const wanted = page.getByRole(role as 'button', { name, exact: true });
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((one) => one === document.activeElement).catch(() => false)) return;
  }
  throw new Error(`${TABS_MAX} times Tab did not come to ${role} "${name}"`);
}

export function keyboard(rig: () => Rig): void {
  test('signing in, checking, a list, its evidence and its download need no mouse', async () => {
    const page = await rig().open(null);
    await page.goto('/');
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await tabTo(page, 'textbox', 'API key');
    await page.keyboard.type(rig().first.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Address' }).waitFor();
    // Focus follows to the page that opened, not to nowhere.
    await page.keyboard.press('/');
    await page.keyboard.type('ann@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Deliverable/ }).waitFor();

    await page.getByRole('textbox', { name: 'Address' }).evaluate((field) => (field as HTMLElement).blur());
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New list', level: 1 }).waitFor();
    await page.getByText('Paste addresses instead').waitFor();
    await tabTo(page, 'textbox', 'Addresses').catch(async () => {
      await page.getByText('Paste addresses instead').focus();
      await page.keyboard.press('Enter');
      await tabTo(page, 'textbox', 'Addresses');
    });
    await page.keyboard.type('ben@shop.example\nnobody@shop.example');
    await tabTo(page, 'button', 'Read them');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Start checking' }).waitFor();
    await tabTo(page, 'button', 'Start checking');
    await page.keyboard.press('Enter');
    await page.getByText('Done', { exact: true }).waitFor();

    await tabTo(page, 'button', 'Download');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Your file' }).waitFor();
    await page.keyboard.press('ArrowDown');
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toMatch(/\.(csv|txt)$/);
    // The menu gives the focus back.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Download');

    await page.keyboard.press('/');
    await page.keyboard.type('nobody');
    const row = page.getByRole('row', { name: 'nobody@shop.example' });
    await row.waitFor();
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      if (await row.evaluate((one) => one === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await row.evaluate((one) => one === document.activeElement)).toBe(true);
    await closePage(page);
  });
}
