// Every command of `mxproof`: what it takes, what its help says, and the module that runs it.
// Promise: that module is loaded when the command is called, so that help needs neither the engine nor a database driver.

import type { CallbackState } from '@mxproof/server/store/callbacks.ts';
import type { CommandIo } from './command-io.ts';
import { NAMED_STAGES } from './reply-stages.ts';
import { readChoice, readCount, readFuture, readId, readRanges } from './values.ts';

export interface ArgumentSpec {
  /** `<file>` is required and may also be given as `--file …`; `[address…]` takes any number. */
  readonly name: string;
  readonly about: string;
  readonly read?: (value: string) => unknown;
}

interface OptionSpec {
  /** As commander takes them: `--note <text>`. */
  readonly flags: string;
  readonly about: string;
  readonly isRequired?: boolean;
  readonly read?: (value: string) => unknown;
}

/** Called with the arguments in their order, then the options by name. May return the exit status. */
// biome-ignore lint/suspicious/noExplicitAny: commander's own type; each command declares what it takes.
type Handler = (...values: any[]) => Promise<unknown>;

export interface CommandSpec {
  /** One word, or a group and a verb: `account create`. */
  readonly name: string;
  /** One line. */
  readonly about: string;
  /** Another, for its own help only. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Lines that work as pasted. */
  readonly examples: readonly string[];
  readonly load: (io: CommandIo) => Promise<Handler>;
}

const JSON_OUTPUT: OptionSpec = { flags: '--json', about: 'print one JSON value' };
const ACCOUNT = id('<account>', 'numeric ID of the account');
const LIST = id('<list>', 'numeric ID of the list');
const CALLBACK_STATES: readonly CallbackState[] = ['pending', 'delivered', 'failed'];
/** Of commands that call a running service. */
const SERVICE: readonly OptionSpec[] = [
  { flags: '--url <url>', about: 'address of the service (default: http://127.0.0.1:8080)' },
  { flags: '--key <key>', about: 'API key (default: MXPROOF_API_KEY)' },
  { flags: '--output <file>', about: 'write the results to this file as CSV' },
];

function id(name: string, about: string): ArgumentSpec {
  return { name, about, read: (value) => readId(name, value) };
}

function count(flags: string, about: string, min: number): OptionSpec {
  const name = flags.split(' ')[0]!;
  return { flags, about, read: (value) => readCount(name, value, min) };
}

/** By the heading they have in `mxproof help`. */
export const COMMANDS: Readonly<Record<string, readonly CommandSpec[]>> = {
  Service: [
    {
      name: 'serve',
      about: 'Start the service: HTTP and checking',
      options: [{ flags: '--no-checks', about: 'HTTP only: other nodes check ("mxproof work")' }],
      examples: ['PORT=8081 npx mxproof serve'],
      load: async () => (await import('./serve.ts')).serveCommand,
    },
    {
      name: 'work',
      about: 'Start a node that only checks',
      examples: ['npx mxproof work'],
      load: async () => (await import('./serve.ts')).workCommand,
    },
    {
      name: 'migrate',
      about: 'Migrate the database to this version and exit',
      examples: ['npx mxproof migrate'],
      load: async () => (await import('./migrate.ts')).migrateOnly,
    },
    {
      name: 'demo',
      about: 'Run the service on a simulated internet',
      details: 'Nothing leaves the machine, and no verdict is about a real address',
      examples: ['npx mxproof demo'],
      load: async () => (await import('./demo.ts')).demo,
    },
  ],
  Accounts: [
    {
      name: 'account create',
      about: 'Create an account and its first API key',
      options: [
        { flags: '--name <name>', about: 'name of the account (required)', isRequired: true },
        count('--credits <number>', 'credits to start with (default: 0)', 0),
        JSON_OUTPUT,
      ],
      examples: ['npx mxproof account create --name "Marketing" --credits 50000'],
      load: async () => (await import('./accounts.ts')).accountCreate,
    },
    {
      name: 'account list',
      about: 'List all accounts',
      options: [JSON_OUTPUT],
      examples: ['npx mxproof account list'],
      load: async () => (await import('./accounts.ts')).accountList,
    },
    {
      name: 'account show',
      about: 'Show one account',
      arguments: [ACCOUNT],
      options: [JSON_OUTPUT],
      examples: ['npx mxproof account show 1'],
      load: async () => (await import('./accounts.ts')).accountShow,
    },
    {
      name: 'account link',
      about: 'Make a link that signs a browser in',
      details: 'It works once, for 15 minutes, whoever has it',
      arguments: [ACCOUNT],
      options: [
        { flags: '--url <url>', about: 'address of the service (default: as this machine reaches it)' },
        JSON_OUTPUT,
      ],
      examples: ['npx mxproof account link 1 --url https://mxproof.example.com'],
      load: async () => (await import('./sign-in.ts')).accountLink,
    },
    {
      name: 'account sign-out',
      about: 'End all browser sessions of an account',
      details: 'Also its sign-in links; keys stay',
      arguments: [ACCOUNT],
      options: [JSON_OUTPUT],
      examples: ['npx mxproof account sign-out 1'],
      load: async () => (await import('./sign-in.ts')).accountSignOut,
    },
    {
      name: 'credits add',
      about: 'Add credits to an account',
      arguments: [
        ACCOUNT,
        {
          name: '<credits>',
          about: 'number of credits to add',
          read: (value) => readCount('<credits>', value, 1),
        },
      ],
      options: [{ flags: '--note <text>', about: 'note for the ledger' }, JSON_OUTPUT],
      examples: ['npx mxproof credits add 1 10000 --note "invoice 2041"'],
      load: async () => (await import('./accounts.ts')).creditsAdd,
    },
    {
      name: 'key create',
      about: 'Create another API key for an account',
      arguments: [ACCOUNT],
      options: [
        { flags: '--label <text>', about: 'where the key is used' },
        { flags: '--test', about: 'a test key: no network, no credits' },
        {
          flags: '--expires <date>',
          about: 'refuse the key from then on: 2030-12-31, or with a time 2030-12-31T18:00Z',
          read: (value) => readFuture('--expires', value),
        },
        {
          flags: '--allow-ip <ranges>',
          about: 'accept the key only from these IP addresses and CIDR ranges, separated by commas',
          read: (value) => readRanges('--allow-ip', value),
        },
        { flags: '--no-manage', about: 'the key may not manage keys and the webhook secret' },
        count(
          '--rate-requests <number>',
          'requests per minute for this key (default: MXPROOF_RATE_REQUESTS)',
          1,
        ),
        count(
          '--rate-addresses <number>',
          'addresses per minute for this key (default: MXPROOF_RATE_ADDRESSES)',
          1,
        ),
        JSON_OUTPUT,
      ],
      examples: ['npx mxproof key create 1 --label "new server"', 'npx mxproof key create 1 --test'],
      load: async () => (await import('./keys.ts')).keyCreate,
    },
    {
      name: 'key list',
      about: 'List the API keys of an account',
      arguments: [ACCOUNT],
      options: [JSON_OUTPUT],
      examples: ['npx mxproof key list 1'],
      load: async () => (await import('./keys.ts')).keyList,
    },
    {
      name: 'key revoke',
      about: 'Revoke an API key',
      arguments: [id('<key>', 'numeric ID of the key, as "mxproof key list" shows it')],
      examples: ['npx mxproof key revoke 2'],
      load: async () => (await import('./keys.ts')).keyRevoke,
    },
    {
      name: 'secret rotate',
      about: 'Replace the webhook secret of an account',
      details: 'For 24 hours callbacks carry a Standard Webhooks signature of each secret',
      arguments: [ACCOUNT],
      options: [JSON_OUTPUT],
      examples: ['npx mxproof secret rotate 1'],
      load: async () => (await import('./keys.ts')).secretRotate,
    },
    {
      name: 'secret rotate-all',
      about: 'Replace the webhook secret of every account',
      details:
        'For a lost MXPROOF_SECRET_KEY: the database then belongs to the current one; restart the service with it',
      options: [JSON_OUTPUT],
      examples: ['npx mxproof secret rotate-all'],
      load: async () => (await import('./keys.ts')).secretRotateAll,
    },
    {
      name: 'ledger verify',
      about: 'Recompute every balance and counter',
      details: 'Exit status 1 if any differs from what is stored',
      options: [JSON_OUTPUT],
      examples: ['npx mxproof ledger verify'],
      load: async () => (await import('./accounts.ts')).ledgerVerify,
    },
  ],
  'Lists and callbacks': [
    {
      name: 'list show',
      about: 'Show the progress and counts of a list',
      arguments: [LIST],
      options: [JSON_OUTPUT],
      examples: ['npx mxproof list show 1'],
      load: async () => (await import('./lists.ts')).listShow,
    },
    {
      name: 'list cancel',
      about: 'Cancel an unfinished list',
      details: 'Refunds unknown and unchecked addresses',
      arguments: [LIST],
      examples: ['npx mxproof list cancel 1'],
      load: async () => (await import('./lists.ts')).listCancel,
    },
    {
      name: 'callback list',
      about: 'List the latest callbacks',
      options: [
        {
          flags: '--account <account>',
          about: 'only of this account',
          read: (value) => readId('--account', value),
        },
        {
          flags: '--state <state>',
          about: `only in this state: ${CALLBACK_STATES.join(', ')}`,
          read: (value) => readChoice('--state', value, CALLBACK_STATES),
        },
        JSON_OUTPUT,
      ],
      examples: ['npx mxproof callback list --state failed'],
      load: async () => (await import('./lists.ts')).callbackList,
    },
    {
      name: 'callback show',
      about: 'Show a callback and its attempts',
      arguments: [LIST],
      options: [JSON_OUTPUT],
      examples: ['npx mxproof callback show 1'],
      load: async () => (await import('./lists.ts')).callbackShow,
    },
    {
      name: 'callback resend',
      about: 'Send the callback of a list again',
      arguments: [LIST],
      examples: ['npx mxproof callback resend 1'],
      load: async () => (await import('./lists.ts')).callbackResend,
    },
  ],
  'Checking by hand': [
    {
      name: 'check',
      about: 'Check addresses without the service',
      details: 'Exit status 1 if any address is not deliverable',
      arguments: [{ name: '[address…]', about: 'addresses; none, or "-": one per line on standard input' }],
      options: [
        { flags: '--file <file>', about: 'read addresses from this file, one per line' },
        { flags: '--explain', about: 'show the DNS answer and the SMTP dialogue as well' },
        { flags: '--syntax-only', about: 'check the syntax only, without a network' },
        { flags: '--json', about: 'print one JSON object per address and line' },
      ],
      examples: [
        'npx mxproof check --explain someone@example.com',
        "printf 'ann@example.com\\nbob@example.org\\n' | npx mxproof check --json",
      ],
      load: async () => (await import('./check.ts')).check,
    },
    {
      name: 'reply',
      about: 'Show what the reply of a mail server means',
      arguments: [{ name: '[reply…]', about: 'the reply, quoted or not' }],
      options: [
        {
          flags: '--stage <stage>',
          about: `what was replied to: ${NAMED_STAGES.join(', ')} (default: rcpt)`,
          read: (value) => readChoice('--stage', value, NAMED_STAGES),
        },
        { flags: '--provider <name>', about: 'whose wordings to look for, such as google or microsoft' },
        {
          flags: '--json',
          about:
            'read {"reply", "stage", "provider"} per line from standard input, print {"meaning", "state", "reason"} per line',
        },
      ],
      examples: [
        'npx mxproof reply "550 5.7.1 Access denied"',
        'echo \'{"reply": "452 4.2.2 Mailbox full"}\' | npx mxproof reply --json',
      ],
      load: async (io) => {
        const { reply } = await import('./reply.ts');
        return (words, options) => reply(words, options, io);
      },
    },
  ],
  'Calling a running service': [
    {
      name: 'submit',
      about: 'Submit a file as a list and follow it',
      arguments: [{ name: '<file>', about: 'addresses, one per line; "-": standard input' }],
      options: [
        { flags: '--name <name>', about: 'name of the list (default: name of the file)' },
        { flags: '--callback <url>', about: 'https address that is called when the list is done' },
        ...SERVICE,
      ],
      examples: [
        'printf \'ann@example.com\\nbob@example.org\\n\' | npx mxproof submit - --key "$KEY" --output results.csv',
      ],
      load: async () => (await import('./submit.ts')).submit,
    },
    {
      name: 'follow',
      about: 'Follow a list until it is done',
      arguments: [LIST],
      options: SERVICE,
      examples: ['npx mxproof follow 1 --key "$KEY"'],
      load: async () => (await import('./submit.ts')).follow,
    },
  ],
};
