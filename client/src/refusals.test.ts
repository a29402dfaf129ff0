import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { InsufficientCredits, RateLimited, Refusal, ServiceUnavailable } from './errors.ts';
import { kindOf, refusalOf, retryAfterSeconds, TEXTS } from './refusals.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
};

/** Every refusal the document describes: its status and the exact text of `error`. */
const described = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ responses }) => Object.entries(responses))
  .filter(([status]) => Number(status) >= 400)
  .flatMap(([status, { description }]) =>
    [...description.matchAll(/`([^`]+)`/g)].map((match) => ({ status: Number(status), text: match[1]! })),
  );

/** Statuses under which the service refuses for one reason, or for one that only people need to tell apart. */
const ONE_MEANING = new Set([400, 401, 402, 408, 413, 415, 422, 429, 431, 500, 503]);

test('every refusal of the document has a kind of its own, unless its status says it all', () => {
  expect(described.length).toBeGreaterThan(50);
  const untold = described.filter(
    ({ status, text }) =>
      !ONE_MEANING.has(status) && !Object.hasOwn(TEXTS[status as keyof typeof TEXTS] ?? {}, text),
  );
  expect([...new Set(untold.map(({ status, text }) => `${status} ${text}`))]).toEqual([]);
  expect(described.filter(({ status, text }) => kindOf(status, text) === 'other')).toEqual([]);
});

test('every text of the table is one the document has', () => {
  for (const [status, texts] of Object.entries(TEXTS))
    for (const text of Object.keys(texts)) expect(described).toContainEqual({ status: Number(status), text });
});

test('what is needed is read from the document’s own words', () => {
  const { text } = described.find(({ status }) => status === 402)!;
  const body = JSON.stringify({ error: text.replace('<N>', '1234') });
  const refusal = refusalOf(402, new Headers({ 'x-request-id': 'r7' }), body, 0);
  expect(refusal).toBeInstanceOf(InsufficientCredits);
  expect(refusal).toMatchObject({
    needed: 1234,
    requestId: 'r7',
    body: JSON.parse(body),
    name: 'InsufficientCredits',
  });
});

test('an answer that something in front of the service made still has its status’s class', () => {
  expect(refusalOf(502, new Headers(), '<html>Bad Gateway</html>', 0)).toBeInstanceOf(ServiceUnavailable);
  expect(refusalOf(429, new Headers({ 'retry-after': '7' }), '', 0)).toMatchObject({
    retryAfter: 7,
    body: null,
  });
  expect(refusalOf(429, new Headers(), '{"error":3}', 0)).toBeInstanceOf(RateLimited);
  expect(refusalOf(418, new Headers(), 'null', 0)).toBeInstanceOf(Refusal);
  expect(refusalOf(404, new Headers(), '{"error":"constructor"}', 0)).toMatchObject({ kind: 'not_found' });
});

test('Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.parse('2026-11-16T09:00:00Z');
  expect(retryAfterSeconds('12', now)).toBe(12);
  expect(retryAfterSeconds('Mon, 16 Nov 2026 09:00:30 GMT', now)).toBe(30);
  expect(retryAfterSeconds('Mon, 16 Nov 2026 08:00:00 GMT', now)).toBe(0);
  for (const odd of ['soon', '', '-5x', 'Infinity', '1e9']) expect(retryAfterSeconds(odd, now)).toBeNull();
  expect(retryAfterSeconds(null, now)).toBeNull();
});
