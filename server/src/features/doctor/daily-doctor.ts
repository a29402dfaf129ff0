// The doctor inside the service: shortly after the start, and once a day for each machine.
// Promise: neither the start nor the stop waits for it; each run is one line in the log, a warning if a check failed, and the
// machine's latest report in the database. On a closed or simulated network nothing of the network is asked.

import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config, DnsServer, Environment } from '../../settings/config.ts';
import { type Database, isUnavailable } from '../../store/database.ts';
import { startLoop } from '../../worker/loop.ts';
import { CHECKS } from './checks.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { createDoctorNetwork } from './doctor-network.ts';
import { logLineOf } from './doctor-report.ts';
import { runDoctor } from './run-doctor.ts';
import { isDoctorDue, writeDoctorReport } from './stored-reports.ts';

/** The start has settled by then. */
const FIRST_AFTER_MS = 3_000;
/** How often it is looked whether a day is over. */
const LOOK_EVERY_MS = 600_000;
const SMTP_PORT = 25;
const NO_CHECKS = 'This process asks no mail server.';
/** Another port is a network of its own, or a simulated one, where the large providers are not. */
const CLOSED_NETWORK =
  'Inside the service this is not run, since MXPROOF_SMTP_PORT is not 25; "mxproof doctor" runs it.';

export interface DailyDoctorOptions {
  readonly config: Config;
  readonly db: Database;
  readonly dnsServers: readonly DnsServer[];
  /** This process asks mail servers. */
  readonly isChecking: boolean;
  readonly log: Logger;
  readonly machine?: string;
  readonly checks?: readonly DoctorCheck[];
  readonly firstAfterMs?: number;
  readonly lookEveryMs?: number;
}

export interface DailyDoctor {
  /** Now, beside its day. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export function startDailyDoctor(options: DailyDoctorOptions): DailyDoctor {
  const { config, db, dnsServers, isChecking, log } = options;
  const { machine = hostname(), checks = CHECKS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isFirst = true;

  async function look(): Promise<void> {
    // Each process at its own start: what it may open and what it was told differ from another's on the same machine.
    if (isFirst) await sleep(options.firstAfterMs ?? FIRST_AFTER_MS, undefined, { signal });
    else if (!(await isDoctorDue(db, machine))) return;
    isFirst = false;
    await run();
  }

  async function run(): Promise<void> {
    const { resolver, connect, close } = await createDoctorNetwork({ dnsServers });
    try {
      const parts = {
        config,
        env: secretsOf(config),
        resolver,
        connect,
        openDatabase: async () => {
          await db.ping();
          return db;
        },
        withoutNetwork: isChecking ? (config.smtpPort === SMTP_PORT ? null : CLOSED_NETWORK) : NO_CHECKS,
      };
      const report = await runDoctor(checks, parts, { signal });
      log[report.ok ? 'info' : 'warn'](logLineOf(report));
      // What a process that checks has found beside this one says more.
      if (isChecking || (await isDoctorDue(db, machine))) await writeDoctorReport(db, machine, report);
    } catch (error) {
      // The log has said what is wrong; the next look writes it.
      if (!isUnavailable(error)) throw error;
    } finally {
      close();
    }
  }

  const loop = startLoop({
    name: 'doctor',
    everyMs: options.lookEveryMs ?? LOOK_EVERY_MS,
    log,
    async run() {
      try {
        await look();
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  });
  return {
    run,
    stop() {
      stopping.abort();
      return loop.stop();
    },
  };
}

/** For `redact.ts` alone: the process that serves has handed over its configuration, not its environment. */
function secretsOf({ databaseUrl, secretKey, sourceAddresses }: Config): Environment {
  const logins = sourceAddresses.flatMap(({ proxy }) => proxy?.login ?? []);
  return {
    DATABASE_URL: databaseUrl ?? '',
    MXPROOF_SECRET_KEY: secretKey ?? '',
    MXPROOF_SOURCE_ADDRESSES: logins
      .map(({ user, password }) => `//${encodeURIComponent(user)}:${encodeURIComponent(password)}@`)
      .join(' '),
  };
}
