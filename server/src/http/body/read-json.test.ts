import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCleaner } from '../../rules/clean-emails.ts';
import { readJson, readList } from './read-json.ts';

/** What it must say, by parsing everything at once. */
function parsedWhole(bytes: Buffer) {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return 'invalid_json';
  }
  const emails =
    typeof body === 'object' && body !== null
      ? Object.getOwnPropertyDescriptor(body, 'emails')?.value
      : undefined;
  if (!Array.isArray(emails)) return { beside: body, emails: null };
  const cleaner = createCleaner();
  cleaner.add(emails);
  return { beside: { ...(body as object), emails: [] }, emails: cleaner.end() };
}

function inPieces(bytes: Buffer, pieceBytes: number) {
  const read = readList(bytes, pieceBytes);
  if (read.kind === 'refused') return read.why;
  const { beside, emails } = read;
  const hasArray =
    typeof beside === 'object' &&
    beside !== null &&
    Object.hasOwn(beside, 'emails') &&
    Array.isArray((beside as { emails: unknown }).emails);
  return { beside: hasArray ? { ...beside } : beside, emails: hasArray ? emails : null };
}

const space = fc.constantFrom('', '', ' ', '\n\t');
const joined = (parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const address = fc
  .oneof(
    fc.constantFrom(
      'a@b.test',
      ' A@B.test',
      'quote"',
      'back\\',
      '[',
      '],',
      '{"emails":["x"]}',
      'é',
      '😀',
      '',
    ),
    fc.string(),
  )
  .map((text) => JSON.stringify(text));
const escaped = fc.constantFrom('"\\u0061@b"', '"\\""', '"\\\\"', '"\\ud800"');
const value: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: address },
  escaped,
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('1', 'null', '[]', '{}', '[["a"],{"emails":["b"]}]', '{"x":["a","b"],"emails":["c"]}'),
);
const elements = fc.array(fc.oneof({ weight: 9, arbitrary: address }, value), { maxLength: 12 });
const array = fc
  .array(joined([space, fc.constant(','), space]), { maxLength: 1 })
  .chain(([comma = ',']) =>
    joined([space, elements.map((all) => all.join(comma)), space]).map((text) => `[${text}]`),
  );
const name = fc.constantFrom(
  '"emails"',
  '"emails"',
  '"\\u0065mails"',
  '"\\u0065\\u006d\\u0061\\u0069\\u006c\\u0073"',
  '"emails "',
  '"name"',
  '"__proto__"',
);
const member = joined([
  space,
  name,
  space,
  fc.constant(':'),
  space,
  fc.oneof({ weight: 3, arbitrary: array }, value),
  space,
]);
const body = fc.oneof(
  { weight: 9, arbitrary: fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(',')}}`) },
  array,
  value,
);
const marked = joined([fc.constantFrom('', '', '', '\ufeff'), space, body, space]).map((text) =>
  Buffer.from(text),
);

interface Slip {
  readonly at: number;
  readonly gone: number;
  readonly put: Buffer;
}
const slip: fc.Arbitrary<Slip> = fc.record({
  at: fc.nat(10_000),
  gone: fc.nat(2),
  put: fc
    .constantFrom('', '', ',', '"', '\\', '[', ']', '{', '}', ':', ' ', 'x', '\u0000')
    .map((text) => Buffer.from(text))
    .chain((put) => fc.constantFrom(put, put, put, Buffer.from([0xc3]))),
});
const slipped = fc.tuple(marked, fc.array(slip, { maxLength: 2 })).map(([text, slips]) =>
  slips.reduce((bytes, { at, gone, put }) => {
    const from = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + gone)]);
  }, text),
);

test('a body read in pieces of any size says what it says parsed whole, and is no JSON where it is none', () => {
  let valid = 0;
  let invalid = 0;
  fc.assert(
    fc.property(slipped, fc.integer({ min: 0, max: 40 }), (bytes, pieceBytes) => {
      const expected = parsedWhole(bytes);
      if (expected === 'invalid_json') invalid++;
      else valid++;
      expect(inPieces(bytes, pieceBytes)).toEqual(expected);
    }),
    { numRuns: 5_000 },
  );
  // Both kinds were met, often.
  expect(Math.min(valid, invalid)).toBeGreaterThan(500);
});

test.each([
  ['{"emails":["a","b",]}', 'a comma behind the last'],
  ['{"emails":["a",,"b"]}', 'nothing between two commas'],
  ['{"emails":[,"a"]}', 'a comma before the first'],
  ['{"emails":["a","b"}', 'a brace for a bracket'],
  ['{"emails":["a","b"', 'no end'],
])('%s is no JSON: %s', (text) => {
  for (const pieceBytes of [0, 1, 3, 64])
    expect(inPieces(Buffer.from(text), pieceBytes)).toBe('invalid_json');
});

test('one element that holds a million others is too large, wherever it stands', () => {
  const million = `[${Array.from({ length: 1_000_002 }, () => '0').join(',')}]`;
  expect(inPieces(Buffer.from(`{"emails":["a",${million}]}`), 64)).toBe('too_large');
  expect(inPieces(Buffer.from(`{"emails":["a"],"x":${million}}`), 64)).toBe('too_large');
  expect(inPieces(Buffer.from(`{"emails":${million}}`), 64)).toMatchObject({
    emails: { why: 'emails_not_strings' },
  });
});

const LONG = 150_000;
const long = (text: string) => text.repeat(Math.ceil(LONG / Buffer.byteLength(text)));

test.each([
  ['letters', long('x')],
  ['letters of two bytes', `x${long('é')}`],
  ['letters of four bytes', `xyz${long('😀')}`],
  ['escaped quotes', `x${long('\\"')}`],
  ['escaped letters', `xyz${long('\\u00e9')}`],
  ['escaped halves of letters', `x${long('\\ud83d\\ude00')}`],
])('a long string of %s is cut, and still too long', (_, text) => {
  expect(JSON.parse(`"${text}"`).length).toBeGreaterThan(2_000);
  const body = `{"emails":["a"],"name":"${text}","x":["${text}",1],"${text}":2}`;
  expect(readList(Buffer.from(body))).toMatchObject({
    kind: 'list',
    beside: { name: expect.stringMatching(/^.{2001}/su), x: [expect.any(String), 1] },
    emails: { emails: ['a'] },
  });
  expect(readJson(Buffer.from(body))).toMatchObject({ kind: 'json', value: { x: [expect.any(String), 1] } });
  for (const emails of [`["a","${text}"]`, `["${text}","a"]`, `["b","${text}",1]`])
    expect(readList(Buffer.from(`{"emails":${emails}}`))).toMatchObject({
      emails: { why: 'email_too_long' },
    });
});

test.each([
  ['a line break', `${long('x')}\n${long('y')}`],
  ['an escape that is none', `${long('x')}\\q${long('y')}`],
  ['half an escape at its end', `${long('x')}\\u00`],
])('a long string with %s is no JSON', (_, text) => {
  for (const body of [`{"emails":["a","${text}"]}`, `{"emails":["a"],"x":"${text}"}`]) {
    expect(() => JSON.parse(body)).toThrow();
    expect(readList(Buffer.from(body))).toMatchObject({ why: 'invalid_json' });
    expect(readJson(Buffer.from(body))).toMatchObject({ why: 'invalid_json' });
  }
});

test('long blanks are blanks, wherever they stand', () => {
  const blank = long(' \n\t\r');
  const body = ['', '{', '"emails"', ':', '[', '"a"', ',', '"b"', ']', ',', '"n"', ':', '1', '}', ''];
  expect(readList(Buffer.from(body.join(blank)))).toMatchObject({
    beside: { emails: [], n: 1 },
    emails: { emails: ['a', 'b'] },
  });
  expect(readJson(Buffer.from(body.join(blank)))).toMatchObject({ value: { emails: ['a', 'b'], n: 1 } });
  expect(readJson(Buffer.from(`[1${blank}2]`))).toMatchObject({ why: 'invalid_json' });
  expect(readList(Buffer.from(`{"emails":[${blank}]}`))).toMatchObject({
    emails: { why: 'emails_required' },
  });
  expect(readList(Buffer.from(`{"emails":["a",${blank}${blank}]}`))).toMatchObject({ why: 'invalid_json' });
});

test('what stands beside the addresses is taken up to eight mebibytes', () => {
  const half = Array.from({ length: 500 }, () => `"${'x'.repeat(8_000)}"`).join(',');
  expect(readList(Buffer.from(`{"emails":["a"],"x":[${half}]}`))).toMatchObject({ kind: 'list' });
  const over = `{"emails":["a"],"x":[${half}],"y":[${half}],"z":[${half}]}`;
  expect(readList(Buffer.from(over))).toMatchObject({ why: 'too_large' });
  expect(readJson(Buffer.from(over))).toMatchObject({ why: 'too_large' });
});

test('three million different texts, which take 100 MB parsed whole, are read with less than 64', async () => {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    import(workerData).then(({ readList }) => {
      const texts = Buffer.alloc(3_000_000 * 10);
      let length = texts.write('{"emails":["0"');
      for (let n = 1; n < 3_000_000; n++) length += texts.write(',"' + n.toString(36) + '@"', length, 'latin1');
      length += texts.write(']}', length);
      parentPort.postMessage(readList(texts.subarray(0, length)));
    });`;
  const thread = new Worker(code, {
    eval: true,
    workerData: new URL('./read-json.ts', import.meta.url).href,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  const [read] = await once(thread, 'message');
  expect(read).toMatchObject({ kind: 'list', emails: { why: 'too_many_addresses' } });
  await thread.terminate();
});
