// The commands about lists.

import type { ResultsOptions } from '@mxproof/client';
import { DETAIL_WORDS, STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import { FLAGS } from '@mxproof/server/words';
import {
  type CommandSpec,
  choice,
  choiceList,
  count,
  JSON_OUTPUT,
  LIST,
  type OptionSpec,
  SERVICE,
} from '../shared/command-spec.ts';
import { readNames, readText } from '../shared/values.ts';

const STATUSES = ['processing', 'checking', 'done', 'failed'];
const STATES = [...STATE_WORDS, 'pending'];
const ANY: OptionSpec = { flags: '--any', about: 'of any account, from the store (operator)' };
const INCLUDES = [
  'detail',
  'suggestion',
  'provider',
  'checked_at',
  'estimate',
  'suppressed',
] satisfies ResultsOptions['include'];

export const LISTS: readonly CommandSpec[] = [
  {
    name: 'list ls',
    about: 'List your lists, newest first',
    options: [
      choice('--status <status>', `only in this status: ${STATUSES.join(', ')}`, STATUSES),
      { flags: '--single', about: 'include single checks, which are lists of one address' },
      ANY,
      {
        flags: '--stuck',
        about: 'with --any: only unfinished lists of which nothing is asked or waits for a known time',
      },
      count('--offset <number>', 'lists to skip (default: 0)', 0),
      count('--limit <number>', 'lists to show (default: 50)', 1),
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof list ls --status done', 'npx mxproof list ls --any --stuck'],
    load: async () => (await import('./lists.ts')).listLs,
  },
  {
    name: 'list show',
    about: 'Show the progress and counts of a list',
    details: 'With --watch, exit status 1 if the list failed',
    arguments: [LIST],
    options: [
      { flags: '--watch', about: 'follow the list until it is finished' },
      ANY,
      ...SERVICE,
      { flags: '--json', about: 'print one JSON value; with --watch, one per change and line' },
    ],
    examples: ['npx mxproof list show 1 --watch', 'npx mxproof list show 1 --any'],
    load: async () => (await import('./lists.ts')).listShow,
  },
  {
    name: 'list waiting',
    about: 'Show what an unfinished list waits for',
    details: 'Also shows when the list is done at the latest',
    arguments: [LIST],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list waiting 1'],
    load: async () => (await import('./list-waiting.ts')).listWaiting,
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
    load: async () => (await import('./list-results.ts')).listResults,
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
    load: async () => (await import('./list-correct.ts')).listCorrect,
  },
  {
    name: 'list pause',
    about: 'Pause an unfinished list',
    details: 'What is being asked ends first; "list resume" goes on. Paused time does not count',
    arguments: [LIST],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list pause 1'],
    load: async () => (await import('./list-pause.ts')).listPause,
  },
  {
    name: 'list resume',
    about: 'Resume a paused list',
    arguments: [LIST],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list resume 1'],
    load: async () => (await import('./list-pause.ts')).listResume,
  },
  {
    name: 'list retry',
    about: 'Check what a list has left open again',
    details:
      'Makes a new list of its unknown addresses and, if it failed or was cancelled, of those never checked, and charges one credit each',
    arguments: [LIST],
    options: [{ flags: '--yes', about: 'do not ask' }, ...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list retry 1 --yes'],
    load: async () => (await import('./list-retry.ts')).listRetry,
  },
  {
    name: 'list cancel',
    about: 'Cancel an unfinished list',
    details: 'Results so far stay; unknown and unchecked addresses are refunded',
    arguments: [LIST],
    options: [ANY, ...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list cancel 1', 'npx mxproof list cancel 1 --any'],
    load: async () => (await import('./lists.ts')).listCancel,
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
    load: async () => (await import('./lists.ts')).listRm,
  },
  {
    name: 'list undelete',
    about: 'Restore a deleted list',
    arguments: [LIST],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof list undelete 1'],
    load: async () => (await import('./lists.ts')).listUndelete,
  },
];
