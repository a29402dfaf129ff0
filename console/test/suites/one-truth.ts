// No two numbers of a list's page contradict each other: looked at in every frame, while rows come late and events do not.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { type FoundState, findStates } from '../findings.ts';
import { agree, makeList } from '../lists.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

const TURN = ['deliverable', 'role', 'catchAll', 'gone', 'unknown', 'role'] as const;
const FOUND: readonly FoundState[] = Array.from({ length: 48 }, (_, at) => TURN[at % TURN.length]!);
const EMAILS = FOUND.map((_, at) => `p${at}@silent.example`);
/** How long each answer with rows is held back: meanwhile several events come. */
const LATE_MS = 1_200;
/** So many addresses are found at once. */
const STEP = 6;

interface Seen {
  /** Shown numbers of checked addresses, each once. */
  readonly moments: number[];
  readonly contradictions: string[];
}

/** In the page: reads every number of it in each frame. */
function watchNumbers(): void {
  const seen: Seen = { moments: [], contradictions: [] };
  Object.assign(window, { seen });
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const numberIn = (text: string | null | undefined) => {
    const digits = /[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', '');
    return digits === undefined ? null : Number(digits);
  };
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.includes(null) ? null : numbers.reduce<number>((whole, one) => whole + one!, 0);
  const look = () => {
    requestAnimationFrame(look);
    const cards = all('.action-count').map((one) => numberIn(one.firstChild?.textContent));
    if (cards.length === 0) return;
    const progress = document.querySelector('[role=progressbar]');
    const checked = progress && Number(progress.getAttribute('aria-valuenow'));
    const total = progress && Number(progress.getAttribute('aria-valuemax'));
    const states = all('.chart-states li .push').map((one) => numberIn(one.textContent));
    const [reasons, providers] = all('.charts section:not(.chart-states)').map((chart) => {
      const bars = [...chart.querySelectorAll('.bars dd')];
      return bars.length === 0 ? null : sum(bars.map((bar) => numberIn(bar.textContent)));
    });
    const [found, soFar] = [
      ...(document.querySelector('.results-found')?.textContent ?? '').matchAll(/[\d,]+/g),
    ].map(([digits]) => Number(digits.replaceAll(',', '')));
    const isSoFar = document.querySelector('.results-found')?.textContent?.includes('checked so far');
    const shownAction = all('.actions [aria-pressed=true]')[0]?.closest('li');
    const shownCard = shownAction
      ? numberIn(shownAction.querySelector('.action-count')?.firstChild?.textContent)
      : null;
    const waiting = numberIn(document.querySelector('.waiting-title')?.textContent);
    const send = document.querySelector('.action-count span')?.textContent;
    const doughnut = document.querySelector('.doughnut strong')?.textContent;
    const whole = sum(cards);
    const isDone = document.querySelector('.list-ended') !== null;
    const say = (what: string, one: unknown, other: unknown) => {
      if (one == null || other == null || one === other) return;
      const text = `${what}: ${one} beside ${other}`;
      if (!seen.contradictions.includes(text)) seen.contradictions.push(text);
    };
    say('cards and progress', whole, checked);
    say('risky cards and chart', sum(cards.slice(1, 3)), states[1] ?? null);
    say('cards and states', whole, sum(states));
    say('states and progress', states.length > 0 ? sum(states) : null, checked);
    say('reasons and states', reasons, sum(states));
    say('providers and states', providers, sum(states));
    say('share and doughnut', doughnut && send, doughnut);
    say('left and progress', waiting, total !== null && checked !== null ? total - checked : null);
    if (isSoFar) say('table and progress', soFar ?? found, checked);
    if (shownCard !== null) say('rows shown and their card', found, shownCard);
    if (isDone) say('done and progress', checked, total);
    const moment = whole ?? checked;
    if (moment !== null && !seen.moments.includes(moment)) seen.moments.push(moment);
  };
  look();
}

const seenBy = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen);

async function openWatched(rig: Rig, account: Account, id: number): Promise<Page> {
  const page = await rig.open(account);
  await page.addInitScript(watchNumbers);
  await page.route('**/results?**', async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    await new Promise((done) => setTimeout(done, LATE_MS));
    await route.fulfill({ response, body }).catch(() => {});
  });
  await page.goto(`/lists/${id}`);
  return page;
}

export function oneTruth(rig: () => Rig): void {
  test('from the first result of a list to its last, and while it is tried again', {
    timeout: 120_000,
  }, async () => {
    const account = await rig().openAccount(200);
    const id = await makeList(rig(), account, { emails: EMAILS, name: 'One truth' });
    const page = await openWatched(rig(), account, id);
    await page.getByRole('progressbar').waitFor();
    // The rows of one card, whose number stands above them.
    await page.getByRole('button', { name: 'Show Leave out' }).click();
    const reached = (count: number) =>
      until(async () => expect((await seenBy(page)).moments).toContain(count));
    for (let found = STEP; found < FOUND.length; found += STEP) {
      await findStates(rig(), id, FOUND.slice(0, found));
      if (found % (2 * STEP) === 0) await reached(found);
    }
    await findStates(rig(), id, FOUND);
    await page.getByText('Done', { exact: true }).waitFor();
    await reached(FOUND.length);
    await page.getByText(`16 addresses of ${FOUND.length}`).waitFor();

    // Of what is tried again, each answer takes its number from one card to another.
    await page.getByRole('button', { name: 'Try the 8 again (up to 8 credits)' }).click();
    const question = page.getByRole('alertdialog');
    if (await question.isVisible()) await agree(page);
    await page.getByText('Trying those without an answer again: 0 of 8').waitFor();
    const answer = await rig().call(account, 'GET', `/lists/${id}/retries`);
    const [retry] = ((await answer.json()) as { lists: number[] }).lists;
    await findStates(rig(), retry!, ['role', 'deliverable']);
    await page.getByText('Trying those without an answer again: 2 of 8').waitFor();
    await page.getByText(`17 addresses of ${FOUND.length}`).waitFor();
    await findStates(rig(), retry!, [
      'role',
      'deliverable',
      'role',
      'gone',
      'unknown',
      'unknown',
      'role',
      'role',
    ]);
    await page.getByText('6 have an answer now').waitFor();
    await page.getByText(`20 addresses of ${FOUND.length}`).waitFor();
    const { moments, contradictions } = await seenBy(page);
    expect(contradictions).toEqual([]);
    // Not one jump from nothing to all, and never back.
    expect(moments.length).toBeGreaterThan(4);
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    await closePage(page);

    // Opened later, it says the same from the first number on.
    const later = await openWatched(rig(), account, id);
    await later.getByText('6 have an answer now').waitFor();
    expect(
      (await later.locator('.action-count').allTextContents()).map((text) => text.split(' ')[0]),
    ).toEqual([...['9', '8', '20', '9', '2']]);
    expect((await seenBy(later)).contradictions).toEqual([]);
    await closePage(later);
  });
}
