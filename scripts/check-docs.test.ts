import { expect, test } from 'vitest';
import { changelogFaults, lengthFaults, linkFaults, nameFaults, recordFaults } from './check-docs.ts';

const INDEX = `# Decision records

| number | title | decision | status |
|---|---|---|---|
| [0001](0001-one.md) | One | It is so. | accepted; in part superseded by 0003 |
| 0002 | | The number was not used. | not used |
| [0003](0003-three.md) | Three | It is otherwise. | accepted |
`;
const ONE =
  '# 0001 One\n\nStatus: accepted, 2026-11. Superseded in part by [0003](0003-three.md) (so). **Where:** `a`.\n\nSo.\n';
const THREE = '# 0003 Three\n\nStatus: accepted, 2026-11. Supersedes a part of [0001](0001-one.md).\n';

function records(changes: Record<string, string | null> = {}): string[] {
  const pages = { 'README.md': INDEX, '0001-one.md': ONE, '0003-three.md': THREE, ...changes };
  const kept = Object.entries(pages).filter((page): page is [string, string] => page[1] !== null);
  return recordFaults(new Map(kept.map(([name, text]) => [`docs/adr/${name}`, text])));
}

test('an index that shows every record and every number is right', () => {
  expect(records()).toEqual([]);
});

test.each([
  ['a record without a row', { '0004-four.md': '# 0004 Four\n\nStatus: accepted.\n' }, '0004 needs a row'],
  ['a number that is neither', { 'README.md': INDEX.replace(/^\| 0002.*\n/m, '') }, '0002 is neither'],
  ['a row without a record', { '0001-one.md': null }, '0001 has a row and no record'],
  ['a title that has changed', { '0003-three.md': THREE.replace('Three', 'Four') }, 'the title "Four"'],
  [
    'a record that was superseded',
    { '0001-one.md': ONE.replace('Status: accepted', 'Status: superseded') },
    'superseded by 0003"',
  ],
  [
    'a record superseded by another',
    { '0001-one.md': ONE.replace('[0003](', '[0004](') },
    'in part superseded by 0004"',
  ],
  ['a record without a status', { '0003-three.md': '# 0003 Three\n' }, 'must begin with'],
  ['two records of one number', { '0003-tres.md': THREE }, 'another record has the number 0003'],
])('%s is a fault', (_what, changes, fault) => {
  expect(records(changes).join('\n')).toContain(fault);
});

test('a link leads to a file, and to a heading as GitHub names it', () => {
  const pages = new Map([
    [
      'README.md',
      'See [a](docs/a.md#what-happens-when-), [b](docs/a.md#twice-1), [c](LICENSE), [d](https://example.com/x).\n',
    ],
    [
      'docs/a.md',
      '# What happens when …\n## Twice\n## Twice\n[up](../README.md) `[code](none.md)`\n```\n[code](none.md)\n```\n',
    ],
  ]);
  expect(linkFaults(pages, (path) => path === 'LICENSE')).toEqual([]);
  pages.set('docs/b.md', '[gone](a.md#gone), [none](none.md), [here](#gone)\n');
  pages.set(
    'docs/c.md',
    '<a href="a.md"><source srcset="dark.png"><img src="https://example.com/x.png"></a>\n',
  );
  expect(linkFaults(pages, () => false)).toEqual([
    'README.md: LICENSE leads nowhere',
    'docs/b.md: a.md#gone leads nowhere',
    'docs/b.md: none.md leads nowhere',
    'docs/b.md: #gone leads nowhere',
    'docs/c.md: dark.png leads nowhere',
  ]);
});

const FILES = [
  'engine/src/dns/ask-dns.ts',
  'engine/src/verdict/known-replies/gone.txt',
  'scripts/pack.sh',
  'server/src/features/erasure/stored-rows.ts',
  'server/src/features/erasure/stored-erasures.ts',
];
const named = (text: string, path = 'docs/adr/0001-one.md') => nameFaults(new Map([[path, text]]), FILES);

test.each([
  'ask-dns.ts',
  'dns/ask-dns.ts',
  './ask-dns.ts',
  'engine/src/dns/ask-dns.ts',
  'engine/src/dns/',
  'engine/src/verdict/known-replies',
  'server/src/features/erasure/{stored-rows,stored-erasures}.ts',
  'server/src/features/erasure/sto*.ts',
  "new URL('./ask-dns.ts', import.meta.url)",
  'bash scripts/pack.sh DIR',
  '.ts',
  'example.ts.net',
  '@bomb.sh/tab',
  'server/src/fea*',
  'askDns()',
])('`%s` names what is there, or no file', (words) => {
  expect(named(`It is in \`${words}\`.\n`)).toEqual([]);
});

test.each([
  ['ask.ts', 'ask.ts'],
  ['ns/ask-dns.ts', 'ns/ask-dns.ts'],
  ['server/src/dns/ask-dns.ts', 'server/src/dns/ask-dns.ts'],
  ['engine/src/smtp', 'engine/src/smtp'],
  ['engine/test', 'engine/test'],
  ['erasure/{stored-rows,stored-lists}.ts', 'erasure/stored-lists.ts'],
  ['server/src/flow/*.ts', 'server/src/flow/*.ts'],
  ["new URL('./worker.ts', import.meta.url)", './worker.ts'],
  ['bash scripts/unpack.sh DIR', 'scripts/unpack.sh'],
])('`%s` names a file that is gone', (words, name) => {
  expect(named(`It is in \`${words}\`.\n`)).toEqual([
    `docs/adr/0001-one.md: no file of ours is ${name}: name the one that does this now.`,
  ]);
});

test('a name is looked for in the map, the records and the guides, and not in blocks or in what is superseded', () => {
  expect(named('`gone.ts`', 'ARCHITECTURE.md')).toHaveLength(1);
  expect(named('`gone.ts`', 'docs/guide/operate.md')).toHaveLength(1);
  expect(named('`gone.ts`', 'CHANGELOG.md')).toEqual([]);
  expect(named('```ts\n`gone.ts`\n```\n')).toEqual([]);
  expect(named('# 0001 One\n\nStatus: superseded by [0003](0003-three.md).\n\n`gone.ts`\n')).toEqual([]);
});

test('a page of the guide has at most 300 lines, unless it is a reference', () => {
  const lengthOf = (path: string, lines: number) => lengthFaults(new Map([[path, 'a\n'.repeat(lines)]]));
  expect(lengthOf('docs/guide/operate.md', 300)).toEqual([]);
  expect(lengthOf('docs/guide/operate.md', 301)).toEqual([
    'docs/guide/operate.md: 301 lines: split it by task, at most 300 each',
  ]);
  expect(lengthOf('docs/guide/api.md', 900)).toEqual([]);
  expect(lengthOf('CHANGELOG.md', 900)).toEqual([]);
});

const CHANGES =
  '# Changelog\n\n## [0.2.0] - unreleased\n\n### Upgrade notes\n\n### Added\n\n### Fixed\n\n## [0.1.0] - 2026-11-15\n\n### Added\n\n[0.2.0]: https://x\n[0.1.0]: https://x\n';

test('a changelog has dated versions, known sections in their order, and a link for each version', () => {
  expect(changelogFaults(CHANGES)).toEqual([]);
});

test.each([
  ['an older version without a date', CHANGES.replace('2026-11-15', 'unreleased')],
  ['a section of another name', CHANGES.replace('### Fixed', '### Mended')],
  ['sections out of order', CHANGES.replace('### Fixed', '### Upgrade notes')],
  ['a version without a link', CHANGES.replace('[0.1.0]: https://x\n', '')],
])('%s is a fault', (_what, text) => {
  expect(changelogFaults(text)).toHaveLength(1);
});
