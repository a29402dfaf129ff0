// The page in Chromium against the real service: one browser and one service for all of it.
import { afterAll, beforeAll, describe } from 'vitest';
import { isSkipped, type Rig, startRig } from './rig.ts';
import { account } from './suites/account.ts';
import { everyPage } from './suites/every-page.ts';
import { firstLook } from './suites/first-look.ts';
import { keyboard } from './suites/keyboard.ts';
import { largeList } from './suites/large-list.ts';
import { listTable } from './suites/list-table.ts';
import { ownFile } from './suites/own-file.ts';
import { runningLists } from './suites/running-lists.ts';
import { signingIn } from './suites/signing-in.ts';
import { singleChecks } from './suites/single-checks.ts';
import { theft } from './suites/theft.ts';

const START_LIMIT_MS = 180_000;

describe.skipIf(isSkipped)('the page', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, START_LIMIT_MS);
  afterAll(() => rig?.close());

  describe('first look', () => firstLook(() => rig));
  describe('signing in', () => signingIn(() => rig));
  describe('theft of a session', () => theft(() => rig));
  describe('single checks', () => singleChecks(() => rig));
  describe('one’s own file', () => ownFile(() => rig));
  describe('lists', () => runningLists(() => rig));
  describe('the account', () => account(() => rig));
  describe('the keyboard', () => keyboard(() => rig));
  describe('looks', () => everyPage(() => rig));
  describe('the table of a list', () => listTable(() => rig));
  describe('a large list', () => largeList(() => rig));
});
