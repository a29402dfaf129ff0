// The operator's commands: they examine the machine, or read and change the store. Those about accounts are in account-commands.ts, those
// about operators in admin-commands.ts.

import { CHECK_NAMES, KEY_ACCESS } from '@mxproof/server/words';
import {
  ACCOUNT,
  ALLOW_IP,
  type ArgumentSpec,
  CALLBACK_STATES,
  type CommandSpec,
  choice,
  count,
  EXPIRES,
  id,
  JSON_OUTPUT,
  LIST,
  repeatedChoices,
} from '../shared/command-spec.ts';
import { readCount, readId, readText } from '../shared/values.ts';

const BACKUP_FILE = { name: '<file>', about: 'path of the backup' };

const CREDIT_OPTIONS: CommandSpec['options'] = [
  { flags: '--note <text>', about: 'note for the ledger' },
  {
    flags: '--idempotency-key <key>',
    about: 'repeated with the same key, the change is made once',
    read: (value) => readText('--idempotency-key', value),
  },
  JSON_OUTPUT,
];

export const MAINTAINING: readonly CommandSpec[] = [
  {
    name: 'migrate',
    about: 'Migrate the database to this version',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof migrate'],
    load: async () => (await import('./migrate.ts')).migrateOnly,
  },
  {
    name: 'doctor',
    about: 'Check this machine and its configuration',
    details: 'Works whether or not the service runs; ends within 30 seconds; exit status 1 if a check fails',
    options: [
      repeatedChoices('--only <id>', 'only this check, or those that begin so (source, dns)', CHECK_NAMES),
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof doctor', 'npx mxproof doctor --only postgres --json'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'config',
    about: 'Show every setting and where it comes from',
    details: 'Secrets are shown as "set"; exit status 1 if a setting is invalid',
    options: [{ flags: '--check', about: 'only what is wrong, a sentence for each mistake' }, JSON_OUTPUT],
    examples: ['npx mxproof config', 'npx mxproof config --check --config /etc/mxproof/mxproof.conf'],
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'nodes',
    about: 'List the nodes and those that fell silent',
    details: 'Those that were heard of within the last hour',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof nodes'],
    load: async () => (await import('./nodes.ts')).nodes,
  },
  {
    name: 'alerts',
    about: 'List the alerts that hold now',
    details: 'Also those that ended in the last seven days',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof alerts'],
    load: async () => (await import('./alerts.ts')).alerts,
  },
  {
    name: 'alerts test',
    about: 'Send a test alert in every configured way',
    details: 'Exit status 1 if one did not arrive',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof alerts test'],
    load: async () => (await import('./alerts.ts')).alertsTest,
  },
  {
    name: 'backup',
    about: 'Write a backup of the store to a file',
    details:
      'Works while the service runs. MXPROOF_BACKUP_PASSPHRASE or MXPROOF_BACKUP_RECIPIENT encrypts it; without them, the secret key is left out',
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
    options: [
      {
        flags: '--erasures <file>',
        about: 'what was erased since the backup (default: the file "erasures" beside it)',
      },
      { flags: '--keep-erased', about: 'restore what was erased since the backup' },
      { flags: '--unencrypted', about: 'also where a passphrase is set and the backup is not encrypted' },
      JSON_OUTPUT,
    ],
    examples: ['MXPROOF_DATA_DIR=/srv/mxproof npx mxproof restore mxproof.backup'],
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'reapply',
    about: 'Erase again in a database that was set back',
    details:
      'For a point-in-time recovery by your own tools: what the files "erasures" and "revoked-keys" beside backups say is erased and revoked again, and all browser sessions end',
    arguments: [{ name: '<folder>', about: 'the folder of the backups, such as MXPROOF_BACKUP_DIR' }],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof reapply /srv/mxproof-backups'],
    load: async () => (await import('./backup.ts')).reapply,
  },
  {
    name: 'erase',
    about: 'Erase an address from every account',
    details:
      'Works while the service runs, and ends when it is done. Rows stay, without the address; pending ones are refunded',
    arguments: [{ name: '<address>', about: 'the address; case does not matter' }],
    options: [{ flags: '--yes', about: 'confirm: it cannot be undone' }, JSON_OUTPUT],
    examples: ['npx mxproof erase anna@example.com --yes'],
    load: async () => (await import('./erase.ts')).erase,
  },
];

export const CREDITS_AND_KEYS: readonly CommandSpec[] = [
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
    options: CREDIT_OPTIONS,
    examples: ['npx mxproof credits add 1 10000 --note "invoice 2041" --idempotency-key invoice-2041'],
    load: async () => (await import('./credits.ts')).creditsAdd,
  },
  {
    name: 'credits take',
    about: 'Take credits back from an account',
    details: 'At most its balance: what is reserved by unfinished lists stays theirs',
    arguments: [
      ACCOUNT,
      {
        name: '<credits>',
        about: 'number of credits to take back',
        read: (value) => readCount('<credits>', value, 1),
      },
    ],
    options: CREDIT_OPTIONS,
    examples: ['npx mxproof credits take 1 2500 --note "cancelled invoice 2041"'],
    load: async () => (await import('./credits.ts')).creditsTake,
  },
  {
    name: 'key create',
    about: 'Create another API key for an account',
    arguments: [ACCOUNT],
    options: [
      { flags: '--label <text>', about: 'where the key is used' },
      { flags: '--test', about: 'a test key: no network, no credits' },
      EXPIRES,
      ALLOW_IP,
      choice(
        '--access <word>',
        'what the key may do: full (default), read, or verify (single checks and what forms ask); only full manages keys',
        KEY_ACCESS,
      ),
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
    examples: [
      'npx mxproof key create 1 --label "new server"',
      'npx mxproof key create 1 --label "sign-up form" --access verify',
    ],
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
    name: 'secret-key rotate',
    about: 'Replace the key that encrypts secrets',
    details:
      'Works while the service runs; cut off, run it again. A key of the data folder is made here; with MXPROOF_SECRET_KEY, set MXPROOF_SECRET_KEY_NEXT on every node first',
    options: [{ flags: '--progress', about: 'only say how far a rotation is' }, JSON_OUTPUT],
    examples: ['npx mxproof secret-key rotate', 'npx mxproof secret-key rotate --progress'],
    load: async () => (await import('./secret-key.ts')).secretKeyRotate,
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

const SOURCE: ArgumentSpec = {
  name: '<source>',
  about: 'the address, or "own" for the machine\'s own, as "mxproof sources" shows it',
};
const WHERE: ArgumentSpec = { name: '<where>', about: 'the provider, by its word in results: "google"' };

export const SOURCES: readonly CommandSpec[] = [
  {
    name: 'sources',
    about: 'Show how source addresses fare',
    details:
      'At each provider: asked, accepted, unknown, deferred and refused, today and in 7 days; where they rest, and why',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof sources'],
    load: async () => (await import('./sources.ts')).sources,
  },
  {
    name: 'sources rest',
    about: 'Ask nothing there from a source',
    details: 'No other source asks instead: recipients wait, and end as unknown if their list ends first',
    arguments: [SOURCE, WHERE],
    options: [count('--hours <number>', 'for so long (default: until it is resumed)', 1), JSON_OUTPUT],
    examples: ['npx mxproof sources rest 192.0.2.10 google --hours 24'],
    load: async () => (await import('./sources.ts')).sourcesRest,
  },
  {
    name: 'sources resume',
    about: 'End the rest of a source there',
    details: 'Also of one that refusals began: once the address is off the list that blocked it',
    arguments: [SOURCE, WHERE],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof sources resume 192.0.2.10 google'],
    load: async () => (await import('./sources.ts')).sourcesResume,
  },
];

export const CALLBACKS: readonly CommandSpec[] = [
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
