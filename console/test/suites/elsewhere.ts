// What one browser began is the same in another: lists of one file are one, and what was checked again is in its place.
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { findStates } from '../findings.ts';
import {
  agree,
  bytesOf,
  checkFile,
  chooseDownload,
  download,
  makeList,
  pickFile,
  startFile,
  takeAgain,
  WHOLE,
} from '../lists.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

/** Of a test key, three lists. */
const ROWS = 20_001;
const PEOPLE = ['email', ...Array.from({ length: ROWS }, (_, at) => `p${at}@shop.example`), ''].join('\n');
/** As many as a page of lists holds, but two. */
const OTHERS = 98;
const LIMIT_MS = 120_000;

async function openTestAccount(rig: Rig): Promise<Account> {
  const owner = await rig.openAccount(0);
  const made = await rig.call(owner, 'POST', '/keys', { label: 'tests', test: true });
  return { id: owner.id, apiKey: ((await made.json()) as { api_key: string }).api_key };
}

export function elsewhere(rig: () => Rig): void {
  test('a file of three lists dropped in one browser is one list in another, also across pages of lists', {
    timeout: LIMIT_MS,
  }, async () => {
    const account = await openTestAccount(rig());
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'people.csv', PEOPLE);
    await page.getByText('this file becomes 3 lists').waitFor();
    await checkFile(page);
    const whole = new URL(page.url()).pathname;
    await closePage(page);
    // Two of the three are on the first page of lists, one is on the second.
    for (let n = 0; n < OTHERS; n += 1)
      await makeList(rig(), account, { emails: ['ann@shop.example'], name: `other ${n}` });

    const other = await rig().open(account);
    await other.goto('/lists');
    const people = other.getByRole('listitem').filter({ hasText: 'people.csv' });
    await people.getByText('20,001 addresses').waitFor();
    expect(await people.count()).toBe(1);
    await other.getByRole('button', { name: 'Show older lists' }).click();
    await other.getByRole('button', { name: 'Show older lists' }).waitFor({ state: 'detached' });
    expect(await people.count()).toBe(1);
    expect(await other.getByRole('listitem').filter({ hasText: 'other' }).count()).toBe(OTHERS);

    await people.getByRole('link', { name: 'people.csv', exact: true }).click();
    await other.getByRole('heading', { name: 'people.csv', level: 1, exact: true }).waitFor();
    await other.getByText('Done', { exact: true }).waitFor();
    expect(new URL(other.url()).pathname).toBe(whole);
    // The file itself stayed in the first browser; taken again, it is merged with the results of all three.
    await other
      .getByText(`${ROWS.toLocaleString('en')} addresses`, { exact: true })
      .last()
      .waitFor();
    await chooseDownload(other, WHOLE);
    const [file] = await Promise.all([
      other.waitForEvent('download'),
      takeAgain(other, 'people.csv', PEOPLE),
    ]);
    const lines = (await bytesOf(file)).toString().trimEnd().split('\n');
    expect(lines.filter((line) => /^p\d+@shop\.example,deliverable,/.test(line))).toHaveLength(ROWS);
    await closePage(other);
  });

  test('answers of a retry show in another browser, in the first list and its file', async () => {
    const account = await rig().openAccount(10);
    const emails = ['ann@silent.example', 'ben@silent.example', 'eve@silent.example'];
    const file = ['name,email', ...emails.map((email) => `N,${email}`), ''].join('\n');
    const page = await rig().open(account);
    await page.goto('/new');
    await pickFile(page, 'guests.csv', file);
    await startFile(page);
    await page.getByRole('progressbar').waitFor();
    const path = new URL(page.url()).pathname;
    await findStates(rig(), Number(path.split('/').at(-1)), ['deliverable', 'unknown', 'unknown']);
    await page.getByText('Done', { exact: true }).waitFor();

    await page.getByRole('button', { name: /^Try the/ }).click();
    await agree(page);
    await page.getByText('Trying those without an answer again: 0 of 2').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await page.getByRole('button', { name: /^Try the/ }).count()).toBe(0);
    const retries = async () =>
      ((await (await rig().call(account, 'GET', `${path}/retries`)).json()) as { lists: number[] }).lists;
    await findStates(rig(), (await retries())[0]!, ['deliverable', 'unknown']);
    await page.getByText('1 has an answer now, here and in your file').waitFor();

    // Once more, what is still unknown and nothing else.
    await page.getByRole('button', { name: /^Try the/ }).click();
    await agree(page);
    await page.getByText('Trying those without an answer again: 0 of 1').waitFor();
    await findStates(rig(), (await retries())[1]!, ['deliverable']);
    await page.getByText('2 have an answer now, here and in your file').waitFor();
    const back = (await bytesOf(await download(page, WHOLE))).toString();
    expect(back.match(/,deliverable,accepted_email,/g)).toHaveLength(3);

    const other = await rig().open(account);
    await other.goto(path);
    await other.getByText('2 have an answer now, here and in your file').waitFor();
    await until(async () => (await other.getByRole('row', { name: /Send Accepted/ }).count()) === 3);
    const counts = await other.locator('.action-count').allTextContents();
    expect(counts.map((text) => text.split(' ')[0])).toEqual(['3', '0', '0', '0', '0']);
    await closePage(other);
    await closePage(page);
  });

  test('a retry that runs brings its answers as they come; stopped, it keeps them; deleted, it takes them with it', async () => {
    const account = await rig().openAccount(10);
    const emails = ['ann@silent.example', 'ben@silent.example', 'eve@silent.example'];
    const id = await makeList(rig(), account, { emails, name: 'Guests' });
    await findStates(rig(), id, ['unknown', 'unknown', 'unknown']);
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    const again = page.getByRole('button', { name: /^Try the/ });
    const counts = (wanted: readonly string[]) =>
      until(async () => {
        const shown = await page.locator('.action-count').allTextContents();
        expect(shown.map((text) => text.split(' ')[0])).toEqual(wanted);
      });
    await again.click();
    await agree(page);
    await page.getByText('Trying those without an answer again: 0 of 3').waitFor();
    const answer = await rig().call(account, 'GET', `/lists/${id}/retries`);
    const [retry] = ((await answer.json()) as { lists: number[] }).lists;
    await findStates(rig(), retry!, ['deliverable']);
    await page.getByText('Trying those without an answer again: 1 of 3').waitFor();
    await page.getByRole('row', { name: 'ann@silent.example Send Accepted' }).waitFor();
    await counts(['1', '0', '0', '0', '2']);

    await rig().call(account, 'POST', `/lists/${retry}/cancel`);
    await page.getByText(/was stopped on .+: 1 has an answer now, here and in your file/).waitFor();
    await again.waitFor();
    await counts(['1', '0', '0', '0', '2']);

    await rig().call(account, 'DELETE', `/lists/${retry}`);
    await page.reload();
    await counts(['0', '0', '0', '0', '3']);
    await again.waitFor();
    expect(await page.getByText('Trying those without an answer again').count()).toBe(0);
    await closePage(page);
  });
}
