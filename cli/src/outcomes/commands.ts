// The commands about what became of mail.

import { OUTCOMES } from '@mxproof/files/outcome';
import {
  type CommandSpec,
  choice,
  count,
  JSON_OUTPUT,
  type OptionSpec,
  SERVICE,
} from '../shared/command-spec.ts';
import { TABLE_OPTIONS } from '../shared/table-options.ts';
import { readChoices, readNames } from '../shared/values.ts';
import { VERIFIER_NAMES } from './verifiers.ts';

const ALL = choice(
  '--all <outcome>',
  `what became of every row, where no column says it: ${OUTCOMES.join(', ')}`,
  OUTCOMES,
);
const OUTPUT: readonly OptionSpec[] = [...SERVICE, JSON_OUTPUT];
const DO_NOT_ASK: OptionSpec = { flags: '--yes', about: 'do not ask' };
const ADDRESSES = { name: '<file>', about: 'CSV, TSV, XLSX, or one address per line; "-": standard input' };
const YES: OptionSpec = { flags: '--yes', about: 'accept the columns that were found without being asked' };

function columns(flags: string, about: string): OptionSpec {
  return { flags, about, read: (value) => readNames(flags.split(' ')[0]!, value) };
}

function column(role: string, about: string): OptionSpec {
  return {
    flags: `--${role}-column <column>`,
    about: `heading or number of the column of ${about} (default: detected)`,
  };
}

export const EVALUATING: readonly CommandSpec[] = [
  {
    name: 'evaluate',
    about: 'Compare verifiers by what really bounced',
    details:
      'Opens no connection. Reads results of MXProof, Kickbox, ZeroBounce, NeverBounce, Emailable, Bouncer and others. Shows what it took the columns for and asks first',
    arguments: [{ name: '[file…]', about: 'result files: CSV, TSV or XLSX, one for each verifier' }],
    options: [
      {
        flags: '--outcomes <file>',
        about:
          'what became of the mail: CSV, XLSX, JSON, Postfix log, .eml or mbox; may be given several times',
        isRequired: true,
        read: (value, previous) => [...((previous as string[] | undefined) ?? []), value],
      },
      ALL,
      {
        flags: '--verifiers <names>',
        about: `of the files, in their order: ${VERIFIER_NAMES.join(', ')} (default: detected)`,
        choices: VERIFIER_NAMES,
        read: (value) => readChoices('--verifiers', value, VERIFIER_NAMES),
      },
      columns(
        '--email-columns <columns>',
        'headings or numbers of the columns of addresses (default: detected)',
      ),
      columns(
        '--state-columns <columns>',
        'headings or numbers of the columns of verdicts (default: detected)',
      ),
      { flags: '--by-domain', about: 'also by domain, where there are outcomes enough' },
      YES,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof evaluate mxproof.csv zerobounce.csv --outcomes bounces.ndjson --yes'],
    load: async () => (await import('./evaluate.ts')).evaluate,
  },
];

export const REPORTING: readonly CommandSpec[] = [
  {
    name: 'outcomes on',
    about: 'Let your service learn from your mail',
    details: 'In the mode of your key, which must be able to manage keys',
    options: OUTPUT,
    examples: ['npx mxproof outcomes on'],
    load: async () => (await import('./switch.ts')).outcomesOn,
  },
  {
    name: 'outcomes off',
    about: 'Delete all outcomes, and take no more',
    details: 'In the mode of your key, which must be able to manage keys. The suppression list stays',
    options: [DO_NOT_ASK, ...OUTPUT],
    examples: ['npx mxproof outcomes off'],
    load: async () => (await import('./switch.ts')).outcomesOff,
  },
  {
    name: 'outcomes import',
    about: 'Tell your service what became of your mail',
    details:
      'Reads tables, JSON, Postfix logs (.gz too), bounce messages and mbox files of any size. Run it again to continue: no event is counted twice',
    arguments: [
      { name: '[file…]', about: 'CSV, XLSX, JSON, Postfix log, .eml or mbox; "-": standard input' },
    ],
    options: [
      ALL,
      column('email', 'addresses'),
      column('outcome', 'outcomes'),
      column('reply', "mail servers' replies"),
      column('at', 'times'),
      column('id', "events' ids"),
      YES,
      { flags: '--dry-run', about: 'only show what the file tells; nothing is reported' },
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: [
      'npx mxproof outcomes import /var/log/mail.log',
      'npx mxproof outcomes import bounces.mbox --dry-run',
    ],
    load: async () => (await import('./import.ts')).outcomesImport,
  },
  {
    name: 'accuracy',
    about: 'Show how often verdicts were right',
    details: 'For your own mail, by what was reported with "outcomes import", through the API or by hooks',
    options: [count('--days <number>', 'of mail of so many days, up to 366 (default: 90)', 1), ...OUTPUT],
    examples: ['npx mxproof accuracy', 'npx mxproof accuracy --days 30 --json'],
    load: async () => (await import('./accuracy.ts')).accuracy,
  },
  {
    name: 'suppressions',
    about: 'Count the addresses that you do not mail',
    options: OUTPUT,
    examples: ['npx mxproof suppressions'],
    load: async () => (await import('./suppressions.ts')).suppressions,
  },
  {
    name: 'suppressions add',
    about: 'Put addresses on the suppression list',
    details: 'Such as those that unsubscribed. Kept as hashes; "clean" and the console do not check them',
    arguments: [ADDRESSES],
    options: [...TABLE_OPTIONS, ...OUTPUT],
    examples: ['npx mxproof suppressions add unsubscribed.csv'],
    load: async () => (await import('./suppressions.ts')).suppressionsAdd,
  },
  {
    name: 'suppressions check',
    about: 'Print which are on the suppression list',
    arguments: [ADDRESSES],
    options: [...TABLE_OPTIONS, ...OUTPUT],
    examples: ['npx mxproof suppressions check contacts.csv > not-mailed.txt'],
    load: async () => (await import('./suppressions.ts')).suppressionsCheck,
  },
  {
    name: 'suppressions remove',
    about: 'Take addresses off the suppression list',
    details: 'For whatever reason they are on it. The next bounce or complaint puts them on it again',
    arguments: [ADDRESSES],
    options: [...TABLE_OPTIONS, DO_NOT_ASK, ...OUTPUT],
    examples: ['npx mxproof suppressions remove subscribed-again.csv'],
    load: async () => (await import('./suppressions.ts')).suppressionsRemove,
  },
];
