// The doctor as a command: on the configuration of the service, whether it runs or not.
// Promise: a configuration that does not parse gives a report too; nothing is migrated or made; what was started or opened is
// closed again, within its limit.

import { setTimeout as sleep } from 'node:timers/promises';
import { findCluster } from '../../embedded/place-cluster.ts';
import { useEmbedded } from '../../embedded/use-embedded.ts';
import { OperatorError } from '../../rules/operator-error.ts';
import { type Config, type Environment, readConfig } from '../../settings/config.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { CHECKS } from './checks.ts';
import { configCheck } from './config-check.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { isNamed } from './doctor-check-ids.ts';
import { createDoctorNetwork } from './doctor-network.ts';
import { type DoctorReport, reportOf } from './doctor-report.ts';
import { createRedact } from './redact.ts';
import { type DoctorLimits, type DoctorOptions, LIMITS, runDoctor } from './run-doctor.ts';

/** The checks, two sessions that are compared, and one to spare. */
const POOL_SIZE = 4;
const ANSWER_LIMIT_MS = 10_000;
/** A PostgreSQL that was started for this is stopped; together with the checks, less than 30 s. */
export const CLOSE_LIMIT_MS = 4_500;

export interface DiagnoseOptions extends Pick<DoctorOptions, 'onProgress'> {
  /** Ids, or what several begin with; empty: all. */
  readonly only: readonly string[];
  readonly limits?: DoctorLimits;
  readonly closeLimitMs?: number;
  readonly checks?: readonly DoctorCheck[];
}

export async function diagnose(env: Environment, options: DiagnoseOptions): Promise<DoctorReport> {
  const { only, limits = LIMITS, closeLimitMs = CLOSE_LIMIT_MS, checks = CHECKS, onProgress } = options;
  const chosen = only.length === 0 ? checks : checks.filter(({ id }) => isNamed(id, only));
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return brokenConfig(error.message, chosen, env);
  }
  const closers: (() => Promise<unknown>)[] = [];
  const { resolver, connect, close } = await createDoctorNetwork(config);
  closers.push(async () => close());
  try {
    const parts = {
      config,
      env,
      resolver,
      connect,
      openDatabase: (signal: AbortSignal) => openStore(config, signal, closers),
      withoutNetwork: null,
    };
    return await runDoctor(chosen, parts, { limits, ...(onProgress && { onProgress }) });
  } finally {
    const closed = (async () => {
      for (const close of closers.reverse()) await close().catch(() => {});
    })();
    const late = new AbortController();
    await Promise.race([closed, sleep(closeLimitMs, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
  }
}

/** Whatever was chosen: without it, nothing of the rest can be said. */
function brokenConfig(why: string, chosen: readonly DoctorCheck[], env: Environment): DoctorReport {
  const { id, title } = configCheck;
  const advice =
    'Correct it: the service does not start with it. docs/guide/settings.md lists every setting.';
  return reportOf([
    { id, title, status: 'failure', detail: createRedact(env)(why), advice },
    ...chosen
      .filter((check) => check.id !== id)
      .map((check) => ({
        id: check.id,
        title: check.title,
        status: 'skipped' as const,
        detail: 'The configuration cannot be read.',
        advice: null,
      })),
  ]);
}

async function openStore(
  config: Config,
  signal: AbortSignal,
  closers: (() => Promise<unknown>)[],
): Promise<Database> {
  let url = config.databaseUrl;
  if (url === null) {
    if (findCluster(config.dataDir) === null) throw new OperatorError('There is no database yet');
    const embedded = await useEmbedded(config.dataDir, { debug() {}, info() {}, warn() {} }, { signal });
    closers.push(() => embedded.release());
    url = embedded.connectionString;
  }
  signal.throwIfAborted();
  const db = openDatabase({
    url,
    poolSize: POOL_SIZE,
    applicationName: 'mxproof doctor',
    answerTimeoutMs: ANSWER_LIMIT_MS,
    setsLimits: false,
  });
  closers.push(() => db.close());
  await db.ping();
  return db;
}
