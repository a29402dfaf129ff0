import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  ALL_ERROR_CODES,
  ERROR_CODES,
  type ErrorCode,
  refusalOf,
  refusalResponse,
  wording,
} from './errors.ts';

/** The codes that a section of the guide has a line for, with their statuses. */
function linesOf(heading: string, file = 'error-codes.md'): string[] {
  const guide = readFileSync(new URL(`../../../docs/guide/${file}`, import.meta.url), 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
  return [...section.matchAll(/^\| `(\w+)` \| (\d{3}) \| .{5,} \|$/gm)].map(
    ([, code, status]) => `${code} ${status}`,
  );
}

const withStatus = (code: ErrorCode) => `${code} ${wording(code).status}`;

test('the guide has one line for each code, under its status, and says what to do', () => {
  expect(linesOf('Codes').sort()).toEqual(ERROR_CODES.map(withStatus).sort());
});

test('operators have codes besides, which have a guide of their own', () => {
  const others = ALL_ERROR_CODES.filter((code) => !ERROR_CODES.includes(code));
  expect(linesOf('Codes for operators', 'admin-errors.md').sort()).toEqual(others.map(withStatus).sort());
});

test('a code is a word for programs', () => {
  for (const code of ALL_ERROR_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('a detail is printable ASCII and short, whatever was put into it', () => {
  const { headers } = refusalResponse({ why: 'invalid_json', detail: `ä\r\nx: 1\0${'y'.repeat(300)}` });
  expect(headers['mxproof-error-detail']).toMatch(/^[ -~]{200}$/);
});

test('what the database has rolled back again and again may be asked for again; a defect may not', () => {
  const thrown = (code: string) => refusalOf(Object.assign(new Error('from the driver'), { code }));
  expect(refusalResponse(thrown('40P01'))).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect(refusalResponse(thrown('23505')).status).toBe(500);
});
