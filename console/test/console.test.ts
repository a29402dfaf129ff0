// The console in Chromium against the real service: signing in, one address, lists while they run and are paused, their numbers, what costs credits.
import { charges } from './suites/charges.ts';
import { firstLook } from './suites/first-look.ts';
import { oneTruth } from './suites/one-truth.ts';
import { pausedLists } from './suites/paused-lists.ts';
import { rowsSoFar } from './suites/rows-so-far.ts';
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
  'lists that are paused': pausedLists,
  'one truth on a screen': oneTruth,
  'what costs credits': charges,
  'rows while a list runs': rowsSoFar,
});
