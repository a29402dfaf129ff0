// One address, from typing it to why.
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { agree } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

export function singleChecks(rig: () => Rig): void {
  test('an address is checked: its state, the reason as a sentence, and what was said to its server', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).fill('ann@shop.example');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('heading', { name: 'Send' }).waitFor();
    await page.getByText('Why', { exact: true }).click();
    await page.getByText('RCPT TO:<ann@shop.example>').waitFor();
    await page.getByText('100 of 100 how confident we are that mail arrives').waitFor();
    // The words of the API come second.
    const technical = page.locator('.evidence details');
    expect(await technical.getByText('deliverable · accepted_email · accepted').isVisible()).toBe(false);
    await technical.getByText('Technical').click();
    await technical.getByText('deliverable · accepted_email · accepted').waitFor();

    await page.getByRole('textbox', { name: 'Address' }).fill('nobody@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Remove' }).waitFor();
    // The check is under its own address.
    await page.reload();
    await page.getByRole('heading', { name: 'Remove' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Send' }).waitFor();
    await closePage(page);
  });

  test('the latest checks are there with address, state and time, each a link to its result', async () => {
    const owner = await rig().openAccount(30);
    for (const n of Array(10).keys()) await rig().call(owner, 'POST', '/verify', { email: `old${n}` });
    const page = await rig().open(owner);
    await page.goto('/');
    const checks = page.getByRole('region', { name: 'Recent checks' }).getByRole('link');
    await until(async () => (await checks.count()) === 10);
    // The field has the focus; what was checked is selected, so that the next address is typed over it.
    await page.keyboard.type('ann@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Send.*ann@shop\.example$/ }).waitFor();
    await page.keyboard.type('nobody@shop.example');
    expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('nobody@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Remove.*nobody/ }).waitFor();
    await until(
      async () => (await checks.nth(0).textContent())?.startsWith('nobody@shop.exampleRemove') === true,
    );
    expect(await checks.count()).toBe(10);
    expect(await checks.nth(1).textContent()).toMatch(/^ann@shop\.exampleSend\d/);
    expect(await checks.nth(2).textContent()).toMatch(/^old9Remove/);
    expect(await checks.nth(0).getAttribute('aria-current')).toBe('page');
    await checks.nth(1).click();
    await page.getByRole('heading', { name: /^Send.*ann@shop\.example$/ }).waitFor();
    // No address is in any URL.
    expect(page.url()).toMatch(/\?check=\d+$/);
    await closePage(page);
    // Another account has none of them.
    const stranger = await rig().open(await rig().openAccount(1));
    await stranger.goto('/');
    await stranger.waitForFunction(() => document.activeElement?.getAttribute('name') === 'address');
    await stranger.waitForLoadState('networkidle');
    expect(await stranger.getByRole('region', { name: 'Recent checks' }).count()).toBe(0);
    await closePage(stranger);
  });

  test('a likelier spelling is offered and checked with one press', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).fill('ann@gmial.com');
    await page.keyboard.press('Enter');
    await page.getByText('Did you mean ann@gmail.com?').waitFor();
    await page.getByRole('button', { name: 'Check that instead' }).click();
    await page.getByRole('heading', { name: /^Send.*ann@gmail\.com$/ }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('ann@gmail.com');
    await closePage(page);
  });

  test('a name with its address is read, several are refused, and what cannot be an address costs nothing', async () => {
    const page = await rig().open(await rig().openAccount(1));
    await page.goto('/');
    const field = page.getByRole('textbox', { name: 'Address' });
    await field.fill('ann@shop.example, ben@shop.example');
    await page.keyboard.press('Enter');
    await page.getByText('There is more than one address here.').waitFor();
    await field.fill('foo@bar');
    await page.keyboard.press('Enter');
    await page.getByText('“foo@bar” cannot be an e-mail address that receives mail').waitFor();
    await page.getByRole('button', { name: 'Check it anyway (1 credit)' }).waitFor();
    // The one credit is still there.
    await field.fill('Ann Lee <ann@shop.example>');
    await page.keyboard.press('Enter');
    // It is all there is.
    await agree(page);
    await page.getByRole('heading', { name: /^Send.*ann@shop\.example$/ }).waitFor();
    expect(await field.inputValue()).toBe('ann@shop.example');
    await closePage(page);
  });

  test('typing the next address takes the old result away; an unknown address has no score', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/');
    const result = page.getByRole('article');
    const field = page.getByRole('textbox', { name: 'Address' });
    await field.fill('ann@down.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^No answer yet.*ann@down\.example$/ }).waitFor();
    expect(await result.textContent()).not.toContain('Score');
    await page.keyboard.type('a');
    await result.waitFor({ state: 'detached' });
    // It is not lost: its link still leads to it, also from the list of recent checks.
    await page.getByRole('link', { name: /^ann@down\.example/ }).click();
    await page.getByRole('heading', { name: /^No answer yet.*ann@down\.example$/ }).waitFor();
    await field.fill('ann@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Send.*ann@shop\.example$/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: /^No answer yet.*ann@down\.example$/ }).waitFor();
    await closePage(page);
  });

  test('a test key’s result says that it is not a real one', async () => {
    const { api_key } = (await (
      await rig().call(rig().first, 'POST', '/keys', { label: 'Tests', test: true })
    ).json()) as { api_key: string };
    const page = await rig().open({ id: rig().first.id, apiKey: api_key });
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).fill('disposable@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Leave out/ }).waitFor();
    await page.getByRole('article').getByText('Test mode: this is not a real result.').waitFor();
    // A risky one is left out or sent to carefully: its reason decides.
    await page.getByRole('link', { name: /^disposable@shop\.example.*Leave out/ }).waitFor();
    await closePage(page);
  });

  test('an address in another alphabet stays as it was typed', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/');
    const field = page.getByRole('textbox', { name: 'Address' });
    await field.focus();
    await page.keyboard.insertText('ann@bücher.example');
    expect(await field.inputValue()).toBe('ann@bücher.example');
    await closePage(page);
  });

  test('a slow server: the console says that the check goes on, and the result appears by itself', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).fill('ann@slow.example');
    await page.keyboard.press('Enter');
    await page.getByText('The mail server is taking its time').waitFor();
    await page.getByRole('heading', { name: /^Send.*ann@slow\.example$/ }).waitFor();
    await closePage(page);
  });
}
