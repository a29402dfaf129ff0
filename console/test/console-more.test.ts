// The console in Chromium against the real service: events, deletions, lists with what was made of them, the account, webhook endpoints, bounces, what became of mail, a service that is cut off, the keyboard, the table of a list, results that expire.
import { account } from './suites/account.ts';
import { bounces } from './suites/bounces.ts';
import { cutOff } from './suites/cut-off.ts';
import { deletions } from './suites/deletions.ts';
import { events } from './suites/events.ts';
import { families } from './suites/families.ts';
import { keyboard } from './suites/keyboard.ts';
import { listTable } from './suites/list-table.ts';
import { outcomes } from './suites/outcomes.ts';
import { retention } from './suites/retention.ts';
import { webhooks } from './suites/webhooks.ts';
import { withRig } from './with-rig.ts';

withRig({
  events,
  deletions,
  'lists and what was made of them': families,
  'the account': account,
  'webhook endpoints': webhooks,
  bounces,
  'what became of mail': outcomes,
  'a service that is cut off': cutOff,
  'the keyboard': keyboard,
  'the table of a list': listTable,
  retention,
});
