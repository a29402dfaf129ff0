import type { ListSummary } from '@mxproof/client';
import { expect, test } from 'vitest';
import type { FileReading } from './read.worker.ts';
import { layoutOf, type Part, partName, startLists } from './start-lists.ts';

const READING = {
  layout: { format: 'text', columns: [1], headings: ['Email'], encoding: 'windows-1252', separator: ';' },
  mark: '12-abc',
  parts: [2, 1],
} as unknown as FileReading;

function service() {
  const keys = new Map<string, string>();
  const created = new Map<string, number>();
  const posted: unknown[][] = [];
  return {
    created,
    posted,
    starting: {
      name: 'people.csv',
      reading: READING,
      keyFor: async (what: string) => {
        if (!keys.has(what)) keys.set(what, `k${keys.size}`);
        return keys.get(what)!;
      },
      submit: async ({ at, name, group, idempotencyKey }: Part) => {
        posted.push([name, at, group]);
        if (!created.has(idempotencyKey)) created.set(idempotencyKey, created.size + 1);
        return { id: created.get(idempotencyKey) } as ListSummary;
      },
    },
  };
}

test('each part is a list of its own, in order, with its number in its name; all are one group', async () => {
  const { starting, posted } = service();
  const lists = await startLists(starting);
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

test('after a refusal in the middle, what exists is not made again', async () => {
  const { starting, created } = service();
  let isShort = true;
  const submit: typeof starting.submit = async (part) => {
    if (isShort && created.size === 1) throw new Error('402');
    return starting.submit(part);
  };
  await expect(startLists({ ...starting, submit })).rejects.toThrow('402');
  isShort = false;
  const lists = await startLists({ ...starting, submit });
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
