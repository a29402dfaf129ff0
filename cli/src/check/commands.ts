// The commands about single addresses and replies.

import { type CommandSpec, choice, SERVICE } from '../shared/command-spec.ts';
import { readId } from '../shared/values.ts';
import { NAMED_STAGES } from './reply-stages.ts';

export const CHECKING: readonly CommandSpec[] = [
  {
    name: 'check',
    about: 'Check addresses from this machine',
    details:
      'Exit status 1 if any address is not deliverable. With --service, --list or --url, a service explains one address instead',
    arguments: [
      { name: '[address…]', about: 'addresses, with or without names; none, or "-": standard input' },
    ],
    options: [
      { flags: '--file <file>', about: 'read addresses from this file, one or more per line' },
      { flags: '--explain', about: 'show the DNS answer and the SMTP dialogue as well' },
      { flags: '--service', about: 'with --explain: let your service check the address, for one credit' },
      {
        flags: '--list <list>',
        about: 'with --explain: show what your service found in this list; nothing is checked or charged',
        read: (value) => readId('--list', value),
      },
      { flags: '--address <address>', about: 'as "mxproof explain" took it', isHidden: true },
      ...SERVICE,
      { flags: '--syntax-only', about: 'check the syntax only, without a network' },
      { flags: '--json', about: 'print one JSON object per address and line' },
    ],
    examples: [
      'npx mxproof check --explain someone@example.com',
      'npx mxproof check --explain --service someone@example.com',
      'npx mxproof check --explain --list 1 someone@example.com',
      "printf 'ann@example.com\\nbob@example.org\\n' | npx mxproof check --json",
    ],
    load:
      async () =>
      async (given, { address, ...options }) => {
        const words = address === undefined ? given : [address, ...given];
        // Never by what is configured: a check that costs a credit is asked for by name.
        const isByService = options.service || options.list !== undefined || options.url !== undefined;
        return isByService
          ? (await import('./explain.ts')).explainAddress(words, options)
          : (await import('./check.ts')).check(words, options);
      },
  },
  {
    name: 'reply',
    about: 'Show what the reply of a mail server means',
    arguments: [{ name: '[reply…]', about: 'the reply, quoted or not' }],
    options: [
      choice(
        '--stage <stage>',
        `stage of the dialogue: ${NAMED_STAGES.join(', ')} (default: rcpt)`,
        NAMED_STAGES,
      ),
      {
        flags: '--provider <name>',
        about: 'provider whose wording to look for, such as google or microsoft',
      },
      {
        flags: '--file <file>',
        about: 'read a log or a whole bounce message, and tell of each recipient; "-": standard input',
      },
      {
        flags: '--json',
        about:
          'print {"meaning", "state", "reason"}; without a reply, for each line {"reply", "stage", "provider"} of standard input; with --file, print one JSON value',
      },
    ],
    examples: [
      'npx mxproof reply "550 5.7.1 Access denied"',
      "printf 'bob@example.com said: 550 5.1.1 User unknown' | npx mxproof reply --file -",
      'npx mxproof reply --json "550 5.7.1 Access denied"',
      'echo \'{"reply": "452 4.2.2 Mailbox full"}\' | npx mxproof reply --json',
    ],
    load: async (io) => {
      const { reply } = await import('./reply.ts');
      return (words, options) => reply(words, options, io);
    },
  },
];
