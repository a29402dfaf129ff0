// The commands that speak to a running service with an API key.

import type { Include } from '@mxproof/client';
import { DETAIL_WORDS, STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import { ENCODINGS } from '@mxproof/files/encoding';
import { FLAGS } from '@mxproof/server/words';
import {
  type CommandSpec,
  choice,
  choiceList,
  count,
  JSON_OUTPUT,
  LIST,
  SERVICE,
} from './shared/command-spec.ts';
import { readNames, readSeparator, readText, readUrl } from './shared/values.ts';

const STATUSES = ['processing', 'checking', 'done', 'failed'];
const STATES = [...STATE_WORDS, 'pending'];
const INCLUDES = ['detail', 'suggestion', 'provider', 'checked_at'] satisfies Include[];

export const LISTS: readonly CommandSpec[] = [
  {
    name: 'clean',
    about: 'Check a file, write a copy with the results',
    details:
      'Writes a copy of the file with the results in appended columns. Shows the cost and asks first. Run it again on the same file to continue: nothing is charged twice',
    arguments: [{ name: '<file>', about: 'CSV, TSV, XLSX, or one address per line; "-": standard input' }],
    options: [
      { flags: '--output <file>', about: 'write to this file (default: name.cleaned.csv beside name.csv)' },
      { flags: '--force', about: 'replace the output file if there is one' },
      { flags: '--yes', about: 'accept the charge without being asked' },
      { flags: '--dry-run', about: 'only show what would be checked and what it costs' },
      choiceList('--keep <states>', 'keep only rows in these states, such as deliverable,risky', STATE_WORDS),
      choice(
        '--words <words>',
        'machine: results in the words of the API; people: as the console says them; none: no columns are added (default: machine)',
        ['machine', 'people', 'none'],
      ),
      {
        flags: '--column <column>',
        about: 'heading of the e-mail column, or its number from 1 (default: detected)',
      },
      {
        flags: '--separator <separator>',
        about: 'comma, semicolon, tab, pipe, or a character (default: detected)',
        read: readSeparator,
      },
      choice('--encoding <encoding>', `${ENCODINGS.join(', ')} (default: detected)`, ENCODINGS),
      choice('--header <answer>', 'yes or no: whether the first row is a header (default: detected)', [
        'yes',
        'no',
      ]),
      { flags: '--sheet <name>', about: 'sheet of a workbook (default: the first with addresses)' },
      { flags: '--name <name>', about: 'name of the list (default: name of the file)' },
      { flags: '--fresh', about: 'check and charge again what was checked before' },
      {
        flags: '--send-invalid',
        about: 'check and charge also what cannot be an address (default: the copy says so, for free)',
      },
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: [
      'npx mxproof clean contacts.csv',
      'npx mxproof clean contacts.xlsx --keep deliverable --output good.xlsx --yes',
      'npx mxproof clean - --yes < contacts.csv > cleaned.csv',
    ],
    load: async () => (await import('./clean/clean.ts')).clean,
  },
  {
    name: 'list ls',
    about: 'List your lists, newest first',
    options: [
      choice('--status <status>', `only in this status: ${STATUSES.join(', ')}`, STATUSES),
      { flags: '--single', about: 'include single checks, which are lists of one address' },
      count('--offset <number>', 'lists to skip (default: 0)', 0),
      count('--limit <number>', 'lists to show (default: 50)', 1),
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof list ls --status done'],
    load: async () => (await import('./lists/lists.ts')).listLs,
  },
  {
    name: 'list show',
    about: 'Show the progress and counts of a list',
    details: 'With --watch, exit status 1 if the list failed',
    arguments: [LIST],
    options: [
      { flags: '--watch', about: 'follow the list until it is finished' },
      ...SERVICE,
      { flags: '--json', about: 'print one JSON value; with --watch, one per change and line' },
    ],
    examples: ['npx mxproof list show 1 --watch'],
    load: async () => (await import('./lists/lists.ts')).listShow,
  },
  {
    name: 'list waiting',
    about: 'Show what an unfinished list waits for',
    details: 'Also shows when the list is done at the latest',
    arguments: [LIST],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list waiting 1'],
    load: async () => (await import('./lists/list-waiting.ts')).listWaiting,
  },
  {
    name: 'list results',
    about: 'Print the results of a list as CSV',
    details: 'Rows must match every filter. Separate several values with commas, except in --q',
    arguments: [LIST],
    options: [
      choiceList('--state <states>', STATES.join(', '), STATES),
      choiceList('--reason <reasons>', 'reason for the state, such as rejected_email', REASON_WORDS),
      choiceList('--detail <details>', 'the exact cause, such as mailbox_full or greylisted', DETAIL_WORDS),
      {
        flags: '--provider <names>',
        about: 'who runs the mail server, such as google or microsoft',
        read: (value) => readNames('--provider', value),
      },
      choiceList('--flag <flags>', FLAGS.join(', '), FLAGS),
      { flags: '--q <text>', about: 'part of the address', read: (value) => readText('--q', value) },
      choiceList('--include <fields>', `fields to add: ${INCLUDES.join(', ')}`, INCLUDES),
      { flags: '--output <file>', about: 'write to this file' },
      ...SERVICE,
      { flags: '--json', about: 'JSON instead of CSV: one object per row and line' },
    ],
    examples: [
      'npx mxproof list results 1 --output results.csv',
      'npx mxproof list results 1 --state risky,unknown --provider google --json',
      'npx mxproof list results 1 --detail mailbox_full,greylisted --include detail,checked_at',
    ],
    load: async () => (await import('./lists/list-results.ts')).listResults,
  },
  {
    name: 'list correct',
    about: 'Check misspelt addresses as they were meant',
    details:
      'Makes a new list of likelier spellings, such as ann@gmail.com for ann@gmial.com, and charges one credit each',
    arguments: [LIST],
    options: [
      {
        flags: '--domains <names>',
        about: 'correct only these misspelt domains, such as gmial.com,hotmial.com',
        read: (value) => readNames('--domains', value),
      },
      { flags: '--yes', about: 'do not ask' },
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof list correct 1 --domains gmial.com --yes'],
    load: async () => (await import('./lists/list-correct.ts')).listCorrect,
  },
  {
    name: 'list cancel',
    about: 'Cancel an unfinished list',
    details: 'Results so far stay; unknown and unchecked addresses are refunded',
    arguments: [LIST],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list cancel 1'],
    load: async () => (await import('./lists/lists.ts')).listCancel,
  },
  {
    name: 'list rm',
    about: 'Delete a list and its results',
    arguments: [LIST],
    options: [
      { flags: '--yes', about: 'do not ask' },
      count('--undo <seconds>', 'do not ask; "list undelete" can restore the list for this long', 1),
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof list rm 1 --yes', 'npx mxproof list rm 1 --undo 600'],
    load: async () => (await import('./lists/lists.ts')).listRm,
  },
  {
    name: 'list undelete',
    about: 'Restore a deleted list',
    arguments: [LIST],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list undelete 1'],
    load: async () => (await import('./lists/lists.ts')).listUndelete,
  },
  {
    name: 'listen',
    about: 'Show and forward callbacks of test lists',
    details:
      'Needs a test key. Signatures are verified with MXPROOF_WEBHOOK_SECRET, or a secret you are asked for',
    options: [
      {
        flags: '--forward-to <url>',
        about: 'where to post each callback (default: only show them)',
        read: (value) => readUrl('--forward-to', value),
      },
      { flags: '--secret-file <file>', about: 'file with the webhook secret, or several, one per line' },
      ...SERVICE,
      { flags: '--json', about: 'print one JSON object per callback and line' },
    ],
    examples: ['npx mxproof listen --forward-to http://localhost:3000/hook'],
    load: async () => (await import('./listen/listen.ts')).listen,
  },
];

export const OWN_ACCOUNT: readonly CommandSpec[] = [
  {
    name: 'account',
    about: 'Show your account and its credits',
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof account'],
    load: async () => (await import('./account/own-account.ts')).ownAccount,
  },
  {
    name: 'login',
    about: 'Save your API key for a service',
    details:
      'Asks for the key, or reads it from standard input, and stores it in a file that only you can read',
    options: [...SERVICE, JSON_OUTPUT],
    examples: [
      'npx mxproof login --url https://verify.example.com',
      'npx mxproof login --url https://verify.example.com < key.txt',
    ],
    load: async () => (await import('./account/login.ts')).login,
  },
  {
    name: 'logout',
    about: 'Delete the saved login',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof logout'],
    load: async () => (await import('./account/login.ts')).logout,
  },
];
