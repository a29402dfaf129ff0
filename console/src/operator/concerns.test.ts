import type { Overview } from '@mxproof/client/admin';
import { expect, test } from 'vitest';
import { concernsOf } from './concerns.ts';

const NOW = 1_000_000;
const CALM: Overview = {
  at: NOW,
  hours: 24,
  checks: { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0, lists_ended: 0 },
  providers: { counted: 0, rows: [] },
  queue: { unfinished: 0, paused: 0, pending: 0, due: 0, later: 0, claimed: 0, oldest_seconds: null },
  callbacks: { delivered: 0, failed: 0, pending: 0, deliveries_pending: 0, endpoints_off: 0 },
  accounts: { total: 0, suspended: 0, active: 0 },
  nodes: { alive: 1, lost: 0, stopped: 0 },
  sources: { resting: 0 },
  alerts: [],
  doctor: { machines: 1, failing: 0 },
  backup_at: NOW - 3_600,
};
const alert = (condition: string, since: number, subject = '') => ({
  condition,
  subject,
  detail: 'It is so.',
  since,
});
const shown = (more: Partial<Overview>) =>
  concernsOf({ ...CALM, ...more }).map(({ condition, detail }) => `${condition}: ${detail}`);

test('where all is well, nothing needs anybody', () => {
  expect(concernsOf(CALM)).toEqual([]);
});

test.each<[string, Partial<Overview>, string]>([
  [
    'no node',
    { nodes: { alive: 0, lost: 0, stopped: 2 } },
    'node_lost: No node is alive: nothing is checked.',
  ],
  [
    'a lost node',
    { nodes: { alive: 1, lost: 1, stopped: 0 } },
    'node_lost: 1 node fell silent without being stopped.',
  ],
  ['a failing machine', { doctor: { machines: 3, failing: 2 } }, 'doctor: On 2 machines.'],
  [
    'failed callbacks',
    { callbacks: { ...CALM.callbacks, failed: 1 } },
    'callbacks_failing: 1 callback failed for good.',
  ],
  [
    'a rest',
    { sources: { resting: 1 } },
    'source_resting: 1 source is resting at a provider: nothing is asked there.',
  ],
  ['no backup', { backup_at: null }, 'backup: No backup has been made yet.'],
  ['an old backup', { backup_at: NOW - 3 * 86_400 }, 'backup: The newest backup was made 3 days ago.'],
])('%s is seen without an alert', (_, more, said) => {
  expect(shown(more)).toEqual([said]);
});

test('an alert is told once, with what it is about, the oldest first', () => {
  const alerts = [alert('doctor', 20, 'mx1.example.net'), alert('backup', 10)];
  expect(shown({ alerts, doctor: { machines: 1, failing: 1 }, backup_at: null })).toEqual([
    'backup: It is so.',
    'doctor: mx1.example.net: It is so.',
  ]);
});

test('an alert of a later service is shown by its own word', () => {
  expect(concernsOf({ ...CALM, alerts: [alert('moon_full', 5)] })).toEqual([
    { condition: 'moon_full', title: 'moon full', detail: 'It is so.', since: 5, page: '/operator/doctor' },
  ]);
});
