// Webhook endpoints: added with a secret shown once, told of a test event, paused, changed, switched off, deleted.
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

/** Nothing listens there. */
const CLOSED = 'https://127.0.0.1:1/hooks/mxproof';

/** What an endpoint that answers would be answered with, which here none does. */
const ANSWERED = {
  id: '0e0a7b52-4a0e-4c3a-9c43-6d1b9d8d6a52',
  event: 'list.done',
  list_id: 7,
  state: 'failed',
  created_at: 1_794_960_000,
  next_attempt_at: null,
  attempts: [
    { at: 1_794_960_000, status: null, error: 'ECONNREFUSED', duration_ms: 3, answer: null },
    {
      at: 1_794_960_030,
      status: 500,
      error: null,
      duration_ms: 1_204,
      answer: '<h1>Internal Server Error</h1> relation "orders" does not exist',
    },
  ],
};

export async function withAnswers(page: Page): Promise<void> {
  await page.route('**/v1/webhooks/*/deliveries**', (route: Route) =>
    route.fulfill({
      json: {
        deliveries: [
          { ...ANSWERED, id: 'd3', event: 'test', list_id: null, state: 'pending', attempts: [] },
          { ...ANSWERED, id: 'd2', state: 'delivered', attempts: [{ ...ANSWERED.attempts[0], status: 204 }] },
          ANSWERED,
        ],
      },
    }),
  );
}

export async function addEndpoint(rig: Rig, account: Account, description: string): Promise<number> {
  const body = { url: CLOSED, events: ['list.done', 'credits.low'], description };
  const made = await rig.call(account, 'POST', '/webhooks', body);
  return ((await made.json()) as { id: number }).id;
}

export function webhooks(rig: () => Rig): void {
  test('an endpoint is added, its secret shown once, tried, paused, changed, and deleted', async () => {
    const page = await rig().open(await rig().openAccount(1));
    await page.goto('/account#webhooks');
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('http://shop.example.com/hook');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'begins with https://' }).waitFor();
    await address.fill(CLOSED);
    await page.getByRole('textbox', { name: 'Description' }).fill('Shop backend');
    await page.getByRole('checkbox', { name: 'Credits low' }).check();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Copy it now').waitFor();
    expect(await page.getByRole('dialog').getByRole('code').textContent()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('listitem').filter({ hasText: 'Shop backend' });
    await row.getByText('List done · List failed or cancelled · Credits low').waitFor();
    const act = (name: string) => page.getByRole('button', { name: `${name}: ${CLOSED}` });
    await act('Send a test event').click();
    // Shown at once, with its attempts as they come.
    await row.getByText('Test event').waitFor();
    await row.getByText('1 attempt, last: ECONNREFUSED').waitFor();
    await act('Pause').click();
    await row.getByText('Events are kept for three days').waitFor();
    expect(await act('Send a test event').count()).toBe(0);
    await act('Resume').click();
    await act('Pause').waitFor();

    await act('Change').click();
    expect(await address.inputValue()).toBe(CLOSED);
    for (const each of ['List done', 'List failed or cancelled', 'Credits low'])
      await page.getByRole('checkbox', { name: each }).uncheck();
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByRole('checkbox', { name: 'List paused' }).check();
    await page.getByRole('button', { name: 'Save' }).last().click();
    await row.getByText('List paused', { exact: true }).waitFor();

    await act('Replace the secret').click();
    await page.getByRole('button', { name: 'Replace secret' }).click();
    await page.getByText('Copy it now').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await act('Delete').click();
    await page.getByRole('alertdialog', { name: 'Delete the endpoint?' }).press('Escape');
    await act('Delete').click();
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'webhooks-title');
    await closePage(page);
  });

  test('one that was switched off says why and is switched on; answers are shown, and events sent again', async () => {
    const owner = await rig().openAccount(1);
    const id = await addEndpoint(rig(), owner, 'Shop');
    const page = await rig().open(owner);
    await withAnswers(page);
    const resent: string[] = [];
    await page.route('**/resend', (route) => {
      resent.push(new URL(route.request().url()).pathname);
      return route.fulfill({ status: 202, json: { ...ANSWERED, state: 'pending' } });
    });
    let isOff = true;
    await page.route('**/v1/webhooks', async (route) => {
      const response = await route.fetch();
      const { webhooks } = (await response.json()) as { webhooks: object[] };
      const off = isOff ? { off_at: 1_794_960_000, off_reason: 'gone' } : {};
      await route.fulfill({ response, json: { webhooks: webhooks.map((one) => ({ ...one, ...off })) } });
    });
    await page.goto('/account#webhooks');
    await page.getByText('because it answered 410, which means “gone”').waitFor();
    isOff = false;
    await page.getByRole('button', { name: `Switch on: ${CLOSED}` }).click();
    await page.getByRole('button', { name: `Pause: ${CLOSED}` }).waitFor();
    await page.getByText('Deliveries', { exact: true }).click();
    await page.getByText('2 attempts, last: Status 500').click();
    await page.getByText('relation "orders" does not exist').waitFor();
    await page
      .getByRole('button', { name: /^Send again: List done/ })
      .last()
      .click();
    await until(() => resent.length === 1);
    expect(resent).toEqual([`/v1/webhooks/${id}/deliveries/${ANSWERED.id}/resend`]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await closePage(page);
  });

  test('where credits are low is kept; what is no number is refused in its place', async () => {
    const page = await rig().open(await rig().openAccount(1));
    await page.goto('/account#webhooks');
    const low = page.getByRole('textbox', { name: 'Low below' });
    await low.fill('many');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a whole number from 1').waitFor();
    await low.fill('500');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await until(async () => (await low.inputValue()) === '500');
    await low.fill('');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    await closePage(page);
  });
}
