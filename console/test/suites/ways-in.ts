// The sign-in page shows the ways that the service has, each in a list owner's words.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { closePage, type Rig } from '../rig.ts';

interface Ways {
  readonly key: boolean;
  readonly mail: boolean;
  readonly openid: { readonly name: string } | null;
}
export const ALL_WAYS: Ways = { key: true, mail: true, openid: { name: 'Shop SSO' } };

/** As a service that is set up so says it. */
export const withWays = (page: Page, ways: Ways) =>
  page.route('**/session/ways', (route) => route.fulfill({ json: ways }));

const SENT = 'If this address was invited, a link is on its way: it works once, within 15 minutes.';

export function waysIn(rig: () => Rig): void {
  async function open(ways: Ways): Promise<Page> {
    const page = await rig().open(null);
    await withWays(page, ways);
    await page.goto('/lists');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    return page;
  }
  const key = (page: Page) => page.getByRole('textbox', { name: 'API key' });
  const email = (page: Page) => page.getByRole('textbox', { name: 'Your e-mail address' });

  test('with all ways, the key stands behind the others, and signs in all the same', async () => {
    const page = await open(ALL_WAYS);
    const provider = page.getByRole('link', { name: 'Continue with Shop SSO' });
    expect(await provider.getAttribute('href')).toBe('/sign-in/openid');
    await email(page).waitFor();
    expect(await key(page).isVisible()).toBe(false);
    await page.getByText('Use an API key').click();
    await key(page).fill(rig().first.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
    await closePage(page);
  });

  test('a link by mail: a missing address is asked for, and the answer is the same for every other', async () => {
    const page = await open({ key: false, mail: true, openid: null });
    const asked: unknown[] = [];
    await page.route('**/sign-in/mail', async (route) => {
      asked.push(route.request().postDataJSON());
      await route.fulfill({ status: 202, json: {} });
    });
    // It has the focus.
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Enter your e-mail address' }).waitFor();
    await page.keyboard.type(' ann@shop.example ');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: SENT }).waitFor();
    expect(asked).toEqual([{ email: 'ann@shop.example' }]);
    expect(await page.getByText('API key').count()).toBe(0);
    await page.unroute('**/sign-in/mail');
    await page.route('**/sign-in/mail', (route) => route.fulfill({ status: 429, json: { error: 'rate' } }));
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('alert').filter({ hasText: 'Too many attempts' }).waitFor();
    await closePage(page);
  });

  test('a provider with a long name has its button within the page, on a phone, too', async () => {
    const page = await open({ key: true, mail: false, openid: { name: 'Long name '.repeat(6) } });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: /^Continue with Long name/ }).waitFor();
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    await closePage(page);
  });

  test('without any way, the page says who makes a link', async () => {
    const page = await open({ key: false, mail: false, openid: null });
    await page.getByText('Ask an owner of your account or the operator').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await closePage(page);
  });
}
