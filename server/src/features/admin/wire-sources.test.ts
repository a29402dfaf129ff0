// What operators are told of sources and of the doctor, as JSON.
import { expect, test } from 'vitest';
import { healthOf, noCounts } from '../../../test/source-health.ts';
import { wireDoctor, wireSources } from './wire-sources.ts';

const AT = new Date('2026-11-17T10:00:00Z');
const SECONDS = AT.getTime() / 1_000;

test('how each source fares, with no link but one over https', () => {
  const reply = '550 5.7.1 blocked <script>alert(1)</script>';
  const health = [
    healthOf('192.0.2.1', 'google', {
      today: {
        ...noCounts,
        ...{ asked: 9, accepted: 4, unknownRecipients: 2, deferred: 1 },
        refused: { ...noCounts.refused, block: 2 },
      },
      refusal: { kind: 'block', reply, link: 'https://check.spamhaus.org/', at: AT },
      rest: { since: AT, until: null, by: 'operator' },
      warmUp: { day: 3, perDay: 200, used: 9, heldBack: 'refused' },
    }),
    healthOf('', 'other', { refusal: { kind: 'ptr', reply, link: 'javascript:alert(1)', at: AT } }),
  ];
  expect(wireSources(health, AT)).toMatchObject({
    at: SECONDS,
    left_out: 0,
    pairs: [
      {
        id: '192.0.2.1',
        source: '192.0.2.1',
        today: { asked: 9, accepted: 4, unknown_recipients: 2, deferred: 1, refused: { block: 2, rate: 0 } },
        last_week: { asked: 0 },
        refusal: { kind: 'block', reply, link: 'https://check.spamhaus.org/', at: SECONDS },
        rest: { since: SECONDS, until: null, by: 'operator' },
        warm_up: { day: 3, per_day: 200, used: 9, held_back: 'refused' },
      },
      { id: 'own', source: '', refusal: { link: null }, rest: null, warm_up: null },
    ],
  });
});

test('what the doctor found on each machine', () => {
  const check = {
    id: 'disk',
    title: 'Disk',
    status: 'warning',
    detail: '5 % left.',
    advice: 'Free some.',
  } as const;
  const report = { machine: 'mx1', ranAt: AT, report: { ok: true, checks: [check] } };
  expect(wireDoctor([report], AT, AT)).toEqual({
    ...{ at: SECONDS, backup_at: SECONDS, left_out: 0 },
    reports: [
      {
        ...{ machine: 'mx1', ran_at: SECONDS, ok: true },
        checks: [{ ...check, group: 'Configuration and machine' }],
      },
    ],
  });
});

test('however much is stored, the answers stay small enough to read', () => {
  const long = 'x'.repeat(5_000);
  const refusal = { kind: 'block', reply: long, link: `https://a/${long}`, at: AT } as const;
  const health = Array.from({ length: 2_500 }, (_, n) => healthOf(`${n}${long}`, 'google', { refusal }));
  const sources = wireSources(health, AT);
  expect([sources.pairs.length, sources.left_out]).toEqual([2_000, 500]);
  expect(JSON.stringify(sources.pairs[0]).length).toBeLessThan(4_000);
  const checks = Array.from(
    { length: 1_000 },
    () => ({ id: long, title: long, status: 'ok', detail: long, advice: long }) as const,
  );
  const reports = Array.from({ length: 150 }, () => ({
    ...{ machine: long, ranAt: AT },
    report: { ok: true, checks },
  }));
  const doctor = wireDoctor(reports, null, AT);
  expect([doctor.reports.length, doctor.left_out, doctor.reports[0]!.checks.length]).toEqual([100, 50, 300]);
  expect(JSON.stringify(doctor.reports[0]!.checks[0]).length).toBeLessThan(4_000);
});
