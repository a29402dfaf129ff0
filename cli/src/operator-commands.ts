// The operator's commands: they start the service, or read and change its store.

import type { CallbackState } from '@mxproof/server/words';
import { ACCOUNT, type CommandSpec, choice, count, id, JSON_OUTPUT, LIST } from './command-spec.ts';
import { readCount, readFuture, readId, readRanges } from './values.ts';

const BACKUP_FILE = { name: '<file>', about: 'path of the backup' };
const CALLBACK_STATES: readonly CallbackState[] = ['pending', 'delivered', 'failed'];

export const RUNNING: readonly CommandSpec[] = [
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
    options: [JSON_OUTPUT],
    examples: ['npx mxproof migrate'],
    load: async () => (await import('./migrate.ts')).migrateOnly,
  },
  {
    name: 'backup',
    about: 'Write a backup of the store to a file',
    details:
      'Works while the service runs. MXPROOF_BACKUP_PASSPHRASE seals the secret key inside; without it, the key is left out',
    arguments: [BACKUP_FILE],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof backup mxproof.backup'],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'backup verify',
    about: 'Check that a backup is whole',
    arguments: [BACKUP_FILE],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof backup verify mxproof.backup'],
    load: async () => (await import('./backup.ts')).backupVerify,
  },
  {
    name: 'restore',
    about: 'Restore a backup into an empty store',
    details:
      'Into MXPROOF_DATA_DIR, or DATABASE_URL where it is set; a store with an account in it is refused',
    arguments: [BACKUP_FILE],
    options: [JSON_OUTPUT],
    examples: ['MXPROOF_DATA_DIR=/srv/mxproof npx mxproof restore mxproof.backup'],
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'demo',
    about: 'Run the service on a simulated internet',
    details: 'Nothing leaves the machine, and no verdict is about a real address',
    examples: ['npx mxproof demo'],
    load: async () => (await import('./demo.ts')).demo,
  },
];

export const ACCOUNTS: readonly CommandSpec[] = [
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
    name: 'account rename',
    about: 'Change the name of an account',
    arguments: [ACCOUNT, { name: '<name>', about: 'its new name' }],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof account rename 1 "Marketing"'],
    load: async () => (await import('./accounts.ts')).accountRename,
  },
  {
    name: 'account link',
    about: 'Make a link that signs a browser in',
    details: 'It works once, within 15 minutes, for anyone who has it',
    arguments: [ACCOUNT],
    options: [
      {
        flags: '--url <url>',
        about: 'address of the service (default: MXPROOF_PUBLIC_URL, else where it listens)',
      },
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof account link 1'],
    load: async () => (await import('./account-sign-in.ts')).accountLink,
  },
  {
    name: 'account sign-out',
    about: 'End all browser sessions of an account',
    details: 'Also revokes its sign-in links; API keys keep working',
    arguments: [ACCOUNT],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof account sign-out 1'],
    load: async () => (await import('./account-sign-in.ts')).accountSignOut,
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
        about: 'when the key expires: 2030-12-31, or with a time 2030-12-31T18:00Z',
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
    options: [JSON_OUTPUT],
    examples: ['npx mxproof key revoke 2'],
    load: async () => (await import('./keys.ts')).keyRevoke,
  },
  {
    name: 'secret rotate',
    about: 'Replace the webhook secret of an account',
    details: 'For 24 hours, webhook-signature holds a signature with each secret',
    arguments: [ACCOUNT],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof secret rotate 1'],
    load: async () => (await import('./keys.ts')).secretRotate,
  },
  {
    name: 'secret rotate-all',
    about: 'Replace the webhook secret of every account',
    details: 'For a lost MXPROOF_SECRET_KEY: set a new one, run this, then restart the service with it',
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
];

export const ALL_LISTS: readonly CommandSpec[] = [
  {
    name: 'admin list show',
    about: 'Show a list of any account',
    arguments: [LIST],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof admin list show 1'],
    load: async () => (await import('./admin-lists.ts')).adminListShow,
  },
  {
    name: 'admin list cancel',
    about: 'Cancel an unfinished list of any account',
    details: 'Refunds unknown and unchecked addresses',
    arguments: [LIST],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof admin list cancel 1'],
    load: async () => (await import('./admin-lists.ts')).adminListCancel,
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
      choice('--state <state>', `only in this state: ${CALLBACK_STATES.join(', ')}`, CALLBACK_STATES),
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof callback list --state failed'],
    load: async () => (await import('./callbacks.ts')).callbackList,
  },
  {
    name: 'callback show',
    about: 'Show a callback and its attempts',
    arguments: [LIST],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof callback show 1'],
    load: async () => (await import('./callbacks.ts')).callbackShow,
  },
  {
    name: 'callback resend',
    about: 'Send the callback of a list again',
    arguments: [LIST],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof callback resend 1'],
    load: async () => (await import('./callbacks.ts')).callbackResend,
  },
];
