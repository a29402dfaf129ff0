// The operator's commands about accounts.

import {
  ACCOUNT,
  type CommandSpec,
  choice,
  count,
  countOr,
  JSON_OUTPUT,
  keptDays,
  type OptionSpec,
} from '../shared/command-spec.ts';
import { readPrintable } from '../shared/values.ts';

const STATUSES: readonly ('active' | 'suspended')[] = ['active', 'suspended'];
const MAX_TEXT_LENGTH = 200;
const MAX_SEARCH_LENGTH = 1_000;
const MAX_CREDITS = 1_000_000_000_000;
/** As the database counts. */
const MAX_RATE = 1_000_000_000;

const EXTERNAL_ID: OptionSpec = {
  flags: '--external-id <text>',
  about:
    'your own id for the account, such as the customer’s number in your billing system; it must be unique',
  read: (value) => readPrintable('--external-id', value, MAX_TEXT_LENGTH),
};

export const ACCOUNTS: readonly CommandSpec[] = [
  {
    name: 'account create',
    about: 'Create an account and its first API key',
    options: [
      { flags: '--name <name>', about: 'name of the account (required)', isRequired: true },
      count('--credits <number>', 'credits to start with (default: 0)', 0),
      {
        flags: '--note <text>',
        about: 'note for the ledger about these credits',
        read: (value) => readPrintable('--note', value, MAX_TEXT_LENGTH),
      },
      EXTERNAL_ID,
      JSON_OUTPUT,
    ],
    examples: [
      'npx mxproof account create --name "Marketing" --credits 50000',
      'npx mxproof account create --name "A customer" --external-id customer-2041',
    ],
    load: async () => (await import('./accounts.ts')).accountCreate,
  },
  {
    name: 'account list',
    about: 'List accounts',
    options: [
      {
        flags: '--search <text>',
        about:
          'only accounts with this text in the name, with an external ID that begins with it, or with this ID',
        read: (value) => readPrintable('--search', value, MAX_SEARCH_LENGTH),
      },
      choice('--status <status>', `only in this status: ${STATUSES.join(', ')}`, STATUSES),
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof account list', 'npx mxproof account list --search customer- --status suspended'],
    load: async () => (await import('./accounts.ts')).accountList,
  },
  {
    name: 'account show',
    about: 'Show one account',
    details: 'Includes its status, limits and monthly credits',
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
    name: 'account set',
    about: 'Set limits, retention, mail and more',
    details:
      'Applies all options or none. Days count from the end of a list, 1 to 3650; "default" restores the deployment’s default. Switching outcomes off deletes them. Without options, shows the current settings',
    arguments: [ACCOUNT],
    options: [
      countOr(
        '--monthly-credits <number>',
        'credits to add at the start of each month (UTC), from the next one on; "off" for none',
        { word: 'off', max: MAX_CREDITS },
      ),
      countOr('--rate-requests <number>', 'requests per minute for each of its keys', {
        word: 'default',
        max: MAX_RATE,
      }),
      countOr('--rate-addresses <number>', 'addresses per minute for each of its keys', {
        word: 'default',
        max: MAX_RATE,
      }),
      EXTERNAL_ID,
      { flags: '--no-external-id', about: 'remove its external ID' },
      keptDays('--results-days <days>', 'addresses and results of lists'),
      keptDays('--evidence-days <days>', 'evidence, the SMTP dialogues'),
      keptDays('--callbacks-days <days>', 'callbacks and their attempts'),
      keptDays('--single-checks-days <days>', 'addresses and results of single checks'),
      {
        flags: '--mail <address>',
        about: 'mail this person when a list is done, credits are low or an endpoint is switched off',
      },
      { flags: '--no-mail', about: 'send no mail about this account' },
      choice('--outcomes <on|off>', 'take what became of mail, and find results by their address', [
        'on',
        'off',
      ]),
      JSON_OUTPUT,
    ],
    examples: [
      'npx mxproof account set 1 --monthly-credits 10000 --rate-addresses 20000',
      'npx mxproof account set 1 --results-days 30 --callbacks-days default',
      'npx mxproof account set 1 --mail anna@example.com',
      'npx mxproof account set 1 --outcomes on',
    ],
    load: async () => (await import('./account-set.ts')).accountSet,
  },
  {
    name: 'account suspend',
    about: 'Suspend an account',
    details:
      'It can still read and delete what it has; everything else is refused with 403 "account suspended". Its unfinished lists continue',
    arguments: [ACCOUNT],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof account suspend 1'],
    load: async () => (await import('./account-status.ts')).accountSuspend,
  },
  {
    name: 'account resume',
    about: 'End the suspension of an account',
    arguments: [ACCOUNT],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof account resume 1'],
    load: async () => (await import('./account-status.ts')).accountResume,
  },
  {
    name: 'account delete',
    about: 'Delete an account and all of its data',
    details:
      'Removes its keys, sessions, lists and results; unfinished lists end and are refunded. A row without a name stays, with the ledger and the audit trail. Works while the service runs, and ends when it is done; cut off, run it again',
    arguments: [ACCOUNT],
    options: [{ flags: '--yes', about: 'confirm: it cannot be undone' }, JSON_OUTPUT],
    examples: ['npx mxproof account delete 2 --yes'],
    load: async () => (await import('./account-delete.ts')).accountDelete,
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
];
