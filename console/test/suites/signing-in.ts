// Who may come in, and how.
import { expect, test } from 'vitest';
import { mxproof } from '../../../cli/test/run-mxproof.ts';
import { closePage, type Rig } from '../rig.ts';

export function signingIn(rig: () => Rig): void {
  test('a wrong key is refused in a sentence and stays to be corrected; the right one opens the console', async () => {
    const page = await rig().open(null);
    await page.goto('/lists');
    await page.getByRole('textbox', { name: 'API key' }).fill('mx_live_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('invalid');
    expect(await page.getByRole('textbox', { name: 'API key' }).inputValue()).toBe('mx_live_wrong');

    await page.getByRole('textbox', { name: 'API key' }).fill(rig().first.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // Where one wanted to be.
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    for (const name of ['Check', 'Lists', 'New list', 'Account'])
      expect(await page.getByRole('navigation').getByRole('link', { name, exact: true }).count(), name).toBe(
        1,
      );
    // Neither key nor cookie can be read by a script or is kept.
    expect(await page.evaluate(() => [document.cookie, JSON.stringify(localStorage)].join())).not.toMatch(
      /mx_|mxproof_session/,
    );
    // A link that is opened in another tab is signed in as well.
    const tab = await page.context().newPage();
    await tab.goto('/account');
    await tab.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByRole('textbox', { name: 'API key' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('mxproof-session-proof'))).toBeNull();
    await closePage(page);
  });

  test('the sign-in page has a list owner’s words, and leads to the guide, which needs no sign-in', async () => {
    const page = await rig().open(null);
    await page.goto('/lists');
    await page.getByText('Ask the operator of this service for a sign-in link').waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain('mxproof ');
    await page.getByRole('link', { name: 'Guide', exact: true }).click();
    await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor();
    for (const words of ['spam traps', 'Activity', 'Finders'])
      await page.getByRole('region', { name: 'What we do not sell' }).getByText(words).first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'For operators' }).click();
    await page.getByRole('region', { name: 'For operators' }).getByText('mxproof account link 1').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    // Signed in, it is in the foot of every page.
    const owner = await rig().open(rig().first);
    await owner.goto('/lists');
    await owner.getByRole('contentinfo').getByRole('link', { name: 'Guide' }).click();
    await owner.getByRole('heading', { name: 'Guide', level: 1 }).waitFor();
    await owner.getByRole('navigation').getByRole('link', { name: 'Lists' }).waitFor();
    await closePage(owner);
    await closePage(page);
  });

  test('a one-time link signs in by its button, once', async () => {
    const made = await mxproof(['account', 'link', '1'], rig().service.operator);
    const path = new URL(/http\S+\/sign-in\/\S+/.exec(made.stdout)![0]).pathname;
    const page = await rig().open(null);
    await page.goto(path);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: 'Address' }).waitFor();
    const again = await rig().open(null);
    await again.goto(path);
    await again.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await closePage(again);
    await closePage(page);
  });

  test('a browser that may store nothing says so, and its link is not used up', async () => {
    const made = await mxproof(['account', 'link', '1'], rig().service.operator);
    const path = new URL(/http\S+\/sign-in\/\S+/.exec(made.stdout)![0]).pathname;
    const page = await rig().open(null);
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await page.goto(path);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'Allow this site to store data' }).waitFor();
    await closePage(page);
    const allowed = await rig().open(null);
    await allowed.goto(path);
    await allowed.getByRole('button', { name: 'Sign in' }).click();
    await allowed.getByRole('textbox', { name: 'Address' }).waitFor();
    await closePage(allowed);
  });

  test('a session that ends shows the sign-in, and what was typed is still there after it', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/');
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('ann@shop.example');
    await page.context().clearCookies();
    await page.keyboard.press('Enter');
    await page.getByText('Your session has ended.').waitFor();
    await page.getByRole('textbox', { name: 'API key' }).fill(rig().first.apiKey);
    expect(await address.count()).toBe(0);
    await page.keyboard.press('Enter');
    await address.waitFor();
    expect(await address.inputValue()).toBe('ann@shop.example');
    await closePage(page);
  });

  test('another account that signs in after a session has ended sees nothing of its page', async () => {
    const [page, other] = [await rig().open(rig().first), await rig().openAccount(5)];
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).fill('ann@shop.example');
    await page.context().clearCookies();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'API key' }).fill(other.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('5 credits').waitFor();
    expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('');
    await closePage(page);
  });
}
