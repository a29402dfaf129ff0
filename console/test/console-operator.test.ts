// The console in Chromium against the real service: the operator's pages.
import { operator } from './suites/operator.ts';
import { operatorAccounts } from './suites/operator-accounts.ts';
import { operatorService } from './suites/operator-service.ts';
import { withRig } from './with-rig.ts';

withRig({
  'sources and the doctor': operator,
  'accounts, for their operator': operatorAccounts,
  'what runs, for its operator': operatorService,
});
