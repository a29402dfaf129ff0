// The account: callbacks and their attempts, the history, keys; and what a test key changes.
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { bytesOf, pressed } from '../lists.ts';
import { type Account, closePage, type Rig, signInElsewhere } from '../rig.ts';

/** Nothing listens there. */
const CLOSED = 'https://127.0.0.1:1/hook';
const LIMIT_MS = 240_000;

async function makeList(rig: Rig, account: Account, body: object): Promise<number> {
  const made = await rig.call(account, 'POST', '/lists', body);
  return ((await made.json()) as { id: number }).id;
}

export function account(rig: () => Rig): void {
  test('callbacks are there without a refusal, with their attempts, and are sent again', {
    timeout: LIMIT_MS,
  }, async () => {
    const owner = await rig().openAccount(10);
    const emails = ['not an address'];
    const sent = await makeList(rig(), owner, { emails, name: 'Sent', callback_url: CLOSED });
    await makeList(rig(), owner, { emails, name: 'Without a callback' });
    const stuck = ['a@stuck.example'];
    const running = await makeList(rig(), owner, { emails: stuck, name: 'Running', callback_url: CLOSED });
    const attempts = async () => {
      const answer = await rig().call(owner, 'GET', `/lists/${sent}/callback`);
      return ((await answer.json()) as { attempts: unknown[] }).attempts.length;
    };
    await until(async () => (await attempts()) === 3);
    const page = await rig().open(owner);
    const refusals: string[] = [];
    page.on('response', (one) => void (one.status() >= 400 && refusals.push(one.url())));
    await page.goto('/account#callbacks');
    const entries = page.getByRole('listitem').filter({ hasText: CLOSED });
    await entries.nth(1).waitFor();
    expect(await entries.getByRole('link').allTextContents()).toEqual(['Running', 'Sent']);
    expect(await entries.nth(0).textContent()).toContain('Will be sent when the list is done');
    const row = entries.nth(1);
    await row.getByText('Failed').waitFor();
    await row.getByText('3 attempts, last: ECONNREFUSED').click();
    await until(async () => (await row.getByRole('row').count()) === 1 + 3);
    await page.getByRole('button', { name: 'Send again: callback of Sent' }).click();
    await row.getByText('Waiting').waitFor();
    await until(async () => (await attempts()) === 6);
    await row.getByText('6 attempts, last: ECONNREFUSED').waitFor();
    await until(async () => (await row.getByRole('row').count()) === 1 + 6);
    expect(refusals).toEqual([]);
    await closePage(page);
    await rig().call(owner, 'POST', `/lists/${running}/cancel`);
    const stranger = await rig().open(await rig().openAccount(1));
    await stranger.goto('/account#callbacks');
    await stranger.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    await closePage(stranger);
  });

  test('an address is erased after a question, and its row says so', async () => {
    const owner = await rig().openAccount(5);
    const id = await makeList(rig(), owner, { emails: ['not an address', 'neither@is this'] });
    await until(
      async () => (await (await rig().call(owner, 'GET', `/lists/${id}`)).json()).status === 'done',
    );
    const page = await rig().open(owner);
    await page.goto('/account');
    await page.getByRole('textbox', { name: 'Address' }).fill(' Neither@is this ');
    await page.keyboard.press('Enter');
    // On a busy machine the question is seen before it has the focus.
    await page.getByRole('alertdialog', { name: 'Erase Neither@is this?' }).press('Escape');
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByRole('button', { name: 'Erase the address' }).click();
    await page.getByText('Done: the address was erased from 1 row.').waitFor();
    await page.goto(`/lists/${id}`);
    await page.getByText('erased', { exact: true }).waitFor();
    await closePage(page);
  });

  test('who did what is told in sentences, narrowed by what was done, and the operator is one', async () => {
    const owner = await rig().openAccount(9);
    const made = await rig().call(owner, 'POST', '/keys', { label: 'sign-up form', access: 'verify' });
    const { id } = (await made.json()) as { id: number };
    await rig().call(owner, 'DELETE', `/keys/${id}`);
    const reader = await rig().call(owner, 'POST', '/keys', { label: 'dashboard', access: 'read' });
    const page = await rig().open(owner);
    await page.goto('/account');
    await page.getByRole('tab', { name: 'Who did what' }).click();
    const entries = page.getByRole('tabpanel', { name: 'Who did what' }).locator('li.entry');
    await entries.filter({ hasText: 'The account was opened by the operator' }).waitFor();
    const told = await entries.locator('.entry-name').allTextContents();
    expect(told).toEqual([
      expect.stringMatching(/^A browser with key “first” signed in$/),
      'Key “dashboard” was made by key “first”',
      // Its label went with it.
      `Key no. ${id} was revoked by key “first”`,
      `Key no. ${id} was made by key “first”`,
      'The account was opened by the operator',
    ]);
    expect(await entries.nth(3).textContent()).toContain('Access verify');
    expect(await entries.nth(3).textContent()).toContain('from 127.0.0.1');
    expect(await entries.nth(4).textContent()).not.toContain('from');
    await page.getByRole('combobox', { name: 'What was done' }).selectOption('Key revoked');
    await until(async () => (await entries.count()) === 1);
    await page.getByRole('combobox', { name: 'What was done' }).selectOption('List stopped');
    await page.getByText('Nothing of this kind.').waitFor();
    expect(await page.content()).not.toContain('/operator');
    await closePage(page);
    const { api_key: apiKey } = (await reader.json()) as { api_key: string };
    const dashboard = await rig().open({ id: owner.id, apiKey });
    await dashboard.goto('/account#audit');
    await dashboard.getByText('You are signed in with a key that cannot manage keys').waitFor();
    await closePage(dashboard);
  });

  test('the account is renamed in its place, and its name is selected for that', async () => {
    const page = await rig().open(await rig().openAccount(3));
    await page.goto('/account');
    await page.getByText('With 3').waitFor();
    await page.getByRole('button', { name: 'Rename the account' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rename the account' }).press('Enter');
    await page.getByRole('textbox', { name: 'New name of the account' }).waitFor();
    await page.keyboard.type('Ann & Söhne');
    await page.keyboard.press('Enter');
    await page.getByText('Ann & Söhne', { exact: true }).waitFor();
    // The button has the focus again.
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Rename the account',
    );
    await page.reload();
    await page.getByText('Ann & Söhne', { exact: true }).waitFor();
    await closePage(page);
  });

  test('a single check in the history leads to its result, a list to its list', async () => {
    const owner = await rig().openAccount(10);
    await makeList(rig(), owner, { emails: ['not an address'] });
    await rig().call(owner, 'POST', '/verify', { email: 'ann@shop.example' });
    const page = await rig().open(owner);
    await page.goto('/account');
    const rows = page.getByRole('table').last().getByRole('row');
    expect(await rows.nth(1).textContent()).toMatch(/^Charged One address/);
    await rows
      .nth(2)
      .getByRole('link', { name: /^List \d+$/ })
      .waitFor();
    // Of all entries, shown or not.
    const saved = (await bytesOf(await pressed(page, 'Download as CSV'))).toString().split('\r\n');
    expect(saved[0]).toBe('When (UTC),What,List,Note,Credits,Balance');
    expect(saved[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Charged,One address,,-1,8$/);
    expect(saved[2]).toMatch(/,Charged,List \d+,1 address,-1,9$/);
    expect(saved[3]).toMatch(/,Added,,.*,10,10$/);
    await page.getByRole('link', { name: 'One address' }).click();
    await page.getByRole('heading', { name: /^Send.*ann@shop\.example$/ }).waitFor();
    await page.getByRole('link', { name: 'Lists' }).click();
    // Single checks are not lists that a user submitted.
    await page.getByRole('button', { name: /^Rename/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Rename/ }).count()).toBe(1);
    await closePage(page);
  });

  test('a refused request is found by its X-Request-Id, with its code, its key and its client', async () => {
    const owner = await rig().openAccount(1);
    await makeList(rig(), owner, { emails: ['not an address'] });
    const refused = await rig().call(owner, 'GET', '/lists/424242');
    const id = refused.headers.get('x-request-id')!;
    const page = await rig().open(owner);
    await page.goto('/account#requests');
    await page.getByRole('cell', { name: 'POST /v1/lists' }).waitFor();
    const field = page.getByRole('textbox', { name: 'X-Request-Id' });
    await field.fill(` ${id} `);
    const row = page.getByRole('row').filter({ hasText: id });
    await until(async () => {
      await page.getByRole('button', { name: 'Find' }).click();
      return (await page.getByRole('row').count()) === 2 && (await row.count()) === 1;
    });
    expect(await row.textContent()).toMatch(/GET \/v1\/lists\/\{id\}.*404.*list_not_found/);
    await field.fill('17');
    await page.keyboard.press('Enter');
    await page.getByText('This is not an X-Request-Id.').waitFor();
    await field.fill('');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('402');
    await page.getByText('No such request in the last seven days.').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('404');
    await row.waitFor();
    await closePage(page);
  });

  test('a key is made for some addresses only; what is no address is named, and nothing typed is lost', async () => {
    const page = await rig().open(await rig().openAccount(1));
    await page.goto('/account#keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const [label, allowed] = ['Label', 'Allowed IP addresses'].map((name) =>
      page.getByRole('textbox', { name }),
    );
    await label!.fill('Web shop');
    await allowed!.fill('203.0.113.7, shop.example');
    const make = page.getByRole('button', { name: 'Create key' });
    await make.click();
    expect(await page.getByRole('alert').textContent()).toContain('“shop.example” is not an IP address');
    expect(await allowed!.getAttribute('aria-invalid')).toBe('true');
    await allowed!.fill('203.0.113.7 10.0.0.1/8');
    await make.click();
    await page.getByRole('alert').filter({ hasText: 'The service does not accept' }).waitFor();
    expect(await label!.inputValue()).toBe('Web shop');
    expect(await allowed!.inputValue()).toBe('203.0.113.7 10.0.0.1/8');
    await allowed!.fill('203.0.113.7 10.0.0.0/8');
    await make.click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('only from 203.0.113.7, 10.0.0.0/8').waitFor();
    await closePage(page);
  });

  test('a key is made that only checks single addresses, cannot manage keys, and says so in its row', async () => {
    const page = await rig().open(await rig().openAccount(1));
    await page.goto('/account#keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const manage = page.getByRole('checkbox', { name: 'Can manage keys' });
    await manage.check();
    await page.getByRole('combobox', { name: 'Access' }).selectOption('Single checks only');
    expect(await manage.isDisabled()).toBe(true);
    expect(await manage.isChecked()).toBe(false);
    await page.getByRole('textbox', { name: 'Label' }).fill('Sign-up form');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy it now').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Sign-up form' });
    await row.getByText('Single checks only').waitFor();
    expect(await row.getByText('Manages keys').count()).toBe(0);
    await closePage(page);
  });

  test('with a test key, lists are as small as they have to be, and nothing is charged', {
    timeout: LIMIT_MS,
  }, async () => {
    const owner = await rig().openAccount(0);
    const made = await rig().call(owner, 'POST', '/keys', { label: 'tests', test: true });
    const { api_key } = (await made.json()) as { api_key: string };
    const page = await rig().open(owner);
    await page.clock.install();
    await page.goto('/new');
    const lines = Array.from({ length: 10_001 }, (_, at) => `a${at}@shop.example`);
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'l.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) });
    await page.getByText('you have 0: you need 10,001 more').waitFor();
    // In another tab of the same browser, a while later.
    await page.clock.fastForward(10_000);
    const another = await page.context().newPage();
    await signInElsewhere(another, api_key);
    await another.close();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('You are signed in with a test key').waitFor();
    await page.getByRole('link', { name: 'New list' }).click();
    await page.getByText('at most 10,000 addresses, so this file becomes 2 lists').waitFor();
    await page.getByText('nothing is charged').first().waitFor();
    expect(await page.getByText('Credits needed').count()).toBe(0);
    await page.getByRole('button', { name: 'Start checking' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await page.getByText('10,001 addresses', { exact: true }).last().waitFor();
    await closePage(page);
  });
}
