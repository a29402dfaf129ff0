// How soon a page can be used, from an empty cache: printed, and asserted nowhere.
import { expect, test } from 'vitest';
import { closePage, type Rig } from '../rig.ts';

export function firstLook(rig: () => Rig): void {
  test('each page tells how soon it could be used', async () => {
    const told: string[] = [];
    for (const [path, heading] of [
      ['/', 'Check an address'],
      ['/lists', 'Lists'],
      ['/new', 'New list'],
      ['/account', 'Account'],
    ] as const) {
      const page = await rig().open(rig().first);
      await page.goto(path, { waitUntil: 'commit' });
      // Measured in the browser, so that the round trip to this process does not count.
      const atMs = await page.evaluate(
        (wanted) =>
          new Promise<number>((done) => {
            const look = () =>
              document.querySelector('h1')?.textContent === wanted
                ? done(performance.now())
                : requestAnimationFrame(look);
            look();
          }),
        heading,
      );
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
      told.push(`${path.padEnd(28)} ${String(Math.round(atMs)).padStart(6)} ms`);
      await closePage(page);
    }
    console.log(['interactive on loopback, empty cache', ...told].join('\n'));
  });
}
