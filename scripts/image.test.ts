// The files a container is made and run from, held against each other, the settings and the guide. Building and running them is
// scripts/image.sh.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../cli/bin/project-node.mjs';
import { readConfig } from '../server/src/settings/config.ts';
import { COMPOSE_VARIABLES, SERVICE_SETTINGS } from '../server/src/settings/settings.ts';
import { composeVariables, readComposeFile } from './compose-file.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { version: string; workspaces: string[] };
const settings = SERVICE_SETTINGS.map(({ name }) => name);

const folder = mkdtempSync(join(tmpdir(), 'mxproof-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Continued lines joined, comments gone. */
const dockerfile = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .trim()
  .split(/\n+/);
const result = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith('FROM ')));
const values = (word: string, lines = result) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
const imageEnv = Object.fromEntries(
  values('ENV').flatMap((line) => line.split(/\s+/).map((pair) => pair.split('=') as [string, string])),
);

describe('the Dockerfile', () => {
  test('installs before the sources are copied, with the manifest of every workspace', () => {
    const copied = values('COPY', dockerfile).filter((line) => line.includes('/package.json'));
    expect(copied.sort()).toEqual(manifest.workspaces.map((name) => `${name}/package.json ${name}/`).sort());
  });

  test('ends in an image on BASE that gets one tree of files, and is an ordinary user’s', () => {
    expect(values('FROM')).toEqual([expect.stringMatching(/^\$\{BASE\}$/)]);
    expect(values('COPY')).toEqual(['--from=build /image/ /']);
    expect(values('RUN').join()).not.toMatch(/apt-get|npm|curl/);
    expect(values('USER')).toEqual([expect.stringMatching(/^[1-9]\d+:[1-9]\d+$/)]);
    expect(values('VOLUME')).toEqual([imageEnv.MXPROOF_DATA_DIR]);
    expect(values('EXPOSE')).toEqual([imageEnv.PORT]);
  });

  test('sets what the launcher would, and settings that exist, with values that are valid', () => {
    expect(imageEnv).toMatchObject(NODE_ENVIRONMENT);
    const own = Object.keys(imageEnv).filter((name) => !(name in NODE_ENVIRONMENT));
    expect(settings).toEqual(expect.arrayContaining(own));
    expect(readConfig(imageEnv)).toMatchObject({ host: '0.0.0.0', showFirstKey: false, warnings: [] });
  });

  test('is healthy by the command that the guide names', () => {
    const [check = ''] = values('HEALTHCHECK');
    expect(check).toMatch(/ CMD \["mxproof", "healthcheck"\]$/);
    expect(read('docs/guide/monitoring.md')).toContain(`HEALTHCHECK ${check}`);
  });
});

describe('the entry point', () => {
  const script = join(ROOT, 'deploy/entrypoint.sh');
  const env = { PATH: `${folder}:${process.env.PATH}`, MXPROOF_DATA_DIR: folder };
  const start = (name: string, extra = {}) => {
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "$@"\nexec sleep 60\n', { mode: 0o755 });
    return spawn('sh', [script, name], { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'inherit'] });
  };
  const said = async (child: ReturnType<typeof start>) =>
    String((await once(child.stdout, 'data'))[0]).trim();

  test('becomes the service with the launcher’s flags; a volume is one container’s until that is gone, killed or not', async () => {
    const first = start('serve');
    expect(await said(first)).toBe([...NODE_FLAGS, '/usr/local/bin/mxproof', 'serve'].join(' '));
    const second = spawnSync('sh', [script, 'serve'], { env, encoding: 'utf8' });
    expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining('Another container') });
    const beside = start('work', { DATABASE_URL: 'postgresql://a/b' });
    expect(await said(beside)).toMatch(/work$/);
    // Without a database it is not told to stop the service: the command refuses it, and does not touch the volume.
    const astray = start('work');
    expect(await said(astray)).toMatch(/work$/);
    for (const child of [first, beside, astray]) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    const third = start('account');
    expect(await said(third)).toMatch(/account$/);
    third.kill('SIGKILL');
    await once(third, 'close');
  });

  test('a folder that is not the user’s is refused with what to do', () => {
    const missing = { ...env, MXPROOF_DATA_DIR: join(folder, 'missing') };
    const ran = spawnSync('sh', [script, 'serve'], { env: missing, encoding: 'utf8' });
    expect(ran).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/cannot write to .*missing.*chown/),
    });
  });
});

const GIVEN = {
  POSTGRES_PASSWORD: 'secret',
  MXPROOF_SECRET_KEY: 'secret',
  MXPROOF_DOMAIN: 'verify.example.com',
  MXPROOF_HELO_NAME: 'probe.example.com',
};

const COMPOSE_FILES = ['compose.yaml', 'deploy/compose.nodes.yaml'];
/** Where backups are in the image; the tests' machine has it elsewhere. */
const BACKUPS = '/backups';
const METRICS_PORT = '9464';

describe.each(COMPOSE_FILES)('%s', (path) => {
  const { services, networks = {}, volumes = {} } = readComposeFile(join(ROOT, path), GIVEN);
  const all = Object.entries(services);
  const ours = Object.values(services).filter(({ image }) => image?.includes('mxproof'));

  test('runs this version, with settings that exist and are valid', () => {
    expect(ours.length).toBeGreaterThan(0);
    for (const { image, environment = {} } of ours) {
      expect(image).toMatch(new RegExp(`:${manifest.version.replaceAll('.', '\\.')}$`));
      expect(settings).toEqual(expect.arrayContaining(Object.keys(environment)));
      const here = environment.MXPROOF_BACKUP_DIR && { MXPROOF_BACKUP_DIR: folder };
      expect(readConfig({ ...imageEnv, ...environment, ...here })).toMatchObject({ warnings: [] });
    }
  });

  test('what the operator writes into mxproof.env reaches every container of ours, beside what the file must set', () => {
    const mustSet = ['DATABASE_URL', 'MXPROOF_BACKUP_DIR', 'MXPROOF_METRICS_HOST', 'MXPROOF_PUBLIC_URL'];
    const given = Object.fromEntries(settings.map((name) => [name, `the operator’s ${name}`]));
    const again = readComposeFile(join(ROOT, path), { ...GIVEN, ...given }).services;
    for (const [name, { env_file: files, environment = {} }] of all) {
      if (!ours.includes(services[name]!)) continue;
      expect(files?.map(({ path: file, required }) => [join(ROOT, path, '..', file), required])).toEqual([
        [join(ROOT, 'mxproof.env'), false],
      ]);
      for (const setting of Object.keys(environment).filter((each) => !mustSet.includes(each)))
        expect(again[name]?.environment?.[setting]).toBe(given[setting]);
    }
  });

  test('metrics, where they are wanted, are reached from this machine only, at a port of each container', () => {
    const published = ours.map(({ environment, ports = [] }) => {
      const wanted = { ...environment, MXPROOF_BACKUP_DIR: '', MXPROOF_METRICS_PORT: METRICS_PORT };
      expect(readConfig({ ...imageEnv, ...wanted }).metrics).toMatchObject({ host: '0.0.0.0' });
      const [port, ...others] = ports.filter((each) => each.endsWith(`:${METRICS_PORT}`));
      expect(others).toEqual([]);
      return port;
    });
    expect(published).toEqual(ours.map(() => expect.stringMatching(/^127\.0\.0\.1:94\d\d:9464$/)));
    expect(new Set(published).size).toBe(ours.length);
    expect(read('docs/guide/container.md')).toContain(`MXPROOF_METRICS_PORT=${METRICS_PORT}`);
  });

  test('one container makes backups, on a volume or a folder of the machine, which is its user’s in the image', () => {
    const writing = ours.filter(({ environment }) => environment?.MXPROOF_BACKUP_DIR);
    expect(writing.map(({ environment }) => environment?.MXPROOF_BACKUP_DIR)).toEqual([BACKUPS]);
    // A folder that the operator names for one container is not there in the others.
    for (const service of ours.filter((each) => !writing.includes(each)))
      expect(service.environment?.MXPROOF_BACKUP_DIR).toBe('');
    expect(writing[0]?.volumes).toContain(`backups:${BACKUPS}`);
    const elsewhere = readComposeFile(join(ROOT, path), { ...GIVEN, MXPROOF_BACKUPS: '/srv/backups' });
    expect(Object.values(elsewhere.services).flatMap(({ volumes = [] }) => volumes)).toContain(
      `/srv/backups:${BACKUPS}`,
    );
    // A new volume takes the owner of the image's folder; without one it would be root's.
    expect(values('RUN').join()).toMatch(/install -d -o mxproof -g mxproof -m 0700 [^&]*\/backups\b/);
  });

  test('every container’s log has a limit', () => {
    for (const [name, { logging }] of all)
      expect([name, logging]).toEqual([
        name,
        { driver: 'json-file', options: { 'max-size': '50m', 'max-file': '5' } },
      ]);
  });

  test('every container has a read-only root, no capabilities to gain, and a health check or the image’s', () => {
    for (const [name, service] of all) {
      expect([name, service.read_only, service.cap_drop, service.security_opt]).toEqual([
        name,
        true,
        ['ALL'],
        ['no-new-privileges:true'],
      ]);
      expect(ours.includes(service) || service.healthcheck !== undefined).toBe(true);
      expect(service.image).toMatch(/:\d/);
    }
    expect(ours.map(({ user }) => user)).toEqual(ours.map(() => undefined));
  });

  test('what it mounts and joins is there, and what is stored is on a volume', () => {
    for (const [, service] of all) {
      for (const mount of service.volumes ?? []) {
        const [source = ''] = mount.split(':');
        expect(source.startsWith('./') ? existsSync(join(ROOT, path, '..', source)) : source in volumes).toBe(
          true,
        );
      }
      for (const network of service.networks ?? []) expect(networks).toHaveProperty(network);
    }
    for (const service of ours) {
      const places = [...(service.volumes ?? []), ...(service.tmpfs ?? [])].join();
      expect(places).toContain(imageEnv.MXPROOF_DATA_DIR);
      // The service's own limit is 9.5 s, or 13 s on DATABASE_URL.
      const limit = service.environment?.DATABASE_URL === undefined ? 10 : 15;
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(limit);
    }
  });

  test('the guide names every variable that it asks for', () => {
    for (const name of composeVariables(join(ROOT, path), true))
      expect(read('docs/guide/container.md')).toContain(`${name}=`);
  });
});

test('one container is published to this machine only, on the port of the image', () => {
  const { mxproof } = readComposeFile(join(ROOT, 'compose.yaml'), {}).services;
  expect(mxproof?.ports).toEqual([`127.0.0.1:8080:${imageEnv.PORT}`, '127.0.0.1:9464:9464']);
});

test('of several nodes only Caddy is published beyond this machine; the database is reached by nodes alone', () => {
  const { services, networks } = readComposeFile(join(ROOT, 'deploy/compose.nodes.yaml'), GIVEN);
  const named = (name: string) => services[name]!;
  const isOpen = (port: string) => !port.startsWith('127.0.0.1:');
  expect(Object.keys(services).filter((name) => named(name).ports?.some(isOpen))).toEqual(['caddy']);
  expect(Object.keys(services).filter((name) => named(name).networks?.includes('web'))).toEqual([
    'service',
    'caddy',
  ]);
  expect(named('postgres').networks).toEqual(['store']);
  expect(networks?.store).toEqual({ internal: true });
  expect(new URL(named('service').environment!.DATABASE_URL!).hostname).toBe('postgres');
  expect(named('postgres').image).toMatch(/postgres:18$/);
  expect(named('postgres').volumes).toEqual(['postgres:/var/lib/postgresql']);
  for (const name of ['worker-1', 'worker-2'])
    expect(named(name)).toMatchObject({
      command: ['work'],
      hostname: name,
      healthcheck: { test: ['CMD', 'mxproof', 'healthcheck', '--role', 'work'] },
    });
  // The Caddyfile has no other variables than it is given.
  const wanted = [...read('deploy/Caddyfile').matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(named('caddy').environment!).sort()).toEqual(wanted.sort());
  expect(named('caddy').environment?.MXPROOF_UPSTREAM).toBe(`service:${imageEnv.PORT}`);
});

test('a file without a value it needs is refused, with the name of what is missing', () => {
  expect(() => readComposeFile(join(ROOT, 'deploy/compose.nodes.yaml'), {})).toThrow(/POSTGRES_PASSWORD/);
});

test('a variable of the compose files that stands in mxproof.env is not taken for a misspelt setting', () => {
  const all = COMPOSE_FILES.flatMap((path) => composeVariables(join(ROOT, path)));
  const others = all.filter((name) => name.startsWith('MXPROOF_') && !settings.includes(name));
  expect([...COMPOSE_VARIABLES].sort()).toEqual([...new Set(others)].sort());
  expect(readConfig(Object.fromEntries(others.map((name) => [name, 'x']))).warnings).toEqual([]);
  expect(readConfig({ MXPROOF_DOMAINS: 'x' }).warnings).toHaveLength(1);
});

test('the files of settings, which hold secrets, are neither committed nor copied into a build', () => {
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['/.env', '/mxproof.env']));
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', 'mxproof.env']));
});
