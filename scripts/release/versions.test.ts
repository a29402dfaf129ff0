import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NAMING_FILES, versionFaults } from './versions.ts';

const ROOT = join(import.meta.dirname, '../..');
const { workspaces, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  workspaces: string[];
  version: string;
};
const paths = [...NAMING_FILES, ...workspaces.map((name) => `${name}/package.json`)];
const texts = new Map(
  paths
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
);
const changed = (path: string, from: string | RegExp, to: string) => {
  const text = texts.get(path) ?? '';
  const after = text.replace(from, to);
  expect(after, path).not.toBe(text);
  return new Map([...texts, [path, after]]);
};

test('this repository has one version', () => {
  expect(versionFaults(texts)).toEqual([]);
});

test.each<[string, string | RegExp, string, string]>([
  ['server/package.json', `"version": "${version}"`, '"version": "9.9.9"', 'server/package.json says 9.9.9'],
  [
    'cli/package.json',
    `"@mxproof/engine": "${version}"`,
    '"@mxproof/engine": "9.9.9"',
    'cli/package.json, @mxproof/engine, says',
  ],
  ['package-lock.json', `"version": "${version}"`, '"version": "9.9.9"', 'package-lock.json says'],
  ['clients/python/src/mxproof/_version.py', version, '9.9.9', '_version.py of the Python client says'],
  ['CHANGELOG.md', `## [${version}]`, '## [9.9.9]', 'The first heading of CHANGELOG.md says'],
])('%s with another version is told', (path, from, to, fault) => {
  expect(versionFaults(changed(path, from, to))).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ['Dockerfile', 'ARG VERSION=9.9.9\nLABEL org.opencontainers.image.version=$VERSION\n'],
  ['Dockerfile', 'LABEL org.opencontainers.image.version="9.9.9" \\\n'],
  ['compose.yaml', 'services:\n  mxproof:\n    image: ghcr.io/mxproof/mxproof:9.9.9\n'],
  ['deploy/compose.nodes.yaml', `    image: \${MXPROOF_IMAGE:-ghcr.io/mxproof/mxproof:9.9.9}\n`],
  ['README.md', 'docker run ghcr.io/mxproof/mxproof:9.9.9\n'],
  ['README.md', 'npm install -g ./mxproof-9.9.9.tgz\n'],
])('%s that names another version of the image or package is told', (path, text) => {
  expect(versionFaults(new Map([...texts, [path, text]]))).toEqual([
    expect.stringMatching(new RegExp(`^${path}.* 9\\.9\\.9, `)),
  ]);
  expect(versionFaults(new Map([...texts, [path, text.replaceAll('9.9.9', version)]]))).toEqual([]);
});

test('a tag must be the version, the changelog must have its date, and no page may say that it is not released', () => {
  const dated = changed('CHANGELOG.md', /^(## \[\S+\] - ).*$/m, '$12026-12-01');
  const ready = new Map(
    [...dated].map(
      ([path, text]) => [path, text.replaceAll(/is not released\s+yet/g, 'is released')] as const,
    ),
  );
  expect(versionFaults(ready, `v${version}`)).toEqual([]);
  expect(versionFaults(ready, 'v9.9.9')).toEqual([expect.stringContaining('The tag v9.9.9 says 9.9.9')]);
  expect(versionFaults(ready, `v${version}-rc.1`)).toEqual([expect.stringContaining('no version')]);
  const undated = new Map([...ready, ['CHANGELOG.md', `## [${version}] - soon\n`] as const]);
  expect(versionFaults(undated, `v${version}`)).toEqual([expect.stringContaining('no date')]);
  const silent = new Map([...ready, ['README.md', '0.2.0 is not released\nyet.\n'] as const]);
  expect(versionFaults(silent, `v${version}`)).toEqual([expect.stringContaining('README.md says')]);
});
