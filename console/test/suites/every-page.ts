// Every page in both themes, on a phone, a desk and a wall: nothing that axe-core calls serious, nothing cut off, no line
// too long to read, a picture of each.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeList, untilDone } from '../lists.ts';
import { addOperatorRows } from '../operator-rows.ts';
import { addMonth, addWrongVerdicts, switchOn } from '../outcome-rows.ts';
import { invite, mailedPath, openJoined } from '../people.ts';
import { closePage, type Rig } from '../rig.ts';
import { expireList } from './retention.ts';
import { ALL_WAYS, withWays } from './ways-in.ts';
import { addEndpoint, withAnswers } from './webhooks.ts';

export const PICTURES = join(import.meta.dirname, '../../screenshots');
/** Dates, and addresses on several sheets. */
const WORKBOOK = join(import.meta.dirname, '../../../files/test/fixtures/dates.xlsx');
const WIDE = { width: 1200, height: 900 };
const HUGE = { width: 3_840, height: 2_160 };
const PHONE = { width: 360, height: 780 };
const THEMES = ['light', 'dark'] as const;
const ALL_RULES = {};
const CONTRAST = { runOnly: ['color-contrast'] };
const ALL_BUT_CONTRAST = { rules: { 'color-contrast': { enabled: false } } };
/** Two of a book. */
const LINE_MAX_CHARACTERS = 130;
/** Enough for a long price on a button. */
const STOPPED_ADDRESSES = 100;
const LIMIT_MS = 480_000;
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail-events';
const EVENTS = Buffer.from(
  'Email,Event,Reason\nann@shop.example,delivered,\nben@shop.example,bounce,550 5.1.1 User unknown\n',
);
const takeEvents = (page: Page) =>
  page.getByLabel('File of outcomes').setInputFiles({ name: 'events.csv', mimeType: '', buffer: EVENTS });

interface ShownPage {
  readonly name: string;
  readonly path: string;
  /** Before the page is loaded: what it is to be told. */
  before?(page: Page): Promise<unknown>;
  /** Visible once the page is loaded. */
  ready(page: Page): Promise<unknown>;
}

const titled = (title: string) => (page: Page) =>
  page.getByRole('heading', { name: title, level: 1 }).waitFor();
const withCredits = (credits: number) => (page: Page) =>
  page.route('**/v1/account', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), credits } });
  });
const tab = (name: string, content: (panel: Locator) => Locator) => async (page: Page) => {
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await content(page.getByRole('tabpanel', { name })).first().waitFor();
};

export function everyPage(rig: () => Rig): void {
  const lists = { done: 0, running: 0, stopped: 0, check: 0, expired: 0 };
  let customer = 0;
  beforeAll(async () => {
    const make = (body: object) => makeList(rig(), rig().first, body);
    const mixed = ['ann@shop.example', 'nobody@shop.example', 'x@catchall.example', 'ann@full.example'];
    lists.done = await make({
      name: 'Newsletter, March',
      emails: [
        ...mixed,
        'ben@gmail.com',
        'ann@yahoo.com',
        'ben@yahoo.com',
        'info@shop.example',
        'x@nomail.example',
        'not an address',
        'ann@gmial.com',
        'eve@hotmial.com',
      ],
      callback_url: 'https://hooks.example.com/done',
    });
    lists.running = await make({ name: 'Webinar guests', emails: ['ann@shop.example', 'z@stuck.example'] });
    const many = Array.from({ length: STOPPED_ADDRESSES }, (_, at) => `p${at}@stuck.example`);
    lists.stopped = await make({ name: 'Trade fair', emails: many });
    await rig().call(rig().first, 'POST', `/lists/${lists.stopped}/cancel`);
    lists.check = await make({ emails: ['ann@gmail.com'] });
    lists.expired = await make({ name: 'Newsletter, January', emails: mixed });
    for (const id of [lists.done, lists.check, lists.expired]) await untilDone(rig(), rig().first, id);
    await expireList(rig(), rig().first, lists.expired);
    const corrected = await make({
      name: 'Newsletter, February',
      emails: ['ben@shop.example', 'ann@gmial.com'],
    });
    await untilDone(rig(), rig().first, corrected);
    await rig().call(rig().first, 'POST', `/lists/${corrected}/corrections`);
    await addEndpoint(rig(), rig().first, 'Shop backend');
    await switchOn(rig(), rig().first);
    await addWrongVerdicts(rig(), rig().first);
    await addMonth(rig(), rig().first);
    await rig().call(rig().first, 'POST', '/hooks', { service: 'ses', topic: TOPIC });
    await addOperatorRows(rig());
    customer = (await rig().openAccount(5_000)).id;
    await invite(rig(), rig().first, 'a.person.with.a.rather.long.address@marketing.example', 'viewer');
  });

  // Or the service would wait for it when it stops.
  afterAll(() => rig().call(rig().first, 'POST', `/lists/${lists.running}/cancel`));

  const pages = (): readonly ShownPage[] => [
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
      async ready(page) {
        await page.getByRole('link', { name: '1 address corrected' }).waitFor();
        await page.getByRole('checkbox', { name: 'Select Newsletter, February' }).check();
        await page.getByRole('checkbox', { name: 'Select Trade fair' }).check();
        await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
      },
    },
    {
      name: 'list-running',
      path: `/lists/${lists.running}`,
      ready: (page) => page.getByRole('row', { name: 'ann@shop.example' }).waitFor(),
    },
    {
      name: 'list-stopped',
      path: `/lists/${lists.stopped}`,
      ready: (page) =>
        page
          .getByRole('button', { name: 'Check the other 100 (up to 100 credits)', disabled: false })
          .waitFor(),
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
    {
      name: 'list-download',
      path: `/lists/${lists.done}`,
      async ready(page) {
        await page.getByRole('button', { name: 'Other downloads' }).click();
        const dialog = page.getByRole('dialog', { name: 'Download' });
        await dialog.getByText('It is not in this browser').waitFor();
        await dialog.getByRole('checkbox', { name: 'Add the results' }).check();
        await dialog.getByRole('radio', { name: 'For programs' }).waitFor();
      },
    },
    {
      name: 'list-expired',
      path: `/lists/${lists.expired}`,
      ready: (page) => page.getByText('The results were deleted on').waitFor(),
    },
    { name: 'list-none', path: '/lists/999999', ready: titled('List not found') },
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
    {
      name: 'new-warming-up',
      path: '/new',
      async before(page) {
        const providers = [{ provider: 'google', left: 2 }];
        await page.route('**/v1/status', async (route) => {
          const response = await route.fetch();
          const warmUp = { day_ends_at: 1_794_960_000, providers, elsewhere: 500 };
          await route.fulfill({ response, json: { ...(await response.json()), warm_up: warmUp } });
        });
      },
      async ready(page) {
        await page.getByLabel('File', { exact: true }).setInputFiles(WORKBOOK);
        await page
          .getByText('today they can check about 2 more addresses at Google. The rest waits')
          .waitFor();
      },
    },
    {
      name: 'charge-question',
      path: `/lists/${lists.done}`,
      before: withCredits(12),
      async ready(page) {
        await page.getByRole('button', { name: 'Fix and check 2 addresses (2 credits)' }).click();
        await page.getByRole('alertdialog', { name: 'Check 2 corrected addresses?' }).waitFor();
      },
    },
    {
      name: 'charge-short',
      path: `/lists/${lists.done}`,
      before: withCredits(1),
      ready: (page) => page.getByText('You have 1 credit and need 2').waitFor(),
    },
    {
      name: 'new-short',
      path: '/new',
      async ready(page) {
        await page.getByLabel('File', { exact: true }).setInputFiles(WORKBOOK);
        await page.getByText('Addresses are also on the sheets').waitFor();
        await page.getByRole('button', { name: 'Check the first 1' }).waitFor();
      },
    },
    { name: 'bounces', path: '/bounces', ready: titled('What does this reply mean?') },
    {
      name: 'bounces-read',
      path: '/bounces',
      async ready(page) {
        await page
          .getByRole('textbox', { name: 'Reply, log or bounce message' })
          .fill(
            '<ann@shop.example>: 550 5.1.1 User unknown\n<ben@shop.example>: 552 5.2.2 Mailbox full\n<cy@shop.example>: 550 5.7.1 Client host [192.0.2.1] blocked using Spamhaus\n<di@shop.example>: 451 4.7.1 Greylisted, try again in 5 minutes',
          );
        await page.getByRole('button', { name: 'Explain' }).click();
        await page.getByRole('article', { name: 'di@shop.example' }).waitFor();
      },
    },
    {
      name: 'outcomes-off',
      path: '/outcomes',
      before: (page) =>
        page.route('**/v1/account?include=settings', async (route) => {
          const response = await route.fetch();
          const { settings, ...account } = await response.json();
          await route.fulfill({ response, json: { ...account, settings: { ...settings, outcomes: false } } });
        }),
      ready: (page) => page.getByRole('button', { name: 'Switch outcomes on' }).waitFor(),
    },
    {
      name: 'outcomes-empty',
      path: '/outcomes',
      async before(page) {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.route('**/v1/accuracy?**', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), matched: 0, unmatched: 0 } });
        });
      },
      ready: (page) => page.getByRole('link', { name: 'Drop a file' }).waitFor(),
    },
    {
      name: 'outcomes-accuracy',
      path: '/outcomes',
      before: (page) => page.unrouteAll({ behavior: 'ignoreErrors' }),
      ready: (page) => page.getByText('we called deliverable,').waitFor(),
    },
    {
      name: 'outcomes-wrong',
      path: '/outcomes#wrong',
      ready: tab('Wrong verdicts', (panel) => panel.getByRole('listitem')),
    },
    {
      name: 'outcomes-evidence',
      path: '/outcomes#wrong',
      async ready(page) {
        await page.getByRole('button', { name: 'Why ann@shop.example' }).click();
        await page.getByRole('dialog').getByText('RCPT TO').waitFor();
      },
    },
    {
      name: 'outcomes-add',
      path: '/outcomes#add',
      ready: tab('Add outcomes', (panel) => panel.getByText('Drop a file here')),
    },
    {
      name: 'outcomes-review',
      path: '/outcomes#add',
      async ready(page) {
        await takeEvents(page);
        await page.getByRole('row', { name: /^ben@shop\.example/ }).waitFor();
      },
    },
    {
      name: 'outcomes-sent',
      path: '/outcomes#add',
      async ready(page) {
        await takeEvents(page);
        await page.getByRole('button', { name: 'Send the outcomes' }).click();
        await page.getByRole('link', { name: 'See the accuracy' }).waitFor();
      },
    },
    {
      name: 'outcomes-services',
      path: '/outcomes#services',
      ready: tab('Services', (panel) => panel.getByRole('listitem')),
    },
    {
      name: 'outcomes-service-add',
      path: '/outcomes#services',
      async ready(page) {
        await page.getByRole('button', { name: 'Add a service' }).click();
        await page.getByRole('radio', { name: 'SendGrid' }).check();
      },
    },
    {
      name: 'outcomes-suppressions',
      path: '/outcomes#suppressions',
      ready: tab('Suppression list', (panel) => panel.getByText('Added by you')),
    },
    {
      name: 'account',
      path: '/account',
      ready: tab('Balance', (panel) => panel.getByText('Webinar guests')),
    },
    {
      name: 'account-keys',
      path: '/account#keys',
      ready: tab('API keys', (panel) => panel.getByRole('listitem')),
    },
    {
      name: 'account-callbacks',
      path: '/account#callbacks',
      ready: tab('Callbacks', (panel) => panel.getByRole('listitem')),
    },
    {
      name: 'account-requests',
      path: '/account#requests',
      ready: tab('Requests', (panel) => panel.getByRole('row')),
    },
    {
      name: 'account-audit',
      path: '/account#audit',
      ready: tab('Who did what', (panel) => panel.getByRole('listitem')),
    },
    {
      name: 'account-webhooks',
      path: '/account#webhooks',
      before: withAnswers,
      async ready(page) {
        await page.getByText('Deliveries', { exact: true }).click();
        await page.getByText('2 attempts, last: Status 500').click();
        await page.getByRole('textbox', { name: 'Low below' }).waitFor();
      },
    },
    {
      name: 'account-webhook-add',
      path: '/account#webhooks',
      async ready(page) {
        await page.getByRole('button', { name: 'Add an endpoint' }).click();
        await page.getByRole('dialog', { name: 'Add an endpoint' }).waitFor();
      },
    },
    { name: 'account-code', path: '/account#code', ready: tab('Code', (panel) => panel.getByRole('code')) },
  ];

  /** As somebody who owns one account and looks at another. */
  const memberPages: readonly ShownPage[] = [
    {
      name: 'member-accounts',
      path: '/lists',
      async ready(page) {
        await page.getByRole('link', { name: 'Webinar guests' }).first().waitFor();
        await page.getByRole('button', { name: /^Signed in as/ }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      },
    },
    {
      name: 'account-members',
      path: '/account#members',
      ready: tab('Members', (panel) => panel.getByText('You')),
    },
    {
      name: 'account-invite',
      path: '/account#members',
      async ready(page) {
        await page.getByRole('button', { name: 'Invite a member' }).click();
        await page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
      },
    },
    {
      name: 'account-remove',
      path: '/account#members',
      async ready(page) {
        await page.getByRole('button', { name: /^Remove a\.person/ }).click();
        await page.getByRole('alertdialog').waitFor();
      },
    },
  ];
  const openMember = async (options: BrowserContextOptions, name: string) => {
    const email = `${name}@marketing.example`;
    const { id } = await invite(rig(), rig().first, email, 'owner');
    await invite(rig(), await rig().openAccount(1), email, 'viewer');
    return openJoined(rig(), await mailedPath(rig(), id), options);
  };

  const row =
    (name: string, at = 1) =>
    (page: Page) =>
      page.getByRole('table', { name }).getByRole('row').nth(at).waitFor();
  const operatorPages = (): readonly ShownPage[] => [
    {
      name: 'operator-overview',
      path: '/operator',
      ready: (page) => page.getByRole('heading', { name: 'Newest backup' }).waitFor(),
    },
    { name: 'operator-accounts', path: '/operator/accounts', ready: row('Accounts', 2) },
    {
      name: 'operator-account-add',
      path: '/operator/accounts?make=true',
      ready: (page) => page.getByRole('dialog', { name: 'New account' }).waitFor(),
    },
    {
      name: 'operator-account',
      path: `/operator/accounts/${customer}`,
      async ready(page) {
        await row('Who did what')(page);
        await page.getByRole('button', { name: 'Revoke' }).first().waitFor();
      },
    },
    {
      name: 'operator-account-delete',
      path: `/operator/accounts/${customer}`,
      async ready(page) {
        await page.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('alertdialog').waitFor();
      },
    },
    { name: 'operator-lists', path: '/operator/lists', ready: row('Lists', 3) },
    {
      name: 'operator-list',
      path: '/operator/lists',
      async ready(page) {
        await page.getByRole('button', { name: 'Webinar guests' }).click();
        await page.getByRole('dialog').getByText('we stop asking at').waitFor();
      },
    },
    { name: 'operator-callbacks', path: '/operator/callbacks?state=all', ready: row('Callbacks') },
    { name: 'operator-nodes', path: '/operator/nodes', ready: row('Nodes') },
    { name: 'operator-audit', path: '/operator/audit', ready: row('Audit', 5) },
    {
      name: 'operator-sources',
      path: '/operator/sources',
      ready: (page) => page.getByRole('button', { name: /^203\.0\.113\.7 at Yahoo: Refused/ }).waitFor(),
    },
    {
      name: 'operator-panel',
      path: '/operator/sources',
      async ready(page) {
        await page.getByRole('button', { name: /^203\.0\.113\.7 at Microsoft 365: Resting/ }).click();
        await page.getByRole('button', { name: 'Resume…' }).click();
        await page.getByRole('button', { name: 'Resume now' }).waitFor();
      },
    },
    {
      name: 'operator-doctor',
      path: '/operator/doctor',
      ready: (page) => page.getByRole('article', { name: 'mx2.example.net' }).waitFor(),
    },
  ];

  // Beside each other: while one page waits for the service, the other is looked at. A theme changes colours and nothing
  // else, a phone everything but colours: each rule is tried where something may break it.
  for (const [size, viewport, others, rules] of [
    ['wide', WIDE, [HUGE], { light: ALL_RULES, dark: CONTRAST }],
    ['phone', PHONE, [], { light: ALL_BUT_CONTRAST, dark: null }],
  ] as const)
    test.concurrent(
      `every page, ${size}, in both themes`,
      async () => {
        const options = { colorScheme: 'light', viewport, reducedMotion: 'reduce' } as const;
        for (const theme of THEMES) mkdirSync(join(PICTURES, `${theme}-${size}`), { recursive: true });
        const seen: string[] = [];
        const look = async (page: Page, name: string) => {
          await page.evaluate(axe.source);
          for (const theme of THEMES) {
            await page.emulateMedia({ colorScheme: theme });
            const path = join(PICTURES, `${theme}-${size}`, `${name}.png`);
            await page.screenshot({ path, fullPage: true });
            const faults = await misfitsOf(page);
            if (rules[theme] !== null) faults.push(...(await violationsIn(page, rules[theme])));
            seen.push(...faults.map((fault) => `${name}, ${theme}: ${fault}`));
          }
          for (const other of others) {
            await page.setViewportSize(other);
            seen.push(...(await misfitsOf(page)).map((fault) => `${name}, ${other.width} px: ${fault}`));
          }
          await page.emulateMedia({ colorScheme: 'light' });
          await page.setViewportSize(viewport);
        };
        const signIn = await rig().open(null, options);
        await signIn.goto('/');
        await signIn.getByRole('textbox', { name: 'API key' }).waitFor();
        await look(signIn, 'sign-in');
        await withWays(signIn, ALL_WAYS);
        await signIn.goto('/');
        await signIn.getByText('Use an API key').click();
        await look(signIn, 'sign-in-ways');
        await signIn.goto('/guide');
        await titled('Guide')(signIn);
        await look(signIn, 'guide-out');
        await signIn.goto('/operator');
        await titled('For the operator of this service')(signIn);
        await look(signIn, 'operator-out');
        await closePage(signIn);
        const open = () => rig().open(rig().first, options);
        for (const [page, shown] of [
          [await open(), pages()],
          [await openMember(options, size), memberPages],
          [await rig().openOperator(options), operatorPages()],
        ] as const) {
          for (const { name, path, before, ready } of shown) {
            // A page of its own, not a part of the one before.
            await page.goto('about:blank');
            await before?.(page);
            await page.goto(path, { waitUntil: 'commit' });
            await ready(page);
            await look(page, name);
          }
          await closePage(page);
        }
        expect(seen).toEqual([]);
      },
      LIMIT_MS,
    );
}

/** What axe-core calls serious. */
async function violationsIn(page: Page, rules: object): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { axe } = window as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'], ...rules });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id} at ${nodes[0]!.target.join(' ')}: ${nodes[0]!.failureSummary}`);
  }, rules);
}

/** What is cut off, and lines that the eye loses. */
async function misfitsOf(page: Page): Promise<string[]> {
  return page.evaluate((longest) => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`is ${scrollWidth - clientWidth} px wider than the window`);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const { length } = text.data.trim();
      const range = document.createRange();
      range.selectNodeContents(text);
      const lines = range.getClientRects().length;
      if (lines > 0 && length / lines > longest)
        faults.push(`has a line of ${length} characters: ${text.data.slice(0, 40)}`);
    }
    return faults;
  }, LINE_MAX_CHARACTERS);
}
