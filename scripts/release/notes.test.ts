import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOTES_MAX_CHARACTERS, releaseNotes } from './notes.ts';

const CHANGELOG = `# Changelog

## [0.3.0] - 2026-12-01

### Added

- New: [how](docs/guide/operate.md#environment), [why](https://example.org/x).

## [0.2.0] - 2026-11-01

### Fixed

- Old.

[0.3.0]: https://github.com/x
[0.2.0]: https://github.com/y
`;

test('the notes are the whole section of their version, with links to its tag', () => {
  const notes = releaseNotes(CHANGELOG, '0.3.0');
  expect(notes).toContain(
    '- New: [how](https://github.com/mxproof/mxproof/blob/v0.3.0/docs/guide/operate.md#environment), [why](https://example.org/x).',
  );
  expect(notes).toMatch(/^### Added\n/);
  expect(notes).not.toMatch(/Old|\[0\.2\.0\]/);
  // The last one has only links after it.
  expect(releaseNotes(CHANGELOG, '0.2.0')).toMatch(/^### Fixed\n\n- Old\.\n\n---\n/);
});

test('a version without a section, an empty one and one too long are errors that say what to do', () => {
  expect(() => releaseNotes(CHANGELOG, '0.3')).toThrow(
    'CHANGELOG.md has no section "## [0.3] - …": write it first.',
  );
  expect(() => releaseNotes('## [1.0.0] - unreleased\n\n[1.0.0]: https://x\n', '1.0.0')).toThrow('is empty');
  expect(() => releaseNotes(`## [1.0.0] - x\n${'x'.repeat(NOTES_MAX_CHARACTERS)}`, '1.0.0')).toThrow(
    'shorten',
  );
});

test('the changelog of this repository gives notes for its newest version', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const notes = releaseNotes(read('CHANGELOG.md'), version);
  expect(notes.length).toBeGreaterThan(1_000);
  expect(notes).not.toMatch(/\]\((?!https?:|#)/);
});
