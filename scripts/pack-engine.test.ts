// The engine as a stranger gets it: from its tarball, in an empty project.
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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packEngine } from './pack-engine.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mxproof-project-'));
const engine = join(folder, 'node_modules/@mxproof/engine');

beforeAll(() => {
  const tarball = packEngine(folder);
  mkdirSync(engine, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', engine, '--strip-components=1']);
  // No network: what the package depends on comes from the workspace.
  const { dependencies } = JSON.parse(readFileSync(join(engine, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    const from = [join(ROOT, 'engine/node_modules', name), join(ROOT, 'node_modules', name)].find((path) =>
      existsSync(path),
    );
    if (from === undefined) continue;
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(from, join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', type: 'module' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it has JavaScript, types and a licence, and neither sources nor tests', () => {
  const files = readdirSync(engine, { recursive: true }).map(String);
  expect(files).toContain('dist/index.js');
  expect(files).toContain('dist/index.d.ts');
  expect(files).toContain('LICENSE');
  expect(
    files.filter((file) => (file.endsWith('.ts') && !file.endsWith('.d.ts')) || file.includes('.test.')),
  ).toEqual([]);
  expect(readFileSync(join(engine, 'dist/index.js'), 'utf8')).not.toContain(".ts'");
});

test('plain JavaScript uses it', () => {
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { createChecker, isPublicAddress } from '@mxproof/engine';
     const nothing = async () => ({ kind: 'nxdomain' });
     const checker = createChecker({ resolver: { mx: nothing, a: nothing, aaaa: nothing }, dnsSentinels: [], heloName: 'probe.example.org' });
     const one = await checker.check('anna@gone.example');
     const all = [];
     for await (const finding of checker.checkAll(['not an address', 'ben@gone.example'])) all.push(finding.reason);
     await checker.close();
     console.log(JSON.stringify([one.state, one.reason, all, isPublicAddress('127.0.0.1')]));`,
  );
  const told = execFileSync(process.execPath, ['use.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(told)).toEqual([
    'undeliverable',
    'invalid_domain',
    ['invalid_email', 'invalid_domain'],
    false,
  ]);
});

test('TypeScript knows its types', () => {
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
