// Packs what is published as other people get it: JavaScript with types, in tarballs npm can install.
// pack-command.ts is the command.
// Every workspace that is not private becomes a tarball. The private ones it needs travel inside it, as bundled
// dependencies: nothing but this repository publishes them.
// Promise: two runs give the same bytes; nothing of the workspace is changed; what is packed has no TypeScript source,
// no test, no install script and no path of this machine in it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OLDEST_NODE } from '../cli/bin/project-node.mjs';
import { readScalar, SCALAR } from '../server/src/http/docs/scalar-script.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Packages of which only the data is packed: their own installation downloads more, or brings far more than is used. */
const FROZEN: Readonly<Record<string, (dist: string) => void | Promise<void>>> = {
  'free-email-domains': freezeFreeDomains,
  [SCALAR]: freezeScalar,
};

export const FROZEN_PACKAGES: readonly string[] = Object.keys(FROZEN);

/** Where a package's front page is not in its folder. */
const README: Readonly<Record<string, string>> = { engine: 'docs/guide/engine.md' };

/** Compiled twice: once as ES modules, and into this folder for projects that use CommonJS. */
const COMMONJS = new Set(['client']);
const COMMONJS_FOLDER = 'dist/cjs';

/** Built, not compiled, and needed by no import: what travels in a folder of this name. */
const BUILT: Readonly<Record<string, string>> = { cli: 'console' };

/** The licences of what is built in, as vite writes them. */
const NOTICES = '.vite/license.md';

/** npm lists every file it packed. */
const MAX_TOLD_BYTES = 16 * 1024 * 1024;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Workspace {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** @returns the path of each tarball, in the order of the workspaces; of `only` these, where it is given */
export async function pack(folder: string, only?: readonly string[]): Promise<string[]> {
  const workspaces = readWorkspaces();
  const published = workspaces.filter(
    ({ folder: name, manifest }) => !manifest.private && (only?.includes(name) ?? true),
  );
  const stage = mkdtempSync(join(tmpdir(), 'mxproof-pack-'));
  mkdirSync(folder, { recursive: true });
  try {
    const tarballs: string[] = [];
    for (const workspace of published) {
      const target = join(stage, workspace.folder);
      await layOut(workspace, target, bundledIn(workspace, workspaces));
      tarballs.push(tarball(target, resolve(folder)));
    }
    return tarballs;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function readWorkspaces(): Workspace[] {
  const { workspaces } = readManifest('.') as unknown as { workspaces: string[] };
  return workspaces.map((folder) => ({ folder, manifest: readManifest(folder) }));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(read(folder, 'package.json')) as Manifest;
}

function read(...path: string[]): string {
  return readFileSync(join(ROOT, ...path), 'utf8');
}

/** What a workspace needs of the others, and what these need: each after all that need it. */
function bundledIn(workspace: Workspace, all: readonly Workspace[]): Workspace[] {
  const found: Workspace[] = [];
  const visit = (from: Workspace): void => {
    for (const other of all) {
      if (from.manifest.dependencies?.[other.manifest.name] === undefined) continue;
      if (!found.includes(other)) visit(other);
    }
    if (!found.includes(from)) found.unshift(from);
  };
  visit(workspace);
  return found.slice(1);
}

/** A file named so is started or read, not imported: it must be found at the same place in the package. */
const NAMED_FILE = /\bnew URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g;

/** Where the compiler begins: front doors, commands, and files that are started as a thread or a process. */
function entriesOf({ folder, manifest }: Workspace): string[] {
  const entries = Object.values(manifest.exports ?? {}).filter(isSource);
  if (manifest.bin) entries.push('src/main.ts');
  for (const file of globSync('src/**/*.ts', { cwd: join(ROOT, folder) })) {
    if (file.endsWith('.test.ts')) continue;
    for (const [, named] of read(folder, file).matchAll(NAMED_FILE))
      if (named!.endsWith('.ts')) entries.push(join(dirname(file), named!));
  }
  return [...new Set(entries.map((entry) => join(ROOT, folder, entry)))].sort();
}

function compile(
  { folder }: Workspace,
  entries: readonly string[],
  outDir: string,
  options: object = {},
): void {
  const src = join(ROOT, folder, 'src');
  const config = {
    // Of its own where it runs on more than this repository's Node.
    extends: [`${folder}/tsconfig.json`, 'tsconfig.json']
      .map((file) => join(ROOT, file))
      .find((file) => existsSync(file)),
    compilerOptions: {
      noEmit: false,
      // That is what `npm run check` is for.
      noCheck: true,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: src,
      outDir,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      ...options,
    },
    files: entries,
    // Types that some dependencies lack.
    include: [join(ROOT, '*/src/**/*.d.ts')],
  };
  mkdirSync(outDir, { recursive: true });
  const file = join(outDir, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', file], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  rmSync(file);
}

function compileCommonJs(workspace: Workspace, outDir: string): void {
  const options = { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: false };
  compile(workspace, entriesOf(workspace), outDir, options);
  writeFileSync(join(outDir, 'package.json'), '{ "type": "commonjs" }\n');
}

async function layOut(workspace: Workspace, target: string, bundled: readonly Workspace[]): Promise<void> {
  for (const each of [workspace, ...bundled]) {
    const { folder, manifest } = each;
    const place = each === workspace ? target : join(target, 'node_modules', manifest.name);
    compile(each, entriesOf(each), join(place, 'dist'));
    if (COMMONJS.has(folder)) compileCommonJs(each, join(place, COMMONJS_FOLDER));
    if (manifest.bin) copyLauncher(folder, place);
    for (const path of Object.values(manifest.exports ?? {}))
      if (!isSource(path)) cpSync(join(ROOT, folder, path), join(place, path));
    const built = BUILT[folder];
    if (built !== undefined) {
      buildInto(built, join(place, built));
      // Where people look: npm packs hidden folders too, but shows them to none.
      cpSync(join(place, built, NOTICES), join(place, 'dist', `${built}.LICENSES.md`));
    }
    for (const name of Object.keys(manifest.dependencies ?? {})) await FROZEN[name]?.(join(place, 'dist'));
    const described = each === workspace ? publicManifest(each, bundled) : bundledManifest(each);
    writeFileSync(join(place, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
    for (const file of globSync('dist/**/*.js', { cwd: place })) settle(folder, place, file);
  }
  cpSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
  cpSync(
    join(ROOT, README[workspace.folder] ?? join(workspace.folder, 'README.md')),
    join(target, 'README.md'),
  );
}

function buildInto(folder: string, target: string): void {
  const script = join(ROOT, folder, 'build.ts');
  execFileSync(process.execPath, [script, target], { cwd: ROOT, stdio: ['ignore', 2, 2] });
}

/** The launcher is written for any Node as it is: only where it leads is another place. */
function copyLauncher(folder: string, place: string): void {
  mkdirSync(join(place, 'bin'), { recursive: true });
  for (const file of globSync('bin/*.mjs', { cwd: join(ROOT, folder) })) {
    const text = read(folder, file).replace("import('../src/main.ts')", "import('../dist/main.js')");
    writeFileSync(join(place, file), text, { mode: 0o755 });
  }
}

/** Makes what a file names by its path true in the package: sources are now JavaScript, other files are brought along. */
function settle(folder: string, place: string, file: string): void {
  const path = join(place, file);
  const source = readFileSync(path, 'utf8');
  const settled = source
    .replace(NAMED_FILE, (all, named: string) => all.replace(named, named.replace(/\.ts$/, '.js')))
    // Installed, the command is there by its name; npx would ask a registry for it.
    .replaceAll('npx mxproof', 'mxproof')
    .replaceAll("from 'free-email-domains'", `from '${toFrozen(file, 'free-email-domains.js')}'`);
  if (settled !== source) writeFileSync(path, settled);
  for (const [, named] of settled.matchAll(NAMED_FILE)) {
    const target = join(dirname(path), named!);
    const original = join(ROOT, folder, relative(place, target).replace(/^dist\//, 'src/'));
    if (!existsSync(target) && existsSync(original)) cpSync(original, target, { recursive: true });
    if (!existsSync(target))
      throw new Error(`${folder}: ${file} names ${named}, which is not in the package`);
  }
}

function toFrozen(file: string, name: string): string {
  const path = relative(dirname(file), join('dist/frozen', name));
  return path.startsWith('.') ? path : `./${path}`;
}

function freezeFreeDomains(dist: string): void {
  const from = 'node_modules/free-email-domains';
  const { version } = readManifest(from);
  const domains = JSON.parse(read(from, 'domains.json')) as string[];
  const frozen = join(dist, 'frozen');
  mkdirSync(frozen, { recursive: true });
  const text = `// The data of free-email-domains ${version}.\nexport default ${JSON.stringify(domains)};\n`;
  writeFileSync(join(frozen, 'free-email-domains.js'), text);
  cpSync(join(ROOT, from, 'LICENSE.md'), join(frozen, 'free-email-domains.LICENSE.md'));
}

async function freezeScalar(dist: string): Promise<void> {
  writeFileSync(join(dist, 'http/docs/scalar.js'), await readScalar());
  cpSync(join(ROOT, 'node_modules', SCALAR, 'LICENSE'), join(dist, 'http/docs/scalar.LICENSE'));
}

/** What a published package has instead of sources, and what it and all that travels in it depend on. */
function publicManifest({ folder, manifest }: Workspace, bundled: readonly Workspace[]): object {
  const all = [manifest, ...bundled.map((each) => each.manifest)];
  const ours = new Set(bundled.map((each) => each.manifest.name));
  const dependencies = union(all.map((each) => each.dependencies ?? {}));
  const optionalDependencies = union(all.map((each) => each.optionalDependencies ?? {}));
  for (const name of Object.keys(FROZEN)) delete dependencies[name];
  return {
    ...bundledManifest({ folder, manifest }),
    engines: manifest.engines ?? { node: `>=${OLDEST_NODE}` },
    files: [
      'bin',
      'dist',
      ...(BUILT[folder] === undefined ? [] : [BUILT[folder]]),
      ...Object.values(manifest.exports ?? {}).filter((path) => !isSource(path)),
    ],
    dependencies,
    optionalDependencies,
    ...(ours.size > 0 && { bundleDependencies: [...ours] }),
  };
}

function bundledManifest({ folder, manifest }: Workspace): object {
  const { dependencies: _, optionalDependencies: __, exports: doors, ...rest } = manifest;
  if (!doors) return rest;
  if (!COMMONJS.has(folder)) return { ...rest, exports: mapDoors(doors, (path) => compiled(path)) };
  const old = (path: string) => compiled(path, COMMONJS_FOLDER);
  const main = old(doors['.']!);
  return {
    ...rest,
    exports: mapDoors(doors, (path) => ({ require: old(path), ...compiled(path) })),
    // For what does not read `exports`: TypeScript with `moduleResolution: node`.
    main: main.default,
    types: main.types,
    typesVersions: {
      '*': Object.fromEntries(
        Object.entries(doors)
          .filter(([door, path]) => door !== '.' && isSource(path))
          .map(([door, path]) => [door.slice('./'.length), [old(path).types]]),
      ),
    },
  };
}

const isSource = (path: string) => path.startsWith('./src/');

function mapDoors(doors: Readonly<Record<string, string>>, to: (path: string) => object): object {
  return Object.fromEntries(
    Object.entries(doors).map(([door, path]) => [door, isSource(path) ? to(path) : path]),
  );
}

function compiled(path: string, folder = 'dist') {
  const bare = path.replace(/^\.\/src\//, `./${folder}/`).replace(/\.ts$/, '');
  return { types: `${bare}.d.ts`, default: `${bare}.js` };
}

function union(parts: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, version] of parts.flatMap((part) => Object.entries(part))) {
    if ((all[name] ?? version) !== version)
      throw new Error(`${name} is wanted as ${all[name]} and as ${version}`);
    all[name] = version;
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** npm gives every file the same date, in an order of its own, and only adds to its mode: a mask of 077 would show. */
function tarball(target: string, folder: string): string {
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      chmodSync(join(entry.parentPath, entry.name), entry.parentPath === join(target, 'bin') ? 0o755 : 0o644);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const output = execFileSync('npm', args, {
    cwd: target,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: MAX_TOLD_BYTES,
  });
  const [packed] = JSON.parse(output) as { filename: string }[];
  if (packed === undefined) throw new Error('npm packed nothing');
  return join(folder, packed.filename);
}
