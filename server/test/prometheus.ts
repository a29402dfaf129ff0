// Debian's Prometheus, for real, on loopback.
// Promise: stop() ends the process it started and leaves no folder behind.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../src/embedded/free-port.ts';
import { until } from './until.ts';

const PROMETHEUS = '/usr/bin/prometheus';
const PROMTOOL = '/usr/bin/promtool';
const START_LIMIT_MS = 60_000;
const LOG_MAX_CHARS = 16_384;

export const hasPrometheus = existsSync(PROMETHEUS) && existsSync(PROMTOOL);

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

export interface Prometheus {
  query(expression: string): Promise<readonly Series[]>;
  stop(): Promise<void>;
}

/** Throws with what it said, where it found a fault. */
export function promtool(args: readonly string[], input?: string): string {
  try {
    return execFileSync(PROMTOOL, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${args.join(' ')}:\n${stdout}${stderr}`);
  }
}

/** Scrapes the targets twice a second as the job `mxproof`. */
export async function startPrometheus(
  targets: readonly string[],
  { rules, token }: { readonly rules: string; readonly token: string },
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-prometheus-'));
  const port = await findFreePort();
  const config = {
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [
      {
        job_name: 'mxproof',
        authorization: { type: 'Bearer', credentials: token },
        static_configs: [{ targets }],
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(
    PROMETHEUS,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-LOG_MAX_CHARS)));
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    await until(
      async () => child.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok,
      START_LIMIT_MS,
    );
    if (child.exitCode !== null) throw new Error('it ended');
  } catch (cause) {
    await stop();
    throw new Error(`Prometheus did not start:\n${said}`, { cause });
  }
  return {
    async query(expression) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expression }),
      });
      const { data, error } = (await response.json()) as { data?: { result: Series[] }; error?: string };
      if (!data) throw new Error(`${expression}: ${error}`);
      return data.result;
    },
    stop,
  };
}
