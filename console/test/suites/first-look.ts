// The first look at a page, from an empty cache: it waits for nothing but its own files.
import { expect, test } from 'vitest';
import { closePage, type Rig } from '../rig.ts';

export function firstLook(rig: () => Rig): void {
  test.each([
    ['/', 'Check an address'],
    ['/lists', 'Lists'],
    ['/new', 'New list'],
    ['/account', 'Account'],
  ])('%s can be seen before the service has answered any request for data', async (path, heading) => {
    const page = await rig().open(rig().first);
    let held = 0;
    await page.route('**/v1/**', () => {
      held += 1;
    });
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(held).toBeGreaterThan(0);
    await closePage(page);
  });
}
