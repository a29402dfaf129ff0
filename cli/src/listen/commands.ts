// The command for those who write a receiver of callbacks.

import { type CommandSpec, SERVICE } from '../shared/command-spec.ts';
import { readUrl } from '../shared/values.ts';

export const LISTENING: readonly CommandSpec[] = [
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
    load: async () => (await import('./listen.ts')).listen,
  },
];
