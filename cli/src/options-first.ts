// `mxproof --json check …` is `mxproof check --json …`: options may come before the command, or between its words.
// Promise: what is given behind the command stays as it is, and so does what is no command.

import { CONFIG_FILE, type CommandSpec } from './shared/command-spec.ts';

/** What a command looks like from outside. */
type Shape = Pick<CommandSpec, 'name' | 'arguments' | 'options'>;

/** They are about the program where they come first. */
const OF_THE_PROGRAM = new Set(['-h', '--help', '-v', '--version', '--']);

export function withOptionsBehind(args: readonly string[], specs: readonly Shape[]): readonly string[] {
  const valued = flagsWithValue(specs);
  const words: string[] = [];
  const early: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at]!;
    if (OF_THE_PROGRAM.has(arg)) break;
    if (arg.startsWith('-')) {
      early.push(arg);
      if (valued.has(arg) && at + 1 < args.length) early.push(args[++at]!);
    } else if (beginsCommand([...words, arg], specs)) {
      words.push(arg);
    } else break;
  }
  const rest = args.slice(at);
  if (words.length > 0) return [...words, ...early, ...rest];
  // Not a command: that is what there is to say, whatever options came first.
  return rest.length > 0 && !OF_THE_PROGRAM.has(rest[0]!) ? rest : args;
}

function beginsCommand(words: readonly string[], specs: readonly Shape[]): boolean {
  const given = words.join(' ');
  return specs.some(({ name }) => name === given || name.startsWith(`${given} `));
}

/** Of all commands: none gives a flag a value that another does not. */
export function flagsWithValue(specs: readonly Shape[]): ReadonlySet<string> {
  const options = specs.flatMap((spec) => (spec.options ?? []).map(({ flags }) => flags));
  options.push(CONFIG_FILE.flags);
  const named = specs.flatMap((spec) =>
    (spec.arguments ?? []).map(({ name }) => name.replace(/[<>[\]…]/g, '')),
  );
  return new Set([
    ...options.filter((flags) => flags.includes('<')).map((flags) => flags.split(' ')[0]!),
    ...named.map((name) => `--${name}`),
  ]);
}
