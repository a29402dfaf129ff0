// Role, free and disposable are facts of the address: a hint, a verdict of any state and one at the end of a list say the
// same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DomainSpec } from '../../world/src/spec.ts';
import { certainVerdict } from '../src/check/certain-verdict.ts';
import { disposableFinding } from '../src/domain/disposable.ts';
import { DisposableOverrides, inspectAddress, unansweredVerdict } from '../src/index.ts';
import { virtualChecker } from './virtual-checker.ts';

/** On both lists of disposable domains, on one of them, a free provider, none of these. */
const DOMAINS = ['gmial.com', 'mailinator.com', 'mozmail.com', 'gmail.com', 'duck.com', 'a.example'] as const;
const LOCALS = ['anna', 'info', '"sales"', 'info+shop'] as const;
const HOST = { host: {} } as const;

/** What becomes of a domain, and the state that one of its mailboxes ends in. */
const WORLDS: Readonly<Record<string, DomainSpec>> = {
  deliverable: { ...HOST, mailboxes: { known: ['anna', 'info', '"sales"', 'info+shop'] } },
  rejected: { ...HOST, mailboxes: ['ben'] },
  catchAll: { ...HOST, mailboxes: { catchAll: true } },
  deferred: { host: { everyRcpt: 'tempfail' }, mailboxes: ['anna'] },
  down: { host: { down: true } },
  nxdomain: { dns: 'nxdomain' },
  nodata: { dns: 'nodata' },
  nullMx: { mx: null },
  servfail: { dns: 'servfail' },
  largeProvider: { mx: ['aspmx.l.google.com'], mailboxes: ['anna'] },
};

const flags = ({ role, free, disposable }: ReturnType<typeof inspectAddress>) => ({ role, free, disposable });

test.each(
  Object.entries(WORLDS),
)('a verdict on a domain that is %s has the flags of a hint', async (name, spec) => {
  const virtual = virtualChecker(
    {
      domains: Object.fromEntries(DOMAINS.map((domain) => [domain, spec])),
      hosts: { 'aspmx.l.google.com': {} },
    },
    { retrySeconds: [60] },
  );
  const emails = DOMAINS.flatMap((domain) => LOCALS.map((local) => `${local}@${domain}`));
  const found = await virtual.checkAll(emails);
  for (const email of emails) {
    const hint = flags(inspectAddress(email));
    const { lists } = disposableFinding(email.slice(email.lastIndexOf('@') + 1), null);
    // The one thing that DNS takes back: one list's word, where a large provider takes the mail.
    const isSpared = name === 'largeProvider' && lists === 1;
    expect(found.get(email), email).toMatchObject(isSpared ? { ...hint, disposable: false } : hint);
    expect(unansweredVerdict(email, undefined), email).toMatchObject(hint);
  }
  expect(inspectAddress('anna@gmial.com').disposable).toBe(true);
});

test('what is certain before DNS is asked is the verdict of the check, and no hint calls it valid', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .tuple(
        fc.constantFrom(...LOCALS, 'a..b', ''),
        fc.constantFrom('bar', 'рф', 'localhost', 'x.', 'x..y', '[::1]'),
      )
      .map((parts) => parts.join('@')),
  );
  const emails = ['foo@bar', 'foo', ...fc.sample(text, { numRuns: 200, seed: 1 })];
  const certain = emails.filter((email) => certainVerdict(email) !== null);
  const found = await virtualChecker({ domains: {} }).checkAll(certain);
  for (const email of emails) expect(inspectAddress(email).valid).toBe(!found.has(email));
  for (const email of certain) {
    expect(found.get(email)).toMatchObject(certainVerdict(email)!);
    expect(unansweredVerdict(email, undefined)).toEqual(certainVerdict(email));
  }
  expect(found.get('foo@bar')).toMatchObject({ state: 'undeliverable', reason: 'invalid_domain', score: 0 });
  expect(found.get('foo')).toMatchObject({ state: 'undeliverable', reason: 'invalid_email', score: 0 });
});

test('an entry of the operator counts from the next address on, whatever is still known of the domain', async () => {
  const overrides = new DisposableOverrides();
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: {}, mailboxes: ['anna', 'ben', 'carl'] } } },
    { disposable: overrides },
  );
  const check = async (email: string) => (await virtual.checkAll([email])).get(email);
  expect(await check('anna@a.example')).toMatchObject({ state: 'deliverable', disposable: false });
  overrides.replace({ denied: new Set(['a.example']), allowed: new Set() });
  const denied = await check('ben@a.example');
  expect(denied).toMatchObject({ state: 'risky', reason: 'disposable', disposable: true });
  expect(denied?.evidence.rule).toContain("the operator's file");
  overrides.replace({ denied: new Set(), allowed: new Set() });
  expect(await check('carl@a.example')).toMatchObject({ state: 'deliverable', disposable: false });
});
