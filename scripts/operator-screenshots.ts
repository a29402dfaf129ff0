// Makes the pictures of the operator's pages, in both themes, from the demo with a few accounts beside its own.
//   node scripts/with-node.mjs node scripts/operator-screenshots.ts
// Needs Chromium; a few minutes, since the demo checks a newsletter first.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MXProofAdmin, type NewAccount } from '@mxproof/client/admin';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Demo, MXPROOF, startDemo } from './demo-for-pictures.ts';

const FOLDER = fileURLToPath(new URL('../docs/guide/operator/', import.meta.url));
const VIEW = { width: 1080, height: 720 };
const PHONE = { width: 390, height: 760 };
const LIMIT_MS = 600_000;
/** A callback has failed for good after two more attempts. */
const SETTINGS = { MXPROOF_CALLBACK_RETRY_SECONDS: '1,1' };
const CUSTOMERS = [
  'Northwind Trading',
  'Blue Door Hotels',
  'Kiosk 24',
  'Meadow Health',
  'Atlas Recruiting',
  'Fjord Outdoor',
  'Lumen Energy',
];

async function makeAdminKey({ dataFolder }: Demo): Promise<string> {
  const command = [MXPROOF, 'admin', 'key', 'create', '--scope', 'write', '--label', 'pictures', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { ...process.env, MXPROOF_DATA_DIR: dataFolder },
  });
  return (JSON.parse(stdout) as { admin_key: string }).admin_key;
}

interface Customers {
  /** Its page is shown. */
  readonly chosen: number;
  /** Lists that take a while. */
  submitMore(): Promise<void>;
}

/** One of them is suspended, and one has a list whose callback cannot be delivered. */
async function makeCustomers({ url, emails }: Demo, admin: MXProofAdmin): Promise<Customers> {
  const opened: NewAccount[] = [];
  for (const [at, name] of CUSTOMERS.entries())
    opened.push(
      await admin.accounts.create({
        name,
        credits: 4_000 + 3_000 * at,
        external_id: `customer-${2_040 + at}`,
        note: `order ${310 + at}`,
      }),
    );
  const submit = async (at: number, name: string, first: number, count: number, callback?: string) => {
    const answer = await fetch(`${url}/v1/lists`, {
      method: 'POST',
      headers: { authorization: `Bearer ${opened[at]!.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, emails: emails.slice(first, first + count), callback_url: callback }),
    });
    if (!answer.ok) throw new Error(`The list ${name} was answered ${answer.status}.`);
  };
  const chosen = opened[1]!.id;
  await admin.accounts.update(chosen, { monthly_credits: 10_000, rate_requests: 120 });
  await admin.accounts.changeCredits(chosen, { credits: 2_500, note: 'invoice 2042' });
  await admin.accounts.update(opened[2]!.id, { status: 'suspended' });
  await submit(1, 'Guests of 2026', 0, 80, 'https://hooks.blue-door.invalid/mxproof');
  return {
    chosen,
    async submitMore() {
      await submit(4, 'Candidates', 3_700, 300);
      await submit(0, 'Spring catalogue', 2_400, 1_200);
      await submit(1, 'Newsletter, November', 900, 1_400);
    },
  };
}

async function signedIn(
  browser: Browser,
  { url }: Demo,
  key: string,
  options: { colorScheme: 'light' | 'dark'; viewport: { width: number; height: number } },
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  await page.goto('/operator');
  await page.getByRole('textbox').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return page;
}

async function takeAll(browser: Browser, demo: Demo): Promise<void> {
  const key = await makeAdminKey(demo);
  const { chosen, submitMore } = await makeCustomers(
    demo,
    new MXProofAdmin({ baseUrl: demo.url, adminKey: key }),
  );
  const light = await signedIn(browser, demo, key, { colorScheme: 'light', viewport: VIEW });
  const dark = await signedIn(browser, demo, key, { colorScheme: 'dark', viewport: VIEW });
  const phone = await signedIn(browser, demo, key, { colorScheme: 'light', viewport: PHONE });
  const take = async (page: Page, path: string, text: string, file: string) => {
    await page.goto(`/operator${path}`);
    await page.getByText(text).first().waitFor();
    // What is still being asked for leaves its place empty.
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `${FOLDER}${file}.png`, animations: 'disabled' });
  };
  await light.goto('/operator/callbacks');
  await light.getByText('hooks.blue-door.invalid').first().waitFor();
  await submitMore();
  /** Each with what is there once its rows are. */
  const pages = [
    ['lists', '/lists', 'try again later'],
    ['overview', '', 'addresses'],
    ['account', `/accounts/${chosen}`, 'Newsletter, November'],
    ['accounts', '/accounts', 'Lumen Energy'],
    ['callbacks', '/callbacks', 'hooks.blue-door.invalid'],
    ['audit', '/audit', 'Credits were'],
  ] as const;
  for (const [name, path, text] of pages) {
    await take(light, path, text, name);
    await take(dark, path, text, `${name}-dark`);
  }
  await take(phone, '', 'addresses', 'phone');
}

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const demo = await startDemo(SETTINGS);
  await takeAll(browser, demo).finally(() => demo.stop());
} finally {
  await browser.close();
}
