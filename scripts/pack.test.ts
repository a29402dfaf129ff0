// The packages as published, from their tarballs, as far as no network is needed: fresh-install.sh installs and runs them.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConsoleFiles } from '../server/src/http/console/console-files.ts';
import { pack } from './pack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mxproof-project-'));
const engine = join(folder, 'node_modules/@mxproof/engine');
const PACK_LIMIT_MS = 180_000;
let tarballs: string[];

function unpack(name: string, to: string): void {
  const tarball = tarballs.find((path) => basename(path).replace(/-\d.*$/, '') === name)!;
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', to, '--strip-components=1']);
}

beforeAll(async () => {
  tarballs = await pack(join(folder, 'first'));
  unpack('mxproof-engine', engine);
  // No network: what the package depends on and does not bring comes from the workspace.
  const { dependencies, bundleDependencies } = JSON.parse(
    readFileSync(join(engine, 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string>; bundleDependencies: string[] };
  for (const name of bundleDependencies) delete dependencies[name];
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    const from = [join(ROOT, 'engine/node_modules', name), join(ROOT, 'node_modules', name)].find((path) =>
      existsSync(path),
    );
    if (from === undefined) continue;
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(from, join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', type: 'module' }));
}, PACK_LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'two runs give the same bytes, whatever the mask',
  async () => {
    const mask = process.umask(0o077);
    const again = await pack(join(folder, 'second')).finally(() => process.umask(mask));
    expect(again.map((path) => basename(path))).toEqual(tarballs.map((path) => basename(path)));
    for (const [at, path] of again.entries())
      expect(readFileSync(path).equals(readFileSync(tarballs[at]!)), path).toBe(true);
  },
  PACK_LIMIT_MS,
);

test('every workspace that is not private is packed, with nothing of this machine and no install script', () => {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const published = workspaces!.map(manifestOf).filter((manifest) => !manifest.private);
  expect(tarballs).toHaveLength(published.length);
  for (const { name } of published) {
    const place = join(folder, 'unpacked', name);
    unpack(name.replace('@', '').replace('/', '-'), place);
    const files = filesBelow(place);
    expect(files, name).toContain('LICENSE');
    expect(files, name).toContain('README.md');
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\.|(^|\/)test\//.test(file))).toEqual([]);
    for (const file of files) {
      const text = readFileSync(join(place, file), 'latin1');
      expect(text.includes(ROOT) || text.includes('mxproof-pack-'), `${name}: ${file}`).toBe(false);
      if (/\.m?js$/.test(file) && !file.endsWith('/scalar.js'))
        expect(text, `${name}: ${file}`).not.toMatch(
          /npx mxproof|(?:from|import\() ?'\.[^']*\.ts'|new URL\('[^']*\.ts'/,
        );
      if (basename(file) !== 'package.json') continue;
      const manifest = JSON.parse(text) as Manifest;
      expect(manifest.scripts, `${name}: ${file}`).toBeUndefined();
      expect(Object.keys(manifest.dependencies ?? {})).not.toContain('free-email-domains');
    }
  }
});

test('mxproof brings every workspace it needs, and names no other that a registry would have to have', () => {
  const place = join(folder, 'unpacked/mxproof');
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
  const ours = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@mxproof/'));
  expect(ours).toContain('@mxproof/server');
  expect([...(manifest.bundleDependencies ?? [])].sort()).toEqual(ours);
  for (const name of ours)
    expect(existsSync(join(place, 'node_modules', name, 'package.json')), name).toBe(true);
});

test('mxproof brings its web page built, and nothing of what it was built from', async () => {
  const place = join(folder, 'unpacked/mxproof');
  const { index, files } = await readConsoleFiles(join(place, 'console'));
  for (const [, path] of index.matchAll(/(?:src|href)="([^"]+)"/g))
    if (path !== '/docs') expect([...files.keys()]).toContain(path);
  expect([...files.keys()].filter((path) => path.endsWith('.js')).length).toBeGreaterThan(3);
  expect(readFileSync(join(place, 'dist/console.LICENSES.md'), 'utf8')).toMatch(/^## react - /m);
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
  const { devDependencies } = manifestOf('console');
  expect(manifestOf('console').dependencies).toBeUndefined();
  for (const name of Object.keys(devDependencies!))
    expect(Object.keys(manifest.dependencies!)).not.toContain(name);
  const { prepareConsole } = (await import(join(place, 'dist/run/prepare-console.js'))) as {
    prepareConsole(): Promise<object>;
  };
  expect(await prepareConsole()).toMatchObject({ folder: join(place, 'console'), builtInMs: null });
});

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly workspaces?: string[];
  readonly scripts?: object;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly bundleDependencies?: string[];
}

function manifestOf(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest;
}

function filesBelow(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(place, join(entry.parentPath, entry.name)));
}

test('the engine has JavaScript and types', () => {
  const files = filesBelow(engine);
  expect(files).toContain('dist/index.js');
  expect(files).toContain('dist/index.d.ts');
});

test('plain JavaScript uses the engine', () => {
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { createChecker, Watchdog } from '@mxproof/engine';
     const nothing = async () => ({ kind: 'nxdomain' });
     const checker = createChecker({ resolver: { mx: nothing, a: nothing, aaaa: nothing }, dnsSentinels: [], heloName: 'probe.example.org' });
     const one = await checker.check('anna@gone.example');
     const free = await checker.check('anna@gmail.com');
     const all = [];
     for await (const finding of checker.checkAll(['not an address', 'ben@gone.example'])) all.push(finding.reason);
     await checker.close();
     console.log(JSON.stringify([one.state, one.reason, all, free.free, typeof Watchdog]));`,
  );
  const output = execFileSync(process.execPath, ['use.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([
    'undeliverable',
    'invalid_domain',
    ['invalid_email', 'invalid_domain'],
    true,
    'function',
  ]);
});

test('TypeScript knows the engine’s types', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { type Checker, createChecker, type Finding, type Outcome } from '@mxproof/engine';
     const checker: Checker = createChecker({ mailFrom: '', retrySeconds: [60] });
     const finding: Finding = await checker.check('anna@example.com');
     const state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown' = finding.state;
     await checker.ask([{ email: 'a@example.com' }], { onOutcome: (_index: number, outcome: Outcome) => void outcome.kind });
     // @ts-expect-error there is no such option
     createChecker({ heloname: 'x' });
     export { state };`,
  );
  const options = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    types: ['node'],
    skipLibCheck: false,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['use.ts'] }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  expect(() =>
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'pipe', encoding: 'utf8' }),
  ).not.toThrow();
});
