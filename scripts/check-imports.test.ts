import { expect, test } from 'vitest';
import { importFaults } from './check-imports.ts';

function faults(files: Record<string, string>): string[] {
  return importFaults(new Map(Object.entries(files)));
}

test.each([
  [
    'engine/src/checker.ts',
    `import { x } from '@mxproof/server/config.ts';`,
    'engine imports of ours only common',
  ],
  ['server/src/rules/list.ts', `import net from 'node:net';`, 'what decides does not touch'],
  ['server/src/rules/list.ts', `import type { Tx } from '../store/database.ts';`, 'rules know no other room'],
  [
    'server/src/flow/submit-list.ts',
    `import {\n  a,\n  b,\n} from '../worker/loop.ts';`,
    'flow imports neither',
  ],
  ['server/src/store/lists.ts', `import { x } from '../flow/submit-list.ts';`, 'the store knows neither'],
  ['server/src/http/routes.ts', `import pg from 'pg';`, 'SQL stays in the store'],
  ['server/src/flow/x.ts', `await tx.query('SELECT 1');`, 'SQL stays in the store'],
  ['server/src/flow/x.ts', `await tx.prepared<Row>('x', 'SELECT 1', []);`, 'SQL stays in the store'],
  ['server/src/lifecycle.ts', `if (process.env.HOME) x();`, 'the environment is read by config.ts'],
  [
    'engine/src/smtp/wire/x.ts',
    `import type { Flight } from '../session/flight.ts';`,
    'smtp goes one way: dispatch, knowledge, hosts, session, wire',
  ],
  [
    'engine/src/smtp/hosts/x.ts',
    `import { Comparison } from '../knowledge/comparison.ts';`,
    'smtp goes one way: dispatch, knowledge, hosts, session, wire',
  ],
  ['server/src/main.ts', `const m = await import('../../cli/src/main.ts');`, 'nobody imports cli'],
  ['world/src/host.ts', `import { mutate } from '../../fuzz/src/mutate.ts';`, 'nobody imports fuzz'],
  ['cli/src/check.ts', `export { x } from '../../engine/src/dns/node-resolver.ts';`, 'by its front door'],
  ['console/src/x.ts', `import { parseAddress } from '@mxproof/engine';`, 'the page runs in browsers'],
  ['files/src/table.ts', `import { open } from 'node:fs/promises';`, 'files runs in browsers'],
  ['files/src/table.ts', `import { parseAddress } from '@mxproof/engine';`, 'files runs in browsers'],
  ['files/src/table.ts', `const bytes = Buffer.from(text);`, 'files runs in browsers'],
  ['console/src/list/use.ts', `import { join } from 'node:path';`, 'the page runs in browsers'],
  ['server/src/main.ts', `import { en } from '../../console/src/messages/en.ts';`, 'nobody imports console'],
])('%s may not say %s', (file, source, words) => {
  expect(faults({ [file]: source }).join('\n')).toContain(words);
});

test('a cycle is named by its way', () => {
  const files = {
    'server/src/a.ts': `import { b } from './b.ts';`,
    'server/src/b.ts': `import { c } from './c.ts';`,
    'server/src/c.ts': `import { a } from './a.ts';`,
  };
  expect(faults(files)).toEqual([
    'server/src/a.ts → server/src/b.ts → server/src/c.ts → server/src/a.ts: a cycle',
  ]);
});

test('types may go in a circle within a folder, not between folders', () => {
  const files = {
    'server/src/flow/a.ts': `import { b } from './b.ts';`,
    'server/src/flow/b.ts': `import type { A } from './a.ts';`,
  };
  expect(faults(files)).toEqual([]);
  expect(faults({ ...files, 'server/src/flow/b.ts': `import { type A, a } from './a.ts';` })).toHaveLength(1);
  const apart = {
    'server/src/flow/a.ts': `import type { B } from '../callback/b.ts';`,
    'server/src/callback/b.ts': `import type { A } from '../flow/a.ts';`,
  };
  expect(faults(apart).join('\n')).toContain('a cycle');
});

test('folders that import each other are a cycle, even where no file is in one', () => {
  const files = {
    'server/src/flow/a.ts': `import { b } from '../callback/b.ts';`,
    'server/src/callback/b.ts': '',
    'server/src/callback/c.ts': `import { d } from '../flow/d.ts';`,
    'server/src/flow/d.ts': '',
  };
  expect(faults(files)).toEqual(['server/src/flow → server/src/callback → server/src/flow: a cycle']);
});

test('what the map allows passes, and tests may use the world', () => {
  const files = {
    'engine/src/index.ts': `export { parse } from './address/parse.ts';`,
    'engine/src/address/parse.ts': `import { toASCII } from 'tr46';`,
    'server/src/flow/submit-list.ts': `import { parse } from '@mxproof/engine';\nimport { x } from '../store/lists.ts';`,
    'server/src/store/lists.ts': `import pg from 'pg';`,
    'server/src/flow/submit-list.test.ts': `import { world } from '@mxproof/world';\nimport pg from 'pg';`,
    'world/src/index.ts': `import net from 'node:net';`,
  };
  expect(faults(files)).toEqual([]);
});
