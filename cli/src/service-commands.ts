// The commands that speak to a running service with an API key.

import { type CommandSpec, JSON_OUTPUT, LIST, type OptionSpec, SERVICE } from './command-spec.ts';

const OUTPUT: OptionSpec = { flags: '--output <file>', about: 'write the results to this file as CSV' };

export const LISTS: readonly CommandSpec[] = [
  {
    name: 'submit',
    about: 'Submit a file as a list and follow it',
    arguments: [{ name: '<file>', about: 'addresses, one per line; "-": standard input' }],
    options: [
      { flags: '--name <name>', about: 'name of the list (default: name of the file)' },
      { flags: '--callback <url>', about: 'https address that is called when the list is done' },
      OUTPUT,
      ...SERVICE,
    ],
    examples: ["printf 'ann@example.com\\nbob@example.org\\n' | npx mxproof submit - --output results.csv"],
    load: async () => (await import('./submit.ts')).submit,
  },
  {
    name: 'follow',
    about: 'Follow a list until it is done',
    arguments: [LIST],
    options: [OUTPUT, ...SERVICE],
    examples: ['npx mxproof follow 1'],
    load: async () => (await import('./submit.ts')).follow,
  },
];

export const OWN_ACCOUNT: readonly CommandSpec[] = [
  {
    name: 'account',
    about: 'Show your account and its credits',
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof account'],
    load: async () => (await import('./own-account.ts')).ownAccount,
  },
  {
    name: 'login',
    about: 'Save your API key for a service',
    details: 'The key is asked for, or read from standard input, and kept where only you can read it',
    options: [...SERVICE, JSON_OUTPUT],
    examples: [
      'npx mxproof login --url https://verify.example.com',
      'npx mxproof login --url https://verify.example.com < key.txt',
    ],
    load: async () => (await import('./login.ts')).login,
  },
  {
    name: 'logout',
    about: 'Delete the saved login',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof logout'],
    load: async () => (await import('./login.ts')).logout,
  },
];
