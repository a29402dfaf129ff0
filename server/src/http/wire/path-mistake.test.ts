import { expect, test } from 'vitest';
import { createPathMistakes } from './path-mistake.ts';

const mistakes = createPathMistakes();
for (const [method, url] of [
  ['GET', '/v1/account'],
  ['HEAD', '/v1/account'],
  ['POST', '/v1/verify'],
  ['GET', '/v1/lists'],
  ['POST', '/v1/lists'],
  ['GET', '/v1/lists/:id'],
  ['DELETE', '/v1/lists/:id'],
  ['GET', '/v1/lists/:id/results'],
  ['POST', '/v1/lists/:id/retry'],
  ['GET', '/v1/keys'],
  ['GET', '/healthz'],
  ['GET', '/*'],
] as const)
  mistakes.note(method, url);

test.each([
  ['GET', '/v1/verify', 'this path takes POST'],
  ['PUT', '/v1/lists/17?x=1', 'this path takes GET, DELETE'],
  ['POST', '/verify', 'did you mean POST /v1/verify?'],
  ['POST', '/api/v2/verify', 'did you mean POST /v1/verify?'],
  ['POST', '/v1/list', 'did you mean POST /v1/lists?'],
  ['GET', '/v1/lists/17/result', 'did you mean GET /v1/lists/{id}/results?'],
  ['GET', '/v1/lists/17/results/', 'did you mean GET /v1/lists/{id}/results?'],
  ['GET', '/v1//Account', 'did you mean GET /v1/account?'],
  ['PUT', '/acount', 'did you mean /v1/account? It takes GET'],
  ['GET', '/v1/key', 'did you mean GET /v1/keys?'],
])('%s %s: %s', (method, path, sentence) => {
  expect(mistakes.meant(method, path)).toBe(sentence);
});

test.each([
  '/v1/nothing',
  '/',
  '/v1',
  '/favicon.ico',
  '/ann@example.com',
  `/v1/verify${'/'.repeat(300)}`,
  `${'/x'.repeat(90)}`,
])('%s is near nothing', (path) => {
  expect(mistakes.meant('GET', path)).toBeUndefined();
});
