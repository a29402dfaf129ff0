// Mailboxes that get too much mail just now: 4.2.1, in words that say they exist.
import { expect, test } from 'vitest';
import { CATCH_ALL_RULES } from '../src/check/unasked.ts';
import { ask, asked, catchAllProbes, resumed, verdictOf, virtualChecker } from './virtual-checker.ts';

const BUSY =
  '450-4.2.1 The user you are trying to contact is receiving mail at a rate that\n450 4.2.1 prevents additional messages from being delivered.';
const RETRIES = { retrySeconds: [60, 300] };

test('a mailbox that is busy for ever is asked to the end of the schedule, and is there', async () => {
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { wording: 'google' }, mailboxes: { busy: ['anna'] } } } },
    RETRIES,
  );
  const anna = await virtual.check('anna@a.example');
  expect(verdictOf(anna)).toBe('deliverable accepted_email');
  expect(anna.evidence.attempts).toBe(3);
  expect(anna.evidence.rule).toContain('450-4.2.1');
  expect(asked(virtual, 'anna@a.example')).toBe(3);
  expect(catchAllProbes(virtual, ['anna@a.example'])).toHaveLength(1);
});

test('in a list, the role and catch-all rules hold for it as for one that was accepted', async () => {
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': { host: {}, mailboxes: { busy: ['anna', 'info'], known: ['ben'] } },
        'all.example': { host: {}, mailboxes: { busy: ['anna'], catchAll: true } },
      },
    },
    RETRIES,
  );
  const emails = ['anna@a.example', 'info@a.example', 'ben@a.example', 'gone@a.example', 'anna@all.example'];
  const found = await virtual.checkAll(emails);
  expect(emails.map((email) => verdictOf(found.get(email)))).toEqual([
    'deliverable accepted_email',
    'risky low_quality',
    'deliverable accepted_email',
    'undeliverable rejected_email',
    'risky low_deliverability',
  ]);
  expect(found.get('anna@all.example')?.acceptAll).toBe(true);
  expect(found.get('anna@all.example')?.evidence.rule).toBe(CATCH_ALL_RULES.accepted);
  for (const email of emails) expect(found.get(email)?.state, email).toBe(virtual.world.truth(email).state);
});

test('busy, and then an answer: the answer counts', async () => {
  const once = { at: { rcpt: { reply: BUSY, times: 1 } } };
  const virtual = virtualChecker(
    {
      domains: {
        'taken.example': { host: once, mailboxes: ['anna'] },
        'gone.example': { host: once, mailboxes: ['ben'] },
        'full.example': { host: once, mailboxes: { overQuota: ['anna'] } },
      },
    },
    RETRIES,
  );
  expect(verdictOf(await virtual.check('anna@taken.example'))).toBe('deliverable accepted_email');
  expect(verdictOf(await virtual.check('anna@gone.example'))).toBe('undeliverable rejected_email');
  expect(verdictOf(await virtual.check('anna@full.example'))).toBe('risky low_deliverability');
});

test('busy, and then deferred in words that say nothing: it exists', async () => {
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': { host: { at: { rcpt: { reply: BUSY, times: 1 } } }, mailboxes: { tempfail: ['anna'] } },
      },
    },
    RETRIES,
  );
  const anna = await virtual.check('anna@a.example');
  expect(verdictOf(anna)).toBe('deliverable accepted_email');
  expect(anna.evidence.rule).toContain('mailbox_busy');
});

test('without retries its domain is asked about all the same', async () => {
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: {}, mailboxes: { busy: ['anna'] } } } },
    { retrySeconds: [] },
  );
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
});

test('deferred later, it comes back for its domain: the catch-all probe is asked again', async () => {
  // The first three get the same reply: anna, and the catch-all probe twice.
  const host = { at: { rcpt: { reply: BUSY, times: 3 } } };
  const virtual = virtualChecker(
    { domains: { 'a.example': { host, mailboxes: { tempfail: ['anna'] } } } },
    RETRIES,
  );
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
});

test('where the catch-all probe is busy as well, no mailbox is said to exist', async () => {
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { at: { rcpt: { reply: BUSY } } }, mailboxes: ['anna'] } } },
    RETRIES,
  );
  for (const finding of [
    await virtual.check('anna@a.example'),
    ...(await virtual.checkAll(['anna@a.example', 'ben@a.example'])).values(),
  ]) {
    expect(verdictOf(finding)).toBe('unknown unavailable_smtp');
    expect(finding.evidence.rule).toContain(CATCH_ALL_RULES.busyForAll);
  }
});

test('where the catch-all probe gets no answer, it is risky', async () => {
  // With chance switched off the local part of the probe is known beforehand.
  const probe = 'bababa.bababa000000';
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: {}, mailboxes: { busy: ['anna'], tempfail: [probe] } } } },
    { ...RETRIES, random: () => 0 },
  );
  const anna = await virtual.check('anna@a.example');
  expect(verdictOf(anna)).toBe('risky low_deliverability');
  expect(anna.acceptAll).toBe(false);
  expect(asked(virtual, `${probe}@a.example`)).toBeGreaterThan(2);
});

test('a 5xx in the same words is no deferral: asked again, and unknown in the end', async () => {
  const reply = BUSY.replaceAll('450', '550').replaceAll('4.2.1', '5.2.1');
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { at: { rcpt: { reply } } }, mailboxes: ['anna'] } } },
    RETRIES,
  );
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('unknown unavailable_smtp');
  expect(asked(virtual, 'anna@a.example')).toBe(3);
});

test('it is not about our pace: the others of its host are asked as fast as ever', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: {}, mailboxes: { busy: ['anna'], share: 1 } } },
  });
  const startedMs = virtual.world.clock.now();
  const questions = ['anna@a.example', ...Array.from({ length: 200 }, (_, i) => `p${i}@a.example`)].map(
    (email) => ({ email }),
  );
  const outcomes = await ask(virtual, questions);
  expect(outcomes.filter(({ kind }) => kind === 'final')).toHaveLength(200);
  expect(outcomes[0]).toMatchObject({ kind: 'later', resume: { meaning: 'mailbox_busy' } });
  expect(virtual.world.clock.now() - startedMs).toBeLessThan(1_000);
  const [again] = await ask(virtual, resumed(questions.slice(0, 1), outcomes));
  expect(again).toMatchObject({ kind: 'later', resume: { attempt: 2, meaning: 'mailbox_busy' } });
});
