// The table of commands as a commander program: parsing, help, suggestions for typos.
// Promise: invalid arguments are a UsageError in one sentence; help and the version are printed and nothing else.

import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { COMMANDS } from './commands.ts';
import { formatHelp, pathOf } from './help/format-help.ts';
import { OLD_NAMES, withNewName } from './old-names.ts';
import { withOptionsBehind } from './options-first.ts';
import type { CommandIo } from './shared/command-io.ts';
import {
  ADMIN_KEY_AS_ARGUMENT,
  type ArgumentSpec,
  CONFIG_FILE,
  type CommandSpec,
  KEY_AS_ARGUMENT,
} from './shared/command-spec.ts';
import { useConfigFile } from './shared/environment.ts';
import { UsageError } from './shared/usage-error.ts';

const ABOUT = `MXProof checks whether e-mail addresses can receive mail. It asks the mail
server and never sends a message.

Start here:
  mxproof check someone@example.com   check an address from this machine
  mxproof demo                        try the service on a simulated internet
  mxproof serve                       run the service
  mxproof login                       use a running service with your API key`;

const MORE_HELP = `
"mxproof <command> --help" shows the options of a command and an example; with
--json, a command prints JSON for programs; with --config <file>, it reads its
settings from a file as well. Exit status: 0 success, 1 failure,
2 invalid arguments, 3 service unavailable, 4 API key missing or refused,
5 not enough credits. More: docs/guide/command-line.md
`;

/** Parses and runs. Resolves with the exit status the command returned, 0 if it returned none. */
export async function runProgram(
  args: readonly string[],
  io: CommandIo,
  commands: typeof COMMANDS = COMMANDS,
): Promise<number> {
  let status = 0;
  if (args.some((arg) => /^mx_(live|test)_/.test(arg))) throw new UsageError(KEY_AS_ARGUMENT);
  if (args.some((arg) => arg.startsWith('mx_admin_'))) throw new UsageError(ADMIN_KEY_AS_ARGUMENT);
  const program = createProgram(io, commands, (returned) => {
    if (typeof returned === 'number') status = returned;
  });
  try {
    const words = withOptionsBehind(args, [...Object.values(commands).flat(), ...OLD_NAMES]);
    await program.parseAsync(withNewName(words, io.stderr), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(sentenceOf(error));
  }
  return status;
}

function createProgram(
  io: CommandIo,
  commands: typeof COMMANDS,
  onReturn: (returned: unknown) => void,
): Command {
  const program = new Command('mxproof')
    .description(ABOUT)
    .usage('<command> [arguments] [options]')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    // So that `--name -v` is a name.
    .enablePositionalOptions()
    .exitOverride()
    // Errors are thrown; the caller prints them.
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr, outputError: () => {} })
    .configureHelp({ formatHelp })
    .addHelpText('after', MORE_HELP);
  for (const [heading, specs] of Object.entries(commands)) {
    for (const spec of specs) {
      const words = spec.name.split(' ');
      const verb = words.pop()!;
      const parent = words.reduce((group, word) => groupOf(group, word, heading), program);
      // A group may have come first: `account create` before `account`.
      const command = parent.commands.find((each) => each.name() === verb) ?? parent.command(verb);
      define(command.helpGroup(`${heading}:`), spec, io, onReturn);
    }
  }
  program
    .command('help [command...]')
    .description('Show the help of a command')
    .helpGroup('Help:')
    .action(async (words: string[]) => {
      const found = findCommand(program, withNewName(words, io.stderr));
      // Where there is none, parsing says so, and what may have been meant.
      if (found === null) await program.parseAsync(words, { from: 'user' });
      else found.outputHelp();
    });
  program
    .command('version')
    .description('Print the version')
    .helpGroup('Help:')
    .action(() => io.stdout(`${version()}\n`));
  return program;
}

/** Made at its first verb. `credits` alone is not a command: its verbs are. */
function groupOf(parent: Command, name: string, heading: string): Command {
  const known = parent.commands.find((each) => each.name() === name);
  if (known) return known;
  const group = parent
    .command(name)
    .helpGroup(`${heading}:`)
    .usage('<command> [arguments] [options]')
    .helpCommand(false);
  // Called without a verb, commander would write the whole help to standard error.
  return group.configureOutput({ writeErr: () => {} }).exitOverride((error) => {
    if (error.code !== 'commander.help') throw error;
    const verbs = group.commands.map((each) => each.name());
    const path = pathOf(group).join(' ');
    throw new UsageError(`"mxproof ${path}" needs a command: ${verbs.join(', ')}.`);
  });
}

function define(
  command: Command,
  spec: CommandSpec,
  io: CommandIo,
  onReturn: (returned: unknown) => void,
): void {
  const args = spec.arguments ?? [];
  const options = spec.options ?? [];
  const usage = [...args.map(({ name }) => name), ...(options.length > 0 ? ['[options]'] : [])];
  const description = [spec.about, ...(spec.details === undefined ? [] : [spec.details])];
  command
    .summary(spec.about)
    .description(description.map((line) => `${line}.`).join('\n'))
    .usage(usage.join(' '));
  for (const { name, about } of args) {
    // Optional for commander: they are counted by takeArguments, since they may also come as options.
    command.argument(isList(name) ? `[${bare(name)}...]` : `[${bare(name)}]`, about);
    if (!isList(name)) command.addOption(new Option(`--${bare(name)} <${bare(name)}>`).hideHelp());
  }
  for (const { flags, about, read, isHidden } of options) {
    const option = new Option(flags, about).hideHelp(isHidden === true);
    command.addOption(read ? option.argParser(read) : option);
  }
  command.addOption(new Option(CONFIG_FILE.flags, CONFIG_FILE.about).hideHelp());
  // Commander asks it of the group as well.
  if (spec.takesCommand) command.passThroughOptions().parent?.enablePositionalOptions();
  command
    .allowExcessArguments()
    .addHelpText('after', `\nExample:\n${spec.examples.map((line) => `  ${line}\n`).join('')}`)
    .action(async () => {
      // A group that is a command itself would take a mistyped verb for an argument, unless it has arguments.
      if (command.commands.length > 0 && command.args.length > args.length) unknownVerb(command);
      const values = takeArguments(args, command);
      // Here rather than by commander, which would look for them before it looks for typos.
      const missing = options.find(({ flags, isRequired }) => isRequired && !isGiven(flags, command));
      if (missing !== undefined) throw new UsageError(`Missing required option ${missing.flags}.`);
      const { config, ...given } = command.opts<{ config?: string }>();
      if (config !== undefined) useConfigFile(config);
      const handler = await spec.load(io);
      onReturn(await handler(...values, given));
    });
}

/** Says what may have been meant. Commander has it for groups without an action of their own only. */
function unknownVerb(command: Command): never {
  return (command as Command & { unknownCommand(): never }).unknownCommand();
}

/** Each from the option of its name, else the next of those that were given. */
function takeArguments(specs: readonly ArgumentSpec[], command: Command): unknown[] {
  const rest = [...command.args];
  const values = specs.map(({ name, read }) => {
    if (isList(name)) return rest.splice(0);
    const value: string | undefined = command.opts()[bare(name)] ?? rest.shift();
    if (value === undefined) throw new UsageError(`Missing required argument ${name}.`);
    return read ? read(value) : value;
  });
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}".`);
  return values;
}

function isGiven(flags: string, command: Command): boolean {
  return command.getOptionValue(new Option(flags).attributeName()) !== undefined;
}

function isList(name: string): boolean {
  return name.includes('…');
}

function bare(name: string): string {
  return name.replace(/[<>[\]…]/g, '');
}

function findCommand(program: Command, words: readonly string[]): Command | null {
  let found = program;
  for (const word of words) {
    if (found.commands.length === 0) break;
    const next = found.commands.find((each) => each.name() === word);
    if (next === undefined) return null;
    found = next;
  }
  return found;
}

/**
 * `error: unknown command 'chekc'\n(Did you mean check?)` → `Unknown command "chekc". Did you mean "check"?`
 * Without a command at all, commander has written the help and there is nothing to add.
 */
function sentenceOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return '';
  const [what = '', hint = ''] = message.replace(/^error: /, '').split('\n');
  const sentence = what.replace(/'(.*)'/, '"$1"').replace(/^./, (letter) => letter.toUpperCase());
  const meant = hint.replace(/^\((.*)\)$/, '$1').replace(/mean (\S+)\?$/, 'mean "$1"?');
  const fallback = code === 'commander.unknownCommand' ? 'Run "mxproof help" to see all commands.' : '';
  return [`${sentence}.`, meant || fallback].filter(Boolean).join(' ');
}

function version(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
