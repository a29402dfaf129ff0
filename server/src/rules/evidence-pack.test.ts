import type { Evidence } from '@mxproof/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EvidencePack, packEvidence, unpackEvidence } from './evidence-pack.ts';

const text = fc.string({ unit: 'binary' });
const line = fc.record({
  atMs: fc.nat(),
  from: fc.constantFrom('us' as const, 'server' as const, 'note' as const),
  text,
});
const word = fc.option(text, { nil: null });
const evidence: fc.Arbitrary<Evidence> = fc.record({
  dns: word,
  host: word,
  ip: word,
  source: word,
  tls: fc.boolean(),
  meaning: fc.constantFrom('accepted' as const, 'no_mailbox' as const, null),
  rule: text,
  suggestion: word,
  attempts: fc.nat(10),
  session: fc.array(line),
  dialogue: fc.array(line),
});

test('unpacked evidence is what went in', () => {
  fc.assert(
    fc.property(fc.array(evidence, { maxLength: 20 }), (all) => {
      const found = all.map((one, position) => [position, one] as const);
      expect([...unpackEvidence(packEvidence(found))]).toEqual(
        found.map(([position, one]) => [position, one]),
      );
    }),
  );
});

test('lines that addresses share are said once', () => {
  const session = [{ atMs: 1, from: 'server', text: '220 a very long banner indeed' }] as const;
  const one: Evidence = {
    dns: 'mx 10 mx.example.com',
    host: 'mx.example.com',
    ip: '192.0.2.1',
    source: null,
    tls: false,
    meaning: 'accepted',
    session,
    dialogue: [],
    rule: 'accepted',
    suggestion: null,
    attempts: 1,
  };
  const packed = packEvidence([
    [0, one],
    [1, one],
  ]);
  expect(packed.split('a very long banner')).toHaveLength(2);
});

test('a pack that was read takes more, and is read again', () => {
  fc.assert(
    fc.property(fc.array(evidence, { minLength: 1, maxLength: 20 }), (all) => {
      const pack = new EvidencePack();
      for (const [position, one] of all.entries()) {
        pack.add(position, one);
        const known = [...unpackEvidence(pack.text())];
        expect(known).toEqual([...all.entries()].slice(0, position + 1));
      }
    }),
    { numRuns: 30 },
  );
});
