// The operator's pages of sources and the doctor, and who may open them: the table by keyboard and on a phone, resting and resuming.
import type { Sources } from '@mxproof/client/admin';
import { PROVIDERS } from '@mxproof/common/vocabulary/providers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { mxproof } from '../../../cli/test/run-mxproof.ts';
import { addCounts } from '../../../server/src/features/sources/stored-health.ts';
import { HOSTILE_REPLY } from '../../../server/test/operator-rows.ts';
import { until } from '../../../server/test/until.ts';
import { addOperatorRows, inStore } from '../operator-rows.ts';
import { closePage, type Rig } from '../rig.ts';

/** As the page has it. */
const REFRESH_MS = 10_000;

export function operator(rig: () => Rig): void {
  beforeAll(() => addOperatorRows(rig()));

  const cell = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  const focused = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.querySelector(':scope > .visually-hidden')?.textContent ?? '',
    );
  /** Every path that the page asks the service for. */
  const asked = (page: Page) => {
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    return paths;
  };

  test('the table is walked with arrow keys, and a cell keeps the focus while its figures change', async () => {
    const page = await rig().openOperator({}, '/sources');
    await page.clock.install();
    await page.reload();
    const google = cell(page, '203\\.0\\.113\\.8 at Google: Fine, 1.2k asked');
    await google.focus();
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toMatch(/^203\.0\.113\.7 at Google/);
    await page.keyboard.press('End');
    expect(await focused(page)).toMatch(/^203\.0\.113\.7 at Other/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toMatch(/^203\.0\.113\.7 at Yahoo: Refused, 12% refused, 1.8k asked$/);
    await page.keyboard.press('Control+End');
    expect(await focused(page)).toMatch(/^proxy\.example\.net:1080 at Other/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toMatch(/^203\.0\.113\.8 at Google/);
    // One stop of the Tab key: the next is behind the table.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toMatch(/^203\.0\.113\.8 at Google/);

    const refused = { block: 0, rate: 0, ptr: 0, policy: 800 };
    const counts = { asked: 800, accepted: 0, unknownRecipients: 0, deferred: 0, refused };
    const refusal = { kind: 'policy', reply: '550 5.7.1 No.' } as const;
    await inStore(rig(), (db) =>
      addCounts(db, [{ source: '203.0.113.8', provider: 'google', counts, refusal, payers: new Map() }]),
    );
    await page.clock.fastForward(REFRESH_MS);
    await cell(page, '203\\.0\\.113\\.8 at Google: Refused, 39% refused, 2k asked').waitFor();
    expect(await focused(page)).toMatch(/^203\.0\.113\.8 at Google: Refused/);

    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: '203.0.113.8 at Google' });
    await panel.getByText('550 5.7.1 No.').waitFor();
    await panel.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await until(async () => /^203\.0\.113\.8 at Google/.test(await focused(page)));
    await closePage(page);
  });

  test('what a server said is text, and only a link of a known operator leads out', async () => {
    const page = await rig().openOperator({}, '/sources');
    await cell(page, '203\\.0\\.113\\.7 at Microsoft 365: Resting, until').click();
    const panel = page.getByRole('dialog', { name: '203.0.113.7 at Microsoft 365' });
    expect(await panel.getByRole('blockquote').textContent()).toBe(HOSTILE_REPLY);
    const link = panel.getByRole('link');
    expect(await link.count()).toBe(1);
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/[\w.]*spamhaus\.org\//);
    expect(await link.getAttribute('rel')).toBe('noreferrer');
    await page.keyboard.press('Escape');
    await cell(page, '203\\.0\\.113\\.7 at Yahoo').click();
    const other = page.getByRole('dialog', { name: '203.0.113.7 at Yahoo' });
    await other.getByText('[TSS04]').waitFor();
    expect(await other.getByRole('link').count()).toBe(0);
    await closePage(page);
  });

  test('a source rests and is resumed after a second press, also where nothing was asked yet', async () => {
    const page = await rig().openOperator({}, '/sources');
    const resting = () =>
      inStore(rig(), (db) =>
        db.query(
          `SELECT rested_by, resting_until IS NULL AS "isOpen" FROM mxproof.source_states
           WHERE source = '203.0.113.8' AND provider = 'yahoo' AND resting_since IS NOT NULL`,
        ),
      );
    await cell(page, '203\\.0\\.113\\.8 at Yahoo: Nothing asked').click();
    const panel = page.getByRole('dialog', { name: '203.0.113.8 at Yahoo' });
    await panel.getByText('Until resumed').click();
    await panel.getByRole('button', { name: 'Rest…' }).click();
    await panel.getByText('Yahoo will not be asked from 203.0.113.8').waitFor();
    await panel.getByRole('button', { name: 'Cancel' }).click();
    expect(await resting()).toEqual([]);
    await panel.getByRole('button', { name: 'Rest…' }).click();
    await page.keyboard.press('Enter');
    await panel.getByText('It is resting now.').waitFor();
    expect(await resting()).toEqual([{ rested_by: 'operator', isOpen: true }]);
    await panel.getByRole('button', { name: 'Resume…' }).click();
    await panel.getByRole('button', { name: 'Resume now' }).click();
    await panel.getByText('It is used again.').waitFor();
    expect(await resting()).toEqual([]);
    await page.keyboard.press('Escape');
    await cell(page, '203\\.0\\.113\\.8 at Yahoo: Nothing asked').waitFor();
    await closePage(page);
  });

  test('on a phone it is a list, the worst of each source first', async () => {
    const page = await rig().openOperator({ viewport: { width: 390, height: 800 } }, '/sources');
    const list = page.getByRole('list', { name: 'Sources, the worst first' });
    await list.getByRole('button').first().waitFor();
    const names = await list
      .getByRole('button', { name: /^203\.0\.113\.7/ })
      .evaluateAll((buttons) => buttons.map((button) => /: ([\w ]+)/.exec(button.textContent)?.[1]));
    expect(names).toEqual(['Refused', 'Resting', 'Deferring', 'Fine', 'Fine']);
    expect(await page.getByRole('grid').count()).toBe(0);
    await list.getByRole('button', { name: /^203\.0\.113\.7 at Yahoo/ }).click();
    await page.getByRole('dialog', { name: '203.0.113.7 at Yahoo' }).waitFor();
    await closePage(page);
  });

  test('thirty sources at twenty-five providers fit a screen’s width, and no cell is walked to under the heads', async () => {
    const page = await rig().openOperator({ viewport: { width: 1_200, height: 900 } }, '/sources');
    await page.route('**/admin/v1/sources', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Sources;
      const like = body.pairs.find(({ provider }) => provider === 'yahoo')!;
      const pairs = Array.from({ length: 30 * 25 }, (_, n) => ({
        ...like,
        source: `198.51.100.${1 + Math.floor(n / 25)}`,
        provider: Object.keys(PROVIDERS)[n % 25]!,
      }));
      await route.fulfill({ response, json: { ...body, pairs } });
    });
    await page.reload();
    const table = page.getByRole('grid');
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(31);
    expect(await table.evaluate(({ parentElement: box }) => box!.scrollWidth - box!.clientWidth)).toBe(0);
    await table.getByRole('button').first().focus();
    await page.keyboard.press('Control+End');
    expect(await focused(page)).toMatch(/^198\.51\.100\.30 at /);
    for (let rows = 0; rows < 29; rows++) {
      await page.keyboard.press('ArrowUp');
      const isSeen = await page.evaluate(() => {
        const { left, top, width, height } = document.activeElement!.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        return document.activeElement!.contains(seen);
      });
      expect(isSeen, (await focused(page)) ?? '').toBe(true);
    }
    expect(await focused(page)).toMatch(/^198\.51\.100\.1 at /);
    await closePage(page);
  });

  test('the day of a warm-up, and why it did not grow', async () => {
    const page = await rig().openOperator({}, '/sources');
    await page.route('**/admin/v1/sources', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { pairs: { source: string; provider: string }[] };
      const warm_up = { day: 4, per_day: 200, used: 140, held_back: 'Too many recipients were unknown.' };
      const pairs = body.pairs.map((pair) =>
        pair.source === '203.0.113.8' && pair.provider === 'outlook' ? { ...pair, warm_up } : pair,
      );
      await route.fulfill({ response, json: { ...body, pairs } });
    });
    await page.reload();
    await cell(page, '203\\.0\\.113\\.8 at Outlook.com: Warming up, 140 of 200, held back').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Too many recipients were unknown.').waitFor();
    expect(await panel.getByRole('progressbar').getAttribute('value')).toBe('140');
    await closePage(page);
  });

  test('the doctor’s reports by machine, with what to do and how old they are', async () => {
    const page = await rig().openOperator({}, '/sources');
    await page.getByRole('link', { name: 'Doctor' }).click();
    const sick = page.getByRole('article', { name: 'mx1.example.net' });
    await sick.getByText('1 check failed').waitFor();
    await page.getByText(/^Newest backup: 9 hours ago/).waitFor();
    expect(await sick.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Configuration and machine',
      'Database',
      'DNS',
      'Source addresses',
    ]);
    const failed = sick.getByRole('listitem').filter({ hasText: 'Failure: PTR, 203.0.113.8' });
    expect(await failed.textContent()).toContain('What to do: Ask your hosting company');
    const old = page.getByRole('article', { name: 'mx2.example.net' });
    expect(await old.textContent()).toMatch(/Nothing failed3 days ago.*does the service still run there/);
    await closePage(page);
  });

  test('opens with a link and with nothing else, and asks for nothing of any account', async () => {
    const [signedOut, customer] = [await rig().open(null), await rig().open(rig().first)];
    for (const page of [signedOut, customer])
      for (const path of ['/operator', '/operator/doctor', '/operator/accounts/1']) {
        const paths = asked(page);
        await page.goto(path);
        await page.getByRole('heading', { name: 'For the operator of this service' }).waitFor();
        await page.getByText('mxproof admin link').waitFor();
        expect(paths.filter((each) => each.startsWith('/v1'))).toEqual([]);
        expect(await page.getByText('203.0.113.7').count()).toBe(0);
        expect(paths.filter((each) => each.startsWith('/admin'))).toEqual([]);
      }
    await closePage(signedOut);
    await closePage(customer);

    const page = await rig().openOperator({}, '/sources');
    const paths = asked(page);
    await page.reload();
    await cell(page, '203\\.0\\.113\\.7 at Google: Fine').waitFor();
    await page.getByRole('link', { name: 'Doctor' }).click();
    await page.getByRole('heading', { name: 'Doctor', level: 1 }).waitFor();
    expect(paths.filter((each) => each.startsWith('/v1'))).toEqual([]);
    const bar = await page.getByRole('banner').textContent();
    expect(bar).toContain('Operator');
    expect(bar).not.toContain('credits');
    // An account's pages do not take it.
    await page.goto('/lists');
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await page.goto('/operator');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'For the operator of this service' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toBe('{}');
    await closePage(page);
  });

  test('a session that is ended elsewhere shows how to begin another', async () => {
    const page = await rig().openOperator({}, '/sources');
    const { stdout } = await mxproof(['admin', 'sign-out', '--json'], rig().service.operator);
    expect(JSON.parse(stdout).sessions_ended).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Doctor' }).click();
    await page.getByRole('heading', { name: 'For the operator of this service' }).waitFor();
    await page.getByText('Your session has ended.').waitFor();
    await page.reload();
    await page.getByText('mxproof admin link').waitFor();
    expect(await page.getByText('Your session has ended.').count()).toBe(0);
    await closePage(page);
  });
}
