// English, of the page of the account: loaded with it, since the first script has no room for more.
import { some } from './en.ts';

export const account = {
  title: 'Account',
  rename: 'Rename the account',
  newName: 'New name of the account',
  parts: 'Account sections',
  tabs: {
    balance: 'Balance',
    members: 'Members',
    keys: 'API keys',
    callbacks: 'Callbacks',
    requests: 'Requests',
    audit: 'Who did what',
    webhooks: 'Webhooks',
    code: 'Code',
  },
  testMode:
    'You are signed in with a test key. No mail server is contacted and nothing is charged. The part of an address before the @, or after its last +, decides the result.',
  testWords: 'Test addresses',
  word: 'Before the @',
  outcome: 'Result',
  anyOther: 'anything else',
  slow: 'Deliverable, after three seconds',
  noCredits: 'Refused: no credits',
  tooMany: 'Refused: too many requests',
};

export const balance = {
  credits: (count: number) => some(count, 'credit', 'credits'),
  testCredits: (count: number) => some(count, 'test credit', 'test credits'),
  explained: 'One credit checks one address. Unknown results are refunded.',
  used: 'Used so far',
  lists: 'Lists and checks',
  empty: 'No credits left. New checks are refused until you add more.',
  few: 'You are running low on credits.',
  soon: (days: number) =>
    days < 1
      ? 'At the rate of the last 30 days, your credits last less than a day.'
      : `At the rate of the last 30 days, your credits last ${some(days, 'more day', 'more days')}.`,
  askForMore: 'Ask your operator for more.',
};

export const kept = {
  title: 'How long data is kept',
  explained:
    'Counted from the end of a list. Summaries and the history of credits stay. Your operator can change it.',
  names: {
    results: 'Results of lists',
    single_checks: 'Single checks',
    evidence: 'Evidence',
    callbacks: 'Callbacks',
  },
  days: (count: number) => some(count, 'day', 'days'),
  forEver: 'No limit',
  never: 'Not kept',
};

export const usage = {
  title: 'Usage',
  period: 'Period',
  days: (count: number) => `${count} days`,
  total: (charged: string, refunded: string, days: number) =>
    `${charged} charged, ${refunded} refunded in the last ${days} days`,
  chart: (total: string, busiest: string | null) =>
    busiest === null ? total : `Bars by day: ${total}. ${busiest}`,
  busiest: (day: string, charged: string) => `Most on ${day}: ${charged}.`,
  bar: (day: string, charged: string, refunded: string) => `${day}: ${charged} charged, ${refunded} refunded`,
  table: 'As a table',
  utc: 'Days are in UTC. Days without activity are left out.',
  date: 'Day',
  charged: 'Charged',
  refunded: 'Refunded',
  none: 'Nothing was checked in this period. Usage appears here day by day.',
};

export const history = {
  title: 'History',
  filter: 'Kind of entry',
  kinds: { all: 'All', grant: 'Added', charge: 'Charged', refund: 'Refunded' },
  takenBack: 'Taken back',
  at: 'When',
  what: 'What',
  credits: 'Credits',
  balance: 'Balance',
  deletedList: (id: number) => `List ${id}, deleted`,
  singleCheck: 'One address',
  noResult: 'without a result',
  addresses: (count: number) => some(count, 'address', 'addresses'),
  withoutResult: (count: number) => `${some(count, 'address', 'addresses')} without a result`,
  atUtc: 'When (UTC)',
  list: 'List',
  note: 'Note',
  save: 'Download as CSV',
  saving: 'Preparing…',
  fileName: 'credits',
  more: 'Show older entries',
  none: 'No entries yet. Credits that are added, charged or refunded are listed here.',
  noneOfKind: 'No entries of this kind.',
};

export const apiKeys = {
  title: 'API keys',
  intro:
    'A key lets a program use this account. Create one for each program, so that you can revoke them separately.',
  make: 'Create a key',
  label: 'Label',
  labelHint: 'Where the key is used, such as “newsletter server”.',
  expires: 'Expires',
  expiry: {
    never: 'Never',
    days30: 'In 30 days',
    days90: 'In 90 days',
    days365: 'In a year',
    date: 'On a date you choose',
  },
  lastDay: 'Last day',
  allowed: 'Allowed IP addresses',
  allowedHint:
    'Optional. IP addresses or ranges, such as 203.0.113.7, 10.0.0.0/8. The key is refused from anywhere else.',
  wrongAddress: (given: string) =>
    `“${given}” is not an IP address or a range such as 10.0.0.0/8. Correct it, or leave the field empty.`,
  badAllowed:
    'The service does not accept these IP addresses. Enter at most 100; a range starts at its first address, such as 10.0.0.0/8.',
  missing: {
    label: 'Enter a label, so that you know later what the key is for.',
    lastDay: 'Choose today or a later day.',
  },
  test: 'Test key',
  testHint: 'Contacts no mail server and costs nothing. For your tests.',
  testForced: 'A test key can create only test keys.',
  access: 'Access',
  accesses: { full: 'Full', read: 'Read only', verify: 'Single checks only' },
  accessHint: {
    full: 'Everything that this account can do.',
    read: 'Reads lists, results and the account. It can neither check nor change anything.',
    verify: 'Checks single addresses and reads their results. For a sign-up form.',
  },
  manage: 'Can manage keys',
  manageHint: 'It can create and revoke keys and replace the webhook secret.',
  manageNeedsFull: 'Only a key with full access can manage keys.',
  create: 'Create key',
  creating: 'Creating…',
  made: 'Your new key',
  shownOnce: 'Copy it now: it is not shown again. Keep it secret.',
  copy: 'Copy the key',
  done: 'Done',
  isTest: 'Test',
  manages: 'Manages keys',
  expired: 'Expired',
  createdAt: (moment: string) => `Created ${moment}`,
  lastUsed: (moment: string) => `used ${moment}`,
  neverUsed: 'never used',
  expiresAt: (moment: string) => `expires ${moment}`,
  expiredAt: (moment: string) => `expired ${moment}`,
  onlyFrom: (ranges: string) => `only from ${ranges}`,
  keyNumber: (id: number) => `Key ${id}`,
  revokeShort: 'Revoke',
  revoke: (label: string) => `Revoke ${label}`,
  revokeTitle: (label: string) => `Revoke “${label}”?`,
  revokeMeaning: 'Programs that use this key are refused at once. This cannot be undone.',
  revokeConfirm: 'Revoke the key',
  ownKey: 'You are signed in with this key. To revoke it, sign in with another key or a link.',
  tooMany: 'An account can have at most 1,000 keys. Revoke keys that are no longer used.',
  mayNotManage:
    'You are signed in with a key that cannot manage keys. Sign in with one that can, or ask your operator for a sign-in link.',
  none: 'No keys yet',
  noneHint: 'To check addresses from a program, create a key and use it in the sample under Code.',
};

export const callbacks = {
  title: 'Callbacks',
  intro: 'Notifications sent to your programs when lists are done, newest lists first.',
  states: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  untilDone: 'Will be sent when the list is done.',
  nextAttempt: (moment: string) => `Next attempt ${moment}`,
  attempts: (count: number, last: string) => `${some(count, 'attempt', 'attempts')}, last: ${last}`,
  at: 'When',
  answer: 'Response',
  took: 'Duration',
  status: (status: number) => `Status ${status}`,
  resendShort: 'Send again',
  resend: (list: string) => `Send again: callback of ${list}`,
  stillPending: 'It is already being sent.',
  gone: 'This callback is no longer stored.',
  more: 'Show older callbacks',
  none: 'No callbacks yet',
  noneHint: 'To be notified when a list is done instead of polling, submit it with a callback_url.',
};

export const requests = {
  title: 'Requests',
  intro:
    'What this account changed and what it was refused in the last seven days, newest first. Every answer to a program has an X-Request-Id: find it here, or give it to your operator.',
  id: 'X-Request-Id',
  find: 'Find',
  status: 'Status',
  all: 'All statuses',
  what: 'Request',
  at: 'When',
  answer: 'Answer',
  noRoute: '(no such path)',
  signedIn: 'Console',
  badId: 'This is not an X-Request-Id. One looks like 6c0f3d52-7a0e-4d0c-9f0b-2f9f6a1f6e57.',
  more: 'Show older requests',
  none: 'No requests yet. What is changed or refused is listed here a second or two later.',
  noneFound: 'No such request in the last seven days.',
};

export const webhookSecret = {
  title: 'Webhook secret',
  intro:
    'Callbacks are signed with this secret, so that your program can verify that they come from this service.',
  replace: 'Replace the secret',
  replaceTitle: 'Replace the webhook secret?',
  replaceMeaning:
    'For 24 hours, webhook-signature contains a signature with each secret, so that your program can switch at any time. X-MX-Signature uses the new secret immediately.',
  replaceTwice: 'If you already replaced it within the last 24 hours, the oldest secret stops working now.',
  confirm: 'Replace secret',
  made: 'Your new webhook secret',
  shownOnce: 'Copy it now: it is not shown again.',
  copy: 'Copy the secret',
  liveOnly:
    'The webhook secret belongs to the live account. To replace it, sign in with a live key that can manage keys.',
};

export const erasing = {
  title: 'Erase an address',
  intro:
    'When a person asks to be forgotten: the address is removed from all your lists, single checks and test lists. Their results and your credits stay as they are.',
  introTest:
    'When a person asks to be forgotten: the address is removed from all your test lists. Sign in with a live key to erase it everywhere.',
  address: 'Address',
  erase: 'Erase…',
  question: (email: string) => `Erase ${email}?`,
  meaning:
    'This cannot be undone. Rows stay in their lists without the address; a check that is still running ends as unknown and is refunded. Files that you downloaded are not changed.',
  held: 'Backups of the service may hold the address until they are removed (nightly ones after 14 nights, unless the operator has set another number), and the write-ahead log of its database until it is overwritten. When a backup is restored, the address is erased again.',
  confirm: 'Erase the address',
  running: 'The address is being erased…',
  done: (rows: number) =>
    rows === 0
      ? 'Done: no list had this address.'
      : `Done: the address was erased from ${some(rows, 'row', 'rows')}.`,
};

export const code = {
  title: 'Use it from a program',
  intro: 'This code checks one address with this service. Insert your own key.',
  language: 'Language',
  copy: 'Copy the code',
  install: 'The client comes with MXProof. Install it from a checkout:',
  run: 'Then run:',
  makeKey: 'Create a key',
  reference: 'API reference',
};
