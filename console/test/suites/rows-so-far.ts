// A list while it runs: its rows so far, shares of what is checked, evidence and downloads; and its end, which moves nothing.
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { findStates } from '../findings.ts';
import { bytesOf, download, makeList, pickFile, pressed, startFile, WHOLE } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

/** Without an answer until the test gives one; rows that are checked at once come after them. */
const SILENT = Array.from({ length: 30 }, (_, at) => `p${at}@silent.example`);
const AT_ONCE = Array.from({ length: 60 }, (_, at) => `not an address ${at}`);

export function rowsSoFar(rig: () => Rig): void {
  test('a list that runs shows what is checked: shares, rows, evidence, and files with nothing for the rest', async () => {
    const account = await rig().openAccount(10);
    const page = await rig().open(account);
    await page.goto('/new');
    const emails = ['ann@silent.example', 'nobody@shop.example', 'x@catchall.example', 'ann@shop.example'];
    await pickFile(page, 'guests.csv', ['name,email', ...emails.map((email) => `N,${email}`), ''].join('\n'));
    await startFile(page);
    await page.getByText('3 addresses checked so far').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('3');
    const counts = page.locator('.action-count');
    await until(async () => {
      expect(await counts.allTextContents()).toEqual(['1 33.3%', '1 33.3%', '0 0%', '1 33.3%', '0 0%']);
    });
    expect(await page.getByRole('row', { name: 'silent.example' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Try the/ }).count()).toBe(0);

    const whole = await download(page, WHOLE);
    expect(whole.suggestedFilename()).toBe('guests-checked-so-far.csv');
    await page.getByText('1 address was not checked yet when it was made.').waitFor();
    const own = (await bytesOf(whole)).toString().split('\n');
    expect(own[1]).toMatch(/^N,ann@silent\.example,*$/);
    expect(own[4]).toMatch(/^N,ann@shop\.example,deliverable,/);
    const all = (await bytesOf(await download(page, { rows: 'all', format: 'CSV' }))).toString();
    // In the words that were chosen last.
    expect(all).toMatch(/ann@shop\.example,deliverable,/);
    expect(all).toMatch(/ann@silent\.example,{3}/);
    await page.getByRole('button', { name: 'Other downloads' }).click();
    await page.getByRole('dialog').getByText('1 address is not checked yet.').waitFor();
    await page.keyboard.press('Escape');
    const good = await pressed(page, 'Download the good rows so far');
    expect(good.suggestedFilename()).toBe('guests-good-so-far.csv');
    expect((await bytesOf(good)).toString()).toBe('name,email\nN,ann@shop.example\n');

    // Chosen and opened while it runs, and still so when it has ended.
    await page.getByRole('combobox', { name: 'What to do' }).selectOption({ label: 'Send' });
    await page.getByRole('button', { name: 'Score' }).click();
    await page.getByRole('row', { name: 'ann@shop.example' }).click();
    await page.getByRole('dialog').getByText('RCPT TO').waitFor();
    const chosen = page.url();
    expect(new URL(chosen).hash).toBe('#action=send&sort=score');
    const id = Number(new URL(chosen).pathname.split('/').at(-1));
    await findStates(rig(), id, ['deliverable']);
    await page.getByText('2 addresses of 4').waitFor();
    expect(await page.getByRole('dialog').getByText('RCPT TO').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('row', { name: /Send Accepted/ }).count()).toBe(2);
    expect(await page.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    expect(page.url()).toBe(chosen);
    expect(await page.getByRole('row', { name: 'ann@shop.example' }).evaluate(isFocused)).toBe(true);
    await closePage(page);
  });

  test('rows that come above those being read, and the end of the list, leave them where they are', async () => {
    const account = await rig().openAccount(100);
    const id = await makeList(rig(), account, { emails: [...SILENT, ...AT_ONCE], name: 'Steady' });
    const page = await rig().open(account, { viewport: { width: 1_200, height: 800 } });
    await page.goto(`/lists/${id}`);
    await page.getByText('60 addresses checked so far').waitFor();
    const grid = page.getByRole('grid', { name: 'Results' });
    // A box of its own would have rows out of the page's reach.
    expect(await grid.evaluate(innerScrollers)).toEqual([]);
    await grid.getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    const read = grid.getByRole('row', { name: 'not an address 50' });
    await read.waitFor();
    // In view without the table's beginning: the headings stay.
    const heading = grid.getByRole('columnheader', { name: 'Address' });
    await until(async () => (await heading.boundingBox())!.y < 100 && (await heading.boundingBox())!.y > 0);
    const before = (await read.boundingBox())!.y;
    const steady = async (rows: number) => {
      await until(async () => (await grid.getAttribute('aria-rowcount')) === String(rows + 1));
      expect(Math.abs((await read.boundingBox())!.y - before)).toBeLessThan(2);
      expect(await grid.getByRole('row', { name: 'not an address 59' }).evaluate(isFocused)).toBe(true);
    };
    await findStates(
      rig(),
      id,
      Array.from({ length: 10 }, () => 'deliverable' as const),
    );
    await steady(70);
    // Stopped: what was not checked is there too.
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    await page.getByRole('button', { name: 'Check the other 20' }).waitFor({ state: 'attached' });
    await steady(90);
    await page.keyboard.press('Home');
    await grid.getByRole('row', { name: 'p0@silent.example' }).waitFor();
    await until(() => grid.getByRole('row', { name: 'p0@silent.example' }).evaluate(isFocused));
    await closePage(page);
  });
}

const isFocused = (one: Element) => one === document.activeElement;

function innerScrollers(grid: Element): string[] {
  return [grid, ...grid.querySelectorAll('*')]
    .filter(
      (one) =>
        /auto|scroll|hidden/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 8,
    )
    .map((one) => one.className);
}
