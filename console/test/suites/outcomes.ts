// What became of mail: switched on, told by a file, measured, looked at, and who is better not mailed.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesOf, pressed } from '../lists.ts';
import { addMonth, addWrongVerdicts, switchOn } from '../outcome-rows.ts';
import { closePage, type Rig } from '../rig.ts';

const LOG = [
  'Nov 17 10:00:00 mx postfix/smtp[12]: 4F1: to=<ann@shop.example>, relay=mx.shop.example[192.0.2.1]:25, delay=1, dsn=5.1.1, status=bounced (host mx.shop.example[192.0.2.1] said: 550 5.1.1 <ann@shop.example>: User unknown (in reply to RCPT TO command))',
  'Nov 17 10:00:01 mx postfix/smtp[12]: 4F2: to=<ben@shop.example>, relay=mx.shop.example[192.0.2.1]:25, delay=1, dsn=2.0.0, status=sent (250 2.0.0 Ok)',
  'Nov 17 10:00:02 mx postfix/smtp[12]: 4F3: to=<cy@shop.example>, relay=none, delay=1, dsn=4.4.1, status=deferred (timeout)',
  'Nov 17 10:00:03 mx postfix/qmgr[9]: 4F3: removed',
].join('\n');

export function outcomes(rig: () => Rig): void {
  test('switched on, a log is dropped and sent once however often, and measured; switched off, all of it is gone', async () => {
    const owner = await rig().openAccount(5);
    const page = await rig().open(owner);
    await page.goto('/');
    await page.getByRole('link', { name: 'Outcomes', exact: true }).click();
    await page.getByRole('heading', { name: 'What is kept of people' }).waitFor();
    await page.getByRole('button', { name: 'Switch outcomes on' }).click();
    await page.getByRole('heading', { name: 'No outcomes in these days' }).waitFor();
    await page.getByRole('link', { name: 'Drop a file' }).click();

    const field = page.getByLabel('File of outcomes');
    const log = { name: 'mail.log.gz', mimeType: '', buffer: gzipSync(LOG) };
    await field.setInputFiles(log);
    await page.getByText('· Postfix’s log').waitFor();
    const first = page.getByRole('row', { name: /ann@shop\.example Bounced host .* said: 550 5\.1\.1/ });
    await first.waitFor();
    const sums = page.locator('.import-sums');
    // The service asks for patience first.
    let refusals = 1;
    const sent: string[] = [];
    await page.route('**/v1/outcomes', async (route) => {
      sent.push(route.request().postData() ?? '');
      if (refusals === 0) return route.continue();
      refusals -= 1;
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '2', 'mxproof-error': 'rate_limited' },
        json: { error: 'too many requests' },
      });
    });
    await page.getByRole('button', { name: 'Send the outcomes' }).click();
    await page.getByText('The service asks to wait').waitFor();
    await page.getByText('Read: 1 delivered, 1 bounced, 0 complained.').waitFor();
    expect(await sums.textContent()).toMatch(/Taken2.*Known before0.*Passed over1/);
    // Each event has a name, and nothing else of the log is sent.
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
    expect(sent[1]!.match(/"id":"import-[\w-]{32}"/g)).toHaveLength(2);
    expect(sent[1]).not.toContain('cy@');
    await page.getByRole('button', { name: 'Import another file' }).click();
    await field.setInputFiles(log);
    await page.getByRole('button', { name: 'Send the outcomes' }).click();
    await sums.waitFor();
    expect(await sums.textContent()).toMatch(/Taken0.*Known before2/);

    await page.getByRole('link', { name: 'See the accuracy' }).click();
    await page.getByText('None of the addresses had a result before its mail').waitFor();
    await page.getByText('2 addresses without a result').waitFor();
    await page.getByRole('button', { name: 'Switch off…' }).click();
    await page.getByRole('button', { name: 'Switch off and delete' }).click();
    await page.getByRole('button', { name: 'Switch outcomes on' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await closePage(page);
  });

  test('a table’s columns are chosen; one without a word of what happened is asked about; a stop loses nothing', async () => {
    const owner = await rig().openAccount(5);
    await switchOn(rig(), owner);
    const page = await rig().open(owner);
    await page.goto('/outcomes#add');
    const buffer = Buffer.from(
      'id,Mail,Note\n7,ann@shop.example,550 5.1.1 User unknown\n7,ben@shop.example,\n',
    );
    await page.getByLabel('File of outcomes').setInputFiles({ name: 'bounces.csv', mimeType: '', buffer });
    await page.getByText('No column says what happened').waitFor();
    const send = page.getByRole('button', { name: 'Send the outcomes' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'What became of all of them' }).selectOption('All bounced');
    await page.getByRole('combobox', { name: 'Reply of the mail server' }).selectOption('Note');
    // It is a customer's number: both rows have the same.
    await page.getByRole('combobox', { name: /own id/ }).selectOption('– none –');
    await page.getByRole('row', { name: /ann@shop\.example Bounced 550/ }).waitFor();
    await page.route('**/v1/outcomes', (route) =>
      route.fulfill({
        status: 409,
        headers: { 'mxproof-error': 'outcomes_off' },
        json: { error: 'outcomes are off' },
      }),
    );
    await send.click();
    await page.getByRole('alert').getByText('Outcomes are switched off, so nothing is taken').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Another page is looked at meanwhile.
    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    await page.getByRole('link', { name: 'Outcomes', exact: true }).click();
    await page.getByRole('tab', { name: 'Add outcomes' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Read: 0 delivered, 2 bounced, 0 complained.').waitFor();
    expect(await page.locator('.import-sums').textContent()).toMatch(/Taken2/);
    await closePage(page);
  });

  test('the accuracy is a sentence and bars with intervals, nothing is claimed below 30, and it is a CSV', async () => {
    const owner = await rig().openAccount(5);
    await switchOn(rig(), owner);
    await addMonth(rig(), owner);
    const page = await rig().open(owner);
    await page.goto('/outcomes');
    await page
      .getByText('Of 12,480 addresses we called deliverable, 31 bounced: 0.25%, between 0.18% and 0.35%.')
      .waitFor();
    const states = page.getByRole('region', { name: 'By verdict' });
    expect(await states.textContent()).toMatch(
      /Deliverable0\.25%.*31 of 12,480 bounced.*Undeliverable1\.4%.*3 of 212 reached.*UnknownToo few to say: 18 of 30/,
    );
    const groups = page.getByRole('region', { name: 'By provider' });
    expect(await groups.textContent()).toMatch(/Google0\.12%.*Too few to say: 23 of 30/);
    await groups.getByText('Risky', { exact: true }).click();
    expect(await groups.textContent()).toMatch(/Yahoo.*12 of 330 bounced/);
    const other = page.getByRole('region', { name: 'What says nothing about a verdict' });
    expect(await other.textContent()).toMatch(/Mailbox full31.*refused7.*40 addresses without a result/);
    const saved = await pressed(page, 'Download as CSV');
    expect(saved.suggestedFilename()).toBe('accuracy-90.csv');
    expect((await bytesOf(saved)).toString()).toContain(
      '\r\nVerdict,Deliverable,Deliverable,12480,31,0.002484,0.001751,0.003524,1,12,7,2\r\n',
    );
    await page.getByText('30 days', { exact: true }).click();
    await page.getByText('Of 12,480 addresses').waitFor();
    await closePage(page);
  });

  test('a wrong verdict is shown with what we saw beside what became of the mail, and all of them as CSV', async () => {
    const owner = await rig().openAccount(5);
    await switchOn(rig(), owner);
    const id = await addWrongVerdicts(rig(), owner);
    const page = await rig().open(owner);
    await page.goto('/outcomes#wrong');
    await page.getByRole('heading', { name: '2 wrong verdicts' }).waitFor();
    const open = page.getByRole('button', { name: 'Why ann@shop.example' });
    await open.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'ann@shop.example' });
    await panel.getByText('its mail server said that there is no such mailbox').waitFor();
    await panel.getByText('RCPT TO').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent === 'ann@shop.example');
    const csv = (await bytesOf(await pressed(page, 'Download as CSV'))).toString();
    expect(csv).toMatch(
      new RegExp(`\\r\\nann@shop\\.example,Deliverable,.*,Bounced: no such mailbox,[\\d-]{10},${id},1\\r\\n`),
    );
    expect(csv).toMatch(/\r\nnobody@shop\.example,Undeliverable,.*,Delivered,/);
    await rig().call(owner, 'DELETE', `/lists/${id}`);
    await page.reload();
    await page.getByText('2 more were wrong whose lists or results are gone').waitFor();
    await closePage(page);
  });

  test('a service is added with a URL shown once and where to paste it, and deleted; its key is asked for', async () => {
    const page = await rig().open(await rig().openAccount(1));
    await page.goto('/outcomes#services');
    await page.getByText('Outcomes are switched off: what services send').waitFor();
    await page.getByRole('heading', { name: 'No service yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a service' }).click();
    await page.getByRole('radio', { name: 'Amazon SES' }).check();
    await page.getByRole('textbox', { name: 'ARN of the topic' }).fill('nonsense');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Paste the ARN of the SNS topic.').waitFor();
    await page.getByRole('radio', { name: 'Mailgun' }).check();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Make the URL' }).click();
    await page.getByRole('alert').getByText('Paste the signing key that Mailgun shows.').waitFor();
    await page.getByRole('textbox', { name: 'HTTP webhook signing key' }).fill('key-0123456789abcdef');
    await page.keyboard.press('Enter');
    const made = page.getByRole('dialog', { name: 'The URL for Mailgun' });
    await made.getByText('Copy it now').waitFor();
    expect(await made.getByRole('code').textContent()).toMatch(/\/v1\/hooks\/mailgun\/[\w-]{43}$/);
    await made.getByText('Permanent failure').waitFor();
    await made.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Mailgun' });
    await row.getByText('No event seen yet').waitFor();
    await row.getByRole('button', { name: /^Delete Mailgun/ }).click();
    await page.getByRole('button', { name: 'Delete the hook' }).click();
    await page.getByRole('heading', { name: 'No service yet' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'services-title');
    await closePage(page);
  });

  test('addresses are suppressed, pasted or from a file, asked about and taken off, and never shown', async () => {
    const page = await rig().open(await rig().openAccount(1));
    await page.goto('/outcomes#suppressions');
    await page
      .getByRole('textbox', { name: 'Addresses' })
      .fill('Ann <a@shop.example>, b@shop.example; nobody');
    await page.getByRole('button', { name: 'Add them' }).click();
    await page.getByText('2 addresses were added; 0 of 2').waitFor();
    const buffer = Buffer.from('Name,Email\nBen,b@shop.example\nCy,c@shop.example\n');
    await page.getByLabel('File of addresses').setInputFiles({ name: 'left.csv', mimeType: '', buffer });
    await page.getByText('1 address was added; 1 of 2').waitFor();
    expect(await page.locator('.suppression-counts').textContent()).toMatch(/On the list3.*Added by you3/);
    const ask = page.getByRole('textbox', { name: 'Address', exact: true });
    await ask.fill('C@shop.example');
    await page.keyboard.press('Enter');
    await page.getByText('C@shop.example is on the list.').waitFor();
    await page.getByRole('button', { name: 'Take it off' }).click();
    await page.getByText('C@shop.example was taken off the list.').waitFor();
    await ask.fill('c@shop.example');
    await page.keyboard.press('Enter');
    await page.getByText('c@shop.example is not on the list.').waitFor();
    await closePage(page);
  });
}
