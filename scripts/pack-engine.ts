// Packs the engine as other people use it: JavaScript with types, in a tarball npm can install.
//   node scripts/pack-engine.ts [folder]      prints the tarball's path
// Promise: nothing of the workspace is changed; what is packed has no TypeScript source, no test and no path of this
// machine in it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function packEngine(folder: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'mxproof-engine-'));
  try {
    compile(stage);
    describe(stage);
    cpSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'));
    cpSync(join(ROOT, 'docs/guide/engine.md'), join(stage, 'README.md'));
    mkdirSync(folder, { recursive: true });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)];
    const told = execFileSync('npm', args, {
      cwd: stage,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [packed] = JSON.parse(told) as { filename: string }[];
    if (packed === undefined) throw new Error('npm packed nothing');
    return join(resolve(folder), packed.filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function compile(stage: string): void {
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      rootDir: join(ROOT, 'engine/src'),
      outDir: join(stage, 'dist'),
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    // From the front door: what it does not reach is not for others.
    files: [join(ROOT, 'engine/src/index.ts')],
    // Types that some of its dependencies lack.
    include: [join(ROOT, 'engine/src/**/*.d.ts')],
  };
  const file = join(stage, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(config));
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', file], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  rmSync(file);
}

/** The workspace's own description, with what a published package has instead of sources. */
function describe(stage: string): void {
  const own = JSON.parse(readFileSync(join(ROOT, 'engine/package.json'), 'utf8')) as Record<string, unknown>;
  const described = {
    ...own,
    engines: { node: '>=22' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(packEngine(process.argv[2] ?? '.'));
}
