// A reply belongs to whom it was said to, or to nobody: hosts whose replies are lost, doubled or cut short.
import { expect, test } from 'vitest';
import type { HostSpec } from '../../world/src/spec.ts';
import { verdictOf, virtualChecker } from '../test/virtual-checker.ts';

const SENDER = 'probe@probe.example.org';
const PEOPLE = ['anna', 'bert', 'carla'];
const STRANGERS = ['xaver', 'yoko', 'zeno'];

/** By turns, so that one reply too few or too many gives everybody behind it the wrong one. */
const EMAILS = PEOPLE.flatMap((local, i) => [`${local}@a.example`, `${STRANGERS[i]}@a.example`]);
/** Two whose refusals name nobody: whose they are only their place tells. */
const WORDINGS = ['exim', 'bare'] as const;

async function verdicts(host: HostSpec, mailFrom: string, emails = EMAILS) {
  const virtual = virtualChecker({ domains: { 'a.example': { host, mailboxes: PEOPLE } } }, { mailFrom });
  const found = await virtual.checkAll(emails);
  return {
    virtual,
    wrong: emails.filter((email) => {
      const { state } = found.get(email) ?? {};
      return state !== 'unknown' && state !== virtual.world.truth(email).state;
    }),
    missed: emails.filter((email) => found.get(email)?.state === 'unknown'),
    said: emails.map((email) => verdictOf(found.get(email))),
  };
}

test.each([
  '',
  SENDER,
])('a host that loses one reply to RCPT and closes without 221 misplaces nobody: from <%s>', async (mailFrom) => {
  const all: unknown[] = [];
  for (const wording of WORDINGS)
    for (const after of [0, 1, 2, 3]) {
      const rcpt = { mangle: 'lost', after, times: 1 } as const;
      const { wrong, missed } = await verdicts({ wording, at: { rcpt, quit: { next: 'drop' } } }, mailFrom);
      all.push({ wording, after, wrong, missed });
    }
  expect(all).toEqual(all.map((one) => ({ ...(one as object), wrong: [], missed: [] })));
});
