// A list is deleted: at once, in every session, and with an undo for ten seconds.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../server/src/store/database.ts';
import { until } from '../../../server/test/until.ts';
import { bytesOf, checkFile, download, makeList, pickFile, STUCK, untilDone, WHOLE } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const UNDO_MS = 11_000;
/** As many as a browser opens to one host: whatever is asked then does not leave before one is free. */
const CONNECTIONS = 6;

/** Run in the browser. */
async function takeConnections({ path, count }: { path: string; count: number }): Promise<void> {
  const headers = { 'mxproof-session-proof': localStorage.getItem('mxproof-session-proof')! };
  const answers = await Promise.all(Array.from({ length: count }, () => fetch(path, { headers })));
  if (!answers.every(({ ok }) => ok)) throw new Error('they were refused');
}

const pressDelete = (page: Page) => page.getByRole('button', { name: 'Delete', exact: true }).click();

/** How many files this browser keeps. */
const filesKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done, fail) => {
        const opened = indexedDB.open('mxproof');
        opened.onerror = () => fail(opened.error);
        opened.onsuccess = () => {
          const counted = opened.result.transaction('files').objectStore('files').count();
          counted.onsuccess = () => {
            opened.result.close();
            done(counted.result);
          };
        };
      }),
  );

export function deletions(rig: () => Rig): void {
  const statusOf = async (id: number) => (await rig().call(rig().first, 'GET', `/lists/${id}`)).status;
  const finishedList = async (name: string) => {
    const id = await makeList(rig(), rig().first, { emails: ['not an address'], name });
    await untilDone(rig(), rig().first, id);
    return id;
  };

  test('a deleted list is gone at once, and can be brought back for ten seconds, after a reload too', async () => {
    const id = await finishedList('To delete');
    const page = await rig().open(rig().first);
    await page.clock.install();
    await page.goto('/lists');
    await page.getByRole('link', { name: 'To delete' }).click();
    for (const undo of [
      () => page.getByRole('button', { name: 'Undo' }).click(),
      () => page.keyboard.press('Control+z'),
    ]) {
      await pressDelete(page);
      await page.getByText('To delete deleted.').waitFor();
      expect(await statusOf(id)).toBe(404);
      expect(await page.getByRole('link', { name: 'To delete' }).count()).toBe(0);
      await page.reload();
      await page.getByText('To delete deleted.').waitFor();
      await undo();
      await page.getByRole('link', { name: 'To delete' }).click();
      await page.getByText('Done', { exact: true }).waitFor();
      expect(await page.getByText('To delete deleted.').count()).toBe(0);
    }
    await pressDelete(page);
    await page.getByText('To delete deleted.').waitFor();
    await page.clock.fastForward(UNDO_MS);
    await page.getByText('To delete deleted.').waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe(404);
    await closePage(page);
  });

  test('a list deleted in a tab that is closed at once is gone in another browser, and its data is removed when the undo ends', async () => {
    const id = await finishedList('Closed at once');
    const db = openDatabase({ url: rig().service.operator.DATABASE_URL!, poolSize: 1 });
    const rows = async () =>
      (await db.query<{ count: number }>('SELECT count(*) FROM mxproof.chunks WHERE list_id = $1', [id]))[0]!
        .count;
    const other = await rig().open(rig().first);
    const page = await rig().open(rig().first);
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    const running = await makeList(rig(), rig().first, { emails: STUCK, name: 'Still running' });
    await page.evaluate(takeConnections, { path: `/v1/lists/${running}/events`, count: CONNECTIONS });
    await pressDelete(page);
    await page.getByRole('button', { name: 'Delete', exact: true, disabled: true }).waitFor();
    expect(await statusOf(id)).toBe(200);
    await page.close();

    await until(async () => (await statusOf(id)) === 404);
    await other.goto('/lists');
    await other.getByRole('link', { name: 'Still running' }).waitFor();
    expect(await other.getByRole('link', { name: 'Closed at once' }).count()).toBe(0);
    expect(await rows()).toBe(1);
    await db.query('UPDATE mxproof.lists SET remove_at = now() WHERE id = $1', [id]);
    await until(async () => (await rows()) === 0);
    await db.close();
    await rig().call(rig().first, 'POST', `/lists/${running}/cancel`);
    await closePage(page);
    await closePage(other);
  });

  test('the file of a deleted list comes back with it, and leaves this browser when the undo is over', async () => {
    const page = await rig().open(rig().first);
    await page.clock.install();
    await page.goto('/new');
    await pickFile(page, 'own.csv', 'email\nann@shop.example\n');
    await checkFile(page);
    expect(await filesKept(page)).toBe(1);
    await pressDelete(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'own.csv' }).click();
    expect((await bytesOf(await download(page, WHOLE))).toString()).toMatch(/^email,state,/);
    await pressDelete(page);
    await page.getByText('own.csv deleted.').waitFor();
    expect(await filesKept(page)).toBe(1);
    await page.clock.fastForward(UNDO_MS);
    await until(async () => (await filesKept(page)) === 0);
    await closePage(page);
  });

  test('a deletion that the service refuses is said, and the list stays; an undo that comes too late is said too', async () => {
    const id = await finishedList('Stubborn');
    const page = await rig().open(rig().first);
    await page.clock.install();
    await page.route(`**/v1/lists/${id}?undo=*`, (route) =>
      route.fulfill({ status: 503, json: { error: 'service unavailable' } }),
    );
    await page.goto(`/lists/${id}`);
    await pressDelete(page);
    // It is tried several times, with pauses.
    await until(async () => {
      await page.clock.fastForward(1_000);
      return page.getByText('Stubborn could not be deleted. The service is not available').isVisible();
    });
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await statusOf(id)).toBe(200);

    await page.unroute(`**/v1/lists/${id}?undo=*`);
    await pressDelete(page);
    await page.getByText('Stubborn deleted.').waitFor();
    const db = openDatabase({ url: rig().service.operator.DATABASE_URL!, poolSize: 1 });
    await db.query('UPDATE mxproof.lists SET remove_at = now() WHERE id = $1', [id]);
    await db.close();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Stubborn could not be restored.').waitFor();
    await page.getByText('It is too late').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await closePage(page);
  });
}
