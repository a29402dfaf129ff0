import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES, refusalResponse, wording } from './errors.ts';

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
