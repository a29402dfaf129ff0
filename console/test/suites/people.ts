// Members: invited, joined, given another role, removed; what each role sees; accounts and modes that one switches between.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeList, untilDone } from '../lists.ts';
import { invite, mailedPath, openAs, openJoined } from '../people.ts';
import { closePage, type Rig } from '../rig.ts';

const LIMIT_MS = 120_000;
const who = (page: Page) => page.getByRole('button', { name: /^Signed in as/ });
const person = (page: Page, email: string) =>
  page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: email });

export function people(rig: () => Rig): void {
  test('an owner invites with a link that is shown once; who joins by it is seen, gets another role, and is signed out when removed', {
    timeout: LIMIT_MS,
  }, async () => {
    const account = await rig().openAccount(20);
    const owner = await openAs(rig(), account, 'owner');
    await owner.goto('/account#members');
    await person(owner, 'owner@shop.example').getByText('You').waitFor();
    await owner.getByRole('button', { name: 'Invite a member' }).click();
    const form = owner.getByRole('dialog', { name: 'Invite a member' });
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    await form.getByRole('alert').filter({ hasText: 'Enter the e-mail address of one person' }).waitFor();
    await form.getByRole('textbox', { name: 'E-mail address' }).fill('Ann@Shop.example');
    await form.getByRole('radio', { name: /^Member/ }).check();
    await owner.keyboard.press('Enter');
    const link = await owner
      .getByRole('dialog', { name: 'A link for ann@shop.example' })
      .getByRole('code')
      .textContent();
    await owner.getByRole('button', { name: 'Done' }).click();
    await person(owner, 'ann@shop.example')
      .getByText(/^Invited/)
      .waitFor();
    expect(await owner.content()).not.toContain(link);

    const ann = await openJoined(rig(), new URL(link!).pathname);
    expect(await who(ann).textContent()).toMatch(/ann@shop\.example.*With 20 · Member/);
    await ann.goto('/account');
    await ann.getByRole('tab', { name: 'Balance' }).waitFor();
    expect(await ann.getByRole('tab').allTextContents()).toEqual(['Balance', 'Callbacks', 'Code']);

    await owner.reload();
    await person(owner, 'ann@shop.example')
      .getByText(/^Joined/)
      .waitFor();
    await owner.getByRole('combobox', { name: 'Role of ann@shop.example' }).selectOption('Viewer');
    await ann.reload();
    await ann.getByText('With 20 · Viewer').waitFor();

    await owner.getByRole('button', { name: 'Remove ann@shop.example' }).click();
    await owner
      .getByRole('alertdialog', { name: 'Remove ann@shop.example?' })
      .getByRole('button', { name: 'Remove from the account' })
      .click();
    await person(owner, 'ann@shop.example').waitFor({ state: 'detached' });
    // Within seconds, without anything being pressed.
    await ann.getByRole('heading', { name: 'Sign in' }).waitFor();
    await closePage(ann);
    await owner.getByRole('tab', { name: 'Who did what' }).click();
    await owner
      .getByText(/was removed/)
      .first()
      .waitFor();
    await closePage(owner);
  });

  test('the page of an invitation holds the longest mailbox, on a phone, too', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.example`;
    const { path } = await invite(rig(), await rig().openAccount(21), email, 'viewer');
    const page = await rig().open(null, { viewport: { width: 390, height: 844 } });
    await page.goto(path);
    await page.getByText(email).waitFor();
    const over = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(over).toBeLessThanOrEqual(0);
    await closePage(page);
  });

  test('the only owner stays one, in words', async () => {
    const owner = await openAs(rig(), await rig().openAccount(1), 'owner');
    await owner.goto('/account#members');
    await owner.getByRole('button', { name: 'Remove owner@shop.example' }).click();
    const question = owner.getByRole('alertdialog');
    await question.getByText('This is you').waitFor();
    await question.getByRole('button', { name: 'Remove from the account' }).click();
    await question.getByRole('alert').filter({ hasText: 'Make another member an owner first' }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await owner.getByRole('combobox', { name: 'Role of owner@shop.example' }).selectOption('Viewer');
    await owner.getByRole('button', { name: 'Become viewer' }).click();
    await owner.getByRole('alert').filter({ hasText: 'This is the only owner' }).waitFor();
    await expect.poll(() => owner.getByRole('combobox').inputValue()).toBe('owner');
    await closePage(owner);
  });

  test('another link for somebody ends the one before', async () => {
    const account = await rig().openAccount(1);
    const { path } = await invite(rig(), account, 'ben@shop.example', 'member');
    const page = await rig().open(account);
    await page.goto('/account#members');
    await page.getByRole('button', { name: 'New link for ben@shop.example' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByRole('dialog').getByRole('code').textContent();
    await closePage(page);
    const late = await rig().open(null);
    await late.goto(path);
    await late.getByRole('heading', { name: 'This invitation no longer works' }).waitFor();
    await closePage(late);
    await closePage(await openJoined(rig(), new URL(link!).pathname));
  });

  test('a viewer sees lists and results, and no button that would be refused; nothing is refused on the way', {
    timeout: LIMIT_MS,
  }, async () => {
    const account = await rig().openAccount(50);
    const emails = ['ann@shop.example', 'nobody@shop.example', 'ann@gmial.com', 'z@silent.example'];
    const done = await makeList(rig(), account, { name: 'March', emails: emails.slice(0, 3) });
    const running = await makeList(rig(), account, { name: 'April', emails });
    await untilDone(rig(), account, done);
    const page = await openAs(rig(), account, 'viewer');
    const refused: string[] = [];
    page.on('response', (one) => void (one.status() >= 400 && refused.push(one.url())));
    // There is nothing to check with: the lists are where a viewer begins.
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'Lists',
      'Outcomes',
      'Account',
    ]);
    await page.getByRole('link', { name: 'March' }).waitFor();
    for (const role of ['checkbox', 'link'] as const)
      expect(await page.getByRole(role, { name: /New list|Select/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Rename|Delete/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'March' }).click();
    await page.getByRole('row', { name: 'nobody@shop.example' }).waitFor();
    await page.getByRole('button', { name: 'Other downloads' }).waitFor();
    for (const name of [/^Rename/, 'Delete list', /^Check \d/, /^Fix and check/])
      expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0);
    await page.goto(`/lists/${running}`);
    await page.getByRole('progressbar').waitFor();
    for (const name of [/^Pause/, /^Stop/]) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto('/account');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Balance', 'Callbacks', 'Code']);
    for (const name of [/^Rename/, /^Erase/])
      expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0);
    await page.getByRole('tab', { name: 'Callbacks' }).click();
    await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    await page.goto('/outcomes');
    await page.getByText('An owner of the account can switch it on').waitFor();
    expect(await page.getByRole('tab').count()).toBe(3);
    await page.goto('/new');
    await page.getByText('Your role in this account does not allow that').waitFor();
    expect(refused).toEqual([]);
    await closePage(page);
    await rig().call(account, 'POST', `/lists/${running}/cancel`);
  });

  test('a role that is less than the page believes is refused in a sentence, and the page follows', async () => {
    const account = await rig().openAccount(500);
    const { id, path } = await invite(rig(), account, 'cy@shop.example', 'member');
    const page = await openJoined(rig(), path);
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('ann@shop.example');
    const changed = await rig().call(account, 'PATCH', `/members/${id}`, { role: 'viewer' });
    expect(changed.status).toBe(200);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await closePage(page);
  });

  test('one person goes between accounts and modes by keyboard; another tab does not stay in the account before', {
    timeout: LIMIT_MS,
  }, async () => {
    const [shop, club] = [await rig().openAccount(31), await rig().openAccount(32)];
    const email = 'di@shop.example';
    const first = await invite(rig(), shop, email, 'owner');
    await invite(rig(), club, email, 'viewer');
    await makeList(rig(), shop, { name: 'Of the shop', emails: ['not an address'] });
    // A mailed link proves the mailbox, and with it all that was invited there.
    const page = await openJoined(rig(), await mailedPath(rig(), first.id));
    await page.getByText('With 31 · Owner').waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/lists');
    await tab.getByRole('link', { name: 'Of the shop' }).waitFor();
    await who(page).press('Enter');
    await page.getByRole('menuitemradio', { name: 'With 31' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await who(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'With 31' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('With 32 · Viewer').waitFor();
    await tab.getByText('With 32 · Viewer').waitFor();
    expect(await tab.getByText('Of the shop').count()).toBe(0);
    await who(page).click();
    await page.getByRole('menuitemradio', { name: 'With 31' }).click();
    await page.getByText('With 31 · Owner').waitFor();
    await who(page).click();
    await page.getByRole('menuitemradio', { name: 'Test' }).click();
    await page.getByRole('link', { name: /^Test mode/ }).waitFor();
    await page.goto('/lists');
    await page
      .getByRole('heading', { name: 'Nothing here yet' })
      .or(page.locator('.empty'))
      .first()
      .waitFor();
    await who(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await closePage(page);
  });

  test('who is signed in as themselves joins another account as the same person', async () => {
    const [shop, club] = [await rig().openAccount(41), await rig().openAccount(42)];
    const mine = await invite(rig(), shop, 'eve@shop.example', 'member');
    const other = await invite(rig(), club, 'eve@elsewhere.example', 'member');
    const page = await openJoined(rig(), await mailedPath(rig(), mine.id));
    await page.goto(other.path);
    await page.getByRole('button', { name: 'Join as eve@shop.example' }).click();
    await page.getByText('With 42 · Member').waitFor();
    await who(page).click();
    await page.getByRole('menuitemradio', { name: 'With 41' }).waitFor();
    await closePage(page);
  });

  test('signed in with a key, there is nothing to switch, and a test key reaches no members', async () => {
    const account = await rig().openAccount(2);
    const page = await rig().open(account);
    await page.goto('/account');
    await page.getByRole('tab', { name: 'Members' }).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await who(page).count()).toBe(0);
    await closePage(page);
    const made = await rig().call(account, 'POST', '/keys', { label: 'tests', test: true, manage: true });
    const { api_key: apiKey } = (await made.json()) as { api_key: string };
    const tests = await rig().open({ id: account.id, apiKey });
    await tests.goto('/account');
    await tests.getByRole('tab', { name: 'API keys' }).waitFor();
    await expect.poll(() => tests.getByRole('tab', { name: 'Members' }).count()).toBe(0);
    await closePage(tests);
  });
}
