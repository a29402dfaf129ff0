// A list is deleted: ten seconds in which it is not, a service that does not answer, and then.
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { makeList } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const UNDO_MS = 11_000;

export function deletions(rig: () => Rig): void {
  test('a deletion can be undone for ten seconds, then the list is gone', async () => {
    const id = await makeList(rig(), rig().first, { emails: ['not an address'], name: 'To delete' });
    const page = await rig().open(rig().first);
    await page.clock.install();
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('To delete is being deleted').waitFor();
    expect(await page.getByRole('link', { name: 'To delete' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'To delete' }).click();
    await page.getByText('Done', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('To delete is being deleted').waitFor();
    expect((await rig().call(rig().first, 'GET', `/lists/${id}`)).status).toBe(200);
    await page.clock.fastForward(UNDO_MS);
    await until(async () => (await rig().call(rig().first, 'GET', `/lists/${id}`)).status === 404);
    await closePage(page);
  });

  test('a deletion that the service refuses is said; the list can be kept, or deleted once more', async () => {
    const id = await makeList(rig(), rig().first, { emails: ['not an address'], name: 'Stubborn' });
    const page = await rig().open(rig().first);
    await page.clock.install();
    await page.route(`**/v1/lists/${id}`, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 503, json: { error: 'service unavailable' } })
        : route.continue(),
    );
    const fail = async () => {
      await page.goto(`/lists/${id}`);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Stubborn is being deleted').waitFor();
      // It is tried several times, with pauses.
      await until(async () => {
        await page.clock.fastForward(UNDO_MS);
        return page.getByText('Stubborn could not be deleted').isVisible();
      });
      await page.getByText('The service is not available at the moment').waitFor();
    };
    await fail();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('link', { name: 'Stubborn' }).waitFor();
    expect(await page.getByText('could not be deleted').count()).toBe(0);

    await fail();
    await page.unroute(`**/v1/lists/${id}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(async () => (await rig().call(rig().first, 'GET', `/lists/${id}`)).status === 404);
    await page.getByText('could not be deleted').waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: 'Stubborn' }).count()).toBe(0);
    await closePage(page);
  });
}
