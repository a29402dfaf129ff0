import { expect, test } from 'vitest';
import { whereNotJson } from './where-not-json.ts';

const where = (text: string | Buffer) => whereNotJson(Buffer.from(text as string), 0);

test.each([
  ['', 'the body is empty: send a JSON object'],
  ['email=ann%40example.com', 'the body has form fields: send a JSON object'],
  [
    '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\nann@example.com\r\n--x--',
    'the body has multipart form fields: send a JSON object',
  ],
  ['<email>', 'the body is XML or HTML: send a JSON object'],
  ['@body.json', 'the body is the name of a file: send what is in it'],
  ['{"a":[1', 'unexpected end at position 7: the body ends too early'],
  ['{"a":1}}', 'unexpected byte at position 7: the JSON ends before it'],
  ['{"a":[1, ]}', 'unexpected byte at position 9: no comma before a closing bracket'],
  ["{'a':1}", 'unexpected byte at position 1: strings and names are in double quotes'],
  ['{“a”:1}', 'unexpected byte at position 1: typographic quotes: use "'],
  ['{"a":1 // one\n}', 'unexpected byte at position 7: JSON has no comments'],
  ['{\0"\0a\0"\0', 'unexpected byte at position 1: the body is UTF-16: send UTF-8'],
  ['["a\nb"]', 'unexpected byte at position 3: a line break or tab in a string is written \\n or \\t'],
  ['["C:\\dir"]', 'unexpected byte at position 5: no such escape: a backslash is written \\\\'],
  [
    '{\\"a\\":1}',
    'unexpected byte at position 1: a backslash outside of a string: the shell may have left it before a quote',
  ],
  ['{email: "a"}', 'unexpected byte at position 1: names are in double quotes'],
  ['{"a":None}', 'unexpected byte at position 5: write true, false or null'],
  ['["a" "b"]', 'unexpected byte at position 5: a comma is missing before it'],
  [
    '["a"b"]',
    'unexpected byte at position 4: a quote ended the string too early, or a comma or colon is missing',
  ],
  ['[1;2]', 'unexpected byte at position 2'],
  [
    '{\n  "ä": "ö" "b"\n}',
    'unexpected byte at position 15 (line 2, column 12): a comma is missing before it',
  ],
])('%j: %s', (text, sentence) => {
  expect(where(text)).toBe(sentence);
});

test('other encodings are told apart', () => {
  expect(where(Buffer.from('\ufeff{"a":1}', 'utf16le'))).toBe('the body is UTF-16: send UTF-8');
  expect(where(Buffer.from([0x7b, 0xff, 0x7d]))).toBe('not UTF-8');
});

test('nothing of the body is told', () => {
  for (const text of ['ann@example.com', '{"email": ann@example.com}', '["ann@example.com" x]'])
    expect(where(text)).toMatch(/^(?!.*(ann|example))[ -~]+$/);
});
