// An error as the log shows it.
// Promise: nothing of what PostgreSQL quotes from a row or a statement, or JSON.parse from a text, which may be addresses.
import { isFromPostgres, isUnavailable } from './database.ts';

const MAX_CAUSES = 4;

export interface DescribedError {
  readonly type: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly table?: string | undefined;
  readonly constraint?: string | undefined;
  readonly at: readonly string[];
  readonly causes?: readonly DescribedError[];
}

export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const { code } = error as NodeJS.ErrnoException;
  const causes =
    error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return {
    type: isFromPostgres(error) ? 'DatabaseError' : error.name,
    ...(quotesValues(error) ? {} : { message: error.message }),
    ...(code === undefined ? {} : { code }),
    ...(isFromPostgres(error) ? { table: error.table, constraint: error.constraint } : {}),
    at: framesOf(error),
    ...(causes.length === 0 || depth >= MAX_CAUSES
      ? {}
      : { causes: causes.slice(0, MAX_CAUSES).map((cause) => describeError(cause, depth + 1)) }),
  };
}

/**
 * "No space left on device" quotes nothing; `invalid input syntax for type json: "…"` does, as do all details, and so does
 * `Unexpected token 'a', "anna@examp"... is not valid JSON`.
 */
function quotesValues(error: Error): boolean {
  return error instanceof SyntaxError || (isFromPostgres(error) && !isUnavailable(error));
}

/** Without the first line, which repeats the message. */
export function framesOf({ stack = '' }: Error): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}
