import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNameAt, nameMaxBytes, readFlatName, readNameText, skipName, writeName } from './dns-name.ts';

function flatOf(text: string): Buffer | null {
  const bytes = Buffer.alloc(nameMaxBytes(text));
  const end = writeName(text, bytes, 0);
  return end < 0 ? null : bytes.subarray(0, end);
}

function flatOfLabels(labels: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.alloc(1)]);
}

const lowered = (bytes: Buffer) =>
  Buffer.from(bytes.map((octet) => (octet >= 0x41 && octet <= 0x5a ? octet + 32 : octet)));

test.each([
  ['', [0]],
  ['a', [1, 97, 0]],
  ['A.b', [1, 97, 1, 98, 0]],
  ['a\\.b', [3, 97, 46, 98, 0]],
  ['\\000\\255\\\\', [3, 0, 255, 92, 0]],
])('%s is written as its octets', (text, octets) => {
  expect(flatOf(text)).toEqual(Buffer.from(octets));
});

test.each([
  ['an empty label', 'a..b'],
  ['a leading dot', '.a'],
  ['a trailing dot', 'a.'],
  ['nothing but a dot', '.'],
  ['a label of 64 octets', 'a'.repeat(64)],
  ['256 octets in all', `${'a.'.repeat(126)}aaa`],
  ['far more', 'a.'.repeat(10_000)],
  ['a space', 'a b'],
  ['a letter beyond ASCII', 'müller'],
  ['a number above 255', '\\256'],
  ['a number of two digits', '\\25'],
  ['an escape of nothing', 'a\\'],
])('%s is no name', (_what, text) => {
  expect(flatOf(text)).toBeNull();
});

test('a name of 255 octets is one, in 127 labels or in labels of 63', () => {
  expect(flatOf(`${'a.'.repeat(126)}a`)).toHaveLength(255);
  const long = 'b'.repeat(63);
  expect(flatOf(`${long}.${long}.${long}.${'b'.repeat(61)}`)).toHaveLength(255);
});

test('whatever its labels hold, a name becomes text and the same name again', () => {
  const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 63 }), { maxLength: 127 });
  fc.assert(
    fc.property(labels, (some) => {
      const flat = flatOfLabels(some);
      fc.pre(flat.length <= 255);
      const text = readNameText(flat, 0);
      expect(text).toMatch(/^[!-~]*$/);
      expect(flatOf(text ?? '?')).toEqual(lowered(flat));
      expect(readFlatName(flat, 0)).toEqual(lowered(flat));
      expect(skipName(flat, 0)).toBe(flat.length);
      expect(isNameAt(flat, 0, lowered(flat), 0)).toBe(true);
    }),
  );
});

test('names are read in any legal compression', () => {
  const label = fc.constantFrom('a', 'bb', 'mx', 'Example');
  const names = fc.array(
    fc.record({
      labels: fc.array(label, { maxLength: 6 }),
      plain: fc.nat(6),
      pick: fc.nat(),
      before: fc.uint8Array({ maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(names, (all) => {
      const suffixes = new Map<string, number[]>();
      const starts: number[] = [];
      let message = Buffer.alloc(12);
      for (const { labels, plain, pick, before } of all) {
        message = Buffer.concat([message, before]);
        starts.push(message.length);
        const newSuffixes: [string, number][] = [];
        let isPointed = false;
        for (let i = 0; i < labels.length && !isPointed; i += 1) {
          const suffix = labels.slice(i).join('.').toLowerCase();
          const known = suffixes.get(suffix) ?? [];
          newSuffixes.push([suffix, message.length]);
          const target = known[pick % Math.max(1, known.length)];
          isPointed = i >= plain && target !== undefined;
          const octets = isPointed
            ? Buffer.from([0xc0 | (target! >> 8), target! & 0xff])
            : Buffer.from([labels[i]!.length, ...Buffer.from(labels[i]!)]);
          message = Buffer.concat([message, octets]);
        }
        if (!isPointed) message = Buffer.concat([message, Buffer.alloc(1)]);
        for (const [suffix, at] of newSuffixes) suffixes.set(suffix, [...(suffixes.get(suffix) ?? []), at]);
      }
      for (const [i, { labels }] of all.entries()) {
        const text = labels.join('.').toLowerCase();
        expect(readNameText(message, starts[i]!)).toBe(text);
        for (const other of all) {
          const flat = flatOf(other.labels.join('.'))!;
          const isSame = other.labels.join('.').toLowerCase() === text;
          expect(isNameAt(message, starts[i]!, flat, 0)).toBe(isSame);
        }
      }
    }),
  );
});

test.each<[string, number[], number]>([
  ['a pointer to itself', [0xc0, 0], 0],
  ['a pointer forwards', [0xc0, 2, 1, 97, 1, 98, 0], 0],
  ['pointers in a circle', [1, 97, 0xc0, 4, 1, 98, 0xc0, 0], 4],
  ['a pointer into its own name', [1, 97, 0xc0, 0], 0],
  ['half a pointer', [0, 0xc0], 1],
  ['a label that is cut off', [5, 97], 0],
  ['a name without an end', [1, 97], 0],
  ['a label of a kind that was never used', [0x40, 0], 0],
  ['more than 255 octets', Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 1 : 97)), 0],
])('%s is malformed', (_what, octets, at) => {
  const message = Buffer.from(octets);
  expect(readNameText(message, at)).toBeNull();
  expect(readFlatName(message, at)).toBeNull();
  expect(isNameAt(message, at, Buffer.from([1, 97, 1, 98, 0]), 0)).toBe(false);
});

test('pointers to pointers are followed as often as a name has labels, and no further', () => {
  const message = Buffer.alloc(2 + 2 * 200);
  for (let i = 0; i < 200; i += 1) message.writeUInt16BE(0xc000 | (i === 0 ? 0 : 2 * i), 2 + 2 * i);
  expect(readNameText(message, 2 * 127)).toBe('');
  expect(readNameText(message, 2 * 128)).toBeNull();
  expect(isNameAt(message, 2 * 127, Buffer.alloc(1), 0)).toBe(true);
  expect(isNameAt(message, 2 * 128, Buffer.alloc(1), 0)).toBe(false);
});

test('any octets are a name or malformed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(600), (octets, at) => {
      const text = readNameText(octets, at);
      const flat = readFlatName(octets, at);
      expect(flat === null).toBe(text === null);
      if (text === null || flat === null) return;
      expect(flat.length).toBeLessThanOrEqual(255);
      expect(flatOf(text)).toEqual(flat);
      expect(isNameAt(octets, at, flat, 0)).toBe(true);
      expect(skipName(octets, at)).toBeGreaterThan(at);
    }),
  );
});
