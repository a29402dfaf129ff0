// The page of an invitation as a browser has it: its script runs under its own policy, and knows who is signed in.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { invite, signInWithMailbox } from '../../test/members.ts';

const CHROMIUM = '/usr/bin/chromium';
const isSkipped = !existsSync(CHROMIUM) && process.env.MXPROOF_REQUIRE_EXTRAS !== '1';

describe.skipIf(isSkipped)('in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    service = await startService();
    origin = `http://127.0.0.1:${service.port}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  test('its button joins; who is signed in as themselves is offered to join as that person', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    const shown = () =>
      page.evaluate(async () => {
        const proof = localStorage.getItem('mxproof-session-proof')!;
        return (await fetch('/session', { headers: { 'mxproof-session-proof': proof } })).json();
      });

    const alone = await invite(service, { email: 'sales@x.test', role: 'viewer' });
    await page.goto(origin + alone.path);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.waitForURL(`${origin}/`);
    await page.goto(`${origin}/healthz`);
    expect(await shown()).toMatchObject({ role: 'viewer', signed_in_as: null });

    const other = await service.open({ name: '<b>other</b>' });
    await invite(service, { email: 'ann@x.test', role: 'owner' });
    const { secrets } = (await signInWithMailbox(service, 'ann@x.test'))!;
    await context.addCookies([{ name: 'mxproof_session', value: secrets.cookie, url: origin }]);
    await page.evaluate((proof) => localStorage.setItem('mxproof-session-proof', proof), secrets.proof);
    const invited = await invite(service, { email: 'bob@x.test', role: 'member', key: other.apiKey });
    await page.goto(origin + invited.path);
    await page.getByText('<b>other</b>').waitFor();
    await page.getByRole('button', { name: 'Join as another person' }).waitFor();
    await page.getByRole('button', { name: 'Join as ann@x.test' }).click();
    await page.waitForURL(`${origin}/`);
    await page.goto(`${origin}/healthz`);
    expect(await shown()).toMatchObject({
      ...{ name: '<b>other</b>', role: 'member', signed_in_as: 'ann@x.test' },
      accounts: [{ role: 'member' }, { name: 'tests', role: 'owner' }],
    });
    // There is no console in this service: only its page is missing.
    expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
    await context.close();
  }, 60_000);
});
