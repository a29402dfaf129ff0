// English, of the pages about what became of mail: loaded with them.
import { formatCount } from '../design/format.ts';
import { some } from './en.ts';

export const outcomes = {
  title: 'Outcomes',
  intro: 'What became of the mail you sent, and how often MXProof was right about it.',
  parts: 'Parts of outcomes',
  tabs: {
    accuracy: 'Accuracy',
    wrong: 'Wrong verdicts',
    add: 'Add outcomes',
    services: 'Services',
    suppressions: 'Suppression list',
  },
  mayNotSwitch:
    'You are signed in with a key that cannot manage the account, so it cannot switch outcomes on or off. Sign in with one that can, or ask your operator for a sign-in link.',
  offMeanwhile: 'Outcomes are switched off, so nothing is taken. Switch them on under Accuracy.',
  readOnly: 'You are signed in with a key that only reads. Sign in with one that has full access.',
};

export const switching = {
  ownersAlone: 'An owner of the account can switch it on.',
  offTitle: 'See how often MXProof was right',
  offIntro:
    'Your sending system knows which mail arrived and which bounced. Tell MXProof, and it shows how often its verdicts were right for your own addresses, by provider and by reason, and how likely mail to a row bounces.',
  keptTitle: 'What is kept of people',
  kept: 'Of each mail: a keyed hash of the address, its domain, and what became of it on which day. No address and no text of a bounce is kept, it serves your account alone, and after 366 days it is deleted.',
  fromNow:
    'Results count from the moment outcomes are on. Lists that were checked before are not found by their addresses until they are checked again.',
  test: 'Test mode has a switch of its own: this one is for test keys alone.',
  on: 'Switch outcomes on',
  programs:
    'Until then, programs that send outcomes are answered 409 (outcomes are off). Only a key that may manage the account can switch them on; others are answered 403.',
  isOn: 'Outcomes are on.',
  off: 'Switch off…',
  question: 'Switch outcomes off?',
  questionMeaning:
    'All outcomes are deleted, and so are the hashes by which results are found. The suppression list stays. This cannot be undone.',
  confirm: 'Switch off and delete',
};

const range = (low: string, high: string) => `between ${low} and ${high}`;

export const accuracy = {
  days: 'Mail of the last',
  dayChoices: { '30': '30 days', '90': '90 days', '366': 'year' } as const,
  save: 'Download as CSV',
  fileName: 'accuracy',
  loading: 'Adding up…',
  headline: (n: number, bounced: number, rate: string, low: string, high: string) =>
    [
      `Of ${some(n, 'address', 'addresses')} we called deliverable, ${formatCount(bounced)} bounced: `,
      rate,
      `, ${range(low, high)}`,
    ] as const,
  headlineFew: (n: number, least: number) =>
    `Too few to say how often we were right: ${formatCount(n)} of ${least} addresses we called deliverable have an outcome.`,
  certainty:
    'The range is where the true share is, with 95% certainty: more mail makes it narrower. Only “there is no such mailbox” counts as a bounce.',
  undeliverable: (n: number, reached: number, rate: string, low: string, high: string) =>
    `Of ${some(n, 'address', 'addresses')} we called undeliverable, mail reached ${formatCount(reached)}: ${rate}, ${range(low, high)}.`,
  states: 'By verdict',
  providers: 'By provider',
  details: 'By reason',
  which: 'Verdict',
  whichChoices: {
    deliverable: 'Deliverable',
    risky: 'Risky',
    undeliverable: 'Undeliverable',
    unknown: 'Unknown',
  },
  bouncedOf: (count: number, of: number) => `${formatCount(count)} of ${formatCount(of)} bounced`,
  reachedOf: (count: number, of: number) => `${formatCount(count)} of ${formatCount(of)} reached`,
  range: (low: string, high: string) => `${low} to ${high}`,
  few: (of: number, least: number) => `Too few to say: ${formatCount(of)} of ${least}`,
  noneOf: (state: string) => `No mail to addresses called ${state.toLowerCase()} is known.`,
  statesHint: 'Share that bounced; of undeliverable ones, the share that mail reached all the same.',
  more: (count: number) => `Show ${formatCount(count)} more`,
  noProvider: 'No mail server',
  scale: (end: string) => `0 to ${end}`,
  otherTitle: 'What says nothing about a verdict',
  otherIntro: 'These bounced for reasons that are not the mailbox’s, and count neither for nor against us.',
  other: {
    full: 'Mailbox full',
    blocked: 'Your sender, message or rate refused',
    unclear: 'No clear reason given',
  },
  otherNone: 'Nothing bounced for other reasons.',
  unmatched: (count: number) => `${some(count, 'address', 'addresses')} without a result`,
  unmatchedMeaning:
    'Mail went to them, and MXProof had no result of them on that day or up to 90 days before. Check them again, and their next mail counts.',
  emptyTitle: 'No outcomes yet',
  emptyDays: 'No outcomes in these days',
  emptyIntro: 'Three ways to tell what became of your mail:',
  emptyDrop: [
    'Drop a file',
    'an export of your sending service, Postfix’s log, or bounce messages.',
  ] as const,
  emptyConnect: [
    'Connect your sending service',
    'Postmark, SendGrid, Amazon SES or Mailgun tell by themselves.',
  ] as const,
  emptySend: ['Send them from your program', 'POST /v1/outcomes'] as const,
  onlyUnmatched:
    'None of the addresses had a result before its mail. Results count from the day outcomes were switched on: check your list again, and the next mail says how often we were right.',
  csv: {
    state: 'Verdict',
    provider: 'Provider',
    detail: 'Reason',
    unmatched: 'Without a result',
    headings: [
      'By',
      'Name',
      'Verdict',
      'Addresses',
      'Wrong',
      'Share wrong',
      'At least',
      'At most',
      'Complained',
      'Mailbox full',
      'Refused',
      'Unclear',
    ],
  },
};

export const wrongVerdicts = {
  title: 'Where we were wrong',
  intro:
    'Addresses we called deliverable whose mail server then said that there is no such mailbox, and addresses we called undeliverable that mail reached. Open one to see what we saw.',
  none: 'No wrong verdict in these days.',
  noneHint: 'Either every verdict was right, or no outcome has a result to be held against.',
  onlyGone: 'Those that were wrong are no longer here to look at.',
  gone: (count: number) =>
    `${some(count, 'more was wrong whose list or results are', 'more were wrong whose lists or results are')} gone: their addresses are not kept elsewhere.`,
  found: (count: number) => some(count, 'wrong verdict', 'wrong verdicts'),
  outcomes: {
    bounced: 'Bounced: no such mailbox',
    delivered: 'Delivered',
    complained: 'Delivered, and called spam',
  },
  weSaid: 'We said',
  theMail: 'The mail',
  list: (id: number) => `List ${id}`,
  open: (address: string) => `Why ${address}`,
  more: 'Show more',
  save: 'Download as CSV',
  saving: 'Preparing…',
  fileName: 'wrong-verdicts',
  headings: ['Address', 'We said', 'Reason', 'Provider', 'What became of it', 'Day (UTC)', 'List', 'Row'],
  became: 'What became of the mail',
  sentences: {
    bounced: (day: string) => `On ${day} its mail server said that there is no such mailbox.`,
    delivered: (day: string) => `On ${day} its mail server took the mail.`,
    complained: (day: string) => `On ${day} the mail was delivered, and its reader called it spam.`,
  },
  saw: 'What we saw when we checked',
  maybe: {
    bounced:
      'A mailbox may have been closed since the check: compare the two days. Some servers accept every recipient and bounce later.',
    delivered:
      'The mailbox may have been opened or unblocked since the check: compare the two days. A server that takes mail may also bounce it later.',
  },
  notKept: 'The text of a bounce is not kept.',
};

export const addOutcomes = {
  title: 'Add outcomes from a file',
  intro:
    'Drop what your sending system has: the file is read in this browser, and only what became of each address is sent. Importing it again changes nothing.',
  drop: 'Drop a file here',
  dropNow: 'Drop it now',
  file: 'File of outcomes',
  formats:
    'CSV, Excel, NDJSON, Postfix’s log, .eml, mbox or Sisimai’s JSON, packed with gzip or not, of any size.',
  opening: 'Looking at the file…',
  kinds: {
    table: 'A table',
    json: 'Records in JSON',
    postfix: 'Postfix’s log',
    mail: 'Messages',
  },
  reviewTitle: 'Is this right?',
  columns: 'Columns',
  roles: {
    email: 'Address',
    outcome: 'What happened',
    reply: 'Reply of the mail server',
    at: 'When',
    id: 'The event’s own id',
  },
  noColumn: '– none –',
  column: (number: number) => `Column ${number}`,
  assumed: 'What became of all of them',
  assumedNone: 'As the column says',
  assumedChoices: {
    delivered: 'All were delivered',
    bounced: 'All bounced',
    complained: 'All complained',
  },
  needsOutcome: 'No column says what happened: choose one, or say it of all rows.',
  idHint: 'Only if each event has its own: a message’s or a contact’s id is shared by several events.',
  previewTitle: 'The first of them',
  previewNone: 'No outcome was found at the beginning of this file.',
  headings: ['Address', 'What happened', 'Reply', 'When'],
  unknownTime: 'not said: today',
  words: { delivered: 'Delivered', bounced: 'Bounced', complained: 'Complained' },
  send: 'Send the outcomes',
  other: 'Choose another file',
  sending: 'Sending…',
  sent: (read: number, sent: number) => `${formatCount(read)} read, ${formatCount(sent)} sent`,
  share: (share: string) => `${share} of the file`,
  waiting: (seconds: number) =>
    `The service asks to wait: it goes on in ${some(seconds, 'second', 'seconds')}. Nothing is lost.`,
  stopped:
    'It stopped. What was sent is kept; go on, or import the file again later: nothing is counted twice.',
  goOn: 'Go on',
  done: 'Done',
  cancelled: 'Stopped. What was sent is kept, and importing the file again changes nothing.',
  stop: 'Stop',
  taken: 'Taken',
  takenMeaning: 'new to the service',
  duplicates: 'Known before',
  ignored: 'Ignored by the service',
  ignoredMeaning: 'older than a year, or of mail that was never sent',
  passedOver: 'Passed over',
  passedOverMeaning: 'opened, clicked, on its way, …',
  unreadable: 'Not readable',
  unreadableMeaning: 'without an address, or damaged',
  refused: 'Refused by the service',
  readOf: (delivered: string, bounced: string, complained: string) =>
    `Read: ${delivered} delivered, ${bounced} bounced, ${complained} complained.`,
  toAccuracy: 'See the accuracy',
  another: 'Import another file',
  unexpected: 'The file cannot be read. Choose another one.',
};

export const services = {
  title: 'Sending services',
  intro:
    'Give your sending service a URL, and it tells MXProof by itself what became of each message. The URL must be reachable from the internet over https.',
  add: 'Add a service',
  none: 'No service yet',
  noneHint: 'Postmark, SendGrid, Amazon SES and Mailgun can tell by themselves. Others: import their files.',
  off: 'Outcomes are switched off: what services send is answered and not kept. Switch them on under Accuracy.',
  mayNotManage:
    'You are signed in with a key that cannot manage the account, and so not services. Sign in with one that can, or ask your operator for a sign-in link.',
  names: { postmark: 'Postmark', sendgrid: 'SendGrid', ses: 'Amazon SES', mailgun: 'Mailgun' },
  addedAt: (day: string) => `Added ${day}`,
  lastEvent: (moment: string) => `Last event ${moment}`,
  noEvent: 'No event seen yet',
  remove: 'Delete',
  removeOf: (name: string, day: string) => `Delete ${name}, added ${day}`,
  removeTitle: (name: string) => `Delete the hook of ${name}?`,
  removeMeaning:
    'Nothing is taken at its URL any more. Outcomes that it brought stay. Remove the URL in the service, too.',
  removeConfirm: 'Delete the hook',
  tooMany: 'There can be at most 10. Delete one that is no longer used.',
  notFound: 'It was deleted meanwhile.',
};

export const newService = {
  title: 'Add a sending service',
  which: 'Service',
  make: 'Make the URL',
  busy: 'Making…',
  keys: {
    postmark: {
      label: 'User and password (optional)',
      hint: 'Postmark signs nothing: the URL is the proof. Two words of your own, as user:password, are a second one.',
      missing: 'Write it as user:password, or leave it empty.',
    },
    sendgrid: {
      label: 'Verification key',
      hint: 'In SendGrid: Settings, Mail Settings, Event Webhooks. Make a webhook with any URL, enable Signature Verification, and copy the key.',
      missing: 'Paste the verification key that SendGrid shows.',
    },
    ses: {
      label: 'ARN of the topic',
      hint: 'In Amazon SNS: make a standard topic in the region that sends, and copy its ARN, such as arn:aws:sns:eu-west-1:123456789012:mail.',
      missing: 'Paste the ARN of the SNS topic.',
    },
    mailgun: {
      label: 'HTTP webhook signing key',
      hint: 'In Mailgun: Sending, Webhooks.',
      missing: 'Paste the signing key that Mailgun shows.',
    },
  },
  made: (name: string) => `The URL for ${name}`,
  shownOnce:
    'It is a secret: whoever has it can report outcomes in your name. Copy it now: it is not shown again.',
  copy: 'Copy the URL',
  whereTitle: 'Where to paste it',
  where: {
    postmark: [
      'Open the server and its message stream: Webhooks, Add webhook.',
      'Paste the URL. With user and password, write them into it: https://user:password@…',
      'Choose Delivery, Bounce and Spam complaint, and save.',
    ],
    sendgrid: [
      'Open Settings, Mail Settings, Event Webhooks, and your webhook.',
      'Replace its URL by this one.',
      'Choose Delivered, Bounced and Spam Reports, and save.',
    ],
    ses: [
      'In SNS, add a subscription to the topic: protocol HTTPS, this URL, raw message delivery off.',
      'It is confirmed by itself within seconds.',
      'In SES, let the topic have bounces, complaints and deliveries: Identities, your domain, Notifications.',
    ],
    mailgun: [
      'Open Sending, Webhooks.',
      'Add webhooks with this URL for Delivered, Permanent failure and Spam complaints.',
    ],
  },
  done: 'Done',
};

export const suppressions = {
  title: 'Addresses better not mailed',
  intro:
    'Mailing an address that does not exist, or a person who said no, harms what providers think of you. Addresses get here by a bounce that says there is no such mailbox, by a complaint, or because you added them, such as unsubscribes.',
  hidden:
    'Addresses are never shown: only a keyed hash of each is kept, so that nobody can read the list, and an erased person stays on it. You can ask whether an address is here.',
  counts: {
    total: 'On the list',
    bounced: 'No such mailbox',
    complained: 'Complained',
    uploaded: 'Added by you',
  },
  several: 'An address may be here for several reasons.',
  checkTitle: 'Ask about an address',
  address: 'Address',
  check: 'Ask',
  needed: 'Enter an address.',
  isOn: (address: string) => `${address} is on the list.`,
  isOff: (address: string) => `${address} is not on the list.`,
  remove: 'Take it off',
  removeMeaning: 'The next bounce or complaint puts it on the list again.',
  removed: (address: string) => `${address} was taken off the list.`,
  addTitle: 'Add addresses',
  addIntro: 'Such as those that unsubscribed: paste them, or choose a file.',
  field: 'Addresses',
  fieldHint: 'One in each line, or with commas between them.',
  add: 'Add them',
  adding: 'Adding…',
  orFile: 'Or a file with a column of addresses:',
  file: 'File of addresses',
  progress: (count: number) => `${some(count, 'address', 'addresses')} sent`,
  noAddress: 'There is no address in this text.',
  added: (added: number, all: number) =>
    `${some(added, 'address was', 'addresses were')} added; ${formatCount(all - added)} of ${formatCount(all)} were on the list or repeated.`,
  tooMany: 'The list can have at most 5,000,000 addresses.',
};
