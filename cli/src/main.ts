// The command `mxproof`: finds the verb and runs it.
// Promise: a wrong call exits 2, an expected failure 1, each with one sentence on standard error and no stack.

import { readFileSync } from 'node:fs';
import { StartRefused } from '@mxproof/server/start-refused.ts';
import { isUnavailable } from '@mxproof/server/store/database.ts';
import { USAGE, UsageError } from './usage.ts';

type Command = (args: readonly string[]) => Promise<unknown>;

/** Loaded when called: `mxproof help` needs no database driver. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  work: async () => (await import('./serve.ts')).workCommand,
  migrate: async () => (await import('./migrate.ts')).migrateOnly,
  'account create': async () => (await import('./accounts.ts')).accountCreate,
  'account list': async () => (await import('./accounts.ts')).accountList,
  'account show': async () => (await import('./accounts.ts')).accountShow,
  'credits add': async () => (await import('./accounts.ts')).creditsAdd,
  'key create': async () => (await import('./keys.ts')).keyCreate,
  'key list': async () => (await import('./keys.ts')).keyList,
  'key revoke': async () => (await import('./keys.ts')).keyRevoke,
  'secret rotate': async () => (await import('./keys.ts')).secretRotate,
  'list show': async () => (await import('./lists.ts')).listShow,
  'list cancel': async () => (await import('./lists.ts')).listCancel,
  'callback list': async () => (await import('./lists.ts')).callbackList,
  'callback show': async () => (await import('./lists.ts')).callbackShow,
  'callback resend': async () => (await import('./lists.ts')).callbackResend,
  check: async () => (await import('./check.ts')).check,
  reply: async () => reply,
  submit: async () => (await import('./submit.ts')).submit,
  follow: async () => (await import('./submit.ts')).follow,
  demo: async () => (await import('./demo.ts')).demo,
  'ledger verify': async () => (await import('./accounts.ts')).ledgerVerify,
  help: async () => async () => process.stdout.write(USAGE),
  version: async () => async () => process.stdout.write(`${version()}\n`),
};

const ALIASES: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

export async function main(args: readonly string[]): Promise<void> {
  // `mxproof … | head` closes our output early; that is no failure, and what was found until then stays found.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? (process.exitCode ?? 0) : 1),
  );
  try {
    const { command, rest } = await findCommand(args);
    if (rest.includes('--help')) process.stdout.write(USAGE);
    else await command(rest);
  } catch (error) {
    complain(error);
  }
}

async function findCommand(args: readonly string[]): Promise<{ command: Command; rest: readonly string[] }> {
  const [first = '', second = ''] = args.map((word) => ALIASES[word] ?? word);
  if (first === '') throw new UsageError(USAGE.trimEnd());
  for (const [name, length] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    if (Object.hasOwn(COMMANDS, name)) return { command: await COMMANDS[name]!(), rest: args.slice(length) };
  }
  const verbs = Object.keys(COMMANDS).filter((name) => name.startsWith(`${first} `));
  if (verbs.length > 0)
    throw new UsageError(
      `"mxproof ${first}" wants one of ${verbs.map((name) => name.split(' ')[1]).join(', ')}.`,
    );
  throw new UsageError(`"${first}" is no command of mxproof: "mxproof help" lists them.`);
}

async function reply(args: readonly string[]): Promise<void> {
  const { runReply } = await import('./reply.ts');
  const write = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(text);
  const io = { stdin: process.stdin, stdout: write(process.stdout), stderr: write(process.stderr) };
  process.exitCode = await runReply([...args], io);
}

function complain(error: unknown): void {
  if (error instanceof UsageError) {
    process.exitCode = 2;
    process.stderr.write(`${error.message}\n`);
    return;
  }
  process.exitCode = 1;
  if (error instanceof StartRefused) process.stderr.write(`${error.message}\n`);
  else if (isUnavailable(error))
    process.stderr.write(`The database cannot be reached: ${reasonOf(error)}.\n`);
  else {
    // A defect: one sentence for the operator, the stack only for who asks for it.
    process.stderr.write(`${oneLine(error)}\n`);
    if (process.env.LOG_LEVEL === 'debug') console.error(error);
  }
}

function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0]!;
}

function version(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
