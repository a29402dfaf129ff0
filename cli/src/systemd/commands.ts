// The commands for a service that systemd runs.

import { type CommandSpec, choice, JSON_OUTPUT } from '../shared/command-spec.ts';
import { readFolder, readUser } from './systemd-units.ts';

export const SYSTEMD: readonly CommandSpec[] = [
  {
    name: 'service install',
    about: 'Install the service for systemd and start it',
    details:
      'Writes units, a user, the data folder and a file for settings. Run again, it changes only what differs and keeps your settings',
    options: [
      choice(
        '--role <role>',
        'serve: the service; work: a node that only checks; all: both (default: serve)',
        ['serve', 'work', 'all'],
      ),
      { flags: '--no-checks', about: 'HTTP only: other nodes check' },
      {
        flags: '--folder <path>',
        about: 'the data folder (default: /var/lib/mxproof)',
        read: readFolder,
      },
      { flags: '--user <name>', about: 'the user it runs as (default: mxproof)', read: readUser },
      { flags: '--no-start', about: 'do not start it' },
      { flags: '--dry-run', about: 'print the files and do nothing' },
      {
        flags: '--root <path>',
        about: 'write the files below this folder and do nothing else, for packages',
      },
      JSON_OUTPUT,
    ],
    examples: ['sudo npx mxproof service install', 'npx mxproof service install --role all --dry-run'],
    load: async () => (await import('./systemd-install.ts')).serviceInstall,
  },
  {
    name: 'service uninstall',
    about: 'Stop the service and remove its units',
    details: 'Data, settings and user stay, and it says where they are',
    options: [{ flags: '--root <path>', about: 'below this folder, for packages' }, JSON_OUTPUT],
    examples: ['sudo npx mxproof service uninstall'],
    load: async () => (await import('./systemd-uninstall.ts')).serviceUninstall,
  },
  {
    name: 'service run',
    about: 'Run a command as the service would',
    details: 'As its user, with its settings; needs root',
    arguments: [{ name: '[command…]', about: 'a command of mxproof, with its arguments and options' }],
    takesCommand: true,
    examples: ['sudo npx mxproof service run account link 1', 'sudo npx mxproof service run doctor --json'],
    load: async () => (await import('./systemd-run.ts')).serviceRun,
  },
];
