// Results that are kept for a while: the day they go before it comes, and an honest page afterwards.
import { expect, test } from 'vitest';
import { NOTHING_EXPIRES } from '../../../server/src/rules/retention.ts';
import { dueRetentions, expireStep, setRetention } from '../../../server/src/store/retention.ts';
import { makeList, untilDone } from '../lists.ts';
import { inStore } from '../operator-rows.ts';
import { type Account, closePage, type Rig } from '../rig.ts';

/** Keeps the account's results for 30 days, and lets those of this list be older. */
export const expireList = (rig: Rig, account: Account, id: number): Promise<void> =>
  inStore(rig, async (db) => {
    await db.query(`UPDATE mxproof.lists SET finished_at = now() - interval '40 days' WHERE id = $1`, [id]);
    await setRetention(db, account.id, { ...NOTHING_EXPIRES, results: 30 });
    for (const due of await dueRetentions(db, NOTHING_EXPIRES)) await expireStep(db, due);
  });

export function retention(rig: () => Rig): void {
  test('a list shows the day its results are deleted, then what is left, and the account how long it keeps what', async () => {
    const account = await rig().openAccount(10);
    const id = await makeList(rig(), account, {
      name: 'Spring',
      emails: ['ann@shop.example', 'nobody@shop.example'],
    });
    await untilDone(rig(), account, id);
    const page = await rig().open(account);
    await page.goto(`/lists/${id}`);
    await page.getByRole('row', { name: 'ann@shop.example' }).waitFor();
    expect(await page.getByText('results are deleted on').count()).toBe(0);

    await inStore(rig(), async (db) => {
      await setRetention(db, account.id, { ...NOTHING_EXPIRES, results: 30 });
      await db.query(`UPDATE mxproof.lists SET finished_at = '2126-12-15T12:00Z' WHERE id = $1`, [id]);
    });
    await page.reload();
    await page.getByText('results are deleted on 14 Jan 2127').waitFor();
    // What this page asks for is over before the next one is listened to.
    await page.getByRole('row', { name: 'ann@shop.example' }).waitFor();

    await expireList(rig(), account, id);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByText(/The results were deleted on .+\. Your account keeps results/).waitFor();
    const states = page.getByRole('region', { name: 'States' });
    expect(await states.getByRole('listitem').first().textContent()).toContain('1');
    expect(await page.getByRole('button', { name: 'Download the good rows' }).isDisabled()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(asked.filter((path) => /results|breakdown/.test(path))).toEqual([]);

    await page.goto('/account');
    const kept = page.getByRole('region', { name: 'How long data is kept' });
    await kept.waitFor();
    expect(await kept.locator('dd').allTextContents()).toEqual([
      '30 days',
      'No limit',
      '30 days',
      'No limit',
    ]);
    await closePage(page);
  });
}
