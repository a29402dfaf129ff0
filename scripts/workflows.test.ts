// The workflows on GitHub: who may do what there, and with whose code.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../.github/workflows');
const workflows = globSync('*.yml', { cwd: FOLDER })
  .sort()
  .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }));

/** What a job may do besides reading the repository. Every other job may do nothing. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  'release.yml image': ['packages'],
  'release.yml publish-image': ['packages', 'id-token', 'attestations'],
  'release.yml publish-npm': ['id-token'],
  'release.yml publish-pypi': ['id-token'],
  'release.yml publish-page': ['contents', 'id-token', 'attestations'],
};

function jobsOf(text: string): [string, string][] {
  const [, jobs = ''] = text.split(/^jobs:$/m);
  return jobs
    .split(/^(?= {2}[a-z-]+:$)/m)
    .map((job) => [/^ {2}([a-z-]+):$/m.exec(job)?.[1] ?? '', job] as [string, string])
    .filter(([name]) => name !== '');
}

test('the workflows are these', () => {
  expect(workflows.map(({ file }) => file)).toEqual(['ci.yml', 'release.yml']);
  expect(workflows.map(({ text }) => jobsOf(text).map(([name]) => name))).toEqual([
    ['run', 'systems'],
    ['ci', 'packages', 'image', 'publish-image', 'publish-npm', 'publish-pypi', 'publish-page'],
  ]);
});

test.each(workflows)('$file uses the code of others by its commit', ({ text }) => {
  const used = [...text.matchAll(/\buses: (.+)$/gm)].map(([, action]) => action!);
  expect(used.length).toBeGreaterThan(2);
  for (const action of used.filter((name) => !name.startsWith('./')))
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(workflows)('$file: every job may do what it needs, and no more', ({ file, text }) => {
  expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
  for (const [name, job] of jobsOf(text))
    expect(
      [...job.matchAll(/^ {6}([a-z-]+): write$/gm)].map(([, what]) => what),
      name,
    ).toEqual(MAY_WRITE[`${file} ${name}`] ?? []);
});

test.each(workflows)('$file takes no text of strangers for a command, and leaves no credential behind', ({
  text,
}) => {
  expect(text).not.toMatch(/pull_request_target|workflow_run/);
  // A branch's or a request's name becomes a part of the script; an environment variable does not.
  for (const [, script] of text.matchAll(/^ +(?:- )?run: (\|\n(?: {10,}.*\n|\n)+|.*$)/gm))
    expect(script).not.toContain('${{');
  const checkouts = text.split('actions/checkout@').length - 1;
  expect(text.split('persist-credentials: false').length - 1).toBe(checkouts);
});

test('what runs for pull requests has no secret', () => {
  const ci = workflows.find(({ file }) => file === 'ci.yml')!.text;
  expect(ci).toContain('pull_request:');
  expect(ci).not.toMatch(/secrets\.|id-token|environment:/);
});

test('a release comes from a tag, after CI, with the one token of its run', () => {
  const release = workflows.find(({ file }) => file === 'release.yml')!.text;
  const [, trigger] = /^on:\n((?: .*\n)+)/m.exec(release)!;
  expect(trigger).toMatch(/^ {2}push:\n {4}tags: \[.*\]\n$/);
  expect(new Set(release.match(/secrets\.\w+/g))).toEqual(new Set(['secrets.GITHUB_TOKEN']));
  for (const [name, job] of jobsOf(release))
    if (name !== 'ci') expect(job, name).toMatch(/^ {4}needs: (ci|\[.+\])$/m);
});
