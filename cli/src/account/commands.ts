// The commands about the API key and its account.

import { type CommandSpec, count, JSON_OUTPUT, SERVICE } from '../shared/command-spec.ts';
import { readCount, readText } from '../shared/values.ts';

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
    name: 'request ls',
    about: 'List what was changed and what was refused',
    options: [
      count('--status <number>', 'only requests answered with this status, such as 404', 200),
      count('--offset <number>', 'requests to skip (default: 0)', 0),
      count('--limit <number>', 'requests to show (default: 50)', 1),
      ...SERVICE,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof request ls --status 404'],
    load: async () => (await import('./requests.ts')).requestLs,
  },
  {
    name: 'request show',
    about: 'Show a request by its X-Request-Id',
    arguments: [
      { name: '<id>', about: 'X-Request-Id of the answer', read: (value) => readText('<id>', value) },
    ],
    options: [...SERVICE, JSON_OUTPUT],
    examples: ['npx mxproof request show 6c0f3d52-7a0e-4d0c-9f0b-2f9f6a1f6e57'],
    load: async () => (await import('./requests.ts')).requestShow,
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
