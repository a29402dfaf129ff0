// The console in Chromium against the real service: signing in, one address, the keyboard, lists while they run.
import { account } from './suites/account.ts';
import { deletions } from './suites/deletions.ts';
import { events } from './suites/events.ts';
import { firstLook } from './suites/first-look.ts';
import { keyboard } from './suites/keyboard.ts';
import { listTable } from './suites/list-table.ts';
import { runningLists } from './suites/running-lists.ts';
import { signingIn } from './suites/signing-in.ts';
import { singleChecks } from './suites/single-checks.ts';
import { theft } from './suites/theft.ts';
import { withRig } from './with-rig.ts';

withRig({
  'first look': firstLook,
  'signing in': signingIn,
  'theft of a session': theft,
  'single checks': singleChecks,
  lists: runningLists,
  events,
  deletions,
  'the account': account,
  'the keyboard': keyboard,
  'the table of a list': listTable,
});
