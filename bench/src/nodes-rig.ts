// A deployment of several nodes: one PostgreSQL as a package installs it, a world in a process of its own, and nodes with a
// source address each. Promise: what was started is stopped by stop(), and dies with this process.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openAccount } from '../../server/src/flow/open-account.ts';
import { THE_SERVICE } from '../../server/src/rules/audit.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { createSecretBox } from '../../server/src/store/secret-box.ts';
import { startOwnPostgres } from '../../server/test/own-postgres.ts';
import type { WorldSpec } from '../../world/src/spec.ts';
import { spawnWorld, type WorldProcess } from '../../world/src/world-process.ts';
import { cpuSecondsOf } from './process-cost.ts';
import { startNode } from './service-rig.ts';

const SECRET_KEY = 'only for this benchmark';
/** A disk that syncs, and what tells of statements; all else is PostgreSQL's own default. */
const SETTINGS = ['fsync = on', "shared_preload_libraries = 'pg_stat_statements'"];

export interface BenchNode {
  readonly source: string;
  readonly pid: number;
  /** Warnings and errors it has logged, by message. */
  readonly complaints: Map<string, number>;
}

export interface NodesRig {
  readonly world: WorldProcess;
  readonly postgresPid: number;
  /** The service's database. */
  readonly db: Database;
  /** Another database of the same server: what is asked there is not counted as the service's. */
  readonly probe: Database;
  /** Of the node that serves. */
  readonly port: number;
  /** Those that run. */
  readonly nodes: readonly BenchNode[];
  /** Of nodes that run no more. */
  readonly endedCpuSeconds: number;
  /** One more `mxproof work`. */
  addNode(): Promise<BenchNode>;
  /** As a machine that loses its power. */
  killNode(node: BenchNode): Promise<void>;
  openAccount(name: string, credits: number): Promise<{ readonly id: number; readonly key: string }>;
  stop(): Promise<void>;
}

export async function startNodesRig(spec: WorldSpec, policy: object): Promise<NodesRig> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-nodes-'));
  const children = new Map<BenchNode, ChildProcess>();
  const postgres = await startOwnPostgres(folder, SETTINGS);
  const postgresPid = Number(readFileSync(join(postgres.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  let isStopped = false;
  process.once('exit', () => {
    for (const child of children.values()) child.kill('SIGKILL');
    if (!isStopped) process.kill(postgresPid, 'SIGQUIT');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const probe = openDatabase({ url: postgres.url, poolSize: 1 });
  await probe.query('CREATE EXTENSION pg_stat_statements');
  await probe.query('CREATE DATABASE mxproof');
  const url = postgres.url.replace(/postgres$/, 'mxproof');
  const world = await spawnWorld({ spec }, { keepAsks: false });
  const policyFile = `${folder}-policy.json`;
  writeFileSync(policyFile, JSON.stringify(policy));
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: url,
    LOG_LEVEL: 'info',
    MXPROOF_DATA_DIR: `${folder}-data`,
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_SECRET_KEY: SECRET_KEY,
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_MAIL_FROM: 'probe@bench.example',
    MXPROOF_POLICY_FILE: policyFile,
    // The windows work as ever, only wider: a benchmark asks more than a client may.
    MXPROOF_RATE_REQUESTS: '10000000',
    MXPROOF_RATE_ADDRESSES: '1000000000',
  };
  let started = 0;
  let endedCpuSeconds = 0;

  async function start(role: 'serve' | 'work'): Promise<{ node: BenchNode; found: string }> {
    started += 1;
    const source = `127.44.0.${started}`;
    const { child, found } = await startNode(role, {
      ...env,
      MXPROOF_SOURCE_ADDRESSES: `${source}=node${started}.bench.example`,
    });
    const node = { source, pid: child.pid!, complaints: new Map<string, number>() };
    children.set(node, child);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const message = /^\{"level":[456]0,.*"msg":"([^"]*)"/.exec(line)?.[1];
      if (message) node.complaints.set(message, (node.complaints.get(message) ?? 0) + 1);
    });
    return { node, found };
  }

  async function end(node: BenchNode, signal: NodeJS.Signals): Promise<void> {
    const child = children.get(node)!;
    const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    if (gone) endedCpuSeconds += cpuSecondsOf(node.pid);
    child.kill(signal);
    await gone;
    children.delete(node);
  }

  const { found } = await start('serve');
  const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
  const box = createSecretBox(SECRET_KEY);
  return {
    world,
    postgresPid,
    db,
    probe,
    port: Number(found),
    get nodes() {
      return [...children.keys()];
    },
    get endedCpuSeconds() {
      return endedCpuSeconds;
    },
    addNode: async () => (await start('work')).node,
    killNode: (node) => end(node, 'SIGKILL'),
    async openAccount(name, credits) {
      const { accountId, apiKey } = await openAccount(db, THE_SERVICE, box, { name, credits });
      return { id: accountId, key: apiKey };
    },
    async stop() {
      await db.close();
      await Promise.all([...children.keys()].map((node) => end(node, 'SIGTERM')));
      await probe.close();
      await world.close();
      await postgres.stop();
      isStopped = true;
      for (const path of [folder, policyFile, `${folder}-data`])
        rmSync(path, { recursive: true, force: true });
    },
  };
}
