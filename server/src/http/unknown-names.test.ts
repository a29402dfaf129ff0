import { expect, test } from 'vitest';
import { fieldsOf, unknownNames } from './unknown-names.ts';

test('the first five are named, in the order of the request', () => {
  const body = JSON.parse('{"b":1,"email":1,"a":1,"__proto__":1,"d":1,"e":1,"f":1}');
  expect(unknownNames(fieldsOf(body), ['email'])).toEqual(['b', 'a', '__proto__', 'd', 'e']);
});

test('a name is cut at 64 characters and escaped to printable ASCII', () => {
  const body = {
    ['x'.repeat(1_000_000)]: 1,
    'ä\r\nSet-Cookie: a=b': 1,
    ['😀'.repeat(100)]: 1,
    '\ud800': 1,
  };
  expect(unknownNames(fieldsOf(body), [])).toEqual([
    'x'.repeat(64),
    '\\u00e4\\u000d\\u000aSet-Cookie: a=b',
    '\\ud83d\\ude00'.repeat(64),
    '\\ud800',
  ]);
});

test.each([null, 'text', 7, ['a', 'b']])('%j has no fields', (body) => {
  expect(fieldsOf(body)).toEqual([]);
});
