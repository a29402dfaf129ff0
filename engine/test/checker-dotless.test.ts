// A domain without a dot: decided without DNS or a mail server.
import { expect, test } from 'vitest';
import { createChecker } from '../src/checker.ts';
import { DOTLESS_RULE } from '../src/domain/dotless.ts';
import type { Resolver } from '../src/ports.ts';
import { virtualChecker } from './virtual-checker.ts';

function mustNotBeAsked(): never {
  throw new Error('no server was to be asked');
}
const UNUSED_RESOLVER: Resolver = { mx: mustNotBeAsked, a: mustNotBeAsked, aaaa: mustNotBeAsked };

test.each([
  'anna@localhost',
  'anna@com',
  'info@intranet',
  'anna@xn--p1ai',
  'anna@рф',
  '"a b"@localhost',
])('%s', async (email) => {
  const checker = createChecker({
    resolver: UNUSED_RESOLVER,
    connect: mustNotBeAsked,
    heloName: 'probe.example.org',
  });
  const finding = await checker.check(email);
  expect(finding).toMatchObject({
    state: 'undeliverable',
    reason: 'invalid_domain',
    score: 0,
    mx: null,
    provider: '',
    role: email.startsWith('info@'),
  });
  expect(finding.evidence).toMatchObject({
    rule: DOTLESS_RULE,
    dns: null,
    attempts: 0,
    dialogue: [],
  });
  for await (const listed of checker.checkAll([email, email])) expect(listed.reason).toBe('invalid_domain');
  await checker.close();
});

test('what is no mailbox stays invalid_email, and names with a dot are asked about', async () => {
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } });
  const found = await virtual.checkAll(['anna@localhost.', '@localhost', 'anna@localhost', 'anna@a.example']);
  expect([...found].map(([email, { reason }]) => [email, reason]).sort()).toEqual([
    ['@localhost', 'invalid_email'],
    ['anna@a.example', 'accepted_email'],
    ['anna@localhost', 'invalid_domain'],
    ['anna@localhost.', 'invalid_email'],
  ]);
});
