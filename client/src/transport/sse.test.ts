import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventReader, EventTooLarge, MAX_EVENT_CHARACTERS, type ServerEvent } from './sse.ts';

const read = (...pieces: string[]): ServerEvent[] => {
  const reader = new EventReader();
  return pieces.flatMap((piece) => reader.push(piece));
};

test('events have a name, data of several lines, and the last id', () => {
  expect(
    read('event: progress\nid: 7\ndata: {"a":1}\n\n:\n\ndata:x\ndata\ndata: y\n\nid\nevent:done\ndata: \n\n'),
  ).toEqual([
    { event: 'progress', data: '{"a":1}', id: '7' },
    { event: 'message', data: 'x\n\ny', id: '7' },
    { event: 'done', data: '', id: '' },
  ]);
});

test('what carries no data is no event, what is not ended is none yet, and what is unknown is left alone', () => {
  expect(read('event: done\n\nid: 3\n\ndata: cut')).toEqual([]);
  expect(read('\uFEFFdata: a\n\n', 'retry: 5\nnonsense\nid: x\0y\ndata: b\n\n')).toEqual([
    { event: 'message', data: 'a', id: '' },
    { event: 'message', data: 'b', id: '' },
  ]);
});

test('the same events come out wherever the stream is cut and whatever ends its lines', () => {
  const text = 'id: 1\nevent: progress\ndata: {"ä":"\u2028"}\n\n: comment\n\nid: 2\ndata: a\ndata: b\n\n';
  const expected = read(text);
  expect(expected).toHaveLength(2);
  fc.assert(
    fc.property(
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(text.length * 2), { maxLength: 12 }),
      (end, cuts) => {
        const whole = text.replaceAll('\n', end);
        const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        expect(read(...at.slice(1).map((to, index) => whole.slice(at[index], to)))).toEqual(expected);
      },
    ),
  );
});

test('a line without end, and an event without end, are left at the bound', () => {
  const piece = 'x'.repeat(64 * 1024);
  const endless = (before: string, after: string) => () => {
    const reader = new EventReader();
    for (let sent = 0; sent <= 2 * MAX_EVENT_CHARACTERS; sent += piece.length)
      reader.push(before + piece + after);
  };
  expect(endless('', '')).toThrow(EventTooLarge);
  expect(endless('data: ', '\n')).toThrow(EventTooLarge);
  expect(endless('data: ', '\n\n')).not.toThrow();
});
