// What the Helm chart makes, read: the plain manifests of deploy/kubernetes, and the settings in its pods.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHART = 'deploy/helm';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface Pod {
  readonly enableServiceLinks: boolean;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [Container];
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: Pod } };
}

export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
}

const ANY_URL = 'https://hooks.example.com/mxproof';
/** Good for every secret, each in the form that its setting asks for. */
const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://mxproof:password@db.example.com/mxproof',
  MXPROOF_ALERT_URL: ANY_URL,
  MXPROOF_HEARTBEAT_URL: ANY_URL,
  MXPROOF_ALERT_SECRET: `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`,
  MXPROOF_SMTP_RELAY: 'smtps://user:password@mail.example.com',
};
const ANY_SECRET = 'a-secret-that-is-long-enough';

/** The environment of a pod as its container gets it, with its files in `folder`. */
export function settingsOf({ containers: [{ env }] }: Pod, folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return Object.fromEntries(
    env.map(({ name, value }) => {
      if (name.endsWith('_FILE') && value.startsWith('/run/mxproof/'))
        return [name, write(name, SECRETS[name.slice(0, -'_FILE'.length)] ?? ANY_SECRET)];
      if (name === 'MXPROOF_POLICY_FILE') return [name, write(name, '{}')];
      if (name === 'MXPROOF_DISPOSABLE_FILE') return [name, write(name, '')];
      return [name, value];
    }),
  );
}

const HEAD = `# Written from the chart in deploy/helm by "npm run kubernetes -- --write": docs/guide/kubernetes.md says what to change here.\n`;
/** Nothing of Helm's is installed. */
const HELMS_OWN = /^ *(?:app\.kubernetes\.io\/managed-by|helm\.sh\/chart): .*\n/gm;

/** By file name: each template's objects, without what only Helm needs. */
export function plainManifests(rendered: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const part of rendered.split(/^---\n/m)) {
    const [, name] = /^# Source: mxproof\/templates\/(.+)$/m.exec(part) ?? [];
    if (name === undefined) continue;
    const text = part
      .replace(/^# Source: .*\n/gm, '')
      .replace(HELMS_OWN, '')
      .trim();
    const before = files.get(name);
    files.set(name, before === undefined ? `${HEAD}${text}\n` : `${before}---\n${text}\n`);
  }
  return files;
}
