// The Helm chart and the manifests that are written from it, held against the image, the settings and the guide. Rendering and
// validating them is scripts/kubernetes.ts, which needs helm.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../server/src/settings/config.ts';
import { isSecret, SERVICE_SETTINGS } from '../server/src/settings/settings.ts';
import { type Container, type Manifest, plainManifests, podsOf, settingsOf } from './kubernetes-manifests.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
/** Continued lines joined. */
const dockerfile = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
const guide = read('docs/guide/kubernetes.md');
const folder = mkdtempSync(join(tmpdir(), 'mxproof-kubernetes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).flatMap((path) =>
  parseAllDocuments(read(path)).map((each) => each.toJS() as Manifest),
);
const values = parse(read('deploy/helm/values.yaml')) as Record<string, unknown> & { drainSeconds: number };
const schema = JSON.parse(read('deploy/helm/values.schema.json')) as {
  properties: Record<string, { propertyNames?: { enum: string[] }; properties?: Record<string, unknown> }>;
};

/** Settings that have a value of their own in the chart, or that a pod has no use for: backups, certificates and files of settings are elsewhere. */
const NOT_CONFIGURED = [
  'MXPROOF_BACKUP_DIR',
  'MXPROOF_BACKUP_HOOK',
  'MXPROOF_BACKUP_KEEP',
  'MXPROOF_BACKUP_RECIPIENT',
  'MXPROOF_CALLBACK_PORTS',
  'MXPROOF_CONFIG',
  'MXPROOF_DATA_DIR',
  'MXPROOF_DISPOSABLE_FILE',
  'MXPROOF_DRAIN_SECONDS',
  'MXPROOF_METRICS_PORT',
  'MXPROOF_POLICY_FILE',
  'MXPROOF_PUBLIC_URL',
  'MXPROOF_SHOW_FIRST_KEY',
  'MXPROOF_TLS_CERT',
  'MXPROOF_TLS_KEY',
  'MXPROOF_UPGRADE_BACKUP',
  'PORT',
];

test('every setting can be set: secrets by the name of a Secret, others by their value, and no other name is taken', () => {
  const names = (which: (setting: (typeof SERVICE_SETTINGS)[number]) => boolean) =>
    SERVICE_SETTINGS.filter(which).map(({ name }) => name);
  expect(schema.properties.secrets!.propertyNames!.enum.toSorted()).toEqual(names(isSecret).toSorted());
  const plain = names((setting) => !isSecret(setting) && !NOT_CONFIGURED.includes(setting.name));
  expect(schema.properties.config!.propertyNames!.enum.toSorted()).toEqual(plain.toSorted());
  expect(names(() => true)).toEqual(expect.arrayContaining(NOT_CONFIGURED));
});

test('the schema knows every value that there is', () => {
  const { global: _, ...known } = schema.properties;
  expect(Object.keys(known).toSorted()).toEqual(Object.keys(values).toSorted());
  for (const [name, { properties }] of Object.entries(known))
    if (properties !== undefined)
      expect(Object.keys(properties).toSorted(), name).toEqual(
        Object.keys(values[name] as object).toSorted(),
      );
});

test('the plain manifests have both workloads and what protects them', () => {
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual([
    'Deployment mxproof-serve',
    'Deployment mxproof-work',
    'NetworkPolicy mxproof-serve',
    'NetworkPolicy mxproof-work',
    'PodDisruptionBudget mxproof-serve',
    'PodDisruptionBudget mxproof-work',
    'Service mxproof',
    'ServiceAccount mxproof',
  ]);
});

describe.each(
  podsOf(manifests).map((pod) => ({ pod, container: pod.containers[0] as Container })),
)('the pod of $container.args', ({ pod, container }) => {
  const env = Object.fromEntries(
    [...dockerfile.matchAll(/^ENV (.+)$/gm)]
      .flatMap(([, pairs = '']) => pairs.split(/\s+/))
      .map((pair) => pair.split('=') as [string, string]),
  );
  const settings = { ...env, ...settingsOf(pod, folder) };

  test('runs this version, with settings that exist and are valid, and the names of no Service among them', () => {
    expect(container.image).toBe(`ghcr.io/mxproof/mxproof:${version}`);
    expect(readConfig(settings)).toMatchObject({ warnings: [], showFirstKey: false });
    expect(pod.enableServiceLinks).toBe(false);
  });

  test('is as the image is: its user, its ports, and its data folder as the only one that is written', () => {
    const [uid, gid] = /^USER (\d+):(\d+)$/m.exec(dockerfile)!.slice(1).map(Number);
    expect(pod.securityContext).toEqual({
      ...{ runAsNonRoot: true, runAsUser: uid, runAsGroup: gid, fsGroup: gid },
      ...{ fsGroupChangePolicy: 'OnRootMismatch', seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.volumeMounts.find(({ name }) => name === 'data')?.mountPath).toBe(env.MXPROOF_DATA_DIR);
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports.metrics).toBe(Number(settings.MXPROOF_METRICS_PORT));
    expect(ports.http).toBe(container.args[0] === 'serve' ? Number(env.PORT) : undefined);
  });

  test('is probed where it answers, and is given time to drain and to stop', () => {
    const port = container.args[0] === 'serve' ? 'http' : 'metrics';
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port });
    expect(readConfig(settings).drainMs).toBe(values.drainSeconds * 1_000);
    // The service's own limit on DATABASE_URL.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(values.drainSeconds + 13);
  });
});

test('pods that serve reach no mail server, pods that check do, and neither reaches a private address but for DNS and the database', () => {
  interface Policy {
    readonly spec: {
      readonly egress: {
        ports: { port: number }[];
        to?: { ipBlock: { cidr: string; except: string[] } }[];
      }[];
    };
  }
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy[];
  const ports = policies.map(({ spec }) => spec.egress.map((rule) => rule.ports.map(({ port }) => port)));
  expect(ports).toEqual([
    [[53, 53], [5432], [443]],
    [[53, 53], [5432], [25, 443]],
  ]);
  for (const { spec } of policies)
    expect(spec.egress[2]!.to!.flatMap(({ ipBlock }) => ipBlock.except)).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7']),
    );
});

test('what Helm alone needs is not in the plain manifests, and templates of several objects stay in one file', () => {
  const head = '---\n# Source: mxproof/templates/a.yaml\n';
  const labels = 'labels:\n  app.kubernetes.io/managed-by: Helm\n  helm.sh/chart: mxproof-1\n  x: y\n';
  const plain = plainManifests(
    `${head}a: 1\n${labels}${head}a: 2\n---\n# Source: mxproof/templates/b.yaml\nb: 1\n`,
  );
  expect([...plain.keys()]).toEqual(['a.yaml', 'b.yaml']);
  expect(parseAllDocuments(plain.get('a.yaml')!).map((each) => each.toJS())).toEqual([
    { a: 1, labels: { x: 'y' } },
    { a: 2 },
  ]);
});

test('the guide says that it never ran on a cluster, and what the chart asks for', () => {
  expect(guide).toMatch(/they\s+have\s+never\s+run\s+on\s+a\s+cluster/);
  for (const name of ['database-url', 'secret-key', 'config.MXPROOF_HELO_NAME'])
    expect(guide).toContain(name);
});
