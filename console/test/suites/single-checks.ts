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
    await page.getByRole('heading', { name: 'Deliverable' }).waitFor();
    await page.getByText('Why', { exact: true }).click();
    await page.getByText('RCPT TO:<ann@shop.example>').waitFor();
    expect(await page.locator('.evidence .facts').textContent()).toContain(
      'deliverable · accepted_email · accepted',
    );

    await page.getByRole('textbox', { name: 'Address' }).fill('nobody@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Undeliverable' }).waitFor();
    // The check is under its own address.
    await page.reload();
    await page.getByRole('heading', { name: 'Undeliverable' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Deliverable' }).waitFor();
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
    await page.getByRole('heading', { name: /^Deliverable.*ann@shop\.example$/ }).waitFor();
    await page.keyboard.type('nobody@shop.example');
    expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('nobody@shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Undeliverable.*nobody/ }).waitFor();
    await until(
      async () =>
        (await checks.nth(0).textContent())?.startsWith('nobody@shop.exampleUndeliverable') === true,
    );
    expect(await checks.count()).toBe(10);
    expect(await checks.nth(1).textContent()).toMatch(/^ann@shop\.exampleDeliverable\d/);
    expect(await checks.nth(2).textContent()).toMatch(/^old9Undeliverable/);
    expect(await checks.nth(0).getAttribute('aria-current')).toBe('page');
    await checks.nth(1).click();
    await page.getByRole('heading', { name: /^Deliverable.*ann@shop\.example$/ }).waitFor();
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
    await page.getByRole('heading', { name: /^Deliverable.*ann@gmail\.com$/ }).waitFor();
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
    await page.getByRole('heading', { name: /^Deliverable.*ann@shop\.example$/ }).waitFor();
    expect(await field.inputValue()).toBe('ann@shop.example');
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
    await page.getByRole('heading', { name: /^Deliverable.*ann@slow\.example$/ }).waitFor();
    await closePage(page);
  });
}
