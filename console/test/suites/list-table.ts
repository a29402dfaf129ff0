// The table of a finished list: sorted by its headings, narrowed down on a phone, kept in the address, and taken away as it
// is shown.
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
  return page.locator('[role=gridcell][data-column=address]').allTextContents();
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

    // The best first, and those of one action in the list's order.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sorts('What to do', 'ascending');
    expect(await shownOrder(page)).toEqual([
      'ann@shop.example',
      'p3@shop.example',
      'x@catchall.example',
      'nobody@shop.example',
      'not an address',
    ]);
    await closePage(page);
  });

  test('why mail to some is to be sent carefully is said in a sentence', async () => {
    const emails = ['x@catchall.example', 'y@catchall.example', 'ann@full.example', 'ann@yahoo.com'];
    const id = await makeList(rig(), rig().first, { emails: ['ann@shop.example', ...emails] });
    await untilDone(rig(), rig().first, id);
    const page = await rig().open(rig().first);
    await page.goto(`/lists/${id}`);
    const separate = page.getByRole('region', { name: 'What to do' }).getByRole('listitem').nth(1);
    const why =
      '2 at servers that accept everyone, 1 with a full mailbox, 1 at Yahoo and AOL: cannot be checked in advance.';
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
    const action = page.getByRole('combobox', { name: 'What to do' });
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    expect(await action.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await action.selectOption({ label: 'Remove' });
    await page.getByText(`2 addresses of ${EMAILS.length}`).waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await action.waitFor({ state: 'hidden' });
    await closePage(page);
  });

  test('what is chosen, searched and sorted stands in the address: Back undoes it, a shared link shows it', async () => {
    const page = await openList(rig(), { width: 1200, height: 900 });
    const hash = (wanted: string) => until(() => new URL(page.url()).hash === wanted);
    await page.getByRole('combobox', { name: 'What to do' }).selectOption({ label: 'Remove' });
    await hash('#action=remove');
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('not an');
    await page.getByText(`1 address of ${EMAILS.length}`).waitFor();
    // Before the pause in which what is typed would be written.
    await page.getByRole('button', { name: 'Address' }).click();
    await hash('#action=remove&search=not+an&sort=address');

    const link = page.url().replace('&sort=', '&flag=fast&sort=-');
    await page.reload();
    await page.getByText(`1 address of ${EMAILS.length}`).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('not an');
    await page.goBack();
    await hash('#action=remove&search=not+an');
    // A letter is no step.
    await page.goBack();
    await hash('');
    await until(async () => (await shownOrder(page)).length === EMAILS.length);
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('');

    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('[role=columnheader][aria-sort=descending]').getByText('Address').waitFor();
    expect(await shownOrder(page)).toEqual(['not an address']);
    // The way to the content leaves it as it is.
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    expect(page.url()).toBe(link);
    await closePage(page);
  });

  test('a full mailbox and a server that accepts everyone are apart; the API’s words are one click away, and stay', async () => {
    const emails = ['x@catchall.example', 'ann@full.example', 'ann@gmail.com', 'not an address'];
    const id = await makeList(rig(), rig().first, { emails });
    await untilDone(rig(), rig().first, id);
    const page = await rig().open(rig().first);
    await page.goto(`/lists/${id}`);
    const row = (name: string) => page.getByRole('row', { name });
    await row('x@catchall.example Send carefully Accepts everyone Other').waitFor();
    await row('ann@full.example Send carefully Mailbox full Other').waitFor();
    await row('ann@gmail.com Send Accepted Google').waitFor();
    const bars = (name: string) => page.getByRole('region', { name }).locator('dt').allTextContents();
    expect(await bars('Providers')).toEqual(['Google', 'Other']);
    expect(new Set(await bars('Reasons'))).toEqual(
      new Set(['Accepts everyone', 'Mailbox full', 'Accepted', 'Not an e-mail address']),
    );
    const reason = page.getByRole('combobox', { name: 'Reason' });
    await reason.selectOption({ label: 'Mailbox full' });
    await page.getByText('1 address of 4').waitFor();

    await page.getByRole('button', { name: 'API words' }).click();
    await row('ann@full.example risky low_deliverability · mailbox_full other').waitFor();
    await page.reload();
    await row('ann@full.example risky low_deliverability · mailbox_full other').waitFor();
    expect(await reason.locator('option:checked').textContent()).toBe('mailbox_full');
    await page.getByRole('button', { name: 'API words', pressed: true }).click();
    await row('ann@full.example Send carefully Mailbox full Other').waitFor();
    await closePage(page);
  });
}
