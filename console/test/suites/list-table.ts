// The table of a finished list: sorted by its headings, narrowed down on a phone, and taken away as it is shown.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { makeList, untilDone } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const EMAILS = [
  'nobody@shop.example',
  'ann@shop.example',
  'x@catchall.example',
  'p3@shop.example',
  'not an address',
];

async function openList(
  rig: Rig,
  viewport: { readonly width: number; readonly height: number },
): Promise<Page> {
  const made = await rig.call(rig.first, 'POST', '/lists', { emails: EMAILS, name: 'To sort.csv' });
  const { id } = (await made.json()) as { id: number };
  const page = await rig.open(rig.first, { viewport });
  await page.goto(`/lists/${id}`);
  await page.getByText(`${EMAILS.length} addresses`, { exact: true }).last().waitFor();
  return page;
}

async function shownOrder(page: Page): Promise<string[]> {
  await page.locator('[role=grid][aria-busy=false]').waitFor();
  return page.locator('[role=gridcell][data-column=email]').allTextContents();
}

export function listTable(rig: () => Rig): void {
  test('a heading sorts ascending, descending, then as the list has it; the focus stays on it', async () => {
    const page = await openList(rig(), { width: 1200, height: 900 });
    const heading = (name: string) => page.getByRole('columnheader', { name });
    const sorts = (name: string, direction: string) =>
      until(async () => (await heading(name).getAttribute('aria-sort')) === direction);
    expect(await shownOrder(page)).toEqual(EMAILS);

    await heading('Address').getByRole('button').click();
    await sorts('Address', 'ascending');
    const ascending = [...EMAILS].sort();
    expect(await shownOrder(page)).toEqual(ascending);

    // From here on by the keyboard alone.
    await page.keyboard.press('Enter');
    await sorts('Address', 'descending');
    expect(await shownOrder(page)).toEqual(ascending.toReversed());
    await page.keyboard.press('Space');
    await sorts('Address', 'none');
    expect(await shownOrder(page)).toEqual(EMAILS);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Address');

    // The best first, and those of one state in the list's order.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sorts('State', 'ascending');
    expect(await shownOrder(page)).toEqual([
      'ann@shop.example',
      'p3@shop.example',
      'x@catchall.example',
      'nobody@shop.example',
      'not an address',
    ]);
    await closePage(page);
  });

  test('why some are to be sent to separately is said in a sentence', async () => {
    const emails = ['x@catchall.example', 'y@catchall.example', 'ann@full.example', 'ann@yahoo.com'];
    const id = await makeList(rig(), rig().first, { emails: ['ann@shop.example', ...emails] });
    await untilDone(rig(), rig().first, id);
    const page = await rig().open(rig().first);
    await page.goto(`/lists/${id}`);
    const separate = page.getByRole('region', { name: 'What to do' }).getByRole('listitem').nth(1);
    const why =
      '2 at servers that accept everyone, 1 with a full mailbox, 1 at Yahoo, which decides after the message.';
    await separate.getByText(why, { exact: true }).waitFor();
    expect(await separate.locator('.action-count').textContent()).toMatch(/^4 /);
    expect(await page.getByText(why).count()).toBe(1);
    await closePage(page);
  });

  test('rows that are sorted and filtered are saved as they are shown', async () => {
    const page = await openList(rig(), { width: 1200, height: 900 });
    await page.getByRole('columnheader', { name: 'Address' }).getByRole('button').click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('@shop');
    await page.getByText(`3 addresses of ${EMAILS.length}`).waitFor();
    const shown = await shownOrder(page);
    expect(shown).toEqual(['ann@shop.example', 'nobody@shop.example', 'p3@shop.example']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save these as CSV' }).click();
    const [, ...lines] = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(shown);
    await closePage(page);
  });

  test('on a phone the choices are folded away, and it is said how many are made', async () => {
    const page = await openList(rig(), { width: 390, height: 844 });
    const state = page.getByRole('combobox', { name: 'State' });
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    expect(await state.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await state.selectOption({ label: 'Undeliverable' });
    await page.getByText(`2 addresses of ${EMAILS.length}`).waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await state.waitFor({ state: 'hidden' });
    await closePage(page);
  });
}
