// What a check of the doctor is: an entry of a table, run on the service's own configuration.
// Promise: a check never throws for what it finds wrong, and ends when its signal is aborted.
import type { Connect, NameLookups, Resolver } from '@mxproof/engine';
import type { Config } from '../../settings/config.ts';
import type { Database } from '../../store/database.ts';
import type { CheckStatus } from './doctor-report.ts';

export type { CheckStatus } from './doctor-report.ts';

/** One line of the report. */
export interface CheckResult {
  readonly status: CheckStatus;
  /** What was found: one sentence. */
  readonly detail: string;
  /** What to do about it; null where nothing is to be done. */
  readonly advice: string | null;
  /** What of several it is about, such as a source address; added to the title. */
  readonly about?: string;
}

/** Without it, the check is skipped. */
type CheckNeed = 'database' | 'network';

export interface DoctorCheck {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly CheckNeed[];
  /** Needs the database, and runs without it as well: it says what is wrong with it. */
  readonly reportsDatabase?: true;
  /** One result, or one for each thing it is about. */
  run(context: DoctorContext, signal: AbortSignal): Promise<CheckResult | readonly CheckResult[]>;
}

export interface DoctorContext {
  readonly config: Config;
  /** Inside the service only what must not be shown: settings are read from `config`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null: it could not be opened, and `databaseError` says why; or the check does not need it. */
  readonly db: Database | null;
  readonly databaseError: string | null;
  readonly resolver: Resolver & NameLookups;
  readonly connect: Connect;
}
