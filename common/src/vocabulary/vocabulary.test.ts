import { expect, test } from 'vitest';
import { DETAILS, STORED_DETAILS, storedDetail } from './details.ts';
import { ACTIONS, actionFor, DETAIL_WORDS, REASON_LABELS, waitingPhrase } from './labels.ts';
import { MEANING_WORDS, MEANINGS } from './meanings.ts';
import { PROVIDERS, providerName } from './providers.ts';
import { REASON_WORDS, REASONS } from './verdicts.ts';

test('what rows have stored keeps its meaning: words are only ever added behind these', () => {
  expect(STORED_DETAILS.slice(0, 37).join(' ')).toBe(
    'accepted role disposable catch_all catch_all_unknown mailbox_full no_such_mailbox mailbox_disabled ' +
      'mailbox_moved syntax no_such_domain no_mx null_mx private_address greylisted rate_limited blocked ' +
      'source_resting budget sender_refused temporary unclear timeout connection_refused connection_lost ' +
      'tls_failed proxy_refused proxy_no_route dns_failed dns_untrusted network_down never_asked list_ended ' +
      'tenant_lapsed decides_after_data tenant_accepts_all gateway_accepts_all',
  );
  expect(REASON_WORDS.join(' ')).toBe(
    'accepted_email low_deliverability low_quality disposable rejected_email invalid_domain invalid_email ' +
      'unavailable_smtp no_connect dns_error',
  );
});

test('stored numbers have no gap, and are read back as their word; one of a later version is not known', () => {
  expect(STORED_DETAILS.map((word) => DETAILS[word].stored)).toEqual([...STORED_DETAILS.keys()]);
  expect(REASON_WORDS.map((word) => REASONS[word].stored)).toEqual([...REASON_WORDS.keys()]);
  for (const word of DETAIL_WORDS) expect(storedDetail(DETAILS[word].stored)).toBe(word);
  expect(storedDetail(STORED_DETAILS.length)).toBeNull();
});

test('a word stands with reasons of one state, and its brief text is its own', () => {
  for (const word of DETAIL_WORDS) {
    const states = new Set(DETAILS[word].reasons.map((reason) => REASONS[reason].state));
    expect(states.size, word).toBe(1);
  }
  expect(new Set(DETAIL_WORDS.map((word) => DETAILS[word].brief)).size).toBe(DETAIL_WORDS.length);
  expect(new Set(MEANING_WORDS.map((word) => MEANINGS[word].brief)).size).toBe(MEANING_WORDS.length);
});

test('what is done with an address follows from its reason, and is marked by the state of it', () => {
  for (const word of REASON_WORDS) expect(ACTIONS[REASON_LABELS[word].action].mark).toBe(REASONS[word].state);
  expect([...REASON_WORDS, '', 'newcomer'].map((reason) => actionFor({ reason }))).toEqual([
    ...'send separate skip skip remove remove remove retry retry retry'.split(' '),
    null,
    null,
  ]);
});

test('everything that an address can wait for is said in words', () => {
  for (const why of ['queued', ...DETAIL_WORDS] as const)
    expect(waitingPhrase(why).length, why).toBeGreaterThan(0);
  expect(waitingPhrase('greylisted')).toEqual([
    'asks first-time senders to try again later',
    'ask first-time senders to try again later',
  ]);
  expect(waitingPhrase('role')).toBe('whose answer is being confirmed');
});

test('texts fit their places: no cell of a guide ends a table, sentences end, briefs do not', () => {
  for (const word of DETAIL_WORDS) {
    const { meaning, toDo, brief, explanation, senderAdvice } = DETAILS[word];
    for (const cell of [meaning, toDo]) expect(cell).not.toMatch(/[|\n]/);
    expect(brief).not.toMatch(/\.$/);
    for (const sentence of [explanation, senderAdvice])
      if (sentence !== undefined) expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
});

test('every provider has a name of its own, as people write it; a word of a later service gets a capital', () => {
  const names = Object.values(PROVIDERS);
  expect(names.filter((name) => !/[A-Z.]/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(['microsoft', 'other', 'newcomer', 'constructor', ''].map(providerName)).toEqual([
    'Microsoft 365',
    'Other',
    'Newcomer',
    'Constructor',
    '',
  ]);
});
