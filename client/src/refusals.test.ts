import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expandParts } from '../../server/src/http/openapi/share-parts.ts';
import * as errors from './errors.ts';
import { refusalOf, retryAfterSeconds, STATUSES } from './refusals.ts';

const { InsufficientCredits, RateLimited, Refusal, ServiceUnavailable } = errors;

type Responses = Record<string, { headers?: Record<string, { schema: { enum?: string[] } }> }>;
const document = expandParts(
  JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { responses: Responses }>>;
    components: { schemas: { ErrorCode: { enum: string[] } } };
  },
);
const codes = document.components.schemas.ErrorCode.enum;

/** The status of each code, by the responses that the document describes. */
const statusOf = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { headers }]) =>
      (headers?.['MXProof-Error']?.schema.enum ?? []).map((code) => [code, Number(status)] as const),
    ),
);

const refusalFor = (
  status: number,
  code: string,
  more: Record<string, string> = {},
  body = '{"error":"any words"}',
) => refusalOf(status, new Headers({ 'mxproof-error': code, ...more }), body, 0);

test('each code of the document is the kind of its refusal, whatever the words, and its status the class', () => {
  expect(statusOf.size).toBeGreaterThan(50);
  for (const [code, status] of statusOf) {
    const refusal = refusalFor(status, code);
    expect(refusal).toMatchObject({ kind: code, status, message: 'any words', detail: null });
    expect(Object.keys(STATUSES)).toContain(String(status));
    if (code !== 'list_not_found')
      expect(refusal.constructor).toBe(refusalOf(status, new Headers(), '', 0).constructor);
  }
  expect(refusalFor(404, 'list_not_found')).toBeInstanceOf(errors.ListNotFound);
  expect(refusalFor(409, 'of_a_later_service')).toMatchObject({
    kind: 'of_a_later_service',
    name: 'Conflict',
  });
});

test('whatever code the README shows beside a class has that class', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| `([A-Z]\w+)`.* \| \d{3}.* \| (.*`.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(8);
  for (const [, name, kinds] of rows)
    for (const [, code] of kinds!.matchAll(/`(\w+)`/g))
      expect(`${code} ${refusalOf(statusOf.get(code!) ?? 0, new Headers(), '', 0).name}`).toBe(
        `${code} ${name}`,
      );
});

test('every kind that a status has by itself is a code, or stands for several', () => {
  const others = Object.values(STATUSES).filter((kind) => !codes.includes(kind));
  expect(others).toEqual(['forbidden', 'conflict']);
});

test('what is needed and the detail come from their headers', () => {
  const headers = { 'x-request-id': 'r7', 'mxproof-credits-needed': '1234' };
  const body = '{"error":"insufficient credits: 99 needed"}';
  const refusal = refusalFor(402, 'insufficient_credits', headers, body);
  expect(refusal).toBeInstanceOf(InsufficientCredits);
  expect(refusal).toMatchObject({
    needed: 1234,
    requestId: 'r7',
    body: JSON.parse(body),
    name: 'InsufficientCredits',
  });
  const detail = 'unexpected byte at position 17';
  expect(refusalFor(400, 'invalid_json', { 'mxproof-error-detail': detail })).toMatchObject({
    detail,
    message: `any words (${detail})`,
  });
});

test('an answer without a code, of something in front of the service or of one before 0.2, means what its status means', () => {
  expect(refusalOf(502, new Headers(), '<html>Bad Gateway</html>', 0)).toBeInstanceOf(ServiceUnavailable);
  expect(refusalOf(429, new Headers({ 'retry-after': '7' }), '', 0)).toMatchObject({
    retryAfter: 7,
    body: null,
  });
  expect(refusalOf(429, new Headers(), '{"error":3}', 0)).toBeInstanceOf(RateLimited);
  expect(refusalOf(418, new Headers(), 'null', 0)).toBeInstanceOf(Refusal);
  expect(refusalOf(404, new Headers(), '{"error":"list not found"}', 0)).toMatchObject({
    kind: 'not_found',
    name: 'NotFound',
    message: 'list not found',
  });
  const short = refusalOf(402, new Headers(), '{"error":"insufficient credits: 3 needed"}', 0);
  expect(short).toMatchObject({ kind: 'insufficient_credits', needed: Number.NaN });
});

test('Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.parse('2026-11-16T09:00:00Z');
  expect(retryAfterSeconds('12', now)).toBe(12);
  expect(retryAfterSeconds('Mon, 16 Nov 2026 09:00:30 GMT', now)).toBe(30);
  expect(retryAfterSeconds('Mon, 16 Nov 2026 08:00:00 GMT', now)).toBe(0);
  for (const odd of ['soon', '', '-5x', 'Infinity', '1e9']) expect(retryAfterSeconds(odd, now)).toBeNull();
  expect(retryAfterSeconds(null, now)).toBeNull();
});
