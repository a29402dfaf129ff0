import { expect, test } from 'vitest';
import { namesOf } from './rename-family.ts';

const PART = 'part' as const;

test('parts are numbered, and what was made of the list is named after it', () => {
  const members = [
    { id: 2, kind: PART },
    { id: 3, kind: PART },
    { id: 7, kind: 'retries' as const },
    { id: 9, kind: 'corrections' as const },
  ];
  const names = namesOf(members, 'people').map(([id, name]) => [id, name.replace(/: .*/, ': …')]);
  expect(names).toEqual([
    [2, 'people (1 of 2)'],
    [3, 'people (2 of 2)'],
    [7, 'people: …'],
    [9, 'people: …'],
  ]);
});

test('a list alone keeps its name as it is; without a name, what was made of it has its number', () => {
  expect(namesOf([{ id: 2, kind: PART }], 'people')).toEqual([[2, 'people']]);
  const [own, later] = namesOf(
    [
      { id: 2, kind: PART },
      { id: 7, kind: 'retries' },
    ],
    '',
  );
  expect(own).toEqual([2, '']);
  expect(later![1]).toMatch(/^List 2: /);
});

test('the longest name leaves room for what tells it apart, or is cut', () => {
  const long = 'x'.repeat(200);
  for (const [, name] of namesOf(
    [
      { id: 2, kind: PART },
      { id: 3, kind: PART },
      { id: 7, kind: 'retries' },
    ],
    long,
  ))
    expect(name).toHaveLength(200);
});
