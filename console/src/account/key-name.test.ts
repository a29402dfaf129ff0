import { expect, test } from 'vitest';
import { keyNameOf } from './key-name.ts';

test('a key without a label is called by its number', () => {
  expect([keyNameOf({ id: 7, label: '' }), keyNameOf({ id: 8, label: 'Web shop' })]).toEqual([
    'Key 7',
    'Web shop',
  ]);
});
