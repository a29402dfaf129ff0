import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BackupWriter, BrokenBackup, type FrameKind, readFrames } from './backup-file.ts';

const KINDS: readonly Exclude<FrameKind, 'end'>[] = ['header', 'table', 'data', 'rows', 'sequences'];
const frames = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 8 },
);

async function written(
  all: readonly { kind: Exclude<FrameKind, 'end'>; payload: Buffer }[],
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const writer = new BackupWriter(async (bytes) => void parts.push(bytes));
  await writer.begin();
  for (const { kind, payload } of all) await writer.frame(kind, payload);
  await writer.end();
  const file = Buffer.concat(parts);
  expect(writer.bytes).toBe(file.length);
  return file;
}

async function* inPieces(file: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

const read = (file: Buffer, size = 64) => Array.fromAsync(readFrames(inPieces(file, size)));

test('what is written is read, however it is cut into pieces', () =>
  fc.assert(
    fc.asyncProperty(frames, fc.integer({ min: 1, max: 500 }), async (all, size) => {
      expect(await read(await written(all), size)).toEqual(all);
    }),
  ));

test('a flipped bit, a cut and bytes behind the end are found, wherever they are', () =>
  fc.assert(
    fc.asyncProperty(frames, fc.nat(), fc.integer({ min: 0, max: 7 }), async (all, at, bit) => {
      const file = await written(all);
      const place = at % file.length;
      const flipped = Buffer.from(file);
      flipped[place]! ^= 1 << bit;
      await expect(read(flipped)).rejects.toBeInstanceOf(BrokenBackup);
      await expect(read(file.subarray(0, place))).rejects.toBeInstanceOf(BrokenBackup);
      await expect(read(Buffer.concat([file, Buffer.of(0)]))).rejects.toBeInstanceOf(BrokenBackup);
    }),
  ));

test('frames that are left out or swapped are found', async () => {
  const all = KINDS.map((kind, at) => ({ kind, payload: Buffer.from(`frame ${at}`) }));
  const file = await written(all);
  const whole = (at: number) => file.subarray(17 + at * 16, 17 + (at + 1) * 16);
  const head = file.subarray(0, 17);
  const tail = file.subarray(17 + 5 * 16);
  const put = (order: readonly number[]) => Buffer.concat([head, ...order.map(whole), tail]);
  expect(await read(put([0, 1, 2, 3, 4]))).toEqual(all);
  await expect(read(put([0, 2, 3, 4]))).rejects.toThrow('checksum');
  await expect(read(put([0, 2, 1, 3, 4]))).rejects.toThrow('checksum');
});

test('a length that no backup has is refused before anything is read for it', async () => {
  const file = await written([{ kind: 'data', payload: Buffer.alloc(10) }]);
  file.writeUInt32BE(0xff_ff_ff_ff, 17);
  await expect(read(file)).rejects.toThrow('is damaged at byte 17');
});
