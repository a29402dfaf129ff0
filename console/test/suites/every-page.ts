// Every page in both themes, wide and on a phone: nothing that axe-core calls serious, nothing cut off, a picture of each.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { closePage, type Rig } from '../rig.ts';

const PICTURES = join(import.meta.dirname, '../../screenshots');
const WIDE = { width: 1200, height: 900 };
const PHONE = { width: 360, height: 780 };
const LIMIT_MS = 120_000;

interface Shown {
  readonly name: string;
  readonly path: string;
  /** What is there when the page is. */
  ready(page: Page): Promise<unknown>;
}

const titled = (title: string) => (page: Page) =>
  page.getByRole('heading', { name: title, level: 1 }).waitFor();
const tab = (name: string) => async (page: Page) => {
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await page.waitForLoadState('networkidle');
};

export function everyPage(rig: () => Rig): void {
  const lists = { done: 0, running: 0, check: 0 };
  beforeAll(async () => {
    const make = async (body: object) =>
      ((await (await rig().call(rig().first, 'POST', '/lists', body)).json()) as { id: number }).id;
    const mixed = ['ann@shop.example', 'nobody@shop.example', 'x@catchall.example', 'ann@full.example'];
    lists.done = await make({
      name: 'Newsletter, March',
      emails: [...mixed, 'ben@gmail.com', 'info@shop.example', 'x@nomail.example', 'not an address'],
      callback_url: 'https://hooks.example.com/done',
    });
    lists.running = await make({ name: 'Webinar guests', emails: ['ann@shop.example', 'z@stuck.example'] });
    lists.check = await make({ emails: ['ann@gmail.com'] });
    for (const id of [lists.done, lists.check])
      await until(
        async () => (await (await rig().call(rig().first, 'GET', `/lists/${id}`)).json()).status === 'done',
      );
  });

  // Or the service would wait for it when it stops.
  afterAll(() => rig().call(rig().first, 'POST', `/lists/${lists.running}/cancel`));

  const pages = (): readonly Shown[] => [
    { name: 'check', path: '/', ready: titled('Check an address') },
    {
      name: 'check-result',
      path: `/?check=${lists.check}`,
      async ready(page) {
        await page.getByText('Why', { exact: true }).click();
        await page.getByText('RCPT TO').waitFor();
      },
    },
    {
      name: 'lists',
      path: '/lists',
      ready: (page) => page.getByRole('link', { name: 'Webinar guests' }).waitFor(),
    },
    {
      name: 'list-running',
      path: `/lists/${lists.running}`,
      ready: (page) => page.getByRole('progressbar').waitFor(),
    },
    {
      name: 'list-done',
      path: `/lists/${lists.done}`,
      ready: (page) => page.getByRole('row', { name: 'ben@gmail.com' }).waitFor(),
    },
    {
      name: 'list-evidence',
      path: `/lists/${lists.done}`,
      async ready(page) {
        await page.getByRole('row', { name: 'nobody@shop.example' }).click();
        await page.getByRole('dialog').getByText('RCPT TO').waitFor();
      },
    },
    { name: 'list-none', path: '/lists/999999', ready: (page) => page.getByRole('alert').waitFor() },
    { name: 'new', path: '/new', ready: titled('New list') },
    {
      name: 'new-review',
      path: '/new',
      async ready(page) {
        const buffer = Buffer.from(
          'Name,Email\nAnn,ann@shop.example\nBen,ben@gmail.com\nInfo,info@shop.example\nX,x@\n',
        );
        await page
          .getByLabel('File', { exact: true })
          .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
        await page.getByRole('button', { name: 'Start checking' }).waitFor();
      },
    },
    { name: 'account', path: '/account', ready: titled('Account') },
    { name: 'account-keys', path: '/account#keys', ready: tab('API keys') },
    { name: 'account-callbacks', path: '/account#callbacks', ready: tab('Callbacks') },
    { name: 'account-code', path: '/account#code', ready: tab('Code') },
  ];

  for (const [theme, size, viewport] of [
    ['light', 'wide', WIDE],
    ['dark', 'wide', WIDE],
    ['light', 'phone', PHONE],
  ] as const)
    test(
      `every page, ${theme}, ${size}`,
      async () => {
        const options = { colorScheme: theme, viewport, reducedMotion: 'reduce' } as const;
        const folder = join(PICTURES, `${theme}-${size}`);
        mkdirSync(folder, { recursive: true });
        const seen: string[] = [];
        const look = async (page: Page, name: string) => {
          await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
          seen.push(...(await faultsOf(page)).map((fault) => `${name}: ${fault}`));
        };
        const signIn = await rig().open(null, options);
        await signIn.goto('/');
        await signIn.getByRole('textbox', { name: 'API key' }).waitFor();
        await look(signIn, 'sign-in');
        await closePage(signIn);
        const page = await rig().open(rig().first, options);
        for (const { name, path, ready } of pages()) {
          // A page of its own, not a part of the one before.
          await page.goto('about:blank');
          await page.goto(path);
          await ready(page);
          await look(page, name);
        }
        await closePage(page);
        expect(seen).toEqual([]);
      },
      LIMIT_MS,
    );
}

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    const faults = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id} at ${nodes[0]!.target.join(' ')}: ${nodes[0]!.failureSummary}`);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`is ${scrollWidth - clientWidth} px wider than the window`);
    return faults;
  });
}
