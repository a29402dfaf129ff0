// Three machines in network namespaces of this one, each with Debian's Patroni, etcd and PostgreSQL, and Debian's HAProxy in front
// of them. Nothing leaves the machine: the namespaces share a bridge that leads nowhere.
// Promise: stop() ends every process and removes every namespace, however the test went. Needs root.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../src/embedded/free-port.ts';
import { until } from './until.ts';

const bin = globSync('/usr/lib/postgresql/*/bin').find((folder) => existsSync(join(folder, 'initdb')));
const PROGRAMS = [
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/haproxy',
  '/usr/sbin/ip',
  '/usr/sbin/iptables',
];
const hasPrograms = PROGRAMS.every((path) => existsSync(path));
/** Required, it fails where they are missing. */
export const hasPatroni =
  (bin !== undefined && hasPrograms && process.getuid?.() === 0) ||
  process.env.MXPROOF_REQUIRE_EXTRAS === '1';
if (!hasPatroni)
  console.warn('skipped: no root, or no patroni, etcd-server, haproxy, iproute2, iptables and postgresql');

const BRIDGE = 'mxp-hub';
const SUBNET = '10.231.77';
const PASSWORD = 'secret';
/** The smallest that Patroni takes. */
const TTL_SECONDS = 20;
const MACHINES = ['a', 'b', 'c'] as const;

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** All of its processes at once, as when it loses its power. */
  kill(): void;
  start(): void;
  cut(): void;
  heal(): void;
  /** Statements to its own PostgreSQL, from the machine itself. */
  psql(statement: string): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
}

export interface Patroni {
  readonly machines: readonly Machine[];
  /** With all three hosts. */
  readonly hostsUrl: string;
  /** Through HAProxy. */
  readonly proxyUrl: string;
  primary(): Promise<Machine>;
  /** How many standbys wait for each commit, and how many there are. */
  standbys(): Promise<{ readonly synchronous: number; readonly running: number }>;
  switchOver(): void;
  stop(): void;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

export async function startPatroni(): Promise<Patroni> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-patroni-'));
  chmodSync(folder, 0o755);
  const owner = statSync('/var/lib/postgresql');
  const processes = new Set<ChildProcess>();
  removeNetwork();
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${SUBNET}.1/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');

  const addressOf = (name: string) => `${SUBNET}.${11 + MACHINES.indexOf(name as 'a')}`;
  const inside = (name: string, program: readonly string[], log: string) => {
    const asPostgres = [
      'setpriv',
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      ...program,
    ];
    const child = spawn(
      'ip',
      ['netns', 'exec', `mxp-${name}`, 'sh', '-c', `exec "$@" >>'${log}' 2>&1`, 'sh', ...asPostgres],
      {
        cwd: '/',
        stdio: 'ignore',
        env: { PATH: `${process.env.PATH}:${bin}`, LC_ALL: 'C', HOME: folder },
      },
    );
    processes.add(child);
  };
  const machines = MACHINES.map((name): Machine => {
    const own = join(folder, name);
    mkdirSync(own);
    chownSync(own, owner.uid, owner.gid);
    const space = `mxp-${name}`;
    ip('netns', 'add', space);
    ip('link', 'add', space, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', space, 'master', BRIDGE, 'up');
    ip('-n', space, 'addr', 'add', `${addressOf(name)}/24`, 'dev', 'eth0');
    ip('-n', space, 'link', 'set', 'eth0', 'up');
    ip('-n', space, 'link', 'set', 'lo', 'up');
    const settings = join(own, 'patroni.json');
    writeFileSync(settings, JSON.stringify(patroniSettings(name, addressOf(name), own)));
    return {
      name,
      address: addressOf(name),
      start() {
        inside(name, etcdCommand(name, addressOf, own), join(own, 'etcd.log'));
        inside(name, ['patroni', settings], join(own, 'patroni.log'));
      },
      kill() {
        // Again and again, since they start others meanwhile.
        for (let pids = pidsIn(space); pids.length > 0; pids = pidsIn(space))
          spawnSync('kill', ['-KILL', ...pids]);
      },
      // Dropped without a word, as by a broken switch: a link that is down would be told to both ends.
      cut() {
        for (const rule of ['INPUT -i eth0', 'OUTPUT -o eth0'])
          ip('netns', 'exec', space, 'iptables', '-w', '-A', ...rule.split(' '), '-j', 'DROP');
      },
      heal: () => ip('netns', 'exec', space, 'iptables', '-w', '-F'),
      psql(statement) {
        const url = `postgresql://operator:${PASSWORD}@${addressOf(name)}:5432/postgres?connect_timeout=2`;
        const args = ['netns', 'exec', space, 'timeout', '4', 'psql', '-XtAq', '-c', statement, url];
        const { status, stdout, stderr } = spawnSync('ip', args, { cwd: '/', encoding: 'utf8' });
        return { status, stdout, stderr };
      },
    };
  });
  for (const machine of machines) machine.start();

  const port = await findFreePort();
  // Tests may reach nothing but loopback.
  const restPorts = new Map<string, number>();
  for (const { name } of machines) restPorts.set(name, await findFreePort());
  const proxy = join(folder, 'haproxy.cfg');
  writeFileSync(proxy, haproxySettings(port, machines, restPorts));
  processes.add(spawn('haproxy', ['-db', '-f', proxy], { stdio: 'ignore' }));

  const ask = ({ name }: Machine, path: string) =>
    fetch(`http://127.0.0.1:${restPorts.get(name)}${path}`, { signal: AbortSignal.timeout(2_000) });
  const members = async (): Promise<readonly Member[]> => {
    const answers = machines.map(async (machine) => {
      const answer = await ask(machine, '/cluster');
      return ((await answer.json()) as { members: Member[] }).members;
    });
    return Promise.any(answers);
  };
  const cluster: Patroni = {
    machines,
    hostsUrl: urlOf(
      machines.map(({ address }) => `${address}:5432`).join(','),
      '?target_session_attrs=read-write',
    ),
    proxyUrl: urlOf(`127.0.0.1:${port}`),
    async primary() {
      // The machine that answers as the primary holds the lock; the list of members is behind for a moment.
      const answers = machines.map(async (machine) => {
        const answer = await ask(machine, '/primary');
        if (answer.status !== 200) throw new Error(`${machine.name} is not the primary`);
        return machine;
      });
      return Promise.any(answers);
    },
    async standbys() {
      const running = (await members()).filter(({ role, state }) => role !== 'leader' && state === 'running');
      return {
        synchronous: running.filter(({ role }) => role === 'sync_standby').length,
        running: running.length,
      };
    },
    switchOver() {
      const settings = join(folder, machines[0]!.name, 'patroni.json');
      const { status, stdout, stderr } = spawnSync('patronictl', ['-c', settings, 'switchover', '--force'], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      });
      if (status !== 0) throw new Error(`patronictl switchover: ${stdout}${stderr}`);
    },
    stop() {
      for (const machine of machines) machine.kill();
      for (const child of processes) child.kill('SIGKILL');
      removeNetwork();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await until(
      async () => (await cluster.standbys()).running === 2 && (await cluster.standbys()).synchronous === 1,
    );
  } catch (error) {
    cluster.stop();
    throw error;
  }
  return cluster;
}

const urlOf = (hosts: string, query = '') => `postgresql://operator:${PASSWORD}@${hosts}/postgres${query}`;

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}

/** Of a run that was killed, too. */
function removeNetwork(): void {
  for (const name of MACHINES) spawnSync('ip', ['netns', 'del', `mxp-${name}`]);
  spawnSync('ip', ['link', 'del', BRIDGE]);
}

function pidsIn(space: string): readonly string[] {
  const { stdout } = spawnSync('ip', ['netns', 'pids', space], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}

function etcdCommand(name: string, addressOf: (name: string) => string, own: string): readonly string[] {
  const [client, peer] = [`http://${addressOf(name)}:2379`, `http://${addressOf(name)}:2380`];
  const all = MACHINES.map((each) => `${each}=http://${addressOf(each)}:2380`).join(',');
  return [
    'etcd',
    ...['--name', name, '--data-dir', join(own, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...[
      '--initial-cluster',
      all,
      '--initial-cluster-state',
      'new',
      '--heartbeat-interval',
      '200',
      '--election-timeout',
      '2000',
    ],
  ];
}

/** As docs/guide/high-availability.md has them, but for addresses, names and Patroni's least times. */
function patroniSettings(name: string, address: string, own: string): object {
  const network = `${SUBNET}.0/24`;
  return {
    scope: 'mxproof',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: MACHINES.map((_, at) => `${SUBNET}.${11 + at}:2379`) },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 2,
        retry_timeout: 4,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      pg_hba: [
        `host replication replicator ${network} scram-sha-256`,
        `host all all ${network} scram-sha-256`,
      ],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(own, 'data'),
      bin_dir: bin,
      pgpass: join(own, 'pgpass'),
      authentication: {
        superuser: { username: 'operator', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
      parameters: { unix_socket_directories: own, password_encryption: 'scram-sha-256' },
    },
  };
}

function haproxySettings(
  port: number,
  machines: readonly Machine[],
  restPorts: ReadonlyMap<string, number>,
): string {
  return `global
    maxconn 200
defaults
    mode tcp
    timeout connect 3s
    timeout client 1h
    timeout server 1h
    timeout check 2s
listen primary
    bind 127.0.0.1:${port}
    option httpchk GET /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${machines.map(({ name, address }) => `    server ${name} ${address}:5432 check port 8008\n`).join('')}${machines
  .map(
    ({ name, address }) =>
      `listen rest-${name}\n    bind 127.0.0.1:${restPorts.get(name)}\n    server ${name} ${address}:8008\n`,
  )
  .join('')}`;
}
