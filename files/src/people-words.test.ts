import { expect, test } from 'vitest';
import { clean, latin1, textOf, verdictOf } from '../test/in-memory.ts';
import { MACHINE } from './machine-words.ts';
import { PEOPLE } from './people-words.ts';
import { type Extra, RESULT_COLUMNS, type ResultRow, suppressedRow } from './result-columns.ts';
import { vocabularyOf } from './vocabularies.ts';

const ROW: ResultRow = {
  ...{
    email: 'ann@gmial.com',
    state: 'undeliverable',
    reason: 'invalid_domain',
    score: 0,
    accept_all: false,
  },
  ...{ role: true, free: false, disposable: false, mx: null, provider: '', detail: 'no_such_domain' },
  ...{ suggestion: 'ann@gmail.com', checked_as: null },
};
const statuses = (taken: readonly string[], names: readonly string[]) =>
  PEOPLE.headings(taken, names).map(([_, status]) => status);

test('people read what to do first, then the columns of the API in their order', () => {
  expect(PEOPLE.headings([], ['Private email'])).toEqual([
    [
      'Private email: what to do',
      'Private email: status',
      'Private email: reason',
      'Private email: score',
      'Private email: accepts everyone',
      'Private email: role address',
      'Private email: free provider',
      'Private email: disposable domain',
      'Private email: mail server',
      'Private email: provider',
      'Private email: detail',
      'Private email: did you mean',
      'Private email: checked as',
    ],
  ]);
  expect(MACHINE.headings([], ['Private email'])).toEqual([RESULT_COLUMNS]);
});

test('cells say it as the console does, or as the API does', () => {
  const said = ['Remove', 'Undeliverable', 'Domain accepts no mail', 0, 'no', 'yes', 'no', 'no', '', ''];
  expect(PEOPLE.cells(ROW)).toEqual([...said, 'No such domain', 'ann@gmail.com', '']);
  const words = ['undeliverable', 'invalid_domain', 0, false, true, false, false, '', ''];
  expect(MACHINE.cells(ROW)).toEqual([...words, 'no_such_domain', 'ann@gmail.com', '']);
});

test.each([
  ['deliverable', 'accepted_email', 'Send'],
  ['risky', 'low_deliverability', 'Send carefully'],
  ['risky', 'disposable', 'Leave out'],
  ['undeliverable', 'rejected_email', 'Remove'],
  ['unknown', 'no_connect', 'No answer yet'],
])('%s for %s says first what to do: %s', (state, reason, action) => {
  expect(PEOPLE.cells({ ...ROW, state, reason })[0]).toBe(action);
});

test('people read no disposable domain where there is no domain', () => {
  const disposable = (reason: string) => PEOPLE.cells({ ...ROW, reason, disposable: true })[7];
  expect([disposable('invalid_domain'), disposable('disposable')]).toEqual(['no', 'yes']);
  expect(MACHINE.cells({ ...ROW, disposable: true })[6]).toBe(true);
});

test.each([
  ['google', 'Google'],
  ['microsoft', 'Microsoft 365'],
  ['other', 'Other'],
  ['newcomer', 'Newcomer'],
  ['', ''],
])('the provider %j is said as %j', (provider, name) => {
  expect(PEOPLE.cells({ ...ROW, provider })[9]).toBe(name);
});

test('a word of a later service is shown as it is', () => {
  const later = { ...ROW, state: 'deferred', reason: 'constructor', detail: 'new_word' };
  expect(PEOPLE.cells(later).slice(0, 3)).toEqual(['', 'deferred', 'constructor']);
  expect(PEOPLE.cells(later)[10]).toBe('new_word');
});

test.each([
  ['a column without a heading', [''], ['Email: status']],
  ['line ends in a heading', [' Work\r\ne-mail '], ['Work e-mail: status']],
  ['a heading of a whole text', ['x'.repeat(5_000)], [`${'x'.repeat(60)}: status`]],
  ['two columns', ['Work', 'Home'], ['Work: status', 'Home: status']],
  [
    'columns of one name',
    ['Email', 'EMAIL', 'Email 2'],
    ['Email: status', 'EMAIL 2: status', 'Email 2 2: status'],
  ],
])('the headings of %s', (_, names, expected) => {
  expect(statuses(names, names)).toEqual(expected);
});

test.each([
  ['none of ours', ['E-mail', 'E-mail: town', 'Other: status', 'E-mail: status (1)'], 'E-mail: status'],
  ['one of ours', ['E-mail', ' e-mail:  Reason '], 'E-mail: status (2)'],
  ['two rounds', ['E-mail', 'E-mail: status', 'E-mail: did you mean (2)'], 'E-mail: status (3)'],
  ['a later round only', ['E-mail', 'E-mail: status (2)'], 'E-mail: status'],
  ['words of the API', ['E-mail', ...RESULT_COLUMNS], 'E-mail: status'],
])('in a file that has %s already', (_, taken, status) => {
  expect(statuses(taken, ['E-mail'])).toEqual([status]);
});

test('a file is cleaned again and again, in either vocabulary', async () => {
  let text = 'E-Mail\nann@x.com\n';
  for (const words of [PEOPLE, MACHINE, PEOPLE, MACHINE])
    text = textOf((await clean(latin1(text), {}, { words })).bytes);
  const [head, row] = text.split('\n').map((line) => line.split(','));
  expect(new Set(head).size).toBe(1 + 4 * RESULT_COLUMNS.length + 2);
  const status = (at: number) => [head![at], row![at]];
  expect([2, 14, 27, 39].map(status)).toEqual([
    ['E-Mail: status', 'Deliverable'],
    ['state', 'deliverable'],
    ['E-Mail: status (2)', 'Deliverable'],
    ['mxproof_state', 'deliverable'],
  ]);
});

const RISK = { bounce_probability: 0.0504, bounce_low: 0.031, bounce_high: 0.0917, bounce_n: 312 };
const EXTRAS: readonly Extra[] = ['suppressed', 'estimate'];

test('how likely mail bounces, and whether an address is suppressed, are added where they are asked for', () => {
  const row = { ...ROW, ...RISK, bounce_basis: 'domain', suppressed: false };
  const people = vocabularyOf('people', EXTRAS);
  expect(people.headings([], ['E-mail'])[0]!.slice(13)).toEqual([
    'E-mail: bounce risk',
    'E-mail: suppressed',
  ]);
  expect(people.cells(row).slice(13)).toEqual(['5 % (3.1–9.2 %)', 'no']);
  expect(people.none).toHaveLength(15);
  const machine = vocabularyOf('machine', EXTRAS);
  const numbers = ['bounce_probability', 'bounce_low', 'bounce_high', 'bounce_n', 'bounce_basis'];
  expect(machine.headings([], ['E-mail'])[0]!.slice(12)).toEqual([...numbers, 'suppressed']);
  expect(machine.cells(row).slice(12)).toEqual([0.0504, 0.031, 0.0917, 312, 'domain', false]);
  expect(machine.none).toHaveLength(18);
  expect([PEOPLE.cells(row).length, MACHINE.cells(row).length]).toEqual([13, 12]);
});

test('where nothing is known of bounces, nothing is said', () => {
  const none = { bounce_probability: null, bounce_low: null, bounce_high: null, bounce_n: null };
  const row = { ...ROW, ...none, bounce_basis: null };
  expect(vocabularyOf('people', ['estimate']).cells(row).slice(13)).toEqual(['']);
  expect(vocabularyOf('machine', ['estimate']).cells(row).slice(12)).toEqual(['', '', '', '', '']);
});

test('a suppressed address is not sent to, whatever its verdict, and without one nothing else is said', () => {
  const good = { ...ROW, state: 'deliverable', reason: 'accepted_email', suppressed: true };
  expect(PEOPLE.cells(good).slice(0, 2)).toEqual(['Do not send', 'Deliverable']);
  const said = vocabularyOf('people', ['suppressed']).cells(suppressedRow('ann@x.com'));
  expect(said).toEqual(['Do not send', ...RESULT_COLUMNS.map(() => ''), 'yes']);
  const words = vocabularyOf('machine', ['suppressed']).cells(suppressedRow('ann@x.com'));
  expect(words).toEqual([...RESULT_COLUMNS.map(() => ''), true]);
});

test('a file that was cleaned with such columns is cleaned again', async () => {
  const verdict = (email: string) => ({ ...verdictOf(email), ...RISK, suppressed: false });
  for (const kind of ['people', 'machine'] as const) {
    const words = vocabularyOf(kind, EXTRAS);
    let text = 'E-Mail\nann@x.com\n';
    for (const _ of [1, 2]) text = textOf((await clean(latin1(text), {}, { words, verdict })).bytes);
    const [head] = text.split('\n').map((line) => line.split(','));
    expect(new Set(head).size).toBe(1 + 2 * words.none.length);
    const alone = textOf((await clean(latin1('E-Mail,Suppressed\nann@x.com,no\n'), {}, { words })).bytes);
    expect(alone).toContain(kind === 'people' ? 'E-Mail: suppressed' : 'mxproof_suppressed');
  }
});

test('a row with a suppressed address goes with its others, which alone stay', async () => {
  const verdict = (email: string) => (email === 'ann@x.com' ? suppressedRow(email) : verdictOf(email));
  const text = 'email,work\nann@x.com,bob@x.com\nann@x.com,\nann@x.com,bad@x.com\n';
  const options = { verdict, words: null, keep: 'deliverable' };
  const { bytes } = await clean(latin1(text), { columns: [0, 1] }, options);
  expect(textOf(bytes)).toBe('email,work\n,bob@x.com\n');
});

test('a heading that a spreadsheet would run is defused where we repeat it, and only there', async () => {
  const { bytes } = await clean(
    latin1('=cmd()\nann@x.com\n'),
    { hasHeader: true, column: '1' },
    { words: PEOPLE },
  );
  expect(textOf(bytes)).toMatch(/^=cmd\(\),'=cmd\(\): what to do,/);
});

test('what comes from outside is defused in people’s words too', async () => {
  const verdict = (email: string) => ({ ...verdictOf(email), suggestion: '=1+1@x.com', mx: '+x' });
  const { bytes } = await clean(latin1('email\nann@x.com\n'), {}, { words: PEOPLE, verdict });
  expect(textOf(bytes).split('\n')[1]).toBe("ann@x.com,,Deliverable,r,9,no,no,no,no,'+x,Other,,'=1+1@x.com,");
});
