// The commands that start the service, or ask whether it runs.

import { type CommandSpec, choice, JSON_OUTPUT } from '../shared/command-spec.ts';

export const RUNNING: readonly CommandSpec[] = [
  {
    name: 'serve',
    about: 'Start the service: HTTP and checking',
    options: [{ flags: '--no-checks', about: 'HTTP only: other nodes check ("mxproof work")' }],
    examples: ['PORT=8081 npx mxproof serve'],
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'work',
    about: 'Start a node that only checks',
    details: 'Needs DATABASE_URL: the PostgreSQL that the service uses',
    examples: ['npx mxproof work'],
    load: async () => (await import('./serve.ts')).workCommand,
  },
  {
    name: 'demo',
    about: 'Run the service on a simulated internet',
    details: 'Nothing leaves the machine, and no verdict is about a real address',
    examples: ['npx mxproof demo'],
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'healthcheck',
    about: 'Tell by exit status if the service works',
    details:
      'Exit status 0 if it works, 1 if not, within five seconds. Asks what listens at HOST and PORT; if nothing of MXProof does, looks for a node of this machine that was seen in the last 30 seconds',
    options: [
      choice('--role <role>', 'serve: only HOST and PORT; work: only the node (default: either)', [
        'serve',
        'work',
      ]),
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof healthcheck'],
    load: async () => (await import('./healthcheck.ts')).healthcheck,
  },
];
