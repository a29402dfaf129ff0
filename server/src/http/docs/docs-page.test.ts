// The API reference as a browser shows it. Needs Chromium; the rest is asked over HTTP.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

const CHROMIUM = '/usr/bin/chromium';
const BROWSER_LIMIT_MS = 120_000;
const isRequired = process.env.MXPROOF_REQUIRE_EXTRAS === '1';
const hasBrowser = existsSync(CHROMIUM);

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await startService({ credits: 1234 });
  url = `http://127.0.0.1:${service.port}`;
});
afterAll(() => service.close());

async function scriptOf(): Promise<string> {
  const page = await service.call('GET', '/docs', { key: null });
  return /<script src="([^"]+)"><\/script>/.exec(page.text)![1]!;
}

test('/docs is a page of this origin, whose one script is named after its content', async () => {
  const page = await service.call('GET', '/docs', { key: null });
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain(
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'",
  );
  expect(policy).not.toContain('unsafe-eval');
  expect(page.text.match(/<script/g)).toHaveLength(1);
  expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);

  const path = await scriptOf();
  expect(path).toMatch(/^\/docs\/scalar-[0-9a-f]{16}\.js$/);
  const plain = await service.call('GET', path, { key: null });
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.text).toContain('createApiReference');
  const packed = await fetch(url + path, { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 3);
  expect(await packed.text()).toBe(plain.text);
});

test('another name below /docs is 404', async () => {
  const missing = await service.call('GET', '/docs/scalar-0000000000000000.js', { key: null });
  expect([missing.status, missing.json]).toEqual([404, { error: 'not found' }]);
});

/** The page in a browser, and what it did that it should not do. */
async function open(
  browser: Browser | BrowserContext,
  scheme: 'light' | 'dark',
  width = 1400,
): Promise<{ page: Page; faults: string[] }> {
  const faults: string[] = [];
  const page = await browser.newPage();
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
      faults.push(`asked ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().startsWith('CSP ')) faults.push(message.text());
  });
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation',
      (event) => console.log('CSP ' + event.violatedDirective + ' ' + event.blockedURI));`,
  });
  await page.goto(`${url}/docs`);
  await page.getByText('Check one address').first().waitFor({ state: 'attached' });
  return { page, faults };
}

/** By the form of an operation. */
async function send(
  page: Page,
  summary: string,
  method: string,
  path: string,
  shown = '',
): Promise<Response> {
  await page.getByRole('link', { name: summary }).first().click();
  const name = new RegExp(`Test Request.*${method} ${path}\\)`, 's');
  await page.getByRole('button', { name }).click();
  // Fields of the query may be filled in.
  const answered = page.waitForResponse((response) => response.url().split('?')[0] === url + path);
  await page.getByRole('button', { name: /^Send/ }).first().click();
  await answered;
  if (shown !== '') await page.locator('.cm-line', { hasText: shown }).first().waitFor();
  await page.keyboard.press('Escape');
  return answered;
}

test.skipIf(!hasBrowser && !isRequired)(
  'a browser shows every operation, asks no other host, breaks no policy, and sends a request with a key',
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const dark = await open(browser, 'dark');
      expect(await dark.page.locator('body.dark-mode').count()).toBe(1);
      expect(dark.faults).toEqual([]);

      const { page, faults } = await open(browser, 'light');
      expect(await page.getByRole('status').innerText()).toBe('Not signed in: enter a key, or sign in');
      const shown = await page.locator('body').innerText();
      const { paths } = (await service.call('GET', '/v1/openapi.json', { key: null })).json as {
        paths: Record<string, Record<string, { summary: string }>>;
      };
      for (const operations of Object.values(paths))
        for (const { summary } of Object.values(operations)) expect(shown).toContain(summary);

      await page.getByLabel('Bearer Token').first().fill(service.account.apiKey);
      const answered = await send(page, 'Show the balance', 'get', '/v1/account', '1234');
      expect(answered.status()).toBe(200);
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  BROWSER_LIMIT_MS,
);

test.skipIf(!hasBrowser && !isRequired)(
  'in a browser that is signed in, requests without a key go as its session, and the page says so and leads back',
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext();
      const console = await context.newPage();
      await console.goto(`${url}/v1/openapi.json`);
      await console.evaluate(async (api_key) => {
        const answer = await fetch('/session', { method: 'POST', body: JSON.stringify({ api_key }) });
        localStorage.setItem('mxproof-session-proof', ((await answer.json()) as { proof: string }).proof);
      }, service.account.apiKey);
      const { page, faults } = await open(context, 'light');
      await page.getByText('Signed in as tests: no key needed').waitFor();
      expect(await page.getByRole('link', { name: 'Console' }).getAttribute('href')).toBe('/');
      expect((await send(page, 'Show the balance', 'get', '/v1/account')).status()).toBe(200);
      expect((await send(page, 'Check one address', 'post', '/v1/verify')).status()).toBe(200);
      await page.getByLabel('Bearer Token').first().fill('mx_live_wrong');
      const refused = await send(page, 'Show the balance', 'get', '/v1/account');
      expect(refused.status()).toBe(401);
      expect(refused.request().headers()).not.toHaveProperty('mxproof-session-proof');
      expect(faults.filter((fault) => /^(asked|threw|CSP)/.test(fault))).toEqual([]);

      // On a phone.
      const phone = await open(context, 'dark', 390);
      await phone.page.getByRole('button', { name: 'Open Menu' }).click();
      expect((await send(phone.page, 'Show the balance', 'get', '/v1/account')).status()).toBe(200);
      expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect((await phone.page.locator('#bar').boundingBox())!.y).toBe(0);

      // A session that ends elsewhere is noticed when the page is looked at again.
      await page.evaluate(
        `fetch('/session', { method: 'DELETE' }).then(() => document.dispatchEvent(new Event('visibilitychange')))`,
      );
      await page.getByText('Not signed in').waitFor();
    } finally {
      await browser.close();
    }
  },
  BROWSER_LIMIT_MS,
);
