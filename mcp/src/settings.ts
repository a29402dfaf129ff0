// What the server is started with: options, and the variables that the command line reads too.
// Promise: what cannot be right ends the start with one sentence, which never repeats a key.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface Settings {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Credits that one run may be charged. */
  readonly maxCredits: number;
  readonly readOnly: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A start that cannot be right; its message is for people. */
export class SettingsError extends Error {}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const DEFAULT_CREDITS = 100;
const MAX_CREDITS = 10_000_000;
const MAX_KEY_FILE_BYTES = 4_096;

const USAGE = `Usage: mxproof-mcp [--max-credits N] [--read-only]

Offers an MXProof service to language models, by the Model Context Protocol on standard input and output.
It is started by a host such as Claude Desktop, Claude Code, Cursor or VS Code.

  --max-credits N   what one run may spend; default ${DEFAULT_CREDITS}, or MXPROOF_MCP_CREDITS
  --read-only       nothing that charges or changes anything is offered
  --help, --version

  MXPROOF_API_KEY   the key, or MXPROOF_API_KEY_FILE a file with it
  MXPROOF_URL       the address of the service; default ${DEFAULT_URL}
`;

const OPTIONS = {
  'max-credits': { type: 'string' },
  'read-only': { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

/** @returns what to print and end with, or what to start with */
export function readSettings(
  args: readonly string[],
  env: Env,
  version: string,
): Settings | { readonly print: string } {
  const options = readOptions(args);
  if (options.help) return { print: USAGE };
  if (options.version) return { print: `${version}\n` };
  const given = options['max-credits'];
  const variable = env.MXPROOF_MCP_CREDITS?.trim() || undefined;
  return {
    apiKey: readKey(env),
    baseUrl: readUrl(env.MXPROOF_URL?.trim() || DEFAULT_URL),
    maxCredits:
      given !== undefined
        ? readCredits('--max-credits', given)
        : variable !== undefined
          ? readCredits('MXPROOF_MCP_CREDITS', variable)
          : DEFAULT_CREDITS,
    readOnly: options['read-only'] === true,
  };
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // A key that was passed as an argument must not be repeated.
    if (args.some((arg) => /mx_(live|test)_/.test(arg)))
      throw new SettingsError(
        'Pass the key as MXPROOF_API_KEY, never as an argument: other users see these.',
      );
    throw new SettingsError(`${(error as Error).message.split('. ')[0]}: see mxproof-mcp --help.`);
  }
}

function readCredits(name: string, text: string): number {
  if (/^\d{1,8}$/.test(text) && Number(text) <= MAX_CREDITS) return Number(text);
  throw new SettingsError(`${name} is a whole number of credits, from 0 to ${MAX_CREDITS}.`);
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isService =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].join('') === '';
  if (isService) return text;
  throw new SettingsError(
    'MXPROOF_URL is the address of your service, such as https://mxproof.example.com, without a user name or query.',
  );
}

function readKey(env: Env): string {
  const value = env.MXPROOF_API_KEY?.trim() || undefined;
  const file = env.MXPROOF_API_KEY_FILE?.trim() || undefined;
  if (value !== undefined && file !== undefined)
    throw new SettingsError('MXPROOF_API_KEY and MXPROOF_API_KEY_FILE are both set: remove one of them.');
  const key = value ?? (file === undefined ? undefined : readKeyFile(file));
  if (key === undefined)
    throw new SettingsError(
      'There is no API key: set MXPROOF_API_KEY where your host starts this server, a test key (mx_test_…) at first.',
    );
  if (/^mx_(live|test)_[\w-]{1,200}$/.test(key)) return key;
  throw new SettingsError('MXPROOF_API_KEY is not an API key: keys start with mx_live_ or mx_test_.');
}

function readKeyFile(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      if (fstatSync(handle).size <= MAX_KEY_FILE_BYTES) return readFileSync(handle, 'utf8').trim();
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new SettingsError(
      `MXPROOF_API_KEY_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code}): ${file}.`,
    );
  }
  throw new SettingsError(
    `MXPROOF_API_KEY_FILE names a file of more than ${MAX_KEY_FILE_BYTES} bytes: ${file}.`,
  );
}
