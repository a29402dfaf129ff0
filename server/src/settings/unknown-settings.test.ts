import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { unknownSettings } from './unknown-settings.ts';

test.each([
  ['MXPROOF_HELO_NAM', 'MXPROOF_HELO_NAME'],
  ['MXPROOF_HELLO_NAME', 'MXPROOF_HELO_NAME'],
  ['MXPROOF_RATE_REQEUST', 'MXPROOF_RATE_REQUESTS'],
  ['MXPROOF_TLS_CERTS', 'MXPROOF_TLS_CERT'],
])('%s may mean %s', (name, meant) => {
  expect(readConfig({ [name]: 'a secret' }).warnings).toEqual([
    `${name} is not a setting of MXProof and has no effect: did you mean ${meant}?`,
  ]);
});

test('what is like no setting is named all the same, and what is not ours is not', () => {
  expect(unknownSettings({ MXPROOF_COLOUR: 'x', PATH: 'x', MXPROOFS: 'x', mxproof_url: 'x' })).toEqual([
    'MXPROOF_COLOUR is not a setting of MXProof and has no effect.',
  ]);
});

test('warnings are few, short and printable', () => {
  const names = Array.from({ length: 50 }, (_, at) => `MXPROOF_${'\u001b'.repeat(1000)}${at}`);
  const warnings = unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])));
  expect(warnings).toHaveLength(10);
  for (const warning of warnings) expect(warning).toMatch(/^[ -~]{1,120}$/);
});
