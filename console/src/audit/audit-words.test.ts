import { expect, test } from 'vitest';
import { auditWords } from '../messages/en-audit.ts';
import { changesOf, forAccount, sentenceOf } from './audit-words.ts';

const reader = forAccount(
  (id) => (id === 3 ? 'Shop' : undefined),
  (id) => (id === 6 ? 'ann@shop.example' : undefined),
);
const entry = (action: string, more: object = {}) => ({
  action,
  actor: { kind: 'key', id: 12, name: null },
  subject: null,
  changes: {},
  changed: [],
  ...more,
});
const by = (kind: string, id: number | null, name: string | null = null) => ({ actor: { kind, id, name } });
const of = (kind: string, id: number) => ({ subject: { kind, id } });

test.each([
  ['key.created', of('key', 5), 'Key no. 5 was made by key no. 12'],
  ['member.joined', { ...of('member', 6), ...by('member', 6) }, 'Member “ann@shop.example” joined'],
  [
    'member.removed',
    { ...of('member', 9), ...by('member', 6) },
    'Member no. 9 was removed by member “ann@shop.example”',
  ],
  [
    'key.revoked',
    { ...of('key', 3), ...by('session', 3) },
    'Key “Shop” was revoked by a browser with key “Shop”',
  ],
  [
    'list.deleted',
    { ...of('list', 8), ...by('session', null) },
    'List 8 was deleted by a browser with a link',
  ],
  [
    'callback.resent',
    { ...of('list', 8), ...by('member', 4) },
    'The callback of list 8 was sent again by member no. 4',
  ],
  [
    'webhook.secret_replaced',
    of('webhook', 2),
    'The secret of webhook endpoint no. 2 was replaced by key no. 12',
  ],
  ['list.cancelled', by('key', 12), 'A list was stopped by key no. 12'],
])('%s: %j', (action, more, sentence) => {
  expect(sentenceOf(entry(action, more), reader)).toBe(sentence);
});

test.each([
  'admin_key',
  'operator',
  'command',
])('%s is the operator, of whom an account is told no more', (kind) => {
  expect(sentenceOf(entry('account.changed', by(kind, 7, 'root')), reader)).toBe(
    'The account was changed by the operator',
  );
});

test('what the service does by itself has no one behind it', () => {
  const changes = { credits: { before: 20, after: 1_020 } };
  expect(sentenceOf(entry('credits.granted', { ...by('service', null), changes }), reader)).toBe(
    '1,000 credits were added',
  );
});

test.each([
  [100, 600, '500 credits were added'],
  [600, 599, '1 credit was taken back'],
])('credits from %d to %d: %s', (before, after, what) => {
  const changes = { credits: { before, after } };
  expect(sentenceOf(entry('credits.changed', { ...by('operator', null), changes }), reader)).toBe(
    `${what} by the operator`,
  );
});

test('what a later service writes is told by its own words', () => {
  expect(sentenceOf(entry('robot.sent_home', of('robot', 1)), reader)).toBe('robot sent home by key no. 12');
  expect(
    changesOf({
      action: 'robot.sent_home',
      changes: { new_field: { before: 'old_word', after: null } },
      changed: ['the_other'],
    }),
  ).toEqual([
    { field: 'New field', values: { before: 'old word', after: 'none' } },
    { field: 'The other', values: null },
  ]);
});

test('before and after, as people read them; what was made shows what it is, and what is the same is left out', () => {
  const changes = {
    monthly_credits: { before: null, after: 5_000 },
    test: { before: null, after: false },
    paused: { before: true, after: false },
    expires_at: { before: null, after: null },
    undo_seconds: { before: null, after: 600 },
    rate_requests: { before: 60, after: 1_200 },
    provider: { before: 'google', after: null },
    MXPROOF_SMTP_PORT: { before: 25, after: 2_525 },
  };
  expect(changesOf({ action: 'webhook.changed', changes, changed: ['name', 'url'] })).toEqual([
    { field: 'Monthly credits', values: { before: null, after: '5,000' } },
    { field: 'Paused', values: { before: 'yes', after: 'no' } },
    { field: 'Can be brought back for', values: { before: null, after: '10 minutes' } },
    { field: 'Requests a minute', values: { before: '60', after: '1,200' } },
    { field: 'Provider', values: { before: 'Google', after: 'none' } },
    { field: 'MXPROOF_SMTP_PORT', values: { before: '25', after: '2525' } },
    { field: 'Name', values: null },
    { field: 'URL', values: null },
  ]);
});

test('of what is new, it is not told that its texts are others', () => {
  const changes = { access: { before: null, after: 'read' } };
  expect(changesOf({ action: 'key.created', changes, changed: ['label'] })).toEqual([
    { field: 'Access', values: { before: null, after: 'read' } },
  ]);
  const role = { role: { before: null, after: 'viewer' } };
  expect(changesOf({ action: 'member.invited', changes: role, changed: ['email'] })).toEqual([
    { field: 'Role', values: { before: null, after: 'viewer' } },
  ]);
});

test('who signs in is told first', () => {
  expect(sentenceOf(entry('session.begun', by('session', 3)), reader)).toBe(
    'A browser with key “Shop” signed in',
  );
  expect(sentenceOf(entry('session.ended', by('session', null)), reader)).toBe(
    'A browser with a link signed out',
  );
});

test('every action has a name to choose it by, and each another', () => {
  const names = Object.values(auditWords.actions).map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
});
