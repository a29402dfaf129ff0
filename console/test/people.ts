// Members of an account in windows of their own.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeInvitation } from '../../server/src/flow/join.ts';
import { inStore } from './operator-rows.ts';
import type { Account, Rig } from './rig.ts';

export type Role = 'owner' | 'member' | 'viewer';

export interface Invited {
  readonly id: number;
  /** Of the link that an owner has seen. */
  readonly path: string;
}

export async function invite(rig: Rig, account: Account, email: string, role: Role): Promise<Invited> {
  const answer = await rig.call(account, 'POST', '/members', { email, role });
  const { id, link } = (await answer.json()) as { id: number; link: string };
  return { id, path: new URL(link).pathname };
}

/** Of a link that was mailed: whoever has it has the mailbox. */
export async function mailedPath(rig: Rig, memberId: number): Promise<string> {
  const token = await inStore(rig, (db) => db.transaction((tx) => makeInvitation(tx, memberId, true)));
  return `/join/${token}`;
}

/** A window in which the button of an invitation was pressed. */
export async function openJoined(rig: Rig, path: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await rig.open(null, options);
  await page.goto(path);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
  return page;
}

export async function openAs(
  rig: Rig,
  account: Account,
  role: Role,
  options?: BrowserContextOptions,
): Promise<Page> {
  const { path } = await invite(rig, account, `${role}@shop.example`, role);
  return openJoined(rig, path, options);
}
