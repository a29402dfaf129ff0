// The report of a list: on paper are the numbers, the charts and what was done, and nothing that one would press.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chooseDownload, makeList, STUCK, stopList, untilDone, WHOLE } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';
import { PICTURES } from './every-page.ts';

/** A4 at 96 dots an inch. */
const SHEET = { width: 794, height: 1_123 };

async function expectNothingToPress(page: Page): Promise<void> {
  for (const role of ['button', 'link', 'textbox', 'searchbox', 'combobox', 'grid', 'navigation'] as const)
    expect(await page.getByRole(role).filter({ visible: true }).count(), role).toBe(0);
}

export function report(rig: () => Rig): void {
  test('a list is printed with its numbers, its charts and what was done, on one sheet', async () => {
    const id = await makeList(rig(), rig().first, {
      name: 'Newsletter, April',
      emails: ['ann@shop.example', 'ben@gmail.com', 'nobody@shop.example', 'x@catchall.example'],
    });
    await untilDone(rig(), rig().first, id);
    // Printed on white in the dark theme too.
    const page = await rig().open(rig().first, { colorScheme: 'dark', viewport: SHEET });
    await page.addInitScript(() => {
      const printed: string[] = [];
      Object.assign(window, { printed, print: () => printed.push(document.title) });
    });
    await page.goto(`/lists/${id}`);
    await page.getByRole('row', { name: 'ann@shop.example' }).waitFor();
    await page.getByRole('button', { name: 'Report' }).click();
    expect(await page.evaluate(() => (window as unknown as { printed: string[] }).printed)).toHaveLength(1);

    await page.emulateMedia({ media: 'print' });
    const done = page.getByRole('region', { name: 'Verification report' });
    for (const [name, value] of [
      ['List', String(id)],
      ['Addresses', '4'],
      ['Checked', '4'],
      ['Credits used', '4'],
    ] as const)
      expect(
        await done
          .locator('dt')
          .getByText(name, { exact: true })
          .locator('xpath=following-sibling::dd')
          .textContent(),
        name,
      ).toBe(value);
    for (const name of ['States', 'Reasons', 'Providers', 'What to do'])
      expect(await page.getByRole('region', { name }).isVisible(), name).toBe(true);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Newsletter, April');
    expect(await page.locator('.doughnut svg').isVisible()).toBe(true);
    await expectNothingToPress(page);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );

    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, 'report.png'), fullPage: true });
    const pdf = await page.pdf({ format: 'A4', printBackground: true });
    writeFileSync(join(PICTURES, 'report.pdf'), pdf);
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
    await closePage(page);
  });

  test('of a list that was stopped, the paper says so', async () => {
    const account = await rig().openAccount(10);
    const id = await makeList(rig(), account, { name: 'Halfway', emails: STUCK });
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await stopList(page);
    await page.getByRole('button', { name: /^Check the other/ }).waitFor();
    // Asks for the file, which is not here.
    await chooseDownload(page, WHOLE);
    await page.getByLabel('The file you checked').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(/^Stopped: 1 of its 4/).isVisible()).toBe(true);
    await expectNothingToPress(page);
    expect(await page.getByLabel('The file you checked').isVisible()).toBe(false);
    await closePage(page);
  });
}
