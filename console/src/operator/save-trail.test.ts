import { expect, test } from 'vitest';
import { wholeLines } from './save-trail.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const streamed = (...texts: string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const text of texts) controller.enqueue(bytes(text));
      controller.close();
    },
  });
async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number) {
  const { pieces, entries, isCut } = await wholeLines(body, maxBytes);
  return { text: await new Blob(pieces).text(), entries, isCut };
}

test('what fits is there to the last byte', async () => {
  expect(await read(streamed('{"a":1}\n{"b', '":2}\n'), 16)).toEqual({
    text: '{"a":1}\n{"b":2}\n',
    entries: 2,
    isCut: false,
  });
});

test.each([
  [15, '{"a":1}\n', 1],
  [9, '{"a":1}\n', 1],
  [8, '{"a":1}\n', 1],
  [7, '', 0],
])('of %d bytes, what is cut off ends behind a whole line', async (maxBytes, text, entries) => {
  expect(await read(streamed('{"a":1', '}\n{"b"', ':2}\n'), maxBytes)).toEqual({
    text,
    entries,
    isCut: true,
  });
});

test('nothing is nothing', async () => {
  expect(await read(streamed(), 10)).toEqual({ text: '', entries: 0, isCut: false });
});
