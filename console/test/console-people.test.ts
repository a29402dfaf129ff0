// The console in Chromium against the real service: members, what each role sees, ways of signing in.
import { people } from './suites/people.ts';
import { waysIn } from './suites/ways-in.ts';
import { withRig } from './with-rig.ts';

withRig({
  members: people,
  'ways of signing in': waysIn,
});
