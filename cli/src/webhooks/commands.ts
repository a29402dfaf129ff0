// The commands about the account's webhook endpoints.

import { WEBHOOK_EVENTS } from '@mxproof/server/words';
import {
  CALLBACK_STATES,
  type CommandSpec,
  choice,
  choiceList,
  count,
  id,
  JSON_OUTPUT,
  type OptionSpec,
  SERVICE,
} from '../shared/command-spec.ts';
import { UsageError } from '../shared/usage-error.ts';
import { readText } from '../shared/values.ts';

const WEBHOOK = id('<webhook>', 'numeric ID of the endpoint');
const ADDRESS = 'where events are sent, an https address';
const EVENTS = 'list.done,list.failed';
const DESCRIPTION: OptionSpec = { flags: '--description <text>', about: 'what it is for' };
const OUTPUT: readonly OptionSpec[] = [...SERVICE, JSON_OUTPUT];

const EVENT = {
  name: '<event>',
  about: 'its webhook-id, as "webhook deliveries" lists it',
  read(value: string) {
    if (/^[\w-]{1,64}$/.test(value)) return value;
    throw new UsageError('<event> must be a webhook-id, as "mxproof webhook deliveries" lists it.');
  },
};

function events(isRequired: boolean): OptionSpec {
  const about = `what it is told of${isRequired ? ' (required)' : ''}: ${WEBHOOK_EVENTS.join(', ')}`;
  return { ...choiceList('--events <events>', about, WEBHOOK_EVENTS), isRequired };
}

export const WEBHOOKS: readonly CommandSpec[] = [
  {
    name: 'webhook ls',
    about: 'List your webhook endpoints',
    details: 'Those of the mode of your key, which must be able to manage keys',
    options: OUTPUT,
    examples: ['npx mxproof webhook ls'],
    load: async () => (await import('./webhooks.ts')).webhookLs,
  },
  {
    name: 'webhook create',
    about: 'Make a webhook endpoint',
    details: 'Its secret is shown once',
    arguments: [{ name: '<address>', about: ADDRESS }],
    options: [events(true), DESCRIPTION, ...OUTPUT],
    examples: [`npx mxproof webhook create https://shop.example.com/hooks/mxproof --events ${EVENTS}`],
    load: async () => (await import('./webhooks.ts')).webhookCreate,
  },
  {
    name: 'webhook show',
    about: 'Show a webhook endpoint',
    arguments: [WEBHOOK],
    options: OUTPUT,
    examples: ['npx mxproof webhook show 1'],
    load: async () => (await import('./webhooks.ts')).webhookShow,
  },
  {
    name: 'webhook set',
    about: 'Change a webhook endpoint',
    arguments: [WEBHOOK],
    options: [
      { flags: '--address <url>', about: ADDRESS, read: (value) => readText('--address', value) },
      events(false),
      DESCRIPTION,
      ...OUTPUT,
    ],
    examples: ['npx mxproof webhook set 1 --events list.done,credits.low'],
    load: async () => (await import('./webhooks.ts')).webhookSet,
  },
  {
    name: 'webhook pause',
    about: 'Pause a webhook endpoint',
    details: 'Its events are kept for three days',
    arguments: [WEBHOOK],
    options: OUTPUT,
    examples: ['npx mxproof webhook pause 1'],
    load: async () => (await import('./webhooks.ts')).webhookPause,
  },
  {
    name: 'webhook resume',
    about: 'Resume a webhook endpoint',
    details: 'Also switches on again what the service has switched off',
    arguments: [WEBHOOK],
    options: OUTPUT,
    examples: ['npx mxproof webhook resume 1'],
    load: async () => (await import('./webhooks.ts')).webhookResume,
  },
  {
    name: 'webhook rm',
    about: 'Delete a webhook endpoint',
    details: 'Events that it was not told of yet are lost',
    arguments: [WEBHOOK],
    options: [{ flags: '--yes', about: 'do not ask' }, ...OUTPUT],
    examples: ['npx mxproof webhook rm 1 --yes'],
    load: async () => (await import('./webhooks.ts')).webhookRm,
  },
  {
    name: 'webhook test',
    about: 'Send a test event to a webhook endpoint',
    arguments: [WEBHOOK],
    options: OUTPUT,
    examples: ['npx mxproof webhook test 1'],
    load: async () => (await import('./deliveries.ts')).webhookTest,
  },
  {
    name: 'webhook secret',
    about: 'Replace the secret of a webhook endpoint',
    details: 'The new one is shown once; the old one signs beside it for 24 hours',
    arguments: [WEBHOOK],
    options: OUTPUT,
    examples: ['npx mxproof webhook secret 1'],
    load: async () => (await import('./webhooks.ts')).webhookSecret,
  },
  {
    name: 'webhook deliveries',
    about: 'List what a webhook endpoint was sent',
    details: 'Newest first, with the last answer of each; --json has every attempt and how its answer began',
    arguments: [WEBHOOK],
    options: [
      choice('--state <state>', `only in this state: ${CALLBACK_STATES.join(', ')}`, CALLBACK_STATES),
      count('--offset <number>', 'deliveries to skip (default: 0)', 0),
      count('--limit <number>', 'deliveries to show (default: 50)', 1),
      ...OUTPUT,
    ],
    examples: ['npx mxproof webhook deliveries 1 --state failed'],
    load: async () => (await import('./deliveries.ts')).webhookDeliveries,
  },
  {
    name: 'webhook resend',
    about: 'Send an event to a webhook endpoint again',
    details: 'The same bytes under the same webhook-id, with all attempts anew',
    arguments: [WEBHOOK, EVENT],
    options: OUTPUT,
    examples: ['npx mxproof webhook resend 1 0e0a7b52-4a0e-4c3a-9c43-6d1b9d8d6a52'],
    load: async () => (await import('./deliveries.ts')).webhookResend,
  },
];
