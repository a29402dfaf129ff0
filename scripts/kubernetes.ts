// Lints the Helm chart, renders it with every file of values in deploy/helm/ci, validates what comes out against the schemas of
// Kubernetes, and reads the settings in there as the service will.
//   npm run kubernetes               also fails where deploy/kubernetes is not what the chart makes
//   npm run kubernetes -- --write    writes it
// Promise: the tools are installed beside the project by Go, at the versions below; no cluster is asked; what the validators must refuse
// is tried each time, so that they cannot pass by doing nothing.
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../server/src/settings/config.ts';
import { CHART, type Manifest, plainManifests, podsOf, settingsOf } from './kubernetes-manifests.ts';

const ROOT = join(import.meta.dirname, '..');
const RENDERED = join(ROOT, 'deploy/kubernetes');
const HELM = 'helm.sh/helm/v4/cmd/helm@v4.3.1';
const VALIDATE = 'sigs.k8s.io/kubectl-validate@v0.0.4';
/** Has the definition of PodMonitor. */
const OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
/** The oldest that the chart takes, and the newest that the validator has schemas of. */
const KUBERNETES_VERSIONS = ['1.27', '1.30'];
const INSTALL_LIMIT_MS = 1_800_000;
const RUN_LIMIT_MS = 120_000;

const tools = join(
  ROOT,
  'node_modules/.cache',
  `kubernetes-${[HELM, VALIDATE, OPERATOR].map(versionOf).join('-')}`,
);
const work = mkdtempSync(join(tmpdir(), 'mxproof-kubernetes-'));

function versionOf(module: string): string {
  return module.split('@')[1]!;
}

function install(): void {
  if (existsSync(join(tools, 'complete'))) return;
  mkdirSync(tools, { recursive: true });
  const options = {
    cwd: work,
    env: { ...process.env, GOBIN: tools },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: INSTALL_LIMIT_MS,
  } satisfies ExecFileSyncOptionsWithStringEncoding;
  for (const module of [VALIDATE, HELM])
    if (!existsSync(join(tools, basename(module.split('@')[0]!))))
      execFileSync('go', ['install', module], options);
  const { Dir: folder } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', OPERATOR], options)) as {
    Dir: string;
  };
  const definition = 'monitoring.coreos.com_podmonitors.yaml';
  mkdirSync(join(tools, 'definitions'), { recursive: true });
  cpSync(
    join(folder, 'example/prometheus-operator-crd', definition),
    join(tools, 'definitions', definition),
    {
      mode: 0,
    },
  );
  writeFileSync(join(tools, 'complete'), '');
}

/** @returns what it said on standard output; throws with all it said */
function run(tool: string, ...args: string[]): string {
  const env = { ...process.env, HOME: work, HELM_PLUGINS: join(work, 'none') };
  const ran = spawnSync(join(tools, tool), args, { cwd: ROOT, env, encoding: 'utf8', timeout: RUN_LIMIT_MS });
  if (ran.status === 0) return ran.stdout;
  throw new Error(`${tool} ${args.join(' ')} ended with ${ran.status}:\n${ran.stdout}${ran.stderr}`);
}

function refuses(what: string, attempt: () => void): void {
  try {
    attempt();
  } catch {
    return;
  }
  throw new Error(`${what} was not refused: the check does not check.`);
}

const render = (...args: string[]) =>
  run('helm', 'template', 'mxproof', CHART, '--namespace', 'mxproof', '--api-versions', 'policy/v1', ...args);

function validate(manifests: string): void {
  const file = join(work, 'manifests.yaml');
  writeFileSync(file, manifests);
  for (const version of KUBERNETES_VERSIONS)
    run('kubectl-validate', file, '--version', version, '--local-crds', join(tools, 'definitions'));
}

const documentsOf = (text: string) =>
  parseAllDocuments(text)
    .map((each) => each.toJS() as Manifest | null)
    .filter((each) => each !== null);

/** As the service reads them: a name or a value it does not take is an error here. */
function readSettings(manifests: string): void {
  for (const pod of podsOf(documentsOf(manifests))) {
    const { warnings } = readConfig(settingsOf(pod, work));
    if (warnings.length > 0) throw new Error(`The service would warn: ${warnings.join(' ')}`);
  }
}

function check(): void {
  const files = globSync('ci/*-values.yaml', { cwd: join(ROOT, CHART) }).sort();
  for (const file of files) {
    const values = ['--values', join(CHART, file)];
    run('helm', 'lint', CHART, '--strict', '--quiet', ...values);
    const manifests = render(...values);
    validate(manifests);
    readSettings(manifests);
    console.log(`${file}: ${documentsOf(manifests).length} objects`);
  }
  const minimal = ['--values', join(CHART, 'ci/minimal-values.yaml')];
  const manifests = render(...minimal);
  refuses('A Deployment with "two" replicas', () =>
    validate(manifests.replace('replicas: 2', 'replicas: two')),
  );
  refuses('A misspelt field', () =>
    validate(manifests.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem')),
  );
  refuses('A chart without a HELO name', () => render());
  for (const broken of [
    'config.MXPROOF_HELO_NAMES=x',
    'config.MXPROOF_SECRET_KEY=x',
    'serve.replica=3',
    'work.hostNetwork=true',
    'drainSeconds=-1',
  ])
    refuses(broken, () => render(...minimal, '--set', broken));
  const plain = plainManifests(manifests);
  if (process.argv.includes('--write')) {
    rmSync(RENDERED, { recursive: true, force: true });
    mkdirSync(RENDERED, { recursive: true });
    for (const [name, text] of plain) writeFileSync(join(RENDERED, name), text);
  }
  const there = globSync('*.yaml', { cwd: RENDERED }).sort();
  const stale = [...plain].filter(
    ([name, text]) => !there.includes(name) || readFileSync(join(RENDERED, name), 'utf8') !== text,
  );
  if (stale.length > 0 || there.length !== plain.size)
    throw new Error('deploy/kubernetes is not what the chart makes: npm run kubernetes -- --write');
  console.log(`deploy/kubernetes: ${there.join(', ')} are what the chart makes`);
}

try {
  install();
  check();
} finally {
  rmSync(work, { recursive: true, force: true });
}
