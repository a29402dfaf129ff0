// What comes by mail: an invitation, a link for signing in, the end of a list. A relay on loopback takes it.
import { expect, test } from 'vitest';
import { decoded, type MailRelay, type TakenMail } from '../../../server/test/mail-relay.ts';
import { until } from '../../../server/test/until.ts';
import { pickFile, startFile } from '../lists.ts';
import { invite, openJoined } from '../people.ts';
import { closePage, type Rig } from '../rig.ts';

const LIMIT_MS = 120_000;

export function mailed(rig: () => Rig, relay: () => MailRelay): void {
  /** The first mail to somebody that has this, past or to come. */
  async function mailTo(email: string, pattern: RegExp): Promise<{ mail: TakenMail; found: string }> {
    const find = () =>
      relay().taken.find(({ to, source }) => to.includes(email) && pattern.test(decoded(source)));
    await until(async () => find() !== undefined);
    const mail = find()!;
    return { mail, found: pattern.exec(decoded(mail.source))![1]! };
  }

  test('an invitation is mailed, too; a link by mail signs the same person in again', {
    timeout: LIMIT_MS,
  }, async () => {
    const account = await rig().openAccount(3);
    const owner = await rig().open(account);
    await owner.goto('/account#members');
    await owner.getByRole('button', { name: 'Invite a member' }).click();
    await owner.getByRole('textbox', { name: 'E-mail address' }).fill('fay@shop.example');
    await owner.keyboard.press('Enter');
    await owner.getByText('is also mailed to fay@shop.example').waitFor();
    await closePage(owner);
    const { found: invitation } = await mailTo('fay@shop.example', /(\/join\/[\w-]+)/);
    const fay = await openJoined(rig(), invitation);
    await fay.getByRole('button', { name: /^Signed in as/ }).click();
    await fay.getByRole('menuitem', { name: 'Sign out' }).click();

    const field = fay.getByRole('textbox', { name: 'Your e-mail address' });
    const said = fay.getByRole('status').filter({ hasText: 'a link is on its way' });
    await field.fill('nobody@shop.example');
    await fay.keyboard.press('Enter');
    await said.waitFor();
    await field.fill('Fay@Shop.example');
    await said.waitFor({ state: 'detached' });
    await fay.keyboard.press('Enter');
    await said.waitFor();
    const { found: link } = await mailTo('fay@shop.example', /(\/sign-in\/mail\/[\w-]+)/);
    await fay.goto(link);
    await fay.getByRole('button', { name: 'Sign in' }).click();
    await fay.getByRole('button', { name: /^Signed in as fay@shop\.example/ }).waitFor();
    expect(relay().taken.some(({ to }) => to.includes('nobody@shop.example'))).toBe(false);
    await closePage(fay);
  });

  test('whoever starts a list is mailed when it is done, if they choose so beside its start or for all of their lists', {
    timeout: LIMIT_MS,
  }, async () => {
    const account = await rig().openAccount(500);
    await invite(rig(), account, 'gus@shop.example', 'member');
    const { found: path } = await mailTo('gus@shop.example', /(\/join\/[\w-]+)/);
    const page = await openJoined(rig(), path);
    await page.goto('/new');
    const beside = page.getByRole('checkbox', { name: 'Mail me when it is done' });
    await pickFile(page, 'March.csv', 'Email\nann@shop.example\n');
    expect(await beside.isChecked()).toBe(false);
    await beside.check();
    await startFile(page);
    await page.getByText('Done', { exact: true }).waitFor();
    const { mail } = await mailTo('gus@shop.example', /(March)/);
    expect(decoded(mail.source)).not.toContain('ann@shop.example');

    await page.goto('/account');
    const forAll = page.getByRole('checkbox', { name: 'Mail me when one of my lists is done' });
    await forAll.check();
    await expect.poll(() => forAll.isEnabled()).toBe(true);
    await page.reload();
    await expect.poll(() => forAll.isChecked()).toBe(true);
    await page.goto('/new');
    await pickFile(page, 'April.csv', 'Email\nben@shop.example\n');
    await expect.poll(() => beside.isChecked()).toBe(true);
    await closePage(page);
  });
}
