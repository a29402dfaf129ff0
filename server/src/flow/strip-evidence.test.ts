import type { Evidence } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { erasedText } from '../rules/erased-text.ts';
import { packEvidence, unpackEvidence } from '../rules/evidence-pack.ts';
import { compress, decompress } from '../store/compress.ts';
import { stripEvidence } from './strip-evidence.ts';

const evidence = (suggestion: string): Evidence => ({
  dns: null,
  host: null,
  ip: null,
  source: null,
  tls: false,
  meaning: null,
  session: [],
  dialogue: [{ atMs: 1, from: 'server', text: `550 "x@y.example" is not "\\here"` }],
  rule: 'rule',
  suggestion,
  attempts: 1,
});

test('evidence can be read whatever address is erased beside it, and does not mention it', () => {
  const data = compress(
    packEvidence([
      [0, evidence('z@y.example')],
      [1, evidence('x@y.example')],
    ]),
  );
  const left = (email: string) =>
    unpackEvidence(decompress(stripEvidence(data, [0], [erasedText(email)!])!)).get(1);
  for (const other of ['":"x@y.example', 'x@y.example",', '["x@y.example'])
    expect(left(other), other).toEqual(evidence('x@y.example'));
  const dialogue = (said: string) => [{ atMs: 1, from: 'server', text: `550 ${said} is not "\\here"` }];
  expect(left('"x@y.example')).toEqual({ ...evidence('x@y.example'), dialogue: dialogue('[erased]"') });
  expect(left('x@y.example')).toEqual({ ...evidence('[erased]'), dialogue: dialogue('"[erased]"') });
});

test('evidence that cannot be read is not kept', () => {
  expect(stripEvidence(compress('{"words":[[erased]"]}'), [3])).toBeNull();
});
