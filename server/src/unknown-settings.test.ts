import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { SETTINGS, unknownSettings } from './unknown-settings.ts';

test('every variable that is read is a setting, and every setting is in a guide', () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  const ours = [...read].filter((name) => name.startsWith('MXPROOF_'));
  const ofClients = ['MXPROOF_API_KEY', 'MXPROOF_URL', 'MXPROOF_WEBHOOK_SECRET'];
  expect([...SETTINGS].sort()).toEqual([...ours, ...ofClients].sort());
  const guide = (name: string) =>
    readFileSync(new URL(`../../docs/guide/${name}.md`, import.meta.url), 'utf8');
  for (const name of ours) expect(guide('operate')).toContain(`\`${name}\``);
  for (const name of ofClients) expect(guide('command-line')).toContain(`\`${name}\``);
});

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
