// The commands about the API key and its account.

import { type CommandSpec, JSON_OUTPUT, SERVICE } from '../shared/command-spec.ts';
import { readCount } from '../shared/values.ts';

export const OWN_ACCOUNT: readonly CommandSpec[] = [
  {
    name: 'account',
    about: 'Show your account and its credits',
    options: [
      {
        flags: '--low-credits <number>',
        about: 'tell webhook endpoints once when fewer are left; "never" takes it back',
        read: readLowCredits,
      },
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof account', 'npx mxproof account --low-credits 5000'],
    load: async () => (await import('./own-account.ts')).ownAccount,
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

/** 0: never. */
function readLowCredits(value: string): number {
  return value === 'never' ? 0 : readCount('--low-credits', value, 1);
}
