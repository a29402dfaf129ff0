// The way from a messy file to the one that is sent to: misspelt domains, a second column of addresses, repeated rows.
import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { bytesOf, checkFile, downloadGoodRows, pickFile } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

/** As a spreadsheet of years looks like. */
const FILE = [
  'Nr;Name;Ort;Straße;Telefon;E-Mail;E-Mail geschäftlich',
  '7;Ann Geheim;Ulm;Am Markt 1;089 123456;ann@gmial.com;',
  '8;Ben Geheim;Ulm;Am Markt 2;089 123456;ben@gmail,com;info@shop.example',
  '9;Carla;Ulm;Am Markt 3;089 123456;carla@shop.example.;',
  '10;Dora;Ulm;Am Markt 4;089 123456;"Dora <gone@shop.example>, ben@shop.example";',
  '11;Ann noch einmal;Ulm;Am Markt 1;089 123456;Ann@gmail.com;',
  '',
].join('\r\n');

const SENT = [
  ...['ann@gmail.com', 'ben@gmail.com', 'info@shop.example', 'carla@shop.example'],
  ...['gone@shop.example', 'ben@shop.example'],
];

export function messyFile(rig: () => Rig): void {
  test('what is fixed before it is paid for is what is charged, checked and sent to', async () => {
    const account = await rig().openAccount(50);
    const page = await rig().open(account);
    const posted: string[] = [];
    page.on('request', (request) => void posted.push(request.postData() ?? ''));
    await page.goto('/new');
    await pickFile(page, 'Kunden.csv', FILE);
    const needed = page.locator('.cost-needed');
    const card = page.getByRole('region', { name: '2 misspelt domains, 2 addresses' });
    await card.getByText('gmail,com → gmail.com').waitFor();
    // What is not an address as it is written costs nothing; what is misspelt would.
    expect(await needed.textContent()).toBe('5');
    await page.getByText('2 addresses at misspelt domains are not fixed').waitFor();

    // One, all, and back again.
    await card.getByRole('button', { name: 'Fix gmial.com' }).click();
    await card.getByText('1 fixed; 1 address would be checked as written.').waitFor();
    await needed.filter({ hasText: '4' }).waitFor();
    await card.getByRole('button', { name: 'Fix this address' }).click();
    await card.getByText('2 addresses are checked as corrected').waitFor();
    await needed.filter({ hasText: '5' }).waitFor();
    await card.getByRole('button', { name: 'Undo gmail,com' }).click();
    await needed.filter({ hasText: '4' }).waitFor();
    await card.getByRole('button', { name: 'Fix gmail,com' }).click();
    await needed.filter({ hasText: '5' }).waitFor();

    await page.getByText('Addresses are also in the column “E-Mail geschäftlich”.').waitFor();
    await page.getByRole('button', { name: 'Check this column too' }).click();
    await needed.filter({ hasText: '6' }).waitFor();
    await page.getByRole('checkbox', { name: /^Leave rows that repeat/ }).check();
    await checkFile(page);
    const answer = await rig().call(account, 'GET', `/lists/${page.url().split('/').at(-1)}/results`);
    const { results } = (await answer.json()) as { results: { email: string }[] };
    expect(results.map(({ email }) => email)).toEqual(SENT);

    // Name and number stand beside the addresses, and neither was sent.
    const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email }).first();
    await rowOf('ann@gmail.com').getByText('7 · Ann Geheim').waitFor();
    await page.getByText('Columns of your file').click();
    await page.getByRole('checkbox', { name: 'Nr', exact: true }).uncheck();
    await page.getByRole('checkbox', { name: 'Straße' }).check();
    await rowOf('ben@shop.example').getByText('Dora · Am Markt 4').waitFor();
    expect(posted.filter((body) => /Geheim|Markt/.test(body))).toEqual([]);

    // What is shown before it is saved is the file.
    await page.getByRole('button', { name: 'Other downloads' }).click();
    const preview = page.getByRole('group', { name: 'The first rows' });
    await page.getByText('Kunden-good.csv, 4 of 5 rows').waitFor();
    const shown = await Promise.all(
      (await preview.getByRole('row').all()).map((row) => row.getByRole('cell').allTextContents()),
    );
    await page.keyboard.press('Escape');
    const good = (await bytesOf(await downloadGoodRows(page))).toString();
    expect(good).toBe(
      [
        'Nr;Name;Ort;Straße;Telefon;E-Mail;E-Mail geschäftlich',
        '7;Ann Geheim;Ulm;Am Markt 1;089 123456;ann@gmail.com;',
        '8;Ben Geheim;Ulm;Am Markt 2;089 123456;ben@gmail.com;',
        '9;Carla;Ulm;Am Markt 3;089 123456;carla@shop.example;',
        '10;Dora;Ulm;Am Markt 4;089 123456;"ben@shop.example";',
        '',
      ].join('\r\n'),
    );
    expect(shown.map((cells) => cells.join(';'))).toEqual(good.trimEnd().replaceAll('"', '').split('\r\n'));
    await closePage(page);
  });

  test('the column that was found is in view on a telephone', async () => {
    const page = await rig().open(rig().first, { viewport: { width: 390, height: 844 } });
    await page.goto('/new');
    await pickFile(page, 'Kunden.csv', FILE);
    const box = (await page.locator('.preview-scroll').boundingBox())!;
    const heading = page.getByRole('columnheader', { name: 'E-Mail', exact: true });
    // Its cells may be wider than the screen: it begins at the left, then.
    await until(async () => Math.abs((await heading.boundingBox())!.x - box.x) < 4);
    await closePage(page);
  });
}
