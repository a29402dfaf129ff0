import { expect, test } from 'vitest';
import { readSettings, SettingsError } from './settings.ts';

const KEY = 'mx_live_secretsecret';

test('the key and the address are those of the command line; the limit is 100 credits, or what is said nearest', () => {
  const settings = { apiKey: KEY, baseUrl: 'http://127.0.0.1:8080', maxCredits: 100, readOnly: false };
  expect(readSettings([], { MXPROOF_API_KEY: ` ${KEY}\n` }, '1')).toEqual(settings);
  const env = { MXPROOF_API_KEY: KEY, MXPROOF_URL: 'https://x.test/v1', MXPROOF_MCP_CREDITS: '7' };
  expect(readSettings(['--read-only'], env, '1')).toEqual({
    ...settings,
    baseUrl: 'https://x.test/v1',
    maxCredits: 7,
    readOnly: true,
  });
  expect(readSettings(['--max-credits', '0'], env, '1')).toMatchObject({ maxCredits: 0 });
  expect(readSettings(['--version'], {}, '1.2.3')).toEqual({ print: '1.2.3\n' });
});

test('what cannot be right is refused in one sentence, which repeats no key', () => {
  const refusals: [string[], Record<string, string>, RegExp][] = [
    [[], {}, /no API key.*MXPROOF_API_KEY/],
    [[], { MXPROOF_API_KEY: 'secretsecret' }, /mx_live_ or mx_test_/],
    [[], { MXPROOF_API_KEY: KEY, MXPROOF_API_KEY_FILE: '/x' }, /remove one/],
    [[], { MXPROOF_API_KEY_FILE: '/nowhere/key' }, /ENOENT.*\/nowhere\/key/],
    [['--max-credits', 'many'], { MXPROOF_API_KEY: KEY }, /--max-credits is a whole number/],
    [['--max-credits=-1'], { MXPROOF_API_KEY: KEY }, /--max-credits is a whole number/],
    [[], { MXPROOF_API_KEY: KEY, MXPROOF_MCP_CREDITS: '1e9' }, /MXPROOF_MCP_CREDITS is a whole number/],
    [[], { MXPROOF_API_KEY: KEY, MXPROOF_URL: 'https://ann:secretsecret@x.test' }, /MXPROOF_URL/],
    [[KEY], {}, /never as an argument/],
    [['--readonly'], { MXPROOF_API_KEY: KEY }, /--readonly.*--help/],
  ];
  for (const [args, env, words] of refusals) {
    expect(() => readSettings(args, env, '1')).toThrow(words);
    expect(() => readSettings(args, env, '1')).toThrow(SettingsError);
    expect(() => readSettings(args, env, '1')).not.toThrow(/secretsecret|\n/);
  }
});
