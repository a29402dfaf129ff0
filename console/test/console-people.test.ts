// The console in Chromium against the real service, which has a mail relay: members, what each role sees, ways of signing in, mail.
import { afterAll, beforeAll } from 'vitest';
import { type MailRelay, startRelay } from '../../server/test/mail-relay.ts';
import { mailed } from './suites/mailed.ts';
import { people } from './suites/people.ts';
import { waysIn } from './suites/ways-in.ts';
import { withRig } from './with-rig.ts';

let relay: MailRelay;
beforeAll(async () => {
  relay = await startRelay();
});
afterAll(() => relay.close());

withRig(
  {
    members: people,
    'ways of signing in': waysIn,
    mail: (rig) => mailed(rig, () => relay),
  },
  () => ({
    MXPROOF_SMTP_RELAY: `smtp://127.0.0.1:${relay.port}`,
    MXPROOF_ALERT_FROM: 'mxproof@shop.example',
  }),
);
