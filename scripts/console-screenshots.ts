// Makes the pictures of docs/guide/console.md and README from the demo, whose addresses are made up, and those of the
// operator's pages and of outcomes from a service of its own, whose rows are made up too.
//   node scripts/with-node.mjs node scripts/console-screenshots.ts [operator]
// Needs Chromium. The same list every time; a few minutes, since some of the simulated servers greylist.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { makeInvitation } from '../server/src/flow/join.ts';
import { readConfig } from '../server/src/settings/config.ts';
import { withStore } from '../server/src/start/command-store.ts';
import { addDoctorRows, addSourceRows, addWarmUpRows, WARM_UPS } from '../server/test/operator-rows.ts';
import { insertOutcomeRows, MONTH } from '../server/test/outcome-rows.ts';
import { type Demo, MXPROOF, startDemo } from './demo-for-pictures.ts';

const FOLDER = fileURLToPath(new URL('../docs/guide/console/', import.meta.url));
const VIEW = { width: 1080, height: 720 };
/** Down to the end of a card. */
const TALL = { width: 1080, height: 940 };
const PHONE = { width: 390, height: 760 };
const LIST_LENGTH = 1_500;
const LIMIT_MS = 600_000;
const BOUNCE = `<ann@example.com>: host mx.example.com[192.0.2.1] said: 550 5.1.1 <ann@example.com>:
    Recipient address rejected: User unknown (in reply to RCPT TO command)
<ben@example.org>: host mx.example.org[192.0.2.2] said: 451 4.7.1 Greylisted,
    please try again in 5 minutes (in reply to RCPT TO command)
`;

/** A table of people, some of them twice, as spreadsheets have it. */
function peopleOf({ emails }: Demo): Buffer {
  const people = emails.slice(0, LIST_LENGTH);
  const rows = [...people, ...people.slice(0, 40)].map(
    (email, at) => `${nameOf(email)},${email},${1_000 + at}`,
  );
  return Buffer.from(['Name,Email,Customer', ...rows].join('\n'));
}

function nameOf(email: string): string {
  const [first = '', last = ''] = email.split('@')[0]!.split(/[._\d]+/);
  return [first, last]
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
    .trim();
}

async function open(
  browser: Browser,
  demo: Pick<Demo, 'url' | 'apiKey'>,
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: demo.url,
    locale: 'en-GB',
    viewport: VIEW,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('textbox', { name: 'API key' }).fill(demo.apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Address' }).waitFor();
  return page;
}

/** So that the page of lists has some. */
async function makeOthers({ url, apiKey, emails }: Demo): Promise<void> {
  for (const [name, from, to] of [
    ['Trade fair, spring', 0, 220],
    ['Webinar guests', 200, 260],
    ['Newsletter', 300, 900],
  ] as const)
    await fetch(`${url}/v1/lists`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, emails: emails.slice(from, to) }),
    });
}

/** With its rows, and with the counts that come after them. */
async function listShown(page: Page): Promise<void> {
  await page.getByRole('row').nth(3).waitFor();
  await page.locator('.action-count', { hasText: '…' }).first().waitFor({ state: 'detached' });
  await page.evaluate('scrollTo(0, 0)');
}

async function takeAll(browser: Browser, demo: Demo): Promise<void> {
  const take = (page: Page, name: string) =>
    page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
  const light = await open(browser, demo, { colorScheme: 'light' });
  const dark = await open(browser, demo, { colorScheme: 'dark' });
  const check = async (page: Page, address: string, name: string) => {
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).fill(address);
    await page.keyboard.press('Enter');
    await page.getByText('Why', { exact: true }).click();
    await page.getByText('Technical').waitFor();
    await take(page, name);
  };

  // Submitted first, so that it is done when it is needed.
  await light.goto('/new');
  await light.getByRole('heading', { level: 1 }).waitFor();
  await take(light, 'new-list');
  const field = light.getByLabel('File', { exact: true });
  await field.setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: peopleOf(demo) });
  await light.getByRole('button', { name: 'Start checking' }).waitFor();
  await take(light, 'new-list-review');
  await light.getByRole('button', { name: 'Start checking' }).click();
  const agree = light.getByRole('alertdialog').getByRole('button', { name: /^Check for/ });
  await agree.waitFor();
  await take(light, 'charge-question');
  await agree.click();
  await light.getByText(/about .* left/).waitFor();
  await light.locator('.list-progress-number', { hasText: /^[4-9]\d/ }).waitFor();
  await take(light, 'list-running');
  const list = new URL(light.url()).pathname;
  // Nothing is left but what greylists.
  await light.locator('.waiting').getByText('next attempt in').first().waitFor();
  await light.getByText('being checked now').waitFor({ state: 'detached' });
  await light.getByText('next attempt in').first().waitFor();
  await take(light, 'list-waiting');
  await makeOthers(demo);

  const gmail = demo.emails.find((email) => email.endsWith('@gmail.com'))!;
  await check(dark, gmail, 'check');
  await check(dark, gmail.replace('gmail', 'gmial'), 'check-spelling');
  await dark.goto('/bounces');
  await dark.getByRole('textbox', { name: 'Reply, log or bounce message' }).fill(BOUNCE);
  await dark.getByRole('button', { name: 'Explain' }).click();
  await dark.getByRole('article', { name: 'ben@example.org' }).waitFor();
  await take(dark, 'bounces');
  const out = await browser.newContext({ baseURL: demo.url, viewport: VIEW, colorScheme: 'light' });
  const signIn = await out.newPage();
  await signIn.goto('/');
  await signIn.getByRole('textbox', { name: 'API key' }).waitFor();
  await take(signIn, 'sign-in');

  await light.getByText('Done', { exact: true }).waitFor();
  // As it looks on a later visit, without its progress.
  await light.reload();
  await listShown(light);
  await take(light, 'list-done');
  // README shows the one of the reader's theme.
  await dark.goto(list);
  await listShown(dark);
  await take(dark, 'list-done-dark');
  await light.getByRole('button', { name: 'Other downloads' }).click();
  const download = light.getByRole('dialog', { name: 'Download' });
  await download.getByText('with its own columns').waitFor();
  await download.getByRole('table').scrollIntoViewIfNeeded();
  await take(light, 'list-download');
  await light.keyboard.press('Escape');
  await light.getByRole('button', { name: 'Show Remove' }).click();
  // One that a server was asked about: its dialogue is what people look for here.
  await light.getByRole('row').filter({ hasText: 'No such mailbox' }).first().click();
  await light.getByRole('dialog').getByText('Technical').waitFor();
  await take(light, 'list-evidence');
  await light.goto('/lists');
  await light.getByRole('link', { name: 'customers' }).waitFor();
  await take(light, 'lists');
  await dark.goto('/account');
  await dark.getByRole('heading', { name: 'History' }).waitFor();
  await dark.getByText('Charged').first().waitFor();
  await dark.getByRole('banner').getByText('credits').waitFor();
  await take(dark, 'account');
  const phone = await open(browser, demo, { colorScheme: 'light', viewport: PHONE });
  await phone.goto(list);
  await listShown(phone);
  await take(phone, 'phone');
}

/** Nothing is checked: a node that only serves, on a store in a folder of its own. */
async function takeAlone(browser: Browser): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'mxproof-pictures-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PORT: '0',
    LOG_LEVEL: 'info',
    MXPROOF_DATA_DIR: home,
    MXPROOF_DNS_SERVERS: '127.0.0.1:9',
    MXPROOF_DNS_SENTINELS: 'none',
    MXPROOF_SMTP_PORT: '2525',
    MXPROOF_HELO_NAME: 'probe.example.com',
    MXPROOF_POLICY_FILE: join(home, 'policy.json'),
  };
  writeFileSync(env.MXPROOF_POLICY_FILE, JSON.stringify(WARM_UPS));
  const child = spawn(process.execPath, [MXPROOF, 'serve', '--no-checks'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface(child.stdout)) if (line.includes('"msg":"ready"')) break;
    child.stdout.resume();
    await withStore(readConfig(env), console.error, async ({ db }) => {
      await addSourceRows(db);
      await addWarmUpRows(db);
      await addDoctorRows(db);
    });
    const run = promisify(execFile);
    const made = await run(
      process.execPath,
      [MXPROOF, 'account', 'create', '--name', 'Shop', '--credits', '20000', '--json'],
      { env },
    );
    const account = JSON.parse(made.stdout) as { account_id: number; api_key: string };
    const { stdout } = await run(process.execPath, [MXPROOF, 'admin', 'link'], { env });
    const link = new URL(stdout.split('\n')[0]!);
    const context = await browser.newContext({
      baseURL: link.origin,
      locale: 'en-GB',
      viewport: VIEW,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    await page.goto(link.href);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto('/operator/sources');
    await page.getByRole('button', { name: /^203.0.113.7 at Yahoo/ }).waitFor();
    await page.screenshot({ path: `${FOLDER}operator-sources.png`, animations: 'disabled' });
    await page.goto('/operator/doctor');
    await page.getByRole('article', { name: 'mx1.example.net' }).waitFor();
    await page.screenshot({ path: `${FOLDER}operator-doctor.png`, animations: 'disabled' });
    // Switched on, it begins with nothing.
    await switchOutcomesOn(link.origin, account.api_key);
    await withStore(readConfig(env), console.error, ({ db }) =>
      insertOutcomeRows(db, account.account_id, MONTH, 40),
    );
    await takeOutcomes(browser, link.origin, account.api_key);
    const club = await run(
      process.execPath,
      [MXPROOF, 'account', 'create', '--name', 'Tennis club', '--credits', '500', '--json'],
      { env },
    );
    const { api_key: clubKey } = JSON.parse(club.stdout) as { api_key: string };
    await takePeople(browser, env, { url: link.origin, apiKey: account.api_key, clubKey });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
    rmSync(home, { recursive: true, force: true });
  }
}

/** An owner of one account, who looks at another. */
async function takePeople(
  browser: Browser,
  env: Parameters<typeof readConfig>[0],
  { url, apiKey, clubKey }: { readonly url: string; readonly apiKey: string; readonly clubKey: string },
): Promise<void> {
  const invite = async (key: string, email: string, role: string) => {
    const answer = await fetch(`${url}/v1/members`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email, role }),
    });
    return (await answer.json()) as { id: number; link: string };
  };
  const window = async () => {
    const options = { baseURL: url, locale: 'en-GB', viewport: VIEW, reducedMotion: 'reduce' } as const;
    const context = await browser.newContext({ ...options, colorScheme: 'light' });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    // Every page says that nothing is checked here.
    await page.route('**/v1/status', (route) => route.fulfill({ json: { checking: 'ok', reasons: [] } }));
    return page;
  };
  const join = async (path: string) => {
    const page = await window();
    await page.goto(path);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    return page;
  };
  const take = (page: Page, name: string) =>
    page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
  const { id } = await invite(apiKey, 'anna@shop.example', 'owner');
  await invite(clubKey, 'anna@shop.example', 'member');
  const ben = await invite(apiKey, 'ben@shop.example', 'member');
  await invite(apiKey, 'agency@marketing.example', 'viewer');
  await (await join(new URL(ben.link).pathname)).context().close();
  const token = await withStore(readConfig(env), console.error, ({ db }) =>
    db.transaction((tx) => makeInvitation(tx, id, true)),
  );
  const page = await join(`/join/${token}`);
  await page.goto('/account#members');
  await page.getByRole('table', { name: 'Members' }).getByText('You').waitFor();
  await take(page, 'members');
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await take(page, 'accounts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('carla@shop.example');
  await take(page, 'invite');
  const out = await window();
  const ways = { key: true, mail: true, openid: { name: 'Shop' } };
  await out.route('**/session/ways', (route) => route.fulfill({ json: ways }));
  await out.goto('/');
  await out.getByText('Use an API key').waitFor();
  await take(out, 'sign-in-ways');
}

async function switchOutcomesOn(url: string, apiKey: string): Promise<void> {
  await fetch(`${url}/v1/account`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ outcomes: true }),
  });
}

async function takeOutcomes(browser: Browser, url: string, apiKey: string): Promise<void> {
  const page = await open(browser, { url, apiKey }, { colorScheme: 'light', viewport: TALL });
  // Every page says that nothing is checked here.
  await page.route('**/v1/status', (route) => route.fulfill({ json: { checking: 'ok', reasons: [] } }));
  await page.goto('/outcomes');
  await page.getByText('we called deliverable').waitFor();
  await page.screenshot({ path: `${FOLDER}outcomes.png`, animations: 'disabled' });
}

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  await takeAlone(browser);
  if (process.argv[2] !== 'operator') {
    const demo = await startDemo();
    await takeAll(browser, demo).finally(() => demo.stop());
  }
} finally {
  await browser.close();
}
