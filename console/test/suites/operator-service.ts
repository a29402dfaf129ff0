// What runs, as its operator sees it: the overview, lists and callbacks of all accounts, nodes, the trail; and who may only look.
import { readFileSync } from 'node:fs';
import type { Overview } from '@mxproof/client/admin';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { STUCK } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

/** Nothing listens there. */
const CLOSED = 'https://127.0.0.1:1/hook?token=secret';
const REFRESH_MS = 10_000;
const LIMIT_MS = 240_000;

export function operatorService(rig: () => Rig): void {
  const makeList = async (body: object, credits = 50) => {
    const owner = await rig().openAccount(credits);
    const made = await rig().call(owner, 'POST', '/lists', body);
    return { owner, id: ((await made.json()) as { id: number }).id };
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

  test('the overview says what needs somebody, and every part of it leads to its page', async () => {
    const page = await rig().openOperator();
    const tiles = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) });
    await until(async () => (await tiles.count()) === 8);
    for (const [tile, title] of [
      ['Lists in progress', 'Lists'],
      ['Callbacks', 'Callbacks'],
      ['Nodes', 'Nodes'],
      ['Sources', 'Source addresses'],
      ['Accounts', 'Accounts'],
      ['Doctor', 'Doctor'],
    ] as const) {
      await page.getByRole('heading', { name: tile, level: 2 }).getByRole('link').click();
      await heading(page, title);
      await page.goBack();
      await heading(page, 'Overview');
    }
    const needed = page.getByRole('region', { name: 'Needs attention' });
    await needed.getByRole('link', { name: 'No recent backup' }).or(needed.getByRole('link')).first().click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor({ state: 'detached' });
    await closePage(page);
  });

  test('the overview follows what happens, over the hours that are asked for', async () => {
    const page = await rig().openOperator();
    await page.clock.install();
    let unknown = 5;
    const hours: (string | null)[] = [];
    await page.route('**/admin/v1/overview*', async (route) => {
      hours.push(new URL(route.request().url()).searchParams.get('hours'));
      const response = await route.fetch();
      const body = (await response.json()) as Overview;
      await route.fulfill({
        response,
        json: {
          ...body,
          checks: { deliverable: 60, risky: 20, undeliverable: 15, unknown, lists_ended: 4 },
          providers: {
            counted: 1_000,
            rows: [
              { provider: 'google', checked: 900, unknown: 9 },
              { provider: 'yahoo', checked: 100, unknown: 25 },
            ],
          },
          alerts: [
            {
              condition: 'queue_age',
              subject: '',
              detail: 'It waits for 20 minutes.',
              since: body.at - 3_600,
            },
          ],
        } satisfies Overview,
      });
    });
    await page.reload();
    await page.getByText('100 addresses').waitFor();
    const providers = page.getByRole('region', { name: 'Unknown by provider' }).getByRole('listitem');
    expect(await providers.allTextContents()).toEqual(['Google1% of 900', 'Yahoo25% of 100']);
    await page
      .getByRole('region', { name: 'Needs attention' })
      .getByText('It waits for 20 minutes. began 1 hour ago')
      .waitFor();
    unknown = 105;
    await page.clock.fastForward(REFRESH_MS);
    await page.getByText('200 addresses').waitFor();
    await page.getByText('7 days').click();
    await until(() => hours.at(-1) === '168');
    await page.reload();
    await until(() => hours.at(-1) === '168');
    expect(new URL(page.url()).searchParams.get('hours')).toBe('168');
    await closePage(page);
  });

  test('a list of any account says what it waits for, and is stopped after a question', {
    timeout: LIMIT_MS,
  }, async () => {
    const { owner, id } = await makeList({ name: 'Never ends', emails: STUCK });
    const page = await rig().openOperator({}, `/lists?account=${owner.id}`);
    const row = page.getByRole('table', { name: 'Lists' }).getByRole('row').nth(1);
    await row.getByRole('link', { name: 'With 50', exact: true }).waitFor();
    await row.getByText('1 of 4').waitFor();
    await page.getByRole('button', { name: 'Never ends' }).click();
    const panel = page.getByRole('dialog', { name: 'Never ends' });
    await panel.getByRole('region', { name: 'What it waits for' }).waitFor();
    await panel.getByText('we stop asking at').waitFor();
    await panel.getByRole('button', { name: 'Stop and refund the rest…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Stop Never ends?' });
    await question.getByText('3 addresses will not be checked').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await panel.getByRole('button', { name: 'Stop and refund the rest…' }).click();
    await question.getByRole('button', { name: 'Stop and refund', exact: true }).click();
    await panel.waitFor({ state: 'detached' });
    expect((await (await rig().call(owner, 'GET', `/lists/${id}`)).json()).status).toBe('failed');
    await row.getByText('Stopped').waitFor();
    await page.getByLabel('Status').selectOption('Being checked');
    await page.getByText('No lists.').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('checking');
    // Not an address of it was on the page.
    expect(await page.content()).not.toContain('stuck.example');
    await closePage(page);
  });

  test('a callback that failed for good is sent again, and its URL is shown without its query', {
    timeout: LIMIT_MS,
  }, async () => {
    const { owner, id } = await makeList({ emails: ['not an address'], callback_url: CLOSED });
    const callback = async () =>
      (await (await rig().call(owner, 'GET', `/lists/${id}/callback`)).json()) as {
        state: string;
        attempts: unknown[];
      };
    await until(async () => (await callback()).state === 'failed');
    const page = await rig().openOperator({}, `/callbacks?account=${owner.id}`);
    const row = page.getByRole('table', { name: 'Callbacks' }).getByRole('row').nth(1);
    await row.getByText('https://127.0.0.1:1/hook', { exact: true }).waitFor();
    await row.getByText('ECONNREFUSED').waitFor();
    await row.getByRole('button', { name: `Send again: callback of list ${id}` }).click();
    await page.getByText('No callback has failed for good.').waitFor();
    await page.getByLabel('State').selectOption('All');
    await row.getByText('6 attempts').waitFor();
    expect((await callback()).attempts).toHaveLength(6);
    expect(await page.content()).not.toContain('token=secret');
    await closePage(page);
  });

  test('the node that answers is among the nodes', async () => {
    const page = await rig().openOperator({}, '/nodes');
    const row = page.getByRole('table', { name: 'Nodes' }).getByRole('row').nth(1);
    await row.getByText('Alive').waitFor();
    await row.getByText('answers requests, checks addresses').waitFor();
    await closePage(page);
  });

  test('the doctor is run, and its report on this machine is new', { timeout: LIMIT_MS }, async () => {
    const page = await rig().openOperator({}, '/doctor');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('The doctor ran on the machine that answered').waitFor();
    await page
      .getByRole('article')
      .getByText(/^(now|\d+ seconds? ago),/)
      .first()
      .waitFor();
    await closePage(page);
  });

  test('the trail tells who did what in sentences, narrowed by an address, and is saved line by line', async () => {
    const owner = await rig().openAccount(12);
    const key = await rig().call(owner, 'POST', '/keys', { label: 'a secret label' });
    expect(key.status).toBe(201);
    const { id: keyId } = (await key.json()) as { id: number };
    const page = await rig().openOperator({}, `/audit?account=${owner.id}`);
    const rows = page.getByRole('table', { name: 'Audit' }).getByRole('row');
    await rows.nth(2).waitFor();
    const first = (await rows.nth(1).textContent())!;
    expect(first).toMatch(new RegExp(`^Key no\\. ${keyId} was made by key no\\. \\d+Access full`));
    expect(await rows.nth(2).textContent()).toMatch(
      /^The account was opened by .+ on the command lineBalance 12/,
    );
    expect(await page.content()).not.toContain('a secret label');
    await page.getByLabel('What was done').selectOption('Key made');
    await until(async () => (await rows.count()) === 2);
    await page.getByLabel('By whom').selectOption('Command line');
    await page.getByText('No entry matches.').waitFor();
    expect(new URL(page.url()).search).toBe(`?account=${owner.id}&action=key.created&actor=command`);
    await page.getByLabel('By whom').selectOption('Anyone');
    await page.getByLabel('Since').fill('2099-12-31');
    await page.getByText('No entry matches.').waitFor();
    await page.goto(`/operator/audit?account=${owner.id}`);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as NDJSON' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('audit.ndjson');
    await page.getByText('2 entries were downloaded. The download is an entry of its own.').waitFor();
    const lines = readFileSync(await saved.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(['key.created', 'account.created']);
    // It is the deployment's entry, whose trail was read.
    await page.goto('/operator/audit');
    await rows.filter({ hasText: 'The audit trail was downloaded by an operator' }).waitFor();
    await closePage(page);
  });

  test('an admin key signs in, and is kept nowhere; one that is none does not', async () => {
    const adminKey = await rig().adminKey('write');
    const page = await rig().open(null);
    await page.goto('/operator/nodes');
    const field = page.getByRole('textbox', { name: 'Admin key' });
    await field.waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter an admin key.').waitFor();
    for (const wrong of [rig().first.apiKey, `${adminKey}x`]) {
      await field.fill(wrong);
      await page.keyboard.press('Enter');
      await page.getByText('This admin key is invalid').waitFor();
    }
    await field.fill(adminKey);
    await page.keyboard.press('Enter');
    // Where one was going.
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(adminKey);
    await closePage(page);
  });

  test('where keys are kept out of browsers, the provider is offered and no field asks for a key', async () => {
    const page = await rig().open(null);
    const ways = { key: false, openid: { name: 'Acme' } };
    await page.route('**/operator/session/ways', (route) => route.fulfill({ json: ways }));
    await page.goto('/operator');
    const provider = page.getByRole('link', { name: 'Continue with Acme' });
    expect(await provider.getAttribute('href')).toBe('/operator/sign-in/openid');
    await page.getByText('mxproof admin link').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await closePage(page);
  });

  test('who may only look sees every page, is told so once, and has no button that changes anything', {
    timeout: LIMIT_MS,
  }, async () => {
    const { owner, id } = await makeList({ name: 'Looked at', emails: STUCK });
    const page = await rig().open(null);
    await page.goto('/operator');
    await page.getByRole('textbox', { name: 'Admin key' }).fill(await rig().adminKey('read'));
    await page.keyboard.press('Enter');
    await page.getByText('Read-only').waitFor();
    const changing: string[] = [];
    page.on('request', (one) => void (one.method() !== 'GET' && changing.push(one.url())));
    const buttons = async () =>
      (await page.getByRole('main').getByRole('button').allTextContents()).filter((name) => name !== '');
    const expected: Readonly<Record<string, readonly string[]>> = {
      '': [],
      '/accounts': [],
      '/accounts?make=true': [],
      [`/accounts/${owner.id}`]: [],
      [`/lists?account=${owner.id}`]: ['Looked at'],
      '/callbacks?state=all': [],
      '/nodes': [],
      '/audit': ['Download as NDJSON'],
      '/doctor': [],
    };
    for (const [path, names] of Object.entries(expected)) {
      await page.goto(`/operator${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await until(async () => (await page.getByText('Loading…').count()) === 0);
      expect(
        (await buttons()).filter((name) => !/^(Next|Previous)$/.test(name)),
        path,
      ).toEqual(names);
    }
    await page.goto(`/operator/accounts/${owner.id}`);
    expect(await page.getByLabel('Requests a minute').isDisabled()).toBe(true);
    await page.keyboard.press('n');
    await page.goto(`/operator/lists?account=${owner.id}`);
    await page.getByRole('button', { name: 'Looked at' }).click();
    const panel = page.getByRole('dialog', { name: 'Looked at' });
    await panel.getByText('we stop asking at').waitFor();
    expect(await panel.getByRole('button').allTextContents()).toEqual(['Close']);
    expect(changing).toEqual([]);
    await closePage(page);
    await rig().call(owner, 'POST', `/lists/${id}/cancel`);
  });
}
