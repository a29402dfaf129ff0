// Tries a release without publishing anything: everything that needs no account and no registry but npm's cache.
//   npm run release:check [-- FOLDER [v1.2.3]]      keeps what was made in this folder; with a tag, as release.ts
// Packs HEAD twice in two clean clones that differ in all that must not matter and compares every byte, checks the sums as a user
// would, installs the packages into an empty folder and runs them, holds the bill of materials against what was installed, reads
// the OpenAPI document and the workflows with their linters, builds and runs the image where there is a program for it, and the units where systemd is.
// Promise: every step has a time limit, and the table at the end says what was done and what was skipped, and why.
import { execFileSync, spawn } from 'node:child_process';
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
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NEWEST_POSTGRES } from '../server/src/embedded/newest-postgres.ts';
import { compareInstalled, type InstalledTree } from './release/bill.ts';

const ROOT = join(import.meta.dirname, '..');
const PACK_LIMIT_MS = 600_000;
const INSTALL_LIMIT_MS = 600_000;
const IMAGE_LIMIT_MS = 1_800_000;
const SYSTEMD_LIMIT_MS = 900_000;
const LINT_LIMIT_MS = 60_000;
/** Go compiles the tools the first time. */
const KUBERNETES_LIMIT_MS = 2_400_000;
/** PostgreSQL has a minor version every three months. */
const POSTGRES_LOOK_MS = 95 * 24 * 3_600_000;
/** Of what a step said, when it fails. */
const MAX_TOLD_LINES = 30;

/** What a step did, or that it was skipped, in words for the table. */
type Outcome = string | { readonly skipped: string };
interface Step {
  readonly name: string;
  readonly run: () => Promise<Outcome> | Outcome;
}

const [keep, tag] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'mxproof-release-'));
chmodSync(work, 0o755);
const first = join(work, 'first/release');
const second = join(work, 'second with a space/release');
const installedList = join(work, 'installed.json');

/** @returns what it said; ended with everything it started when it takes longer */
function run(
  command: string,
  args: readonly string[],
  limitMs: number,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const hear = (piece: Buffer) => {
      said += piece.toString();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid!, 'SIGKILL');
    }, limitMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      fail(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const end = said.trimEnd().split('\n').slice(-MAX_TOLD_LINES).join('\n');
      if (isLate) fail(new Error(`${command} took longer than ${limitMs / 1_000} seconds:\n${end}`));
      else if (code !== 0) fail(new Error(end === '' ? `${command} ended with status ${code}.` : end));
      else done(said);
    });
  });
}

function hasProgram(name: string, ...args: string[]): boolean {
  try {
    execFileSync(name, args, { stdio: 'ignore', timeout: LINT_LIMIT_MS });
    return true;
  } catch {
    return false;
  }
}

/** Of both clones, whatever is committed meanwhile. */
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();

/** HEAD as a new clone has it. What npm ci would install is linked, since it is the same by the lock file. */
function cloneHead(folder: string): void {
  execFileSync('git', ['clone', '-q', '--no-checkout', ROOT, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync('git', ['checkout', '-q', '--detach', commit], { cwd: folder });
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const ours = new Map(
    workspaces.map((workspace) => {
      const { name } = JSON.parse(readFileSync(join(folder, workspace, 'package.json'), 'utf8')) as {
        name: string;
      };
      const own = join(ROOT, workspace, 'node_modules');
      if (existsSync(own)) symlinkSync(own, join(folder, workspace, 'node_modules'));
      return [name, join(folder, workspace)];
    }),
  );
  const modules = join(folder, 'node_modules');
  const link = (name: string, target: string) => {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(target, join(modules, name));
  };
  for (const name of [...globSync('*', { cwd: join(ROOT, 'node_modules') }), '.bin'])
    if (name.startsWith('@'))
      for (const each of readdirSync(join(ROOT, 'node_modules', name))) {
        const full = `${name}/${each}`;
        if (!ours.has(full)) link(full, join(ROOT, 'node_modules', full));
      }
    else if (!ours.has(name)) link(name, join(ROOT, 'node_modules', name));
  for (const [name, target] of ours) link(name, target);
}

/** The clone's own: another date, language, time zone and mask than the other one has. */
async function makeRelease(folder: string, mask: string, env: Record<string, string>): Promise<string> {
  const clone = join(folder, '../clone');
  cloneHead(clone);
  const date = new Date(env.FILE_DATE!);
  for (const path of execFileSync('git', ['ls-files', '-z'], { cwd: clone, encoding: 'utf8' }).split('\0'))
    if (path !== '') utimesSync(join(clone, path), date, date);
  const temporary = join(folder, '../tmp');
  mkdirSync(temporary);
  const script = `umask ${mask} && exec "$0" scripts/release.ts "$@"`;
  const args = [folder, ...(tag === undefined ? [] : [tag])];
  const said = await run('sh', ['-c', script, process.execPath, ...args], PACK_LIMIT_MS, {
    cwd: clone,
    env: { ...process.env, ...python(), ...env, TMPDIR: temporary },
  });
  return said.trimEnd();
}

/** The Python of scripts/test-python.sh, which has what builds the client, where that has run before. */
function python(): { MXPROOF_PYTHON?: string } {
  if (process.env.MXPROOF_PYTHON) return {};
  const [found] = globSync('node_modules/.cache/python-client-*/bin/python', { cwd: ROOT });
  return found === undefined ? {} : { MXPROOF_PYTHON: join(ROOT, found) };
}

const STEPS: readonly Step[] = [
  {
    name: 'pack',
    async run() {
      const said = await makeRelease(first, '022', { LC_ALL: 'C', TZ: 'UTC', FILE_DATE: '2001-09-09' });
      console.log(said.replace(/^/gm, '  '));
      const isDirty = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT }).length > 0;
      return `${readdirSync(first).length} files from HEAD${isDirty ? '; what is not committed is not in them' : ''}`;
    },
  },
  {
    name: 'pack again, and compare',
    async run() {
      await makeRelease(second, '077', {
        // Turkish lower-cases I differently, and it is tomorrow on Kiritimati.
        ...{ LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' },
        ...{ FILE_DATE: '2033-05-18', NODE_ENV: 'development' },
      });
      const names = readdirSync(first).sort();
      const others = readdirSync(second).sort();
      if (names.join() !== others.join()) throw new Error(`The second has ${others.join(', ')}.`);
      for (const name of names)
        if (!readFileSync(join(first, name)).equals(readFileSync(join(second, name))))
          throw new Error(`${name} differs: compare ${join(first, name)} with the second.`);
      return `${names.length} files, every byte the same`;
    },
  },
  {
    name: 'the Python client',
    run() {
      const packed = readdirSync(first).filter((name) => /\.whl$|^mxproof-[\d.]+\.tar\.gz$/.test(name));
      return packed.length > 0
        ? packed.join(', ')
        : {
            skipped: 'no Python 3.10 with hatchling: run scripts/test-python.sh once, or set MXPROOF_PYTHON',
          };
    },
  },
  {
    name: 'licences and bills of materials',
    run() {
      const bills = readdirSync(first).filter((name) => name.endsWith('.cdx.json'));
      const counts = bills.map((name) => {
        const { components } = JSON.parse(readFileSync(join(first, name), 'utf8')) as {
          components: object[];
        };
        return `${name.replace('.cdx.json', '')} ${components.length + 1}`;
      });
      // release.ts stopped at one that is not in the list.
      return `all in the list; packages: ${counts.join(', ')}`;
    },
  },
  {
    name: 'checksums',
    async run() {
      if (!hasProgram('sha256sum', '--version')) return { skipped: 'there is no sha256sum' };
      const said = await run('sha256sum', ['-c', 'SHA256SUMS'], LINT_LIMIT_MS, { cwd: first });
      return `${said.trimEnd().split('\n').length} files are as SHA256SUMS says`;
    },
  },
  {
    name: 'install and run',
    async run() {
      if (!hasProgram('curl', '--version')) return { skipped: 'there is no curl' };
      const script = join(ROOT, 'scripts/fresh-install.sh');
      const said = await run('bash', [script, first, installedList], INSTALL_LIMIT_MS);
      console.log(said.trimEnd().replace(/^/gm, '  '));
      return 'serve, demo, both libraries and mxproof-mcp work in empty folders';
    },
  },
  {
    name: 'the bill holds what was installed',
    run() {
      if (!existsSync(installedList)) return { skipped: 'nothing was installed' };
      const tree = JSON.parse(readFileSync(installedList, 'utf8')) as InstalledTree;
      const [name] = readdirSync(first).filter((each) => /^mxproof-\d.*\.cdx\.json$/.test(each));
      const found = compareInstalled(readFileSync(join(first, name!), 'utf8'), tree);
      if (found.missing.length > 0) throw new Error(`The bill does not have ${found.missing.join(', ')}.`);
      // docs/adr/0035-packages.md says why the package has no lock file.
      const note = found.others.length === 0 ? '' : `; by their ranges also ${found.others.join(', ')}`;
      return `${found.installed} installed packages, none missing${note}`;
    },
  },
  {
    name: 'OpenAPI document',
    async run() {
      await run('bash', [join(ROOT, 'scripts/lint-openapi.sh')], INSTALL_LIMIT_MS);
      return 'Redocly and Spectral have nothing to say';
    },
  },
  {
    name: 'workflows',
    async run() {
      if (!hasProgram('actionlint', '-version'))
        return {
          skipped: 'there is no actionlint (go install github.com/rhysd/actionlint/cmd/actionlint@latest)',
        };
      await run('actionlint', [], LINT_LIMIT_MS);
      return 'actionlint has nothing to say';
    },
  },
  {
    name: 'the newest PostgreSQL',
    run() {
      const { version, lookedUpOn } = NEWEST_POSTGRES;
      const name = `${Math.floor(version / 10_000)}.${version % 10_000}`;
      if (Date.now() - Date.parse(lookedUpOn) > POSTGRES_LOOK_MS)
        throw new Error(
          `${name} was the newest on ${lookedUpOn}: look at https://www.postgresql.org/support/versioning/ and correct server/src/embedded/newest-postgres.ts.`,
        );
      return `${name} on ${lookedUpOn}; is it still? https://www.postgresql.org/support/versioning/`;
    },
  },
  {
    name: 'bundle without internet',
    async run() {
      if (!hasProgram('curl', '--version')) return { skipped: 'there is no curl' };
      const said = await run('bash', [join(ROOT, 'scripts/offline-install.sh')], INSTALL_LIMIT_MS);
      console.log(said.trimEnd().replace(/^/gm, '  '));
      return 'installed by npm without a registry, and run without npm and Node';
    },
  },
  {
    name: 'Kubernetes',
    async run() {
      if (!hasProgram('go', 'version'))
        return { skipped: 'there is no Go to install helm and kubectl-validate with' };
      const said = await run(process.execPath, [join(ROOT, 'scripts/kubernetes.ts')], KUBERNETES_LIMIT_MS);
      console.log(said.trimEnd().replace(/^/gm, '  '));
      return 'the chart is linted, rendered and validated; deploy/kubernetes is what it makes';
    },
  },
  {
    name: 'container image',
    async run() {
      const script = join(ROOT, 'scripts/image.sh');
      if (!existsSync(script)) return { skipped: 'there is no scripts/image.sh' };
      if (!hasProgram('podman', '--version') && !hasProgram('docker', 'info'))
        return { skipped: 'neither podman nor a running docker is there' };
      const said = await run('bash', [script], IMAGE_LIMIT_MS);
      console.log(said.trimEnd().replace(/^/gm, '  '));
      const why = /^image: skipped: (.*)$/m.exec(said)?.[1];
      return why === undefined ? 'built, run, stopped and started again' : { skipped: why };
    },
  },
  {
    name: 'systemd service',
    async run() {
      if (process.getuid?.() !== 0) return { skipped: 'only root can start a systemd of its own' };
      if (!existsSync('/lib/systemd/systemd')) return { skipped: 'there is no systemd' };
      const said = await run('bash', [join(ROOT, 'scripts/systemd-service.sh')], SYSTEMD_LIMIT_MS);
      console.log(said.trimEnd().replace(/^/gm, '  '));
      return 'installed, confined, killed, restarted and uninstalled';
    },
  },
];

if (keep !== undefined && existsSync(keep) && readdirSync(keep).length > 0) {
  console.error(`${keep} is not empty: name a new folder.`);
  process.exit(2);
}
const rows: [string, string, string, string][] = [];
let failures = 0;
try {
  for (const [at, step] of STEPS.entries()) {
    console.log(`release check ${at + 1}/${STEPS.length}: ${step.name} …`);
    const since = performance.now();
    const took = () => `${((performance.now() - since) / 1_000).toFixed(0)} s`;
    try {
      const outcome = await step.run();
      rows.push(
        typeof outcome === 'string'
          ? ['done', step.name, took(), outcome]
          : ['skipped', step.name, took(), outcome.skipped],
      );
    } catch (error) {
      failures += 1;
      const told = error instanceof Error ? error.message : String(error);
      console.error(told);
      const lines = told.split('\n');
      rows.push([
        'FAILED',
        step.name,
        took(),
        lines.findLast((line) => line.includes('FAILED')) ?? lines.at(-1)!,
      ]);
      // Without packages there is nothing to look at.
      if (!existsSync(join(first, 'SHA256SUMS'))) break;
    }
  }
  if (keep !== undefined && failures === 0) cpSync(first, resolve(keep), { recursive: true });
} finally {
  if (failures === 0) rmSync(work, { recursive: true, force: true });
}
console.log('');
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
const left = STEPS.length - rows.length;
if (left > 0) console.log(`${left} steps were not begun.`);
if (failures > 0) console.log(`What was made is in ${work}.`);
else if (keep !== undefined) console.log(`What was made is in ${resolve(keep)}.`);
process.exitCode = failures > 0 ? 1 : 0;
