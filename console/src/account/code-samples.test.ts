import { expect, test } from 'vitest';
import { codeSamples, LANGUAGES } from './code-samples.ts';

test.each(LANGUAGES)('the sample in %s names this service, and a key that is none', (language) => {
  const { source } = codeSamples('https://mx.example.com', false)[language];
  expect(source).toContain('https://mx.example.com');
  expect(source.match(/mx_(live|test)_\w+/g)).toEqual(['mx_live_YOUR_KEY']);
});

test('no sample installs from a registry what has not been published there', () => {
  const { typescript, python } = codeSamples('https://mx.example.com', false);
  expect(typescript.install).toMatch(/^npm run pack -- (\S+) .*\nnpm install \1\/mxproof-client-\*\.tgz /);
  expect(python.install).toMatch(/^pip install \.\/clients\/python /);
});

test('a test key is asked for in a session of a test key', () => {
  expect(codeSamples('https://mx.example.com', true).curl.source).toContain('Bearer mx_test_YOUR_KEY');
});
