// English, of the operator's pages of accounts: loaded with them.
import { formatCount } from '../design/format.ts';
import { some } from './en.ts';

export const accounts = {
  title: 'Accounts',
  search: 'Name, external id or number',
  status: 'Status',
  statuses: { all: 'All', active: 'Active', suspended: 'Suspended' },
  count: (count: number) => some(count, 'account', 'accounts'),
  none: 'No accounts yet. Create the first one.',
  noneFound: 'No account matches.',
  name: 'Name',
  externalId: 'External id',
  credits: 'Credits',
  used: 'Used',
  lists: 'Lists',
  active: 'Last active',
  never: 'never',
  numbered: (id: number) => `Account ${id}`,
  make: 'New account',
  create: 'Create account',
  making: 'Creating…',
  made: (name: string) => `${name} is ready`,
  open: 'Open the account',
  fields: { name: 'Name', credits: 'Initial credits', external_id: 'External id', note: 'Note' },
  hints: {
    external_id: 'Optional. Your own identifier, such as a customer number.',
    note: 'Optional. For the account’s history, such as an invoice number.',
  } as Readonly<Record<string, string>>,
  secrets: {
    api_key: {
      name: 'API key',
      warning: 'The API key. Give both to your customer now: neither is shown again.',
      copy: 'Copy the key',
    },
    webhook_secret: {
      name: 'Webhook secret',
      warning: 'The webhook secret, which callbacks are signed with.',
      copy: 'Copy the secret',
    },
  },
};

export const account = {
  back: 'All accounts',
  gone: 'There is no such account',
  goneHint: 'It may have been deleted, or the address is mistyped.',
  facts: 'Account',
  status: 'Status',
  created: 'Opened',
  credits: {
    title: 'Credits',
    balance: (count: number) => some(count, 'credit', 'credits'),
    used: (count: string) => `${count} used so far`,
    monthly: (count: string, from: string | null) =>
      from === null ? `${count} more each month` : `${count} more each month, next in ${from}`,
    amount: 'How many',
    add: 'Add',
    take: 'Take back…',
    takeTitle: (count: number) => `Take back ${some(count, 'credit', 'credits')}?`,
    takeMeaning: (name: string, balance: number) =>
      `The balance of ${name} will be ${formatCount(balance)}. Unfinished lists keep what they were charged.`,
    takeNow: 'Take back',
    needed: 'Enter a whole number above 0.',
    changed: (by: number, balance: string) =>
      `${by > 0 ? `${some(by, 'credit was', 'credits were')} added` : `${some(-by, 'credit was', 'credits were')} taken back`}. The balance is ${balance}.`,
  },
  settings: {
    title: 'Settings',
    fields: {
      name: 'Name',
      external_id: 'External id',
      mail: 'Send mail to',
      monthly_credits: 'Monthly credits',
      rate_requests: 'Requests a minute',
      rate_addresses: 'Addresses a minute',
      results: 'Keep results (days)',
      evidence: 'Keep evidence (days)',
      callbacks: 'Keep callbacks (days)',
      single_checks: 'Keep single checks (days)',
    },
    hints: {
      mail: 'When a list is done, credits are low, or a webhook endpoint is switched off.',
      monthly_credits: 'Added once at the start of each month (UTC).',
      rate_requests: 'For each key.',
      rate_addresses: 'For each key.',
    } as Readonly<Record<string, string>>,
    unset: 'default',
    none: 'none',
    wrong: {
      name: 'Enter a name.',
      number: (field: string) => `${field}: enter a whole number above 0, or leave the field empty.`,
    },
    save: 'Save',
    saving: 'Saving…',
    undo: 'Undo',
    saved: 'Saved.',
  },
  noKeys: 'This account has no key: no program can use it.',
  access: {
    title: 'Access',
    buttons: {
      link: 'Sign-in link…',
      signOut: 'Sign all out…',
      secret: 'Replace webhook secret…',
      suspend: 'Suspend…',
      resume: 'Resume…',
    },
    lastActive: 'Last active',
  },
  acts: {
    link: {
      title: (name: string) => `A sign-in link for ${name}`,
      meaning: 'It works once, within 15 minutes, for anyone who has it: send it to one person.',
      confirm: 'Create the link',
      shown: 'The link',
      once: 'Copy it now: it is not shown again.',
      copy: 'Copy the link',
    },
    signOut: {
      title: (name: string) => `Sign out all browsers of ${name}?`,
      meaning: 'Links that have not been opened stop working too. Keys keep working.',
      confirm: 'Sign all out',
      done: (count: number) => `${some(count, 'browser was', 'browsers were')} signed out.`,
    },
    secret: {
      title: (name: string) => `Replace the webhook secret of ${name}?`,
      meaning:
        'For 24 hours both secrets sign, so that programs can switch. If it was replaced within the last 24 hours, the oldest one ends now.',
      confirm: 'Replace the secret',
      shown: 'The new webhook secret',
      once: 'Give it to your customer now: it is not shown again.',
      copy: 'Copy the secret',
    },
    suspend: {
      title: (name: string) => `Suspend ${name}?`,
      meaning:
        'It can still read and delete what it has, but cannot start anything new. Lists under way go on. You can resume it at any time.',
      confirm: 'Suspend',
    },
    resume: {
      title: (name: string) => `Resume ${name}?`,
      meaning: 'Its keys and browsers can do everything again.',
      confirm: 'Resume',
    },
    delete: {
      title: (name: string) => `Delete ${name}?`,
      meaning:
        'Its keys, members and browsers are refused at once. Lists under way end and are refunded. Lists, results, keys, members, endpoints and all its other data are removed within minutes. What stays is a row without a name, its history of credits, and the audit trail. This cannot be undone.',
      type: (name: string) => `Type ${name} to confirm`,
      confirm: 'Delete for good',
    },
  },
  removeHint: 'Removes all data of this account for good. To keep it, suspend the account instead.',
  removeButton: 'Delete…',
  lists: 'Latest lists',
  allLists: 'All its lists',
  noLists: 'No lists yet.',
  trail: 'Who did what',
  allTrail: 'Its whole trail',
  noTrail: 'Nothing yet.',
};
