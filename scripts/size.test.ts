import { expect, test } from 'vitest';
import { nodesIn, roomOf, sizes } from './size.ts';

test('layout, comments and line ends do not count', () => {
  const spread =
    '// A sum.\nexport function sum(\n  a: number,\n  b: number,\n): number {\n  return a + b;\n}\n';
  const dense = 'export function sum(a:number,b:number):number{return a+b}';
  expect(nodesIn('a.ts', spread)).toBe(nodesIn('a.ts', dense));
  expect(nodesIn('a.ts', spread)).toBeGreaterThan(nodesIn('a.ts', 'export const sum = 0;'));
});

test('tests, declarations and generated files do not count', () => {
  const counted = sizes(
    new Map([
      ['engine/src/pace/pace.ts', 'export const a = 1;'],
      ['engine/src/pace/pace.test.ts', 'export const a = 1;'],
      ['server/test/rig.ts', 'export const a = 1;'],
      ['cli/bin/project-node.d.mts', 'export const a: number;'],
      ['client/src/api-types.ts', '// Written by scripts/client-types.ts\nexport type A = 1;'],
      ['docs/guide/api.md', '# API'],
    ]),
  );
  expect([...counted.keys()]).toEqual(['all', 'engine', 'engine/pace']);
});

test.each([
  ['server/src/start/main.ts', 'server', 'start'],
  ['server/src/http/routes/lists.ts', 'server', 'http'],
  ['server/src/features/backup/sql.ts', 'server', 'features/backup'],
  ['scripts/release/notes.ts', 'scripts', 'release'],
  ['vitest.config.ts', 'root', '(loose)'],
])('%s is in the room %s, %s', (file, pack, room) => {
  expect(roomOf(file)).toEqual({ pack, room });
});
