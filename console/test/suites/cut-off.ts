// A service whose port 25 is shut: every page says so, and no domain is blamed. Then it is opened.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type WorldSpec } from '../../../world/src/index.ts';
import { makeList } from '../lists.ts';
import { closePage, type Rig, startRig } from '../rig.ts';

const NAMES = Array.from({ length: 12 }, (_, i) => `d${i}.example`);
const worldOf = (down: boolean): WorldSpec => ({
  domains: Object.fromEntries(NAMES.map((name) => [name, { host: { down }, mailboxes: ['ann'] }])),
});
const BANNER = 'Checking is paused: this service cannot reach mail servers (port 25).';
/** A host that was down is tried again after half a second. */
const HASTE = { MXPROOF_SMTP_RETRY_SECONDS: '1' };
const PHONE = { width: 390, height: 844 };

export function cutOff(rig: () => Rig): void {
  let own: Rig;
  beforeAll(async () => {
    own = await startRig(worldOf(true), { shared: rig().browser, settings: HASTE });
  });
  afterAll(() => own.close());

  const banner = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: BANNER });

  test('every page says that the service cannot reach mail servers, what to do, and when it can again', async () => {
    const page = await own.open(own.first);
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('Checking is paused').count()).toBe(0);
    const emails = NAMES.map((name) => `ann@${name}`);
    const id = await makeList(own, own.first, { emails, name: 'Cut off' });
    // The list's page asks at once, when the list stands still.
    await page.goto(`/lists/${id}`);
    await banner(page).waitFor();
    await page
      .getByText('waiting: this service cannot reach mail servers (port 25)', { exact: true })
      .waitFor();
    expect(await page.getByText(/about .* left/).count()).toBe(0);
    for (const path of ['/lists', '/new', '/bounces', '/account', '/']) {
      await page.goto(path);
      expect(await banner(page).textContent()).toMatch(/Since .+For the operator: .*firewall/);
    }
    // A single check is answered, and says whose fault it is.
    await page.getByRole('textbox', { name: 'Address' }).fill('ann@d0.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No answer yet' }).waitFor();
    await page.getByText('This service could not reach any mail server').waitFor();
    expect(await page.getByText('of this domain').count()).toBe(0);
    await page.setViewportSize(PHONE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsOf(page)).toEqual([]);
    }

    const opened = await startWorld(worldOf(false), {
      smtpPort: Number(own.service.internet.MXPROOF_SMTP_PORT),
    });
    try {
      await page.getByRole('textbox', { name: 'Address' }).fill('ann@d1.example');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Send' }).waitFor();
      await banner(page).waitFor({ state: 'detached' });
    } finally {
      await opened.close();
    }
    await closePage(page);
  });
}

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // Half of a transition has colours that stay nowhere.
    await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
