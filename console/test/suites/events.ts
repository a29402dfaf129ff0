// How a running list is followed: by a stream in the visible tab, by polling where streams do not come through, by a
// notification from a hidden tab.
import type { BrowserContext, Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { makeList, STUCK } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

/** The streams that are open in all tabs, each by its page. */
function streamsOf(context: BrowserContext): () => Page[] {
  const open = new Set<Request>();
  context.on('request', (request) => {
    if (request.url().endsWith('/events')) open.add(request);
  });
  const end = (request: Request) => void open.delete(request);
  context.on('requestfinished', end).on('requestfailed', end);
  return () => [...open].map((request) => request.frame().page());
}

/** Playwright's tabs are all in front: which one is looked at is said here. */
async function look(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    isVisible ? 'visible' : 'hidden',
  );
}

export function events(rig: () => Rig): void {
  test('of two tabs, only the one that is looked at holds a stream', async () => {
    const account = await rig().openAccount(10);
    const id = await makeList(rig(), account, { emails: STUCK, name: 'Two tabs' });
    const page = await rig().open(account);
    const streams = streamsOf(page.context());
    await page.goto(`/lists/${id}`);
    await until(() => expect(streams()).toEqual([page]));
    const other = await page.context().newPage();
    await look(page, false);
    await other.goto(`/lists/${id}`);
    await other.getByRole('progressbar').waitFor();
    await until(() => expect(streams()).toEqual([other]));
    await look(other, false);
    await until(() => expect(streams()).toEqual([]));
    await look(page, true);
    await until(() => expect(streams()).toEqual([page]));
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    await page.getByText('credits were refunded').waitFor();
    await closePage(page);
  });

  test('where no stream comes through, the numbers move all the same', async () => {
    const account = await rig().openAccount(10);
    const page = await rig().open(account);
    let cut = 0;
    await page.route('**/events', (route) => {
      cut += 1;
      return route.abort('connectionreset');
    });
    const id = await makeList(rig(), account, {
      emails: ['ann@slow.example', ...STUCK.slice(1)],
      name: 'Cut',
    });
    await page.goto(`/lists/${id}`);
    const progress = page.getByRole('progressbar');
    expect(await progress.getAttribute('aria-valuenow')).toBe('0');
    await until(async () => (await progress.getAttribute('aria-valuenow')) === '1');
    expect(cut).toBeGreaterThan(0);
    // The list can be asked for: nothing is lost.
    expect(await page.getByText('The connection is lost').count()).toBe(0);
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    await page.getByText('credits were refunded').waitFor();
    await closePage(page);
  });

  test('a notification is offered, shown when the list is done in a tab that is not looked at, and only then', async () => {
    const account = await rig().openAccount(20);
    const page = await rig().open(account);
    await page.addInitScript(() => {
      const shown: string[] = [];
      class Stub {
        static permission = 'default';
        static async requestPermission() {
          Stub.permission = 'granted';
          return Stub.permission;
        }
        constructor(title: string) {
          shown.push(title);
        }
      }
      Object.assign(window, { Notification: Stub, shown });
    });
    const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
    const id = await makeList(rig(), account, { emails: STUCK, name: 'Guests' });
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: 'Notify me (keep this tab open)' }).click();
    await page.getByText('You will be notified while this tab stays open.').waitFor();
    await look(page, false);
    await rig().call(account, 'POST', `/lists/${id}/cancel`);
    await until(async () => expect(await shown()).toEqual(['Guests is done']));

    // A visible tab shows it, without a notification.
    const seen = await makeList(rig(), account, { emails: STUCK, name: 'Looked at' });
    await look(page, true);
    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    await page.getByRole('link', { name: 'Looked at' }).click();
    await page.getByText('You will be notified while this tab stays open.').waitFor();
    await rig().call(account, 'POST', `/lists/${seen}/cancel`);
    await page.getByText('credits were refunded').waitFor();
    expect(await shown()).toEqual(['Guests is done']);
    await closePage(page);
  });
}
