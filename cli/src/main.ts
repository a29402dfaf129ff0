// The `mxproof` command.
// Promise: invalid arguments exit with 2, an expected failure with 1 or what exit-status.ts has for it, each with one
// sentence on standard error and no stack; with --json that sentence is {"error": "…"}.

import { OperatorError } from '@mxproof/server/operator-error';
import { runProgram } from './program.ts';
import { type CommandIo, PROCESS_IO } from './shared/command-io.ts';
import { wantsStacks } from './shared/environment.ts';
import { EXIT, StatusError } from './shared/exit-status.ts';
import { jsonText, plain } from './shared/print.ts';
import { UsageError } from './shared/usage-error.ts';

export async function main(args: readonly string[]): Promise<void> {
  // `mxproof … | head` closes standard output early: not a failure, and the exit status stays as it is.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? (process.exitCode ?? EXIT.ok) : EXIT.failed),
    );
  const status = await run(args, PROCESS_IO);
  if (status !== 0) process.exitCode = status;
}

/** Resolves with the exit status; a command may have set a worse one on the process as it went. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await runProgram(args, io);
  } catch (thrown) {
    const error = await ofService(thrown);
    const sentence = await sentenceFor(error);
    if (sentence !== '')
      io.stderr(`${args.includes('--json') ? jsonText({ error: sentence }) : plain(sentence)}\n`);
    return statusOf(error);
  }
}

/** What the client of a service throws, as a sentence and a status. */
async function ofService(error: unknown): Promise<unknown> {
  if (error instanceof OperatorError || error instanceof UsageError) return error;
  // Loaded only now: most commands do without.
  const { serviceFailure } = await import('./account/service-failure.ts');
  return serviceFailure(error);
}

function statusOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof StatusError ? error.status : EXIT.failed;
}

async function sentenceFor(error: unknown): Promise<string> {
  if (error instanceof UsageError || error instanceof OperatorError) return error.message;
  // Loaded only now: it brings the database driver.
  const { isUnavailable } = await import('@mxproof/server/operate');
  if (isUnavailable(error)) return `Cannot connect to the database: ${reasonOf(error)}.`;
  // A defect: one sentence for the operator, the stack on request.
  if (wantsStacks()) console.error(error);
  return oneLine(error);
}

function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0]!;
}
