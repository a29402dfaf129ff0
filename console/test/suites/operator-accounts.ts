// Accounts as their operator has them: found, opened, changed, credited, suspended, deleted, by hand in a browser.
import type { AdminAccountDetail, NewAccount } from '@mxproof/client/admin';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

const LIMIT_MS = 240_000;

/** By how many pixels. */
const tooWide = (page: Page, selector: string) =>
  page.evaluate((selector) => {
    const { scrollWidth, clientWidth } = document.querySelector(selector)!;
    return Math.max(0, scrollWidth - clientWidth);
  }, selector);

export function operatorAccounts(rig: () => Rig): void {
  /** What programs of accounts ask. */
  const statusOf = async (account: Account, method: string, path: string, body?: unknown) =>
    (await rig().call(account, method, path, body)).status;
  const balanceOf = async (account: Account) =>
    ((await (await rig().call(account, 'GET', '/account')).json()) as { credits: number }).credits;
  const section = (page: Page, name: string) => page.getByRole('region', { name });
  /** The page of one account, ready. */
  const openAccount = async (account: Account, options = {}) => {
    const page = await rig().openOperator(options, `/accounts/${account.id}`);
    await section(page, 'Credits').waitFor();
    return page;
  };

  test('are found by a piece of their name, and what is looked for is in the address', async () => {
    const [some] = [await rig().openAccount(31_001), await rig().openAccount(31_002)];
    const page = await rig().openOperator({}, '/accounts');
    const rows = () => page.getByRole('table', { name: 'Accounts' }).getByRole('link').allTextContents();
    await page.getByRole('link', { name: 'With 31002', exact: true }).waitFor();
    // Without a mouse: the slash leads to the field from every page.
    await page.keyboard.press('/');
    await page.keyboard.type('h 31');
    await until(async () => (await rows()).join() === 'With 31002,With 31001');
    expect(new URL(page.url()).searchParams.get('q')).toBe('h 31');
    await page.getByText('2 accounts').waitFor();
    await page.keyboard.type('001');
    await until(async () => (await rows()).join() === 'With 31001');
    await page.reload();
    await until(async () => (await rows()).join() === 'With 31001');
    expect(await page.getByRole('searchbox').inputValue()).toBe('h 31001');
    await page.getByText('Suspended', { exact: true }).click();
    await page.getByText('No account matches.').waitFor();
    await page.getByText('All', { exact: true }).click();
    await page.getByRole('link', { name: 'With 31001' }).click();
    await page.getByRole('heading', { name: 'With 31001', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/operator/accounts/${some.id}`);
    await closePage(page);
  });

  test('an account that is opened shows its key and its secret once, and the key is one', async () => {
    const page = await rig().openOperator();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create account' });
    await create.click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill(' Sunrise Bakery ');
    await dialog.getByLabel('Initial credits').fill('1.5');
    await create.click();
    await dialog.getByText('Initial credits: enter a whole number').waitFor();
    await dialog.getByLabel('Initial credits').fill('250');
    await dialog.getByLabel('External id').fill('c-sunrise');
    await create.dblclick();
    const shown = page.getByRole('dialog', { name: 'Sunrise Bakery is ready' });
    const key = await shown.getByText(/^mx_live_/).textContent();
    await shown.getByText(/^whsec_/).waitFor();
    await shown.getByRole('link', { name: 'Open the account' }).click();
    await page.getByRole('heading', { name: 'Sunrise Bakery', level: 1 }).waitFor();
    await page.getByText('250 credits').waitFor();
    expect(await page.getByText(/^mx_live_\S{20}/).count()).toBe(0);
    expect(await statusOf({ id: 0, apiKey: key! }, 'GET', '/account')).toBe(200);
    await page.goto('/operator/accounts?q=sunrise');
    await page.getByText('1 account', { exact: true }).waitFor();
    // The same external id is refused, and what was typed stays.
    await page.getByRole('button', { name: 'New account' }).click();
    await dialog.getByLabel('Name').fill('Another');
    await dialog.getByLabel('External id').fill('c-sunrise');
    await create.click();
    await dialog.getByText('Another account has this external id.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Another');
    await closePage(page);
  });

  test('credits are added once though no answer came, and taken back after a question', async () => {
    const owner = await rig().openAccount(100);
    const page = await openAccount(owner);
    const amount = page.getByLabel('How many');
    // Done, but its answer is lost, the client's own attempt included.
    let lost = 0;
    await page.route('**/credits', async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    await amount.fill('50');
    await page.getByLabel('Note', { exact: true }).fill('invoice 7');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('No answer came, and the change may have been made').waitFor();
    expect(lost).toBe(2);
    await page.unroute('**/credits');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('50 credits were added. The balance is 150.').waitFor();
    expect(await balanceOf(owner)).toBe(150);
    await page.getByText('150 credits', { exact: true }).waitFor();
    // Meant twice, it is done twice.
    await amount.fill('50');
    await page.keyboard.press('Enter');
    await page.getByText('The balance is 200.').waitFor();

    await amount.fill('30');
    await page.getByRole('button', { name: 'Take back…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Take back 30 credits?' });
    await question.getByText('will be 170.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Take back…' }).click();
    await question.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('30 credits were taken back. The balance is 170.').waitFor();
    await amount.fill('171');
    await page.getByRole('button', { name: 'Take back…' }).click();
    const tooMany = page.getByRole('alertdialog', { name: 'Take back 171 credits?' });
    await tooMany.getByRole('button', { name: 'Take back' }).click();
    await tooMany.getByText('The balance is lower than that. Nothing was taken back.').waitFor();
    expect(await balanceOf(owner)).toBe(170);
    await tooMany.press('Escape');
    await amount.fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a whole number above 0.').waitFor();
    await closePage(page);
  });

  test('of the settings only what was edited is sent, and the rest stays though it changed meanwhile', async () => {
    const owner = await rig().openAccount(5);
    const page = await openAccount(owner);
    const sent: unknown[] = [];
    page.on('request', (one) => void (one.method() === 'PATCH' && sent.push(one.postDataJSON())));
    const settings = page.getByRole('form', { name: 'Settings' });
    const save = settings.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await settings.getByLabel('Requests a minute').fill('none');
    await save.click();
    await settings.getByText('Requests a minute: enter a whole number above 0').waitFor();
    await settings.getByLabel('Requests a minute').fill('90');
    await settings.getByLabel('Keep evidence (days)').fill('7');
    await settings.getByLabel('Send mail to').fill('anna@shop.example');
    // Its owner renames it meanwhile.
    expect(await statusOf(owner, 'PATCH', '/account', { name: 'Renamed' })).toBe(200);
    await save.click();
    await settings.getByText('Saved.').waitFor();
    expect(sent).toEqual([{ mail: 'anna@shop.example', rate_requests: 90, retention: { evidence: 7 } }]);
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
    await settings.getByLabel('Requests a minute').fill('');
    await settings.getByRole('button', { name: 'Undo' }).click();
    expect(await settings.getByLabel('Requests a minute').inputValue()).toBe('90');
    const trail = page.getByRole('table', { name: 'Who did what' });
    const row = trail
      .getByRole('row')
      .filter({ hasText: 'The account was changed by an operator with a link' });
    await row.getByText('Requests a minute 90').waitFor();
    await row.getByText('Mail changed').waitFor();
    await closePage(page);
  });

  test('its keys are made with their limits and revoked, and a link signs one browser in', async () => {
    const owner = await rig().openAccount(5);
    const page = await openAccount(owner);
    const keys = section(page, 'API keys');
    await keys.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('billing');
    await dialog.getByRole('combobox', { name: /^Access/ }).selectOption('read');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const apiKey = (await dialog.getByText(/^mx_live_/).textContent())!;
    await dialog.getByRole('button', { name: 'Done' }).click();
    const billing = { id: owner.id, apiKey };
    expect(await statusOf(billing, 'GET', '/account')).toBe(200);
    expect(await statusOf(billing, 'POST', '/verify', { email: 'ann@shop.example' })).toBe(403);
    await keys.getByText('Read only').waitFor();
    await keys.getByRole('button', { name: 'Revoke billing' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke the key' }).click();
    await keys.getByText('billing').waitFor({ state: 'detached' });
    expect(await statusOf(billing, 'GET', '/account')).toBe(401);

    await page.getByRole('button', { name: 'Sign-in link…' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    const link = await page
      .getByRole('dialog')
      .getByText(/\/sign-in\//)
      .textContent();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const visitor = await rig().open(null);
    await visitor.goto(new URL(link!).pathname);
    await visitor.getByRole('button', { name: 'Sign in' }).click();
    await visitor.getByText('5 credits').waitFor();
    await page.getByRole('button', { name: 'Sign all out…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign all out' }).click();
    await page.getByText('1 browser was signed out.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await visitor.goto('/lists');
    await visitor.getByRole('textbox', { name: 'API key' }).waitFor();
    await closePage(visitor);
    await page.getByRole('button', { name: 'Replace webhook secret…' }).click();
    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor();
    await closePage(page);
  });

  test('a suspended account reads and is told so when it would begin something; resumed, it goes on', {
    timeout: LIMIT_MS,
  }, async () => {
    const owner = await rig().openAccount(5);
    const page = await openAccount(owner);
    await page.getByRole('button', { name: 'Suspend…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('button', { name: 'Resume…' }).waitFor();
    await page.getByText('Suspended', { exact: true }).waitFor();
    expect(await statusOf(owner, 'GET', '/lists')).toBe(200);
    expect(await statusOf(owner, 'POST', '/verify', { email: 'ann@shop.example' })).toBe(403);
    const customer = await rig().open(owner);
    await customer.goto('/');
    await customer.getByRole('textbox', { name: 'Address' }).fill('ann@shop.example');
    await customer.keyboard.press('Enter');
    await customer.getByText('This account is suspended').waitFor();
    await closePage(customer);
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: 'Suspend…' }).waitFor();
    expect(await statusOf(owner, 'POST', '/verify', { email: 'ann@shop.example' })).toBe(200);
    await closePage(page);
  });

  test('is deleted once its name is typed, and then there is no such account', async () => {
    const owner = await rig().openAccount(77);
    const page = await openAccount(owner);
    await page.getByRole('button', { name: 'Delete…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete With 77?' });
    const confirm = question.getByRole('button', { name: 'Delete for good' });
    expect(await confirm.isDisabled()).toBe(true);
    await question.getByLabel('Type With 77 to confirm').fill('With 7');
    expect(await confirm.isDisabled()).toBe(true);
    await question.getByLabel('Type With 77 to confirm').fill('With 77');
    await confirm.click();
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    expect(await statusOf(owner, 'GET', '/account')).toBe(401);
    for (const gone of [owner.id, 999_999, 'x']) {
      await page.goto(`/operator/accounts/${gone}`);
      await page.getByRole('heading', { name: 'There is no such account' }).waitFor();
    }
    await closePage(page);
  });

  async function openNamed(name: string, external_id: string): Promise<number> {
    const answer = await fetch(`${rig().url}/admin/v1/accounts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await rig().adminKey('write')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name, external_id }),
    });
    return ((await answer.json()) as NewAccount).id;
  }

  test('a name with several blanks in a row is typed as it is shown', async () => {
    const id = await openNamed('Two  blanks', 'two-blanks');
    const page = await rig().openOperator({}, `/accounts/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Type Two blanks to confirm').fill('Two blanks');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    await closePage(page);
  });

  test('the longest name and external id fit, on a desk and on a phone', async () => {
    const name = 'Wxyz'.repeat(50);
    const id = await openNamed(name, 'x'.repeat(200));
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const page = await rig().openOperator({ viewport }, '/accounts?q=Wxyz');
      await page.getByRole('link', { name }).waitFor();
      expect(await tooWide(page, 'html'), 'accounts').toBe(0);
      await page.goto(`/operator/accounts/${id}`);
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('alertdialog').waitFor();
      expect(await tooWide(page, 'html'), 'one account').toBe(0);
      expect(await tooWide(page, '.modal'), 'the question').toBe(0);
      await closePage(page);
    }
  });

  test('more than a page are turned over, and the page is in the address', async () => {
    const page = await rig().openOperator();
    const asked: string[] = [];
    const many = (offset: number): { accounts: Partial<AdminAccountDetail | NewAccount>[] } => ({
      accounts: Array.from({ length: 50 }, (_, at) => ({
        ...{ id: offset + at + 1, name: `Customer ${offset + at + 1}`, external_id: null, status: 'active' },
        ...{ credits: 1, credits_used: 0, lists: 0, created_at: 1, last_active_at: null },
      })),
    });
    await page.route('**/admin/v1/accounts?*', (route) => {
      const { searchParams } = new URL(route.request().url());
      asked.push(searchParams.get('offset')!);
      return route.fulfill({
        json: many(Number(searchParams.get('offset'))),
        headers: { 'x-total-count': '120' },
      });
    });
    await page.goto('/operator/accounts');
    await page.getByText('120 accounts').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Customer 51', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 3').waitFor();
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await page.reload();
    await page.getByText('Customer 101', { exact: true }).waitFor();
    expect(asked.at(-1)).toBe('100');
    await page.getByText('Active', { exact: true }).first().click();
    await page.getByText('Customer 1', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=active');
    await closePage(page);
  });
}
