// A pasted bounce, from the text to what to do.
import { expect, test } from 'vitest';
import { bytesOf, pressed } from '../lists.ts';
import { closePage, type Rig } from '../rig.ts';

const LOG = `x: to=<bob@b.example>, dsn=5.1.1, status=bounced (host mx.b.example[192.0.2.1] said: 550 5.1.1 <bob@b.example>: User unknown (in reply to RCPT TO command))
x: to=<ann@b.example>, dsn=4.2.2, status=deferred (host mx.b.example[192.0.2.1] said: 452 4.2.2 Mailbox full (in reply to RCPT TO command))`;

export function bounces(rig: () => Rig): void {
  test('each recipient of a pasted log has its state, what was said and what to do, and nothing is charged', async () => {
    // Of its own: what other tests have charged is not refunded to it meanwhile.
    const owner = await rig().openAccount(3);
    const page = await rig().open(owner);
    const credits = async () => (await (await rig().call(owner, 'GET', '/account')).json()).credits;
    const before = await credits();
    await page.goto('/');
    await page.getByRole('link', { name: 'Bounces' }).click();
    const field = page.getByRole('textbox', { name: 'Reply, log or bounce message' });
    await field.fill(LOG);
    // Read on its way: a busy browser may have let go of it when it is asked for afterwards.
    let answer = '';
    await page.route('**/v1/reply', async (route) => {
      const response = await route.fetch();
      answer = await response.text();
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('heading', { name: '2 recipients' }).waitFor();
    const first = page.getByRole('article', { name: 'bob@b.example' });
    expect(await first.textContent()).toMatch(/Remove.*does not exist.*Remove this address/);
    const second = page.getByRole('article', { name: 'ann@b.example' });
    expect(await second.textContent()).toMatch(/Send carefully.*is full.*Keep the address/);
    // The page reads the addresses itself.
    expect(answer).toContain('no_mailbox');
    expect(answer).not.toMatch(/@|bob|b\.example/);
    const saved = await pressed(page, 'Download as CSV');
    expect(saved.suggestedFilename()).toBe('bounces.csv');
    expect((await bytesOf(saved)).toString()).toMatch(
      /^\ufeffRecipient,Address,What to do,.*\r\n1,bob@b\.example,Remove,.*\r\n2,ann@b\.example,Send carefully,/,
    );

    // Without a mouse, and Enter alone begins a line.
    await field.fill('550 5.1.1');
    await field.press('Enter');
    await page.keyboard.type('552 5.2.2 Mailbox full');
    await field.press('Enter');
    await page.keyboard.type('451 4.7.1 Greylisted');
    await field.press('Control+Enter');
    await page.getByRole('heading', { name: '3 recipients' }).waitFor();
    expect(await credits()).toBe(before);
    await closePage(page);
  });

  test('nothing pasted, too much, and no reply in it: each says what to do', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/bounces');
    const field = page.getByRole('textbox', { name: 'Reply, log or bounce message' });
    const explain = page.getByRole('button', { name: 'Explain' });
    await explain.click();
    await page.getByRole('alert').getByText('Paste a reply or a bounce message.').waitFor();
    await field.fill('x'.repeat(256 * 1_024 + 1));
    await explain.click();
    await page.getByRole('alert').getByText('at most 256 KB are read').waitFor();
    await field.fill('Dear Ann, see you on Monday.');
    await explain.click();
    await page.getByText('There is no mail server’s reply in this text.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await closePage(page);
  });
}
