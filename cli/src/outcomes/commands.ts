// The commands about what became of mail.

import { OUTCOMES } from '@mxproof/files/outcome';
import { type CommandSpec, choice, JSON_OUTPUT, type OptionSpec, SERVICE } from '../shared/command-spec.ts';
import { readChoices, readNames } from '../shared/values.ts';
import { VERIFIER_NAMES } from './verifiers.ts';

const ALL = choice(
  '--all <outcome>',
  `what became of every row, where no column says it: ${OUTCOMES.join(', ')}`,
  OUTCOMES,
);
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
];
