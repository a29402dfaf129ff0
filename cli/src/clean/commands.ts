// The command that checks a file.

import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { type CommandSpec, choice, choiceList, JSON_OUTPUT, SERVICE } from '../shared/command-spec.ts';
import { TABLE_OPTIONS } from '../shared/table-options.ts';
import { readPercent } from '../shared/values.ts';

export const CLEANING: readonly CommandSpec[] = [
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
      { ...choiceList('--only <states>', 'the same as --keep', STATE_WORDS), isHidden: true },
      {
        flags: '--max-bounce <percent>',
        about: 'keep only what is safe to send and, of "send carefully", what bounces with less than this',
        read: (value) => readPercent('--max-bounce', value),
      },
      choice(
        '--words <words>',
        'machine: results in the words of the API; people: as the console says them; none: no columns are added (default: machine)',
        ['machine', 'people', 'none'],
      ),
      ...TABLE_OPTIONS,
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
      'npx mxproof clean contacts.csv --max-bounce 5 --words none --output good.csv',
      'npx mxproof clean - --yes < contacts.csv > cleaned.csv',
    ],
    load: async () => {
      const { clean } = await import('./clean.ts');
      return (file, { only, ...options }) => clean(file, { keep: only, ...options });
    },
  },
];
