import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES, refusalOf, refusalResponse, wording } from './errors.ts';

test('the guide has one line for each code, under its status, and says what to do', () => {
  const guide = readFileSync(new URL('../../../docs/guide/errors.md', import.meta.url), 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith('Codes\n'))!;
  const lines = [...section.matchAll(/^\| `(\w+)` \| (\d{3}) \| .{5,} \|$/gm)];
  const expected = ERROR_CODES.map((code) => `${code} ${wording(code).status}`);
  expect(lines.map(([, code, status]) => `${code} ${status}`).sort()).toEqual(expected.sort());
});

test('a code is a word for programs', () => {
  for (const code of ERROR_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
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
