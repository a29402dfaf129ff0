import { DETAILS } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { DETAIL_INDEX, STORED_DETAILS, storedDetail } from './stored-details.ts';

test('every detail word of the engine can be stored, each once', () => {
  expect([...STORED_DETAILS].sort()).toEqual([...DETAILS].sort());
});

test('what rows have stored since 0.2 keeps its meaning: words are only ever added behind these', () => {
  expect(STORED_DETAILS.slice(0, 33).join(' ')).toBe(
    'accepted role disposable catch_all catch_all_unknown mailbox_full no_such_mailbox mailbox_disabled ' +
      'mailbox_moved syntax no_such_domain no_mx null_mx private_address greylisted rate_limited blocked ' +
      'source_resting budget sender_refused temporary unclear timeout connection_refused connection_lost ' +
      'tls_failed proxy_refused proxy_no_route dns_failed dns_untrusted network_down never_asked list_ended',
  );
});

test('an index is read back as its word; one that a later version stored is not known', () => {
  for (const word of STORED_DETAILS) expect(storedDetail(DETAIL_INDEX[word])).toBe(word);
  expect(storedDetail(STORED_DETAILS.length)).toBeNull();
});
