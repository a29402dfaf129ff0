// The console as a person has it: Chromium, the real service, a small internet on loopback. One of each for all tests.
// Promise: a page that asks another origin, breaks its own policy, or throws fails the test that opened it.
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { type Env, mxproof } from '../../cli/test/run-mxproof.ts';
import { type CliService, startCliService } from '../../cli/test/start-service.ts';
import { until } from '../../server/test/until.ts';
import type { WorldSpec } from '../../world/src/index.ts';
import { WORLD } from './world.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Where no Chromium is, these tests are skipped, unless everything is required. */
export const isSkipped = !existsSync(CHROMIUM) && process.env.MXPROOF_REQUIRE_EXTRAS !== '1';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** No test waits for a rate window or for minutes between attempts at a callback. */
const SETTINGS = {
  MXPROOF_RATE_REQUESTS: '100000',
  MXPROOF_RATE_ADDRESSES: '10000000',
  MXPROOF_CALLBACK_RETRY_SECONDS: '1,1',
};
/** Reached only by what never comes. */
const WAIT_LIMIT_MS = 60_000;

export interface Account {
  readonly id: number;
  readonly apiKey: string;
}

export interface Rig {
  readonly browser: Browser;
  readonly service: CliService;
  readonly url: string;
  readonly first: Account;
  /** Another one, of the operator's making. */
  openAccount(credits: number): Promise<Account>;
  /** What one account's programs would ask. */
  call(account: Account, method: string, path: string, body?: unknown): Promise<Response>;
  /** A browser window of its own, signed in or not. */
  open(account: Account | null, options?: BrowserContextOptions): Promise<Page>;
  /** The same, signed in as operator by a link, at a path below /operator. */
  openOperator(options?: BrowserContextOptions, path?: string): Promise<Page>;
  /** An operator's key, of the command line's making. */
  adminKey(scope: 'read' | 'write'): Promise<string>;
  close(): Promise<void>;
}

/** `shared`: another rig's browser, which stays open. */
export async function startRig(
  world: WorldSpec = WORLD,
  { shared, settings = {} }: { readonly shared?: Browser; readonly settings?: Env } = {},
): Promise<Rig> {
  const [service, browser] = await Promise.all([
    startCliService(world, { ...SETTINGS, ...settings }),
    shared ?? chromium.launch({ executablePath: CHROMIUM, args: FLAGS }),
  ]);
  const { url } = service;
  // Built at the first start, beside the API.
  await until(async () => (await (await fetch(url)).text()).includes('/assets/'), BUILD_LIMIT_MS);
  const sessions = new Map<string, StorageState>();
  /** The operator's latest session; some tests end it. */
  let operator: StorageState | null = null;
  const window = async (options?: BrowserContextOptions) => {
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-GB',
      timezoneId: 'UTC',
      ...options,
    });
    context.setDefaultTimeout(WAIT_LIMIT_MS);
    return watch(await context.newPage(), url);
  };
  return {
    browser,
    service,
    url,
    first: { id: 1, apiKey: service.apiKey },
    async openAccount(credits) {
      const args = ['account', 'create', '--name', `With ${credits}`, '--credits', String(credits), '--json'];
      const made = await mxproof(args, service.operator);
      const { account_id, api_key } = JSON.parse(made.stdout) as { account_id: number; api_key: string };
      return { id: account_id, apiKey: api_key };
    },
    call: ({ apiKey }, method, path, body) =>
      fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async open(account, options) {
      const session = account && (sessions.get(account.apiKey) ?? (await signIn(browser, url, account)));
      if (account && session) sessions.set(account.apiKey, session);
      return window({ ...(session && { storageState: session }), ...options });
    },
    async openOperator(options, path = '') {
      const page = await window({ ...(operator && { storageState: operator }), ...options });
      await page.goto(`/operator${path}`);
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      if (title !== 'For the operator of this service') return page;
      const { stdout } = await mxproof(['admin', 'link'], service.operator);
      await page.goto(new URL(/http\S+\/operator\/sign-in\/\S+/.exec(stdout)![0]).pathname);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      operator = await page.context().storageState();
      await page.goto(`/operator${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    async adminKey(scope) {
      const { stdout } = await mxproof(['admin', 'key', 'create', '--scope', scope], service.operator);
      return /mx_admin_\S+/.exec(stdout)![0];
    },
    async close() {
      if (!shared) await browser.close();
      await service.close();
    },
  };
}

const BUILD_LIMIT_MS = 120_000;
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, url: string, { apiKey }: Account): Promise<StorageState> {
  const page = await browser.newPage({ baseURL: url });
  await signInElsewhere(page, apiKey);
  const session = await page.context().storageState();
  await page.context().close();
  return session;
}

/** As the form does it, in a page of its own; the form itself has tests of its own. */
export async function signInElsewhere(page: Page, apiKey: string): Promise<void> {
  await page.goto('/favicon.svg');
  await page.evaluate(async (api_key) => {
    const headers = { 'content-type': 'application/json', 'x-mxproof-console': '1' };
    const answer = await fetch('/session', { method: 'POST', headers, body: JSON.stringify({ api_key }) });
    localStorage.setItem('mxproof-session-proof', ((await answer.json()) as { proof: string }).proof);
  }, apiKey);
}

const faults = new WeakMap<BrowserContext, string[]>();

async function watch(page: Page, url: string): Promise<Page> {
  const found: string[] = [];
  faults.set(page.context(), found);
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('blob:'))
      found.push(`asked ${request.url()}`);
  });
  page.on('pageerror', (error) => found.push(`threw ${error.message}`));
  page.on('console', (message) => {
    // Refusals are what some tests are about; Chromium tells of each.
    const isRefusal = /^Failed to load resource/.test(message.text());
    if ((message.type() === 'error' && !isRefusal) || message.text().startsWith('CSP '))
      found.push(message.text());
  });
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation',
      (event) => console.log('CSP ' + event.violatedDirective + ' ' + event.blockedURI));`,
  });
  return page;
}

/** Closes a window, in which nothing may have gone wrong. */
export async function closePage(page: Page): Promise<void> {
  const context = page.context();
  await context.close();
  expect(faults.get(context)).toEqual([]);
}
