// Real nodes as processes, on a real PostgreSQL of their own, against the simulated internet and a real receiver.
// Promise: close() leaves no process, folder or socket behind, however the test went.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World, type WorldSpec } from '../../world/src/index.ts';
import { startEmbedded } from '../src/embedded/start-embedded.ts';
import { type Context, createContext } from '../src/flow/context.ts';
import { type OpenedAccount, openAccount } from '../src/flow/open-account.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import { openDatabase } from '../src/store/database.ts';
import { createJobs } from '../src/store/jobs.ts';
import { migrate } from '../src/store/migrate.ts';
import { createSecretBox } from '../src/store/secret-box.ts';
import { type Child, startNode } from './child.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const LAUNCHER = join(import.meta.dirname, '../../cli/bin/mxproof.mjs');
const SECRET_KEY = 'a key of the tests';
const RECEIVER_NAME = 'test-only.mxproof.example';
const CREDITS = 10_000_000;

export interface Rig {
  readonly world: World;
  readonly context: Context;
  readonly account: OpenedAccount;
  /** Another account. */
  open(): Promise<OpenedAccount>;
  readonly receiver: Receiver;
  readonly callbackUrl: string;
  readonly databaseUrl: string;
  /** `mxproof work`, or another command that serves. */
  node(args?: readonly string[], env?: Record<string, string>): Promise<Child>;
  /** A program that serves with the same settings. */
  program(file: string, env?: Record<string, string>): Promise<Child>;
  killPostgres(): void;
  close(): Promise<void>;
}

export async function startRig(spec: WorldSpec, seed: number): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-rig-'));
  // Root's PostgreSQL runs as another user, who must be able to walk through here.
  chmodSync(folder, 0o755);
  const log = { debug() {}, info() {}, warn() {} };
  const store = await startEmbedded({ dataDir: join(folder, 'store'), log });
  const world = await startWorld(
    { ...spec, domains: { ...spec.domains, [RECEIVER_NAME]: { implicit: { addresses: ['127.0.0.1'] } } } },
    { seed },
  );
  const receiver = await startReceiver((response) => response.end());
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, receiver.ca);
  const db = openDatabase({ url: store.connectionString, poolSize: 4, onError: () => {} });
  await migrate(db);
  const box = createSecretBox(SECRET_KEY);
  const context = createContext(db, createJobs(db, { safetyNetSeconds: 0 }), box);
  const open = () => openAccount(db, THE_SERVICE, box, { name: 'rig', credits: CREDITS });
  const account = await open();
  const [directory] = await db.query<{ data_directory: string }>('SHOW data_directory');
  const nodes: Child[] = [];
  const startServing = async (argv: readonly string[], env: Record<string, string>) => {
    const child = startNode(argv, {
      PATH: process.env.PATH,
      DATABASE_URL: store.connectionString,
      MXPROOF_DATA_DIR: join(folder, 'data'),
      MXPROOF_SECRET_KEY: SECRET_KEY,
      MXPROOF_DNS_SERVERS: world.dnsServer,
      MXPROOF_SMTP_PORT: String(world.smtpPort),
      MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
      MXPROOF_HELO_NAME: 'probe.mxproof.example',
      MXPROOF_SMTP_RETRY_SECONDS: '1,2,3,4',
      MXPROOF_CALLBACK_RETRY_SECONDS: '2,4',
      NODE_EXTRA_CA_CERTS: caFile,
      LOG_LEVEL: 'info',
      ...env,
    });
    nodes.push(child);
    await child.line(/"msg":"(checking|ready)"/);
    return child;
  };
  return {
    world,
    context,
    account,
    open,
    receiver,
    databaseUrl: store.connectionString,
    callbackUrl: receiver.url.replace('localhost', RECEIVER_NAME),
    node: (args = ['work'], env = {}) => startServing([LAUNCHER, ...args], env),
    program: (file, env = {}) => startServing([file], env),
    killPostgres() {
      const [pid = ''] = readFileSync(join(directory!.data_directory, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    async close() {
      await Promise.all(nodes.map((node) => node.end()));
      await db.close();
      await receiver.close();
      await world.close();
      await store.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
