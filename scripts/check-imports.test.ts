import { expect, test } from 'vitest';
import { importFaults } from './check-imports.ts';
import { arrowFaults, draw, drawInto, roomFaults } from './import-diagrams.ts';
import { readImports } from './import-graph.ts';

const MANIFESTS = {
  'common/package.json': `{"name":"@mxproof/common","exports":{"./queue-set":"./src/queue-set.ts","./refund":"./src/refund.ts"}}`,
  'common/src/refund.ts': '',
  'common/src/queue-set.ts': '',
  'engine/package.json': `{"name":"@mxproof/engine","exports":{".":"./src/index.ts","./inspect-address":"./src/check/inspect-address.ts"}}`,
  'engine/src/index.ts': '',
  'engine/src/check/inspect-address.ts': '',
  'server/package.json': `{"name":"@mxproof/server","exports":{"./config":"./src/settings/config.ts"}}`,
  'server/src/settings/config.ts': '',
  'files/package.json': `{"name":"@mxproof/files","exports":{"./addresses":"./src/addresses.ts"}}`,
  'files/src/addresses.ts': '',
  'world/package.json': `{"name":"@mxproof/world","exports":{".":"./src/index.ts"}}`,
  'world/src/index.ts': '',
  'cli/package.json': `{"name":"mxproof"}`,
};

function sources(files: Record<string, string>): Map<string, string> {
  return new Map(Object.entries({ ...MANIFESTS, ...files }));
}

function faults(files: Record<string, string>): string[] {
  return importFaults(sources(files));
}

test.each([
  ['engine/src/checker.ts', `import { x } from '@mxproof/server/config';`, 'engine may import common'],
  ['engine/src/checker.ts', `import { x } from '@mxproof/files/addresses';`, 'engine may import common'],
  [
    'server/src/start/main.ts',
    `import { x } from '@mxproof/files/addresses';`,
    'server may import common, engine',
  ],
  ['world/src/x.ts', `import { x } from '@mxproof/files/addresses';`, 'world may import common, engine'],
  ['common/src/x.ts', `import { x } from '@mxproof/engine';`, 'common may import none of ours'],
  ['engine/src/address/x.ts', `import { isIP } from 'node:net';`, 'code that decides uses no sockets'],
  [
    'engine/src/policy/x.ts',
    `import { validateHelo } from '../helo.ts';`,
    'code that decides imports no code',
  ],
  [
    'server/src/rules/list.ts',
    `import net from 'node:net';`,
    'code that decides uses no sockets, files or timers',
  ],
  [
    'common/src/fair-share.ts',
    `import { readFileSync } from 'node:fs';`,
    'code that decides uses no sockets, files or timers',
  ],
  ['engine/src/state/x.ts', `const at = Date.now();`, 'code that decides gets the time'],
  ...['smtp/session/seal', 'check/finding', 'checker'].map((name) => [
    'engine/src/state/x.ts',
    `import type { X } from '../${name}.ts';`,
    'state, check and smtp go one way',
  ]),
  [
    'engine/src/smtp/session/x.ts',
    `import type { X } from '../../check/x.ts';`,
    'state, check and smtp go one way',
  ],
  [
    'server/src/rules/list.ts',
    `import type { Tx } from '../store/database.ts';`,
    'rules import no other folder',
  ],
  [
    'server/src/flow/submit-list.ts',
    `import {\n  a,\n  b,\n} from '../worker/loop.ts';`,
    'flow imports neither',
  ],
  ['server/src/store/lists.ts', `import { x } from '../flow/submit-list.ts';`, 'store imports neither'],
  ['server/src/http/routes.ts', `import pg from 'pg';`, 'SQL stays in the store'],
  ['server/src/features/alerts/rules.ts', `await tx.query('SELECT 1');`, 'SQL stays in the store'],
  [
    'server/src/worker/node.ts',
    `import { FEATURES } from '../features/features.ts';`,
    'the layers import no feature',
  ],
  [
    'server/src/http/routes.ts',
    `import type { Feature } from '../features/feature.ts';`,
    'the layers import no feature',
  ],
  [
    'server/src/start/main.ts',
    `const { x } = await import('../features/backup/feature.ts');`,
    'main.ts knows features by their list alone',
  ],
  ['server/src/flow/x.ts', `await tx.query('SELECT 1');`, 'SQL stays in the store'],
  ['server/src/flow/x.ts', `await tx.prepared<Row>('x', 'SELECT 1', []);`, 'SQL stays in the store'],
  ...[
    `INSERT INTO mxproof.ledger (account_id) VALUES ($1)`,
    `UPDATE mxproof.accounts a\n SET lists = a.lists - 1, used = a.used - 1\n WHERE id = $1`,
    `update mxproof.accounts set (credits, lists) = ($2, 0) where id = $1`,
    `INSERT INTO mxproof.accounts (name, credits) VALUES ($1, $2)`,
  ].map((sql) => [
    'server/src/store/lists.ts',
    `const sql = '${sql.replaceAll('\n', ' ')}';`,
    'credits change in store/ledger.ts alone',
  ]),
  ['server/src/start/lifecycle.ts', `if (process.env.HOME) x();`, 'the environment is read by config.ts'],
  ['server/src/embedded/x.ts', `chownSync(file, uid, gid);`, 'by its open handle'],
  ['cli/src/x.ts', `await chown(file, uid, gid);`, 'by its open handle'],
  ['cli/src/login.ts', `const key = process.env.MXPROOF_API_KEY;`, 'only environment.ts reads'],
  ['cli/src/login.ts', `const { env } = process;`, 'only environment.ts reads'],
  ['cli/src/login.ts', `import { env } from 'node:process';`, 'only environment.ts reads'],
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
  ['cli/src/shared/x.ts', `import { check } from '../check/check.ts';`, 'the command line goes one way'],
  [
    'cli/src/lists/x.ts',
    `const { COMMANDS } = await import('../commands.ts');`,
    'the command line goes one way',
  ],
  ['server/src/start/main.ts', `const m = await import('../../../cli/src/main.ts');`, 'server may import'],
  ['server/src/start/main.ts', `import { run } from 'mxproof/src/main.ts';`, 'which no package.json exports'],
  ['world/src/host.ts', `import { mutate } from '../../fuzz/src/mutate.ts';`, 'world may import'],
  ['cli/src/check.ts', `export { x } from '../../engine/src/index.ts';`, 'that its package.json exports'],
  ['cli/src/check.ts', `import { x } from '@mxproof/server/store/lists.ts';`, 'no package.json exports'],
  ['console/src/x.ts', `import { parseAddress } from '@mxproof/engine';`, 'console may import'],
  ['files/src/table.ts', `import { open } from 'node:fs/promises';`, 'files runs in browsers'],
  ['files/src/table.ts', `import { parseAddress } from '@mxproof/engine';`, 'files may import common/csv'],
  ['files/src/table.ts', `import { refundOf } from '@mxproof/common/refund';`, 'files may import common/csv'],
  ['console/src/x.ts', `import { QueueSet } from '@mxproof/common/queue-set';`, 'console may import'],
  ['common/src/csv.ts', `import { type } from 'node:os';`, 'runs in browsers imports nothing'],
  ['files/src/table.ts', `const bytes = Buffer.from(text);`, 'files runs in browsers'],
  ['server/src/flow/x.ts', `import { createRequire } from 'node:module';`, 'loaded by import alone'],
  ['client/src/index.ts', `import { z } from 'zod';`, 'client imports no package'],
  ['console/src/list/use.ts', `import { join } from 'node:path';`, 'the console runs in browsers'],
  [
    'server/src/start/main.ts',
    `import { en } from '../../../console/src/messages/en.ts';`,
    'server may import',
  ],
  ['newcomer/src/x.ts', `export const x = 1;`, 'scripts/import-rules.ts has no line for'],
  ['cli/src/check.ts', `import { x } from '../../newcomer/src/x.ts';`, 'cli may import'],
])('%s may not say %s', (file, source, words) => {
  expect(faults({ [file]: source }).join('\n')).toContain(words);
});

test.each([
  `import { x } from "../worker/node.ts";`,
  `import '../worker/node.ts';`,
  `import type { X } from '../worker/node.ts';`,
  `import{x}from'../worker/node.ts';`,
  `export * from '../worker/node.ts';`,
  `export {} from '../worker/node.ts';`,
  `import {} from '../worker/node.ts';`,
  `const x = await import /* why */ ('../worker/node.ts');`,
  `export * as node from '../worker/node.ts';`,
  `export type { X } from '../worker/node.ts';`,
  `import x = require('../worker/node.ts');`,
  `const x = require("../worker/node.ts");`,
  `const x = await import("../worker/node.ts");`,
  `const x = await import(\`../worker/node.ts\`, { with: {} });`,
  `const x = await import(/* why */ '../worker/node.ts');`,
  `let x: import('../worker/node.ts').X;`,
  `const x = import.meta.resolve('../worker/node.ts');`,
  `const a = 1; import { x } from '../worker/node.ts';`,
])('no spelling of an import gets past the rules: %s', (source) => {
  expect(faults({ 'server/src/flow/x.ts': source })).toEqual([
    'server/src/flow/x.ts imports server/src/worker/node.ts: flow imports neither worker nor http',
  ]);
});

test.each([
  'const x = await import(name);',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source that is checked.
  'const x = await import(`../${room}/node.ts`);',
  `const x = await import('../work' + 'er/node.ts');`,
  'const x = require(name);',
])('what is imported can be read: %s', (source) => {
  expect(faults({ 'server/src/flow/x.ts': source }).join('\n')).toContain('one string without a variable');
});

test('an import in a comment or a string is none', () => {
  const source = `// import { x } from '../worker/node.ts'\nconst sample = "import x from '../worker/node.ts'";`;
  expect(faults({ 'server/src/flow/x.ts': source })).toEqual([]);
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

test('what the map allows passes, and tests may use the world and enter by path', () => {
  const files = {
    'engine/src/index.ts': `export { parse } from './address/parse.ts';`,
    'engine/src/address/parse.ts': `import { toASCII } from 'tr46';\nimport { QueueSet } from '@mxproof/common/queue-set';`,
    'server/src/flow/submit-list.ts': `import { parse } from '@mxproof/engine';\nimport { x } from '../store/lists.ts';`,
    'server/src/store/lists.ts': `import pg from 'pg';`,
    'server/src/store/ledger.ts': `const sql = 'INSERT INTO mxproof.ledger (account_id) VALUES ($1)';`,
    'server/src/store/history.ts': `const sql = 'UPDATE mxproof.accounts SET lists = 0 WHERE credits > 0; SELECT 1 FROM mxproof.ledger';`,
    'server/src/flow/submit-list.test.ts': `import { world } from '@mxproof/world';\nimport pg from 'pg';\nimport { parse } from '../../../engine/src/address/parse.ts';`,
    'console/src/x.ts': `const { inspectAddress } = await import('@mxproof/engine/inspect-address');`,
    'world/src/index.ts': `import net from 'node:net';`,
    'bench/src/memory.ts': `import { parse } from '../../engine/src/address/parse.ts';`,
  };
  expect(faults(files)).toEqual([]);
});

const ROOMS = {
  'server/src/flow/a.ts': `import type { B } from '../store/b.ts';\nimport { list } from '../rules/list.ts';`,
  'server/src/flow/a.test.ts': `import { post } from '../callback/post.ts';`,
  'server/src/store/b.ts': '',
  'server/src/rules/list.ts': '',
  'server/src/callback/post.ts': '',
};

function drawn(files: Record<string, string>): string {
  return draw('server', sources(files), readImports(sources(files)).imports);
}

test('a diagram has an arrow for every import between rooms, dotted for types alone, and none for tests', () => {
  const arrows = drawn(ROOMS)
    .split('\n')
    .filter((line) => /->|=>/.test(line));
  expect(arrows).toEqual(['  flow --> rules', '  flow -.-> store']);
});

test('an arrow of many imports is thick', () => {
  const many = Array.from({ length: 9 }, (_, n) => [
    `server/src/flow/${n}.ts`,
    `import { list } from '../rules/list.ts';`,
  ]);
  const rules = { 'server/src/rules/list.ts': '' };
  expect(drawn({ ...rules, ...Object.fromEntries(many) })).toContain('flow --> rules');
  expect(drawn({ ...ROOMS, ...Object.fromEntries(many) })).toContain('flow ==> rules');
});

const WAYS = {
  ...ROOMS,
  'server/src/store/b.ts': `import { list } from '../rules/list.ts';`,
  'server/src/http/x.ts': `import { a } from '../flow/a.ts';\nimport { list } from '../rules/list.ts';`,
};

test('an arrow that a longer way implies is named below the diagram instead', () => {
  const page = drawn(WAYS);
  expect(page.match(/\w+ -.*> \w+/g)).toEqual(['flow -.-> store', 'http --> flow', 'store --> rules']);
  expect(page).toContain('Also imported, where a longer way leads: flow → rules; http → rules.');
});

test('of rooms that import each other, neither implies the arrows of the other', () => {
  const circle = {
    'server/src/callback/a.ts': `import { a } from '../embedded/a.ts';\nimport { list } from '../rules/list.ts';`,
    'server/src/embedded/a.ts': `import { b } from '../callback/b.ts';\nimport { list } from '../rules/list.ts';`,
    'server/src/callback/b.ts': '',
    'server/src/rules/list.ts': '',
  };
  expect(drawn(circle).match(/\w+ -.*> \w+/g)).toEqual([
    'callback --> embedded',
    'callback --> rules',
    'embedded --> callback',
    'embedded --> rules',
  ]);
});

test('a room that is imported everywhere is named below the diagram, with all that import it', () => {
  const files = {
    'engine/src/dns/a.ts': `import type { Clock } from '../types.ts';`,
    'engine/src/types.ts': '',
  };
  const page = draw('engine', sources(files), readImports(sources(files)).imports);
  expect(page).not.toContain('->');
  expect(page).toContain('Not drawn: `types` is imported by dns.');
});

test('a diagram of more than 15 arrows is a fault', () => {
  const rooms = ['dispatch', 'knowledge', 'hosts', 'session', 'wire'].map((room) => `smtp/${room}`);
  const targets = ['bounce', 'dns', 'verdict', 'state'];
  const files = (count: number) =>
    Object.fromEntries([
      ...targets.map((target) => [`engine/src/${target}/b.ts`, '']),
      ...rooms
        .flatMap((room) => targets.map((target) => ({ room, target })))
        .slice(0, count)
        .map(({ room, target }) => [
          `engine/src/${room}/${target}.ts`,
          `import { b } from '../../${target}/b.ts';`,
        ]),
    ]);
  const arrows = (count: number) =>
    arrowFaults(sources(files(count)), readImports(sources(files(count))).imports);
  expect(arrows(15)).toEqual([]);
  expect(arrows(16)).toEqual([
    "ARCHITECTURE.md's diagram of engine would have 16 arrows, 15 at most can be read: join rooms in scripts/import-diagrams.ts, or invert an import.",
  ]);
});

test('a room without a description is a fault', () => {
  expect(roomFaults(sources(ROOMS))).toEqual([]);
  expect(roomFaults(sources({ 'server/src/cellar/wine.ts': '' }))).toEqual([
    'server/src/cellar/ has no label in scripts/import-diagrams.ts',
  ]);
  expect(roomFaults(sources({ 'server/src/features/cellar/feature.ts': '' }))).toEqual([
    'server/src/features/cellar/ has no label in scripts/import-diagrams.ts',
  ]);
  expect(roomFaults(sources({ 'newcomer/src/x.ts': '' }))).toEqual([
    'newcomer/src/ has no label in scripts/import-diagrams.ts',
  ]);
});

test('a page is drawn once: drawn again it stays as it is, and with another import it does not', () => {
  const place = (name: string) => `<!-- drawn by npm run draw: ${name} -->\n<!-- end of drawing -->\n`;
  const page = `# Map\n\n${['workspaces', 'server', 'features', 'engine', 'cli'].map(place).join('')}`;
  const into = (files: Record<string, string>, text: string) =>
    drawInto(text, sources(files), readImports(sources(files)).imports);
  const once = into(ROOMS, page);
  expect(once).toContain('flow --> rules');
  expect(into(ROOMS, once)).toBe(once);
  const other = { ...ROOMS, 'server/src/store/b.ts': `import { list } from '../rules/list.ts';` };
  expect(into(other, once)).not.toBe(once);
});
