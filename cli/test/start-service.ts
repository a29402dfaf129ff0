// The real service as `mxproof serve` starts it, on a database of its own and a small internet on loopback.
// Promise: close() leaves no process, no database and no folder behind.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode } from '../../server/test/child.ts';
import { freshDatabase } from '../../server/test/database.ts';
import { startWorld, type World, type WorldSpec } from '../../world/src/index.ts';
import type { Env } from './run-mxproof.ts';

const LAUNCHER = join(import.meta.dirname, '../bin/mxproof.mjs');

export interface CliService {
  readonly url: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** A shell that has the address and the key, and a home folder of its own. */
  readonly shell: Env;
  /** The shell of the operator, who has the store but no key. */
  readonly operator: Env;
  /** What the service asks instead of the internet. */
  readonly internet: Env;
  readonly world: World;
  /** POST, GET … as any client would. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** What it has written, logs and all. */
  lines(): readonly string[];
  /** The first line, past or to come, that matches. */
  line(pattern: RegExp): Promise<string>;
  close(): Promise<void>;
}

/** @param launcher another checkout's command */
export async function startCliService(
  spec: WorldSpec,
  settings: Env = {},
  launcher = LAUNCHER,
): Promise<CliService> {
  const [world, database] = await Promise.all([startWorld(spec), freshDatabase()]);
  const home = mkdtempSync(join(tmpdir(), 'mxproof-cli-'));
  const operator = {
    HOME: home,
    DATABASE_URL: database.url,
    MXPROOF_DATA_DIR: home,
    MXPROOF_SECRET_KEY: 'a key of the tests',
  };
  const internet = {
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_HELO_NAME: 'probe.example.com',
  };
  const child = startNode([launcher, 'serve'], {
    PATH: process.env.PATH,
    PORT: '0',
    MXPROOF_SHOW_FIRST_KEY: '1',
    ...internet,
    ...operator,
    ...settings,
  });
  const { url } = JSON.parse(await child.line(/"msg":"ready"/)) as { url: string };
  const apiKey = /mx_live_\S+/.exec(await child.line(/API key +mx_live_/))![0];
  const webhookSecret = /whsec_\S+|\S{32,}$/.exec(await child.line(/webhook secret /))![0];
  return {
    url,
    apiKey,
    webhookSecret,
    shell: { HOME: home, MXPROOF_URL: url, MXPROOF_API_KEY: apiKey },
    operator,
    internet,
    world,
    async call(method, path, body) {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>;
    },
    lines: () => child.lines,
    line: (pattern) => child.line(pattern),
    async close() {
      child.process.kill('SIGTERM');
      await child.ended;
      await world.close();
      await database.drop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
