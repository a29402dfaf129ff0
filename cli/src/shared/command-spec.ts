// What the table of commands is made of: a command, its arguments and its options.

import type { CallbackState } from '@mxproof/server/words';
import type { CommandIo } from './command-io.ts';
import { UsageError } from './usage-error.ts';
import {
  readChoice,
  readChoices,
  readCount,
  readCountOr,
  readFuture,
  readId,
  readKeptDays,
  readRanges,
} from './values.ts';

export interface ArgumentSpec {
  /** `<file>` is required and may also be given as `--file …`; `[address…]` takes any number. */
  readonly name: string;
  readonly about: string;
  /** The words it may be, for completion. */
  readonly choices?: readonly string[];
  readonly read?: (value: string) => unknown;
}

export interface OptionSpec {
  /** As commander takes them: `--note <text>`. A `<file>` is completed with file names. */
  readonly flags: string;
  readonly about: string;
  readonly isRequired?: boolean;
  /** Not in help: an old or other name, or there to say why it is refused. */
  readonly isHidden?: boolean;
  /** The words it may be, for completion. */
  readonly choices?: readonly string[];
  /** `previous`: what it made of the same option before, where that was given several times. */
  readonly read?: (value: string, previous?: unknown) => unknown;
}

/** Called with the arguments in their order, then the options by name. May return the exit status. */
// biome-ignore lint/suspicious/noExplicitAny: commander's own type; each command declares what it takes.
type Handler = (...values: any[]) => Promise<unknown>;

export interface CommandSpec {
  /** One word, or groups and a verb: `account create`. A group may be a command too: `account`. */
  readonly name: string;
  /** One line. */
  readonly about: string;
  /** Another, for its own help only. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** From its first argument on, everything is an argument: the words of another command, options included. */
  readonly takesCommand?: true;
  /** Lines that work as pasted. */
  readonly examples: readonly string[];
  readonly load: (io: CommandIo) => Promise<Handler>;
}

/** Of callbacks, and of events for endpoints. */
export const CALLBACK_STATES: readonly CallbackState[] = ['pending', 'delivered', 'failed'];
/** Of every command. */
export const CONFIG_FILE: OptionSpec = {
  flags: '--config <file>',
  about: 'read settings from this file; the environment wins',
};
export const JSON_OUTPUT: OptionSpec = { flags: '--json', about: 'print one JSON value' };
export const ACCOUNT = id('<account>', 'numeric ID of the account');
/** Of keys. */
export const EXPIRES: OptionSpec = {
  flags: '--expires <date>',
  about: 'when the key expires: 2030-12-31, or with a time 2030-12-31T18:00Z',
  read: (value) => readFuture('--expires', value),
};
export const ALLOW_IP: OptionSpec = {
  flags: '--allow-ip <ranges>',
  about: 'accept the key only from these IP addresses and CIDR ranges, separated by commas',
  read: (value) => readRanges('--allow-ip', value),
};
export const LIST = id('<list>', 'numeric ID of the list');

export const KEY_AS_ARGUMENT =
  'A key among the arguments stays in the history of the shell, and every user of the machine can see it: run "mxproof login" and paste the key when it asks, or set MXPROOF_API_KEY.';

export const ADMIN_KEY_AS_ARGUMENT =
  'An admin key among the arguments stays in the history of the shell, and every user of the machine can see it. No command takes one: revoke this one by its number, which "mxproof admin key list" shows.';

/** Of commands that call a running service. */
export const SERVICE: readonly OptionSpec[] = [
  { flags: '--url <url>', about: 'address of the service (default: MXPROOF_URL, else as logged in)' },
  {
    flags: '--key <key>',
    about: 'refused',
    isHidden: true,
    read() {
      throw new UsageError(KEY_AS_ARGUMENT);
    },
  },
];

export function id(name: string, about: string): ArgumentSpec {
  return { name, about, read: (value) => readId(name, value) };
}

export function count(flags: string, about: string, min: number): OptionSpec {
  return { flags, about, read: (value) => readCount(nameOf(flags), value, min) };
}

/** A number, or the word that takes it away. */
export function countOr(
  flags: string,
  about: string,
  { word, max }: { readonly word: string; readonly max: number },
): OptionSpec {
  return { flags, about, read: (value) => readCountOr(nameOf(flags), value, { word, max }) };
}

export function keptDays(flags: string, about: string): OptionSpec {
  return { flags, about, read: (value) => readKeptDays(nameOf(flags), value) };
}

/** One of the words. */
export function choice(flags: string, about: string, choices: readonly string[]): OptionSpec {
  return { flags, about, choices, read: (value) => readChoice(nameOf(flags), value, choices) };
}

/** Some of the words, separated by commas. */
export function choiceList(flags: string, about: string, choices: readonly string[]): OptionSpec {
  return { flags, about, choices, read: (value) => readChoices(nameOf(flags), value, choices) };
}

/** Some of the words, separated by commas or each with an option of its own. */
export function repeatedChoices(flags: string, about: string, choices: readonly string[]): OptionSpec {
  return {
    flags,
    about,
    choices,
    read: (value, previous) => [
      ...((previous as string[] | undefined) ?? []),
      ...readChoices(nameOf(flags), value, choices),
    ],
  };
}

function nameOf(flags: string): string {
  return flags.split(' ')[0]!;
}
