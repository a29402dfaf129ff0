// Runs checks side by side and makes one report of them.
// Promise: ends within its limit whatever hangs or ignores its signal; a check that throws is one failed line; the lines stand
// in the order of the table, whichever ended first.
//
//   open the database ──▶ checks that need it ─┐
//   checks that do not ────────────────────────┴─▶ report

import { type Database, isUnavailable } from '../../store/database.ts';
import type { CheckResult, DoctorCheck, DoctorContext } from './doctor-check.ts';
import { type DoctorReport, type ReportedCheck, reportOf } from './doctor-report.ts';
import { createRedact, type Redact } from './redact.ts';
import { failure, sentence, skipped } from './result.ts';

export interface DoctorLimits {
  readonly openMs: number;
  readonly checkMs: number;
  /** Of all, the opening included. */
  readonly allMs: number;
  /** What was told to end may still say what it has found. */
  readonly graceMs: number;
}

export const LIMITS: DoctorLimits = { openMs: 9_000, checkMs: 20_000, allMs: 24_000, graceMs: 500 };

export interface DoctorParts extends Omit<DoctorContext, 'db' | 'databaseError'> {
  /** Throws what is wrong with it. Ends when the signal is aborted. */
  openDatabase(signal: AbortSignal): Promise<Database>;
  /** Why what needs the network is not run; null: it is. */
  readonly withoutNetwork: string | null;
}

export interface DoctorOptions {
  readonly limits?: DoctorLimits;
  /** Aborted: no report is wanted any more, and the run rejects at once. */
  readonly signal?: AbortSignal;
  /** Called with what still runs. */
  readonly onProgress?: (waitingFor: readonly string[]) => void;
}

/** A source each; more says nothing more. */
const MAX_RESULTS = 256;
const NEEDS_DATABASE = 'This needs the database, which could not be opened.';

type OpenedDatabase = Pick<DoctorContext, 'db' | 'databaseError'>;

export async function runDoctor(
  checks: readonly DoctorCheck[],
  parts: DoctorParts,
  { limits = LIMITS, signal = new AbortController().signal, onProgress = () => {} }: DoctorOptions = {},
): Promise<DoctorReport> {
  signal.throwIfAborted();
  const redact = createRedact(parts.env);
  const deadlineMs = performance.now() + limits.allMs;
  const waiting = new Set(checks.map(({ id }) => id));
  const needsDatabase = checks.some(usesDatabase);
  const opened = needsDatabase ? openWithin(parts, limits, signal) : Promise.resolve(NO_DATABASE);
  const { config, env, resolver, connect } = parts;

  const runOne = async (check: DoctorCheck): Promise<readonly CheckResult[]> => {
    if (check.needs.includes('network') && parts.withoutNetwork !== null)
      return [skipped(parts.withoutNetwork)];
    const database = usesDatabase(check) ? await opened : NO_DATABASE;
    if (check.needs.includes('database') && database.db === null) return [skipped(NEEDS_DATABASE)];
    const limitMs = Math.max(0, Math.min(limits.checkMs, deadlineMs - performance.now()));
    const context = { config, env, resolver, connect, ...database };
    const ended = await within((own) => check.run(context, own), limitMs, limits.graceMs, signal);
    if (ended.kind === 'late') return [late(limitMs)];
    if (ended.kind === 'thrown') return [threw(ended.error)];
    const { value } = ended;
    return 'status' in value ? [value] : value.slice(0, MAX_RESULTS);
  };

  onProgress([...waiting]);
  const lines = await Promise.all(
    checks.map(async (check) => {
      const results = await runOne(check);
      waiting.delete(check.id);
      onProgress([...waiting]);
      return results.map((result) => lineOf(check, result, redact));
    }),
  );
  signal.throwIfAborted();
  return reportOf(lines.flat());
}

const NO_DATABASE: OpenedDatabase = { db: null, databaseError: null };

function usesDatabase({ needs, reportsDatabase }: DoctorCheck): boolean {
  return needs.includes('database') || reportsDatabase === true;
}

async function openWithin(
  parts: DoctorParts,
  { openMs, graceMs }: DoctorLimits,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  const ended = await within((own) => parts.openDatabase(own), openMs, graceMs, signal);
  if (ended.kind === 'value') return { db: ended.value, databaseError: null };
  if (ended.kind === 'late')
    return { db: null, databaseError: `PostgreSQL did not answer within ${secondsText(openMs)}` };
  return { db: null, databaseError: messageOf(ended.error) };
}

type Ended<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'thrown'; readonly error: unknown }
  | { readonly kind: 'late' };

/** Whatever `work` does. Told to end, it has the grace to return something; what it throws then is not the cause. */
function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limitMs: number,
  graceMs: number,
  outer: AbortSignal,
): Promise<Ended<T>> {
  return new Promise((resolve) => {
    const own = new AbortController();
    const giveUp = () => {
      clearTimeout(timer);
      timer = setTimeout(() => settle({ kind: 'late' }), outer.aborted ? 0 : graceMs);
      own.abort();
    };
    let timer = setTimeout(giveUp, limitMs);
    const settle = (ended: Ended<T>) => {
      clearTimeout(timer);
      outer.removeEventListener('abort', giveUp);
      resolve(ended);
    };
    if (outer.aborted) giveUp();
    else outer.addEventListener('abort', giveUp);
    (async () => work(own.signal))().then(
      (value) => settle({ kind: 'value', value }),
      (error: unknown) => settle(own.signal.aborted ? { kind: 'late' } : { kind: 'thrown', error }),
    );
  });
}

function late(limitMs: number): CheckResult {
  return failure(
    `This check did not end within ${secondsText(limitMs)}.`,
    'Something that it asks does not answer: see the other lines, and run the doctor again.',
  );
}

function threw(error: unknown): CheckResult {
  if (isUnavailable(error))
    return failure(
      sentence(`The database stopped answering: ${messageOf(error)}`),
      'See its log, and run the doctor again.',
    );
  return failure(
    sentence(`The doctor itself failed here: ${messageOf(error)}`),
    'The other lines hold. Please report this as a defect of MXProof.',
  );
}

function lineOf(check: DoctorCheck, result: CheckResult, redact: Redact): ReportedCheck {
  const { status, detail, advice, about: subject } = result;
  return {
    id: check.id,
    title: redact(subject === undefined ? check.title : `${check.title}: ${subject}`),
    status,
    detail: redact(detail),
    advice: advice === null ? null : redact(advice),
  };
}

function messageOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (!(first instanceof Error)) return String(first);
  return first.message || (first as NodeJS.ErrnoException).code || first.name;
}

function secondsText(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
