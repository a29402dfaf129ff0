// English, of the account's webhook endpoints: loaded with its page.
import { some } from './en.ts';

export const webhooks = {
  title: 'Webhook endpoints',
  intro:
    'Addresses of your programs that are told of events, and told again for three days if they do not answer. Events are not sent in the form of callbacks: give each endpoint an address of its own.',
  add: 'Add an endpoint',
  none: 'No endpoints yet',
  noneHint: 'To be told of every list that is done without naming an address each time, add an endpoint.',
  mayNotManage:
    'You are signed in with a key that cannot manage keys, and so not endpoints. Sign in with one that can, or ask your operator for a sign-in link.',
  tooMany: 'An account can have at most 10 endpoints. Delete one that is no longer used.',
  notActive: 'The endpoint is paused or switched off.',
  notFound: 'This endpoint was deleted meanwhile.',
  noDelivery: 'This event is no longer stored.',
  events: {
    'list.done': 'List done',
    'list.failed': 'List failed or cancelled',
    'list.paused': 'List paused',
    'credits.low': 'Credits low',
    test: 'Test event',
  },
  on: 'On',
  paused: 'Paused',
  off: 'Switched off',
  pausedSince: (moment: string) => `Paused since ${moment}. Events are kept for three days.`,
  offReasons: {
    gone: (moment: string) =>
      `Switched off on ${moment}, because it answered 410, which means “gone”. Its events are dropped until you switch it on.`,
    failing: (moment: string) =>
      `Switched off on ${moment}, because no attempt succeeded for five days. Its events are dropped until you switch it on.`,
  },
  test: 'Send a test event',
  pause: 'Pause',
  resume: 'Resume',
  switchOn: 'Switch on',
  change: 'Change',
  secret: 'Replace the secret',
  remove: 'Delete',
  /** What a screen reader says for a button of one endpoint. */
  of: (act: string, url: string) => `${act}: ${url}`,
};

export const webhookForm = {
  addTitle: 'Add an endpoint',
  changeTitle: 'Change the endpoint',
  url: 'Address',
  urlHint: 'Begins with https:// and can be reached from the internet.',
  description: 'Description',
  descriptionHint: 'Optional. What it is for, such as “shop backend”.',
  events: 'Events',
  missing: {
    url: 'Enter an address that begins with https://.',
    events: 'Choose at least one event.',
  },
  add: 'Add endpoint',
  save: 'Save',
  busy: 'Saving…',
  made: 'The secret of your endpoint',
  shownOnce: 'Its events are signed with this secret. Copy it now: it is not shown again.',
  copy: 'Copy the secret',
  done: 'Done',
};

export const webhookActs = {
  deleteTitle: 'Delete the endpoint?',
  deleteMeaning: 'Events that it was not told of yet are lost, and what was sent is no longer listed.',
  deleteConfirm: 'Delete the endpoint',
  replaceTitle: 'Replace the secret of the endpoint?',
  replaceMeaning:
    'For 24 hours, webhook-signature contains a signature with each secret, so that your program can switch at any time.',
  replaceTwice: 'If you already replaced it within the last 24 hours, the oldest secret stops working now.',
  replaceConfirm: 'Replace secret',
  made: 'The new secret of the endpoint',
};

export const deliveries = {
  title: 'Deliveries',
  none: 'Nothing was sent yet. Events of the last 30 days are listed here.',
  more: 'Show older deliveries',
  list: (id: number) => `List ${id}`,
  noAttempt: 'No attempt yet',
  attempts: (count: number, last: string) => `${some(count, 'attempt', 'attempts')}, last: ${last}`,
  nextAttempt: (moment: string) => `Next attempt ${moment}`,
  resend: (event: string, moment: string) => `Send again: ${event} of ${moment}`,
};

export const lowCredits = {
  title: 'Low credits',
  intro: 'Endpoints with the event “Credits low” are told once when fewer credits are left than this.',
  label: 'Low below',
  hint: 'Empty: they are not told.',
  wrong: 'Enter a whole number from 1, or leave the field empty.',
  save: 'Save',
  saved: 'Saved.',
};
