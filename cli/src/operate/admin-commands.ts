// The commands about operators: their pages, their keys, and the trail of who did what.

import type { AdminScope } from '@mxproof/server/operate';
import { AUDIT_ACTORS, AUDIT_WORDS } from '@mxproof/server/words';
import { ALLOW_IP, type CommandSpec, choice, EXPIRES, id, JSON_OUTPUT } from '../shared/command-spec.ts';
import { readCountUpTo, readDate, readId, readPrintable } from '../shared/values.ts';

const SCOPES: readonly AdminScope[] = ['read', 'write'];
const MAX_LABEL_LENGTH = 100;
/** A table or one JSON value is made in memory. */
const MAX_SHOWN = 1_000;

export const OPERATORS: readonly CommandSpec[] = [
  {
    name: 'admin link',
    about: 'Make a link to the operator’s pages',
    details:
      'The pages can show and change everything: accounts, credits, keys, lists, sources. The link works once, within 15 minutes, for anyone who has it',
    options: [
      {
        flags: '--url <url>',
        about: 'address of the service (default: MXPROOF_PUBLIC_URL, else where it listens)',
      },
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof admin link'],
    load: async () => (await import('./admin-sign-in.ts')).adminLink,
  },
  {
    name: 'admin sign-out',
    about: 'End all browser sessions of operators',
    details: 'Also revokes their sign-in links; admin keys and sessions of accounts keep working',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof admin sign-out'],
    load: async () => (await import('./admin-sign-in.ts')).adminSignOut,
  },
  {
    name: 'admin key create',
    about: 'Create an admin key for your programs',
    details:
      'For /admin/v1, and to sign in at /operator. It belongs to no account, is shown once, and does not work under /v1',
    options: [
      {
        ...choice('--scope <scope>', 'read: see everything; write: also change it (required)', SCOPES),
        isRequired: true,
      },
      {
        flags: '--label <text>',
        about: 'where the key is used',
        read: (value) => readPrintable('--label', value, MAX_LABEL_LENGTH),
      },
      EXPIRES,
      ALLOW_IP,
      JSON_OUTPUT,
    ],
    examples: ['npx mxproof admin key create --scope write --label billing --allow-ip 203.0.113.7'],
    load: async () => (await import('./admin-keys.ts')).adminKeyCreate,
  },
  {
    name: 'admin key list',
    about: 'List the admin keys',
    details: 'Includes revoked and expired keys',
    options: [JSON_OUTPUT],
    examples: ['npx mxproof admin key list'],
    load: async () => (await import('./admin-keys.ts')).adminKeyList,
  },
  {
    name: 'admin key revoke',
    about: 'Revoke an admin key',
    details: 'Also ends the browser sessions that were started with it',
    arguments: [id('<key>', 'numeric ID of the key, as "mxproof admin key list" shows it')],
    options: [JSON_OUTPUT],
    examples: ['npx mxproof admin key revoke 2'],
    load: async () => (await import('./admin-keys.ts')).adminKeyRevoke,
  },
  {
    name: 'audit',
    about: 'Show who did what, newest first',
    details:
      'Shows numbers and fixed values before and after; of names, notes and addresses, only that they changed. With --ndjson, the output is an export, which is recorded in the trail itself',
    options: [
      {
        flags: '--account <account>',
        about: 'only entries of this account and its test side; the account may be deleted',
        read: (value) => readId('--account', value),
      },
      choice('--action <action>', 'only this action, such as credits.changed', AUDIT_WORDS),
      choice('--actor <kind>', `only by this kind of actor: ${AUDIT_ACTORS.join(', ')}`, AUDIT_ACTORS),
      {
        flags: '--since <date>',
        about: 'only from this time on: 2026-11-01, or with a time 2026-11-01T18:00Z',
        read: (value) => readDate('--since', value),
      },
      {
        flags: '--limit <number>',
        about: `rows to show, at most ${MAX_SHOWN} (default: 50)`,
        read: (value) => readCountUpTo('--limit', value, MAX_SHOWN),
      },
      JSON_OUTPUT,
      { flags: '--ndjson', about: 'print everything that matches, one JSON object per line' },
    ],
    examples: [
      'npx mxproof audit --account 1 --since 2026-11-01',
      'npx mxproof audit --action key.created --json',
      'npx mxproof audit --ndjson > audit.ndjson',
    ],
    load: async () => (await import('./audit.ts')).audit,
  },
];
