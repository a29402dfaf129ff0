// A list while it is checked: begun, stopped, cut off.
import { expect, test } from 'vitest';
import { mxproof } from '../../../cli/test/run-mxproof.ts';
import { until } from '../../../server/test/until.ts';
import { agree, bytesOf, download, makeList, pickFile, STUCK, startFile, stopList, WHOLE } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

export function runningLists(rig: () => Rig): void {
  test('a list that runs shows how far it is; stopped after a question, it keeps what is finished and shows the refund', async () => {
    const account = await rig().openAccount(10);
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'l.txt', STUCK.join('\n'));
    await startFile(page);
    const progress = page.getByRole('progressbar');
    await until(async () => (await progress.getAttribute('aria-valuenow')) === '1');
    expect(await progress.getAttribute('aria-valuemax')).toBe('4');
    const stop = page.getByRole('button', { name: 'Stop and refund the rest…' });
    await stop.click();
    const asked = page.getByRole('alertdialog', { name: 'Stop and refund the rest?' });
    await asked.getByText('3 addresses of 4 will not be checked. About 3 credits come back').waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    expect(await stop.evaluate((button) => button === document.activeElement)).toBe(true);
    await stopList(page);
    await page.getByText('3 credits were refunded').waitFor();
    await page.getByText('Stopped: 1 of its 4 addresses were checked.').waitFor();
    await page.getByRole('banner').getByText('9 credits').waitFor();
    expect(await page.getByRole('row', { name: 'ann@shop.example' }).textContent()).toContain('SendAccepted');
    await closePage(page);
  });

  test('a list that runs says what it waits for, and when it is done at the latest', async () => {
    const account = await rig().openAccount(10);
    const emails = ['ann@shop.example', 'ann@grey.example', 'ben@grey.example', 'ann@stuck.example'];
    const id = await makeList(rig(), account, { emails, name: 'Waiting' });
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    const waiting = page.getByRole('region', { name: '3 of 4 left' });
    await until(async () => {
      const lines = await waiting.getByRole('listitem').allTextContents();
      // Another test's list may be before it at that server.
      expect(lines.find((line) => line.startsWith('1 '))).toMatch(
        /^1 being checked now(, or next in the queue)?$/,
      );
      expect(lines.find((line) => line.startsWith('2 '))).toMatch(
        /^2 at \S+grey\.example, which asks first-time senders to try again later next attempt in \d+ (second|minute)s?$/,
      );
    });
    expect(await waiting.textContent()).toMatch(/Usually minutes; we stop asking at .*\d\d:\d\d\./);
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    await page.getByText('credits were refunded').waitFor();
    expect(await waiting.count()).toBe(0);
    await closePage(page);
  });

  test('a list that ends does not interrupt the typing of its name', async () => {
    const account = await rig().openAccount(10);
    const id = await makeList(rig(), account, { emails: STUCK, name: 'Guests' });
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: 'Rename Guests' }).click();
    // The name is selected: what is typed replaces it.
    await page.keyboard.type('Friends of');
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    await page.getByText('credits were refunded').waitFor();
    await page.keyboard.type(' March');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Friends of March', level: 1 }).waitFor();
    await closePage(page);
  });

  test('a lost connection is said, and mended by itself', async () => {
    const account = await rig().openAccount(10);
    const id = await makeList(rig(), account, { emails: STUCK, name: 'Cut off' });
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await page.getByRole('progressbar').waitFor();
    await page.context().setOffline(true);
    await page.getByText('The connection is lost').waitFor();
    // What happens meanwhile is not missed.
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    await page.context().setOffline(false);
    await page.getByText('credits were refunded').waitFor();
    expect(await page.getByText('The connection is lost').count()).toBe(0);
    await closePage(page);
  });

  test('a file that costs more than there is cannot be started; as many of its addresses as the balance covers can', async () => {
    const account = await rig().openAccount(2);
    const page = await rig().open(account);
    await page.goto('/new');
    const given =
      'name,email\nAnn,ann@shop.example\nNo one,none\nBen,ben@shop.example\nGone,gone@shop.example\nTwin,Ann@shop.example\n';
    await pickFile(page, 'people.csv', given);
    await page.getByText('you have 2: you need 1 more').waitFor();
    expect(await page.getByRole('button', { name: 'Start checking' }).isDisabled()).toBe(true);
    // Nor does Enter in the field of its name.
    await page.getByRole('textbox', { name: 'List name' }).press('Enter');
    const startFirst = page.getByRole('button', { name: 'Check the first 2' });
    // It is begun and charged, but the answer is lost, and the page with it: begun again, it is charged once.
    let isCut = true;
    await page.route('**/v1/lists', async (route) => {
      if (!isCut || route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await startFirst.click();
    await agree(page);
    await page.getByRole('alert').waitFor();
    isCut = false;
    await page.reload();
    await pickFile(page, 'people.csv', given);
    await page.getByText('you have 0: you need 3 more').waitFor();
    await startFirst.click();
    await page.getByRole('heading', { name: 'people.csv (first 2)', level: 1 }).waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    const back = (await bytesOf(await download(page, WHOLE))).toString().split('\n');
    expect(back.map((line) => line.split(',').slice(0, 3))).toEqual([
      ['name', 'email', 'state'],
      ['Ann', 'ann@shop.example', 'deliverable'],
      ['No one', 'none', 'undeliverable'],
      ['Ben', 'ben@shop.example', 'deliverable'],
      ['Gone', 'gone@shop.example', ''],
      ['Twin', 'Ann@shop.example', 'deliverable'],
      [''],
    ]);
    const credits = async () => (await (await rig().call(account, 'GET', '/account')).json()).credits;
    expect(await credits()).toBe(0);

    // With credits for it, the rest comes into the same list and the same file, and nothing is paid twice.
    await mxproof(['credits', 'add', String(account.id), '5'], rig().service.operator);
    await page.goto('/new');
    await pickFile(page, 'people.csv', given);
    await page.getByText('You checked the first 2 of its 3 addresses').waitFor();
    await page.getByRole('button', { name: 'Check only the other 1' }).click();
    await page.getByText('Only the other 1 address will be checked').waitFor();
    await startFile(page);
    await page.getByRole('heading', { name: 'people.csv', level: 1, exact: true }).waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    const whole = (await bytesOf(await download(page, WHOLE))).toString();
    expect(whole.match(/(?<=@shop\.example,)\w+/g)).toEqual([
      ...['deliverable', 'deliverable', 'undeliverable', 'deliverable'],
    ]);
    expect(await credits()).toBe(4);
    await closePage(page);
  });

  test('a file that costs more than there is says how much more; credits spent meanwhile lose no file', async () => {
    const account = await rig().openAccount(3);
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'l.txt', 'a@shop.example\nb@shop.example\nc@shop.example\nd@shop.example');
    await page.getByText('you have 3: you need 1 more').waitFor();
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await pickFile(page, 'l.txt', 'a@shop.example\nb@shop.example\nc@shop.example');
    const start = page.getByRole('button', { name: 'Start checking' });
    await start.click();
    // The balance is live: what it is now is kept from the page until the service has refused.
    let tell = () => {};
    const told = new Promise<void>((done) => {
      tell = done;
    });
    await page.route('**/v1/account', async (route) => {
      await told;
      await route.continue();
    });
    await makeList(rig(), account, { emails: ['ben@shop.example'] });
    const refused = page.waitForResponse((response) => response.status() === 402);
    await agree(page);
    await refused;
    tell();
    const said = await page.getByRole('alert').textContent();
    expect(said).toContain('this needs 3 credits and you have 2');
    await page.getByText('l.txt', { exact: true }).waitFor();
    await closePage(page);
  });

  test('lists are found by name and renamed in place', async () => {
    await makeList(rig(), rig().first, { emails: ['not an address'], name: 'Spring' });
    const page = await rig().open(rig().first);
    await page.goto('/lists');
    await page.getByRole('searchbox', { name: 'Search lists' }).fill('spri');
    await page.getByRole('button', { name: 'Rename Spring' }).click();
    await page.getByRole('textbox', { name: 'New name of Spring' }).fill('Spring 2027');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Spring 2027' }).waitFor();
    await closePage(page);
  });
}
