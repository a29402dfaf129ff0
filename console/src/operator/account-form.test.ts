import type { AdminAccountDetail } from '@mxproof/client/admin';
import { expect, test } from 'vitest';
import { changeOf, type Edits } from './account-form.ts';

const ACCOUNT: AdminAccountDetail = {
  id: 7,
  name: 'Shop',
  external_id: 'c-1',
  status: 'active',
  credits: 10,
  credits_used: 0,
  lists: 0,
  created_at: 1,
  last_active_at: null,
  rate_requests: 600,
  rate_addresses: null,
  retention: { results: 30, evidence: null, callbacks: null, single_checks: null },
  monthly_credits: null,
  monthly_from: null,
  mail: null,
  low_credits: null,
  outcomes: false,
};

test.each<[string, Edits, object | null]>([
  ['nothing', {}, null],
  ['what was typed and taken back', { name: 'Shop', rate_requests: '600', mail: '' }, null],
  ['blanks around what was there', { name: ' Shop ' }, null],
  ['a name', { name: ' The shop ' }, { name: 'The shop' }],
  ['a text that is emptied', { external_id: ' ' }, { external_id: null }],
  ['a number that is emptied', { rate_requests: '' }, { rate_requests: null }],
  ['numbers with blanks', { monthly_credits: '10 000' }, { monthly_credits: 10_000 }],
  ['one kind of data', { results: '', evidence: '7' }, { retention: { results: null, evidence: 7 } }],
  [
    'several',
    { mail: 'anna@example.com', rate_addresses: '5', callbacks: '1' },
    { mail: 'anna@example.com', rate_addresses: 5, retention: { callbacks: 1 } },
  ],
])('%s', (_, edits, change) => {
  expect(changeOf(ACCOUNT, edits)).toEqual({ kind: 'change', change });
});

test.each<[Edits, string]>([
  [{ name: '  ' }, 'name'],
  [{ mail: 'a@b.example', rate_requests: '0' }, 'rate_requests'],
  [{ monthly_credits: '1.000' }, 'monthly_credits'],
  [{ monthly_credits: '-5' }, 'monthly_credits'],
  [{ results: 'many' }, 'results'],
  [{ single_checks: '99999999999999999999' }, 'single_checks'],
])('%j is not sent', (edits, field) => {
  expect(changeOf(ACCOUNT, edits)).toEqual({ kind: 'wrong', field });
});

test('a text may be the word that stands for a wrong number', () => {
  expect(changeOf(ACCOUNT, { name: 'wrong' })).toEqual({ kind: 'change', change: { name: 'wrong' } });
});

test('what a colleague changed meanwhile is not sent back', () => {
  const later = { ...ACCOUNT, name: 'Shop 2' };
  expect(changeOf(later, { mail: 'anna@example.com' })).toEqual({
    kind: 'change',
    change: { mail: 'anna@example.com' },
  });
});
