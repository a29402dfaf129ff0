// A browser that goes to a sign-in provider and comes back: as a member, from an invitation, as an operator, and as nobody.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TestProvider } from '../../../server/test/openid-provider.ts';
import type { Rig } from '../rig.ts';

export function signedInAt(rig: () => Rig, provider: () => TestProvider): void {
  /** Not the rig's window, which refuses every other origin. */
  async function press(path: string): Promise<Page> {
    const context = await rig().browser.newContext({ baseURL: rig().url, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(path);
    await page.getByRole('link', { name: /with Acme$/ }).click();
    return page;
  }

  async function invite(email: string, role: string): Promise<string> {
    const answer = await rig().call(rig().first, 'POST', '/members', { email, role });
    return new URL(((await answer.json()) as { link: string }).link).pathname;
  }

  test('whose mailbox was invited comes back signed in, without another press', async () => {
    await invite('ann@example.com', 'owner');
    provider().person = { subject: 'ann', claims: { email: 'ann@example.com', email_verified: true } };
    const page = await press('/');
    await page.getByRole('button', { name: /ann@example\.com/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.context().close();
  });

  test('an invitation is accepted with an identity that has no mailbox', async () => {
    const link = await invite('bob@example.com', 'viewer');
    provider().person = { subject: 'bob', claims: {} };
    const page = await press(link);
    await page.getByRole('button', { name: /bob@example\.com.*Viewer/s }).waitFor();
    await page.context().close();
  });

  test('an operator whom the settings name reaches the operator’s pages', async () => {
    provider().person = { subject: 'boss', claims: {} };
    const page = await press('/operator');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.context().close();
  });

  test('nobody else is let in, and reads why and where to begin again', async () => {
    provider().person = { subject: 'eve', claims: { email: 'eve@example.com', email_verified: true } };
    const page = await press('/');
    await page.getByText('you are not invited: ask an owner of the account').waitFor();
    await page.getByRole('link', { name: 'begin again' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });
}
