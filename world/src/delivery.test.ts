// What becomes of mail in the world, and that the product's own reader takes every reply for what happened.
import { expect, test } from 'vitest';
import { bounceClass } from '../../engine/src/index.ts';
import { compileWorld } from './compile-world.ts';
import { createPost, type SentMail } from './delivery.ts';
import { postfixLines, sendgridEvent } from './delivery-reports.ts';
import type { DomainSpec, WorldSpec } from './spec.ts';
import { WORDINGS } from './wording.ts';

const DAY = '2026-10-20';
const postOf = (domains: Record<string, DomainSpec>, more: Partial<WorldSpec> = {}, seed = 1) =>
  createPost(compileWorld({ ...more, domains }, { seed }));
const told = (mail: SentMail | null) => mail?.events.map(({ outcome, reply }) => `${outcome}: ${reply}`);

test('each mailbox by what its server does with a message', () => {
  const post = postOf({
    'shop.example': {
      host: { wording: 'sendmail', greylist: { delayMs: 60_000 }, limits: { recipientsPerMinute: 1 } },
      mailboxes: {
        known: ['ann'],
        overQuota: ['full'],
        fullForNow: ['later'],
        disabled: ['old'],
        tempfail: ['sick'],
      },
    },
    'kept.example': { host: {}, mailboxes: { catchAll: true, known: ['ann'] } },
    'back.example': {
      host: {},
      mailboxes: { catchAll: true, known: ['ann'] },
      mail: { returnedShare: 1, returned: 'later' },
    },
    'yahoo.example': {
      host: { wording: 'yahoo', everyRcpt: 'accept' },
      mailboxes: { known: ['ann'], overQuota: ['full'] },
    },
    'block.example': { host: { everyRcpt: 'blocked' }, mailboxes: ['ann'] },
    'lapsed.example': { host: {}, lapsed: true, mailboxes: ['ann'] },
    'list.example': { host: {}, everyRcpt: '554 5.7.1 You are on our block list', mailboxes: ['ann'] },
    'strict.example': { host: { mail: { refusedShare: 1, complaintShare: 1 } }, mailboxes: ['ann'] },
    'angry.example': { host: { mail: { complaintShare: 1 } }, mailboxes: ['ann'] },
    'moved.example': { host: {}, mailboxes: ['ann'], mail: { closedShare: 1, openedShare: 1 } },
    'none.example': { dns: 'nxdomain' },
    'null.example': { mx: null },
    'mute.example': { dns: 'servfail' },
    'down.example': { host: { down: true } },
    'alias.example': { cname: 'shop.example', mailboxes: ['ann'] },
  });
  const fates = (emails: readonly string[]) =>
    emails.map((email) => `${email} ${post(email, DAY)?.fate ?? 'not sent'}`);
  const expected = [
    'ann@shop.example delivered',
    'Postmaster@shop.example delivered',
    'nobody@shop.example bounced',
    'old@shop.example bounced',
    'full@shop.example full',
    'later@shop.example full',
    'sick@shop.example unclear',
    'anyone@kept.example delivered',
    'ann@back.example delivered',
    'anyone@back.example bounced',
    'ann@yahoo.example delivered',
    'full@yahoo.example full',
    'nobody@yahoo.example bounced',
    'ann@block.example blocked',
    'ann@lapsed.example unclear',
    'ann@list.example blocked',
    'ann@strict.example blocked',
    'nobody@strict.example bounced',
    'ann@angry.example complained',
    // Since the day of the check.
    'ann@moved.example bounced',
    'ben@moved.example delivered',
    'ann@none.example unclear',
    'ann@null.example unclear',
    'ann@mute.example unclear',
    'ann@down.example unclear',
    'ann@alias.example delivered',
    'john.doe not sent',
    'two@@shop.example not sent',
  ];
  expect(fates(expected.map((line) => line.split(' ')[0]!))).toEqual(expected);
  expect(told(post('nobody@shop.example', DAY))).toEqual([
    'bounced: 550 5.1.1 <nobody@shop.example>... User unknown',
  ]);
  expect(told(post('anyone@back.example', DAY))).toEqual([
    'delivered: 250 2.0.0 Ok: queued',
    expect.stringMatching(/^bounced: 550 5\.1\.1 <anyone@back\.example>/),
  ]);
  expect(post('nobody@yahoo.example', DAY)!.events[0]!.command).toBe('end of DATA command');
  // Tried for five days.
  const [bounce] = post('sick@shop.example', DAY)!.events;
  expect(new Date(bounce!.atSeconds * 1_000).toISOString()).toMatch(/^2026-10-25T(?:0[89]|1[01])/);
});

test.each(WORDINGS)('our reader takes what servers say in the words of %s for what happened', (wording) => {
  for (const after of [false, true]) {
    const post = postOf({
      'shop.example': {
        host: { wording, ...(after && { everyRcpt: 'accept' as const }) },
        mailboxes: { overQuota: ['full'], fullForNow: ['later'], disabled: ['old'] },
      },
      'strict.example': { host: { wording, mail: { refusedShare: 1 } }, mailboxes: ['ann'] },
      'block.example': { host: { wording, everyRcpt: 'blocked' } },
      'down.example': { host: { wording, down: true } },
    });
    for (const email of ['nobody', 'full', 'later', 'old']
      .map((local) => `${local}@shop.example`)
      .concat(['ann@strict.example', 'ann@block.example', 'ann@down.example'])) {
      const { fate, events } = post(email, DAY)!;
      const { reply } = events[0]!;
      expect(bounceClass(reply, email), reply).toBe(fate);
      const [, said] = /status=bounced \((.*)\)\n/.exec(postfixLines(events[0]!))!;
      expect(bounceClass(said!, email), said).toBe(fate);
    }
  }
});

test('shares are of addresses, whatever the day, or of messages; the seed decides which', () => {
  const domains = {
    'all.example': { host: {}, mailboxes: { catchAll: true, share: 0.5 }, mail: { returnedShare: 0.4 } },
    'own.example': {
      host: { mail: { closedShare: 0.5, refusedShare: 0.1, complaintShare: 0.2 } },
      mailboxes: { share: 1 },
      mail: { closedShare: 0.01 },
    },
  };
  const sent = (post: ReturnType<typeof postOf>, name: string, day = DAY) =>
    Array.from({ length: 4_000 }, (_, n) => post(`p${n}@${name}`, day)!.fate);
  const share = (fates: readonly string[], fate: string) =>
    fates.filter((each) => each === fate).length / fates.length;
  const post = postOf(domains);
  const all = sent(post, 'all.example');
  expect(share(all, 'bounced')).toBeCloseTo(0.2, 1);
  expect(sent(postOf(domains), 'all.example')).toEqual(all);
  expect(sent(post, 'all.example', '2026-10-27')).toEqual(all);
  expect(sent(postOf(domains, {}, 2), 'all.example')).not.toEqual(all);
  const own = sent(post, 'own.example');
  expect(share(own, 'bounced')).toBeCloseTo(0.01, 2);
  expect(share(own, 'blocked')).toBeCloseTo(0.1, 1);
  expect(share(own, 'complained')).toBeCloseTo(0.18, 1);
  const next = sent(post, 'own.example', '2026-10-27');
  expect(next).not.toEqual(own);
  const closed = (fates: readonly string[]) => fates.flatMap((fate, n) => (fate === 'bounced' ? [n] : []));
  expect(closed(next)).toEqual(closed(own));
});

test('Postfix and SendGrid tell it as they do', () => {
  const post = postOf({
    'shop.example': { host: { mail: { complaintShare: 1 } }, mailboxes: ['ann'] },
    'google.example': { host: { wording: 'google' } },
    'back.example': {
      host: {},
      mailboxes: { catchAll: true },
      mail: { returnedShare: 1, returned: 'later' },
    },
    'none.example': { dns: 'nxdomain' },
  });
  const line = (email: string, at = 0) => postfixLines(post(email, DAY)!.events[at]!).split('\n')[1] ?? '';
  expect(line('ann@shop.example')).toMatch(
    /^Oct 20 \d\d:\d\d:\d\d out postfix\/smtp\[4711\]: [0-9A-F]{8}: to=<ann@shop\.example>, relay=mx\.shop\.example\[203\.0\.113\.\d+\]:25, .* dsn=2\.0\.0, status=sent \(250 2\.0\.0 Ok: queued\)$/,
  );
  expect(line('ben@google.example')).toMatch(
    /dsn=5\.1\.1, status=bounced \(host mx\.google\.example\[203\.0\.113\.\d+\] said: 550-5\.1\.1 The email .* - gsmtp \(in reply to RCPT TO\)\)$/,
  );
  expect(line('ann@none.example')).toMatch(
    /relay=none, .* status=bounced \(Host or domain name not found\. /,
  );
  // What its log never says.
  expect([line('ann@shop.example', 1), line('ann@back.example', 1)]).toEqual(['', '']);
  const events = post('ann@shop.example', DAY)!.events.map(sendgridEvent);
  expect(events).toMatchObject([
    { event: 'delivered', email: 'ann@shop.example', response: '250 2.0.0 Ok: queued' },
    { event: 'spamreport', email: 'ann@shop.example' },
  ]);
  expect(post('ben@google.example', DAY)!.events.map(sendgridEvent)).toMatchObject([
    { event: 'bounce', reason: expect.stringMatching(/^550-5\.1\.1 The email /) },
  ]);
});
