import { readFileSync } from 'node:fs';
import { DETAILS } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { detailText } from './detail-words.ts';

test('each detail word has words of its own for a person', () => {
  const texts = DETAILS.map(detailText);
  for (const [at, word] of DETAILS.entries()) expect(texts[at]).toMatch(new RegExp(`^${word} \\(.+\\)$`));
  const plain = texts.map((text) => text.slice(text.indexOf('(')));
  expect(new Set(plain).size).toBe(DETAILS.length);
});

test('a word of a later service is shown as it is', () => {
  expect(detailText('of_a_later_service' as (typeof DETAILS)[number])).toBe('of_a_later_service');
});

test('the guide has one line for each detail word, and says what to do', () => {
  const guide = readFileSync(new URL('../../docs/guide/verdicts.md', import.meta.url), 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith('Details\n'))!;
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([, word]) => word).sort()).toEqual([...DETAILS].sort());
});
