import type { ListSummary } from '@mxproof/client';
import { expect, test } from 'vitest';
import type { FileReading } from './read.worker.ts';
import { layoutOf, type Part, partName, startLists } from './start-lists.ts';

const READING = {
  layout: { format: 'text', columns: [1], headings: ['Email'], encoding: 'windows-1252', separator: ';' },
  mark: '12-abc',
  parts: [2, 1],
  fixes: new Map(),
  summary: { rows: 5, unique: 3, addresses: 6, leftOut: 1, duplicates: 2, corrected: 1, faults: ['secret'] },
} as unknown as FileReading;

function service() {
  const keys = new Map<string, string>();
  const created = new Map<string, number>();
  const posted: unknown[][] = [];
  const ranges: number[][] = [];
  return {
    created,
    posted,
    ranges,
    starting: {
      name: 'people.csv',
      fileName: 'file.csv',
      reading: READING,
      keyFor: async (what: string) => {
        if (!keys.has(what)) keys.set(what, `k${keys.size}`);
        return keys.get(what)!;
      },
      submit: async ({ at, range, name, group, idempotencyKey }: Part) => {
        posted.push([name, at, group]);
        ranges.push([at, range.from, range.count]);
        if (!created.has(idempotencyKey)) created.set(idempotencyKey, created.size + 1);
        return { id: created.get(idempotencyKey) } as ListSummary;
      },
    },
  };
}

test('each part is a list of its own, in order, with its number in its name; all are one group', async () => {
  const { starting, posted } = service();
  const { lists } = await startLists(starting);
  expect(lists.map(({ id }) => id)).toEqual([1, 2]);
  expect(posted).toEqual([
    ['people.csv (1 of 2)', 0, 'page-k0'],
    ['people.csv (2 of 2)', 1, 'page-k0'],
  ]);
  await startLists({ ...starting, reading: { ...READING, parts: [2] } });
  expect(posted.at(-1)).toEqual(['people.csv', 0, undefined]);
});

test('begun twice, it is charged once; another name is another wish, and so is to send what is invalid', async () => {
  const { starting, created } = service();
  await Promise.all([startLists(starting), startLists(starting)]);
  expect(created.size).toBe(2);
  await startLists({ ...starting, name: 'again' });
  expect(created.size).toBe(4);
  await startLists({ ...starting, reading: { ...READING, sendsInvalid: true } });
  expect(created.size).toBe(6);
});

test('a range is sent as so much of each part as it covers, and is a wish of its own', async () => {
  const { starting, created, posted, ranges } = service();
  const reading = { ...READING, parts: [100, 100, 50] };
  const sent = async (from: number, count: number) => {
    ranges.length = 0;
    await startLists({ ...starting, reading, range: { from, count } });
    return ranges;
  };
  expect(await sent(0, 30)).toEqual([[0, 0, 30]]);
  // A group of one: the others can join it.
  expect(posted.at(-1)).toEqual(['people.csv', 0, 'page-k0']);
  expect(await sent(0, 120)).toEqual([
    [0, 0, 100],
    [1, 0, 20],
  ]);
  expect(posted.at(-1)).toEqual(['people.csv (2 of 2)', 1, 'page-k1']);
  expect(await sent(120, 999)).toEqual([
    [1, 20, 80],
    [2, 0, 50],
  ]);
  await startLists({ ...starting, reading });
  expect(created.size).toBe(1 + 2 + 2 + 3);
  const { group } = await startLists({
    ...starting,
    reading,
    range: { from: 30, count: 1 },
    group: 'page-k0',
  });
  expect([group, posted.at(-1)]).toEqual(['page-k0', ['people.csv', 0, 'page-k0']]);
});

test('what the file holds goes with the list of its first addresses, and only in numbers', async () => {
  const { starting } = service();
  const files: unknown[] = [];
  const submit: typeof starting.submit = async (part) => {
    files.push(part.file);
    return starting.submit(part);
  };
  await startLists({ ...starting, submit });
  await startLists({ ...starting, submit, range: { from: 1, count: 2 }, group: 'page-k0' });
  const held = { name: 'file.csv', rows: 5, addresses: 6, invalid: 1, duplicates: 2, corrected: 1 };
  expect(files).toEqual([held, undefined, undefined, undefined]);
});

test('another spelling is another wish, in whichever order it was chosen', async () => {
  const { starting, created } = service();
  const start = (...fixes: [string, string][]) =>
    startLists({ ...starting, reading: { ...READING, fixes: new Map(fixes) } });
  await start();
  await start(['a.example', 'b.example'], ['c.example', 'd.example']);
  await start(['c.example', 'd.example'], ['a.example', 'b.example']);
  expect(created.size).toBe(2 * 2);
});

test('after a refusal in the middle, what exists is not made again', async () => {
  const { starting, created } = service();
  let isShort = true;
  const submit: typeof starting.submit = async (part) => {
    if (isShort && created.size === 1) throw new Error('402');
    return starting.submit(part);
  };
  await expect(startLists({ ...starting, submit })).rejects.toThrow('402');
  isShort = false;
  const { lists } = await startLists({ ...starting, submit });
  expect(lists.map(({ id }) => id)).toEqual([1, 2]);
});

test('a file is read again as it was read: the sheet, the columns, the encoding, the header', () => {
  expect(layoutOf(READING)).toEqual({
    columns: [1],
    hasHeader: true,
    encoding: 'windows-1252',
    separator: ';',
  });
});

test('a long name keeps its number', () => {
  const name = partName('x'.repeat(200), 9, 12);
  expect(name).toHaveLength(200);
  expect(name.endsWith(' (10 of 12)')).toBe(true);
});

test('what is left out is no address of its list, and a part of which all is left out is no list', async () => {
  const { starting, created } = service();
  const reading = { ...READING, parts: [3, 2, 4] };
  const posted: unknown[] = [];
  const submit = async (part: Part) => {
    posted.push([part.at, part.range, part.leftOut, part.name, part.file !== undefined]);
    return starting.submit(part);
  };
  await startLists({ ...starting, reading, submit, leftOut: [0, 1, 2, 4, 8] });
  expect(posted).toEqual([
    [1, { from: 0, count: 2 }, [1], 'people.csv (1 of 2)', true],
    [2, { from: 0, count: 4 }, [3], 'people.csv (2 of 2)', false],
  ]);
  // All of them are another wish.
  await startLists({ ...starting, reading, submit });
  expect(created.size).toBe(5);
});
