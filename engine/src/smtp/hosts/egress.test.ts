import { expect, test } from 'vitest';
import { CERTAINLY } from '../../../test/behalf.ts';
import { egressOf } from '../../../test/permits.ts';

const egress = () =>
  egressOf([
    { ip: '192.0.2.1', heloName: 'one.example' },
    { ip: '192.0.2.2', heloName: 'two.example' },
  ]);

const DOMAINS = Array.from({ length: 40 }, (_, i) => `d${i}.example`);

test('domains are spread over the sources, and each keeps its own, whichever host refuses it', () => {
  const ours = egress();
  const chosen = DOMAINS.map((domain) => ours.sourceFor(domain, null));
  expect(new Set(chosen).size).toBe(2);
  for (const breaker of chosen) {
    const refuser = { ip: '192.0.2.25', provider: 'other', shared: null };
    breaker.refused(refuser, 'mx.example', CERTAINLY, 0);
    expect(breaker.isResting(refuser, 1)).toBe(true);
  }
  expect(DOMAINS.map((domain) => ours.sourceFor(domain, null))).toEqual(chosen);
});

test('a later attempt is bound to its source only while that is ours', () => {
  const ours = egress();
  for (const domain of DOMAINS) {
    expect(ours.sourceFor(domain, '192.0.2.2').source.heloName).toBe('two.example');
    expect(ours.sourceFor(domain, '192.0.2.3')).toBe(ours.sourceFor(domain, null));
  }
});

test('without a source there is nothing to speak from', () => {
  expect(() => egressOf([])).toThrow('needs a source');
});
