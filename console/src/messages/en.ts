// English. Everything a person reads in the console is here or, of a page that loads later, in the files beside it; numbers come
// formatted.
import { ACTIONS } from '@mxproof/common/vocabulary/labels';
import { RESULT_WORDS } from '@mxproof/files/result-words';
import { formatCount, formatDuration } from '../design/format.ts';

const plural = new Intl.PluralRules('en');
export const some = (count: number, one: string, other: string) =>
  `${formatCount(count)} ${plural.select(count) === 'one' ? one : other}`;

const answersNow = (answers: number) =>
  answers === 0
    ? 'none has an answer yet'
    : `${some(answers, 'has an answer', 'have an answer')} now, here and in your file`;

export const en = {
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected: press Ctrl+C or ⌘C to copy.',
  status: {
    paused: {
      port_25: 'Checking is paused: this service cannot reach mail servers (port 25).',
      dns: 'Checking is paused: this service cannot look up domains (DNS).',
      database: 'Checking is paused: the database of this service does not answer.',
      no_node: 'Checking is paused: no process of this service checks addresses.',
    },
    /** While the rest is checked. */
    partly: {
      port_25: 'Part of this service cannot reach mail servers (port 25); the rest goes on checking.',
      dns: 'Part of this service cannot look up domains (DNS); the rest goes on checking.',
      database: 'Part of this service has no database; the rest goes on checking.',
      source_blocked: 'A mail provider has blocked this service: addresses there wait or end as unknown.',
    },
    /** Of a list, instead of the time left. */
    listWaits: {
      port_25: 'waiting: this service cannot reach mail servers (port 25)',
      dns: 'waiting: this service cannot look up domains (DNS)',
      database: 'waiting: the database of this service does not answer',
      no_node: 'waiting: no process of this service checks addresses',
    },
    unavailable: 'This service is not available at the moment: its database may not answer.',
    goesOn: 'Lists keep their place and continue by themselves. A check that gets no answer is refunded.',
    goesOnUnknown: 'Addresses that get no answer meanwhile end as unknown and are refunded.',
    since: (moment: string) => `Since ${moment}.`,
    forOperator: 'For the operator:',
    startNode: 'Start “mxproof work”, or “mxproof serve” without --no-checks.',
  },
  nav: {
    home: 'MXProof, home',
    pages: 'Pages',
    skip: 'Skip to content',
    check: 'Check',
    lists: 'Lists',
    newList: 'New list',
    bounces: 'Bounces',
    account: 'Account',
    credits: (count: number) => (plural.select(count) === 'one' ? 'credit' : 'credits'),
    low: 'low',
    testMode: 'Test mode',
    testModeMeaning: 'Test mode: no mail server is contacted and nothing is charged',
    signOut: 'Sign out',
    reference: 'API reference',
  },
  theme: {
    title: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    keys: [
      ['/', 'Go to the search or address field'],
      ['n', 'New list'],
      ['?', 'Show this help'],
    ],
  },
  states: RESULT_WORDS.states,
  reasons: RESULT_WORDS.reasons,
  details: RESULT_WORDS.details,
  flags: {
    accept_all: 'Accepts everyone',
    role: 'Role address',
    free: 'Free provider',
    disposable: 'Disposable domain',
  },
  /** The operator of a mail server that is not known by name. */
  problems: {
    title: 'Something went wrong',
    noPage: 'Page not found',
    noPageWhy: 'There is no page at this address. It may be mistyped.',
    noList: 'List not found',
    noListWhy:
      'It may have been deleted, or it belongs to another account. Test lists are deleted after 7 days.',
    toLists: 'All lists',
    toNewList: 'Check a list',
    toCheck: 'Check one address',
    insufficientCredits: (needed: number) =>
      `This needs ${some(needed, 'credit', 'credits')}, more than you have. Nothing was charged. Ask your operator for more.`,
    rateLimited: (seconds: number | null) =>
      seconds === null
        ? 'Too many requests. Try again shortly.'
        : `Too many requests. Try again in ${formatDuration(seconds)}.`,
    signedOut: 'You are signed out. Sign in again; nothing you typed is lost.',
    forbidden: 'This key is not allowed to do that. Sign in with a key that can manage keys.',
    listNotFound: 'List not found. It may have been deleted.',
    listFailed: 'The check failed and was refunded. Try again.',
    refused: (sentence: string) => `The service says: ${sentence}.`,
    unavailable: 'The service is not available at the moment. Try again in a minute.',
    noConnection: 'No connection to the service. Check your network and try again.',
    unexpected: 'Something unexpected happened. Reload the console and try again.',
  },
  charge: {
    // The price stays in one line.
    priced: (label: string, credits: number) =>
      `${label} (${some(credits, 'credit', 'credits').replace(' ', '\u00a0')})`,
    short: (needed: number, balance: number, otherWay = '') =>
      `You have ${some(balance, 'credit', 'credits')} and need ${formatCount(needed)}: ${otherWay}ask your operator for more.`,
  },
  signIn: {
    title: 'Sign in',
    intro: 'Check e-mail addresses before you send to them.',
    apiKey: 'API key',
    hint: 'Starts with mx_live_ or mx_test_. It is used once to sign in and not stored in this browser.',
    submit: 'Sign in',
    busy: 'Signing in…',
    needed: 'Enter your API key.',
    wrong: 'This API key is invalid, expired or revoked. Check that you copied all of it.',
    tooMany: 'Too many attempts. Wait a minute and try again.',
    noKey: 'No key? Ask your operator for one, or for a sign-in link:',
  },
  check: {
    title: 'Check an address',
    address: 'Address',
    placeholder: 'name@example.com',
    submit: 'Check',
    busy: 'Checking…',
    needed: 'Enter an address.',
    several:
      'There is more than one address here. Leave one, or make a list of them: New list takes pasted addresses.',
    invalid: (text: string) =>
      `“${text}” cannot be an e-mail address that receives mail, so it was not checked and nothing was charged.`,
    checkInvalid: 'Check it anyway',
    price: 'A check costs 1 credit, which is refunded if there is no clear answer.',
    question: (address: string) => `Check ${address}?`,
    slow: 'The mail server is taking its time. The result will appear here.',
    slowNote: 'You can also leave: the check continues, and this link will show its result.',
    score: 'Score',
    provider: 'Provider',
    mx: 'Mail server',
    noMx: 'None',
    reason: 'Reason',
    didYouMean: (address: string) => `Did you mean ${address}?`,
    checkThat: 'Check that instead',
    why: 'Why',
    empty: 'MXProof asks the address’s mail server whether the mailbox exists. It never sends a message.',
    refunded: 'There was no clear answer, so this check was not charged.',
    result: (address: string, state: string) => `${address}: ${state}`,
    recent: 'Recent checks',
    stopped: 'Stopped',
  },
  lists: {
    title: 'Lists',
    search: 'Search lists',
    found: (count: number) => `${some(count, 'list', 'lists')} found`,
    noneFound: 'No lists match. Search for another name.',
    more: 'Show older lists',
    nothingYet: 'Nothing yet',
    unnamed: (id: number) => `List ${id}`,
    addresses: (count: number) => some(count, 'address', 'addresses'),
    renameShort: 'Rename',
    rename: (name: string) => `Rename ${name}`,
    newName: (name: string) => `New name of ${name}`,
    save: 'Save',
    done: (share: string) => `Done: ${share} deliverable`,
    stopped: (checked: string, total: string) => `Stopped: ${checked} of ${total} checked`,
    running: (share: string) => `Checking: ${share}`,
    emptyTitle: 'No lists yet',
    emptyHint:
      'Drop a CSV, Excel or text file of addresses. You see the cost before anything is charged, and get your file back with the results added.',
    drop: 'Drop a file',
    emptyAction: 'Drop your first file',
  },
  list: {
    loading: 'Loading the list…',
    offline: 'The connection is lost. Checking continues; updates resume when the connection is back.',
    progress: 'Progress',
    checkedOf: (checked: string, total: string) => `${checked} of ${total} checked`,
    rate: (perSecond: string) => `${perSecond} per second,`,
    timeLeft: (duration: string) => `about ${duration} left`,
    allThere: 'all results are here',
    estimating: 'estimating the time left',
    slowServers: 'waiting for slow mail servers, which can take minutes',
    waiting: {
      title: (left: string, total: string) => `${left} of ${total} left`,
      // Each after a number of addresses.
      asking: 'being checked now',
      inLine: 'being checked now, or next in the queue',
      others: 'at other servers',
      at: 'at',
      which: (words: string) => `, which ${words}`,
      servers: (words: string) => `at servers that ${words}`,
      nextAttempt: (duration: string) => `next attempt in ${duration}`,
      doneBy: (moment: string) =>
        `Done by ${moment} at the latest. Addresses without an answer by then are not charged.`,
    },
    mayLeave: 'You can close this tab: checking continues. Come back to this link for the results.',
    notify: 'Notify me when it is done',
    willNotify: 'You will be notified.',
    notification: (name: string) => `${name} is done`,
    stop: 'Stop',
    states: 'States',
    reasons: 'Reasons',
    providers: 'Providers',
    others: RESULT_WORDS.otherProvider,
    done: 'Done',
    stopped: 'Stopped',
    duplicates: (count: number) => `${some(count, 'duplicate', 'duplicates')} left out`,
    deletedOn: (day: string) => `results are deleted on ${day}`,
    expired: (day: string) => `The results were deleted on ${day}.`,
    expiredHint: 'Your account keeps results for a limited time. The summary stays.',
    stoppedAt: (checked: string, total: string) => `Stopped with ${checked} of ${total} checked.`,
    refunded: (credits: number) => `${some(credits, 'credit was', 'credits were')} refunded.`,
    restHint: (count: number) =>
      `Finished results stay. The other ${some(count, 'address', 'addresses')} can be checked as a new list.`,
    checkRest: (count: number) => `Check the other ${formatCount(count)}`,
    restOf: (name: string) => `${name}: remaining addresses`,
    again: {
      running: (checked: number, total: number) =>
        `Checking the unknown addresses again: ${formatCount(checked)} of ${formatCount(total)}. The answers appear here.`,
      done: (moment: string, answers: number) =>
        `The unknown addresses were checked again on ${moment}: ${answersNow(answers)}.`,
      stopped: (moment: string, answers: number) =>
        `Checking the unknown addresses again was stopped on ${moment}: ${answersNow(answers)}.`,
    },
    againOf: (name: string) => `${name}: unknown addresses`,
    meant: {
      running: (checked: number, total: number) =>
        `Checking the corrected addresses: ${formatCount(checked)} of ${formatCount(total)}. The answers appear here.`,
      done: (moment: string, answers: number, sendable: number) =>
        answers === 0
          ? `Misspelt addresses were corrected and checked on ${moment}.`
          : `${some(answers, 'misspelt address was', 'misspelt addresses were')} corrected and checked on ${moment}: ${sendable === 0 ? 'none is' : some(sendable, 'is', 'are')} safe to send. The answers are here and in your file.`,
      stopped: (moment: string, answers: number) =>
        `Checking the corrected addresses was stopped on ${moment}: ${answersNow(answers)}.`,
      of: (name: string) => `${name}: corrected addresses`,
    },
    misspelt: {
      title: (count: number) => `Misspelt domains: ${formatCount(count)}`,
      meaning: 'Their domains look mistyped. Check the addresses as they were probably meant.',
      pair: (domain: string, meant: string) => `${domain} → ${meant}`,
      others: (count: number) => `and ${some(count, 'other domain', 'other domains')}`,
      inList: (count: number) =>
        `${some(count, 'is', 'are')} in this list in the right spelling too, and not checked again.`,
      fix: (count: number) => `Fix and check ${some(count, 'address', 'addresses')}`,
      fixing: 'Starting…',
      choose: 'Choose domains',
      chooseHint: 'Untick a domain that is spelt as it should be.',
    },
    report: 'Report',
    delete: 'Delete',
    readAgain: 'Load the rest again',
  },
  actions: {
    title: 'What to do',
    download: 'Download',
    show: 'Show',
    checkAgain: 'Check unknown addresses again',
    // Each is a part of one sentence, but for the first.
    whySeparate: {
      unknown: 'The domain accepts every address, or the mailbox is full.',
      everyone: (count: number) => `${formatCount(count)} at servers that accept everyone`,
      perhaps: (count: number) => `${formatCount(count)} at servers that may accept everyone`,
      full: (count: number) => `${formatCount(count)} with a full mailbox`,
      afterMessage: (count: number) => `${formatCount(count)} at Yahoo, which decides after the message`,
    },
    each: ACTIONS,
  },
  downloads: {
    goodRows: 'Download the good rows',
    more: 'Other downloads…',
    title: 'Download',
    rows: 'Rows',
    allRows: 'All rows',
    rest: 'Rows without a result',
    addresses: (count: number) => some(count, 'address', 'addresses'),
    rowsHint:
      'A row with several addresses goes with its best one; its other addresses are removed from the row unless you choose them too. Without a result: no address, or not checked.',
    format: 'Format',
    formats: { own: 'Your file', csv: 'CSV', xlsx: 'Excel' },
    ownHint: (name: string) => `${name}, with its own columns and format`,
    ownMissing: 'It is not in this browser: you are asked for it.',
    tableHint: 'one address per row, with its result',
    withResults: 'Add the results as columns',
    words: 'Words',
    people: 'For people',
    peopleHint: '“Email: status”, “Deliverable”, “yes”',
    machine: 'For programs',
    machineHint: 'as in the API: state, deliverable, True',
    download: 'Download',
    merging: 'Preparing your file…',
    saved: (name: string, kept: string, rows: string) =>
      kept === rows
        ? `${name} has all ${rows} rows of your file.`
        : `${name} has ${kept} of the ${rows} rows of your file.`,
    corrected: (count: number) =>
      `${some(count, 'misspelt address was', 'misspelt addresses were')} corrected.`,
    emptied: (count: number) =>
      `${some(count, 'other address was', 'other addresses were')} removed from these rows.`,
    leftAlone: (count: number) =>
      some(
        count,
        'cell with a formula or a link was not changed: check the address in it.',
        'cells with a formula or a link were not changed: check the addresses in them.',
      ),
    withoutAddress: (count: number) =>
      `${some(count, 'row', 'rows')} of your file ${plural.select(count) === 'one' ? 'has' : 'have'} no address.`,
    missing:
      'Your file is stored only in the browser you dropped it in. Choose it again here to get it back.',
    tableInstead:
      'This browser does not have the file of this list, so this is a table of its addresses. To get your own file instead, choose it here.',
    takeAgain: 'The file you checked',
    anotherFile: 'This is not the file that was checked, or it has changed. Choose the original.',
    others: (count: number) =>
      `${some(count, 'address', 'addresses')} in this file ${plural.select(count) === 'one' ? 'is' : 'are'} not part of this list. Those rows have no result.`,
    notKept: 'This browser has no room to store the file. Choose it again for the next download.',
    failed: 'Your file could not be prepared. Choose the file again, or download the results as CSV.',
  },
  deletions: {
    deleted: (name: string) => `${name} deleted.`,
    failed: (name: string) => `${name} could not be deleted.`,
    undo: 'Undo',
    notUndone: (name: string) => `${name} could not be restored.`,
    tooLate: 'It is too late: its data has been deleted.',
  },
  report: {
    title: 'Verification report',
    list: 'List',
    submitted: 'Submitted',
    finished: 'Finished',
    addresses: 'Addresses',
    duplicates: 'Duplicates left out',
    checked: 'Checked',
    charged: 'Credits charged',
    refunded: 'Credits refunded',
    paid: 'Credits used',
    how: 'MXProof asked each address’s mail server whether the mailbox exists. No message was sent. Unknown results were not charged.',
  },
  results: {
    title: 'Results',
    search: 'Search',
    searchHint: 'Part of an address',
    filters: (active: number) => (active === 0 ? 'Filters' : `Filters (${formatCount(active)})`),
    any: 'Any',
    notChecked: 'Not checked',
    flag: 'Flag',
    all: (count: number) => some(count, 'address', 'addresses'),
    found: (count: number, total: string) => `${some(count, 'address', 'addresses')} of ${total}`,
    allSoFar: (count: number) => `${some(count, 'address', 'addresses')} checked so far`,
    foundSoFar: (count: number, checked: string) =>
      `${some(count, 'address', 'addresses')} of ${checked} checked so far`,
    reading: (share: string) => `Loading the results: ${share}`,
    showAll: 'Show all',
    saveAs: 'Save these as',
    none: 'No matches. Clear a filter.',
    noneYet: 'No results yet. They appear here as mail servers answer.',
    onlyFirst: (count: number) =>
      `Only the first ${formatCount(count)} are shown. Search or filter to see others.`,
    address: 'Address',
    action: 'What to do',
    reason: 'Reason',
    provider: 'Provider',
    score: 'Score',
    apiWords: 'API words',
    // Around an address.
    didYouMean: ['did you mean ', '?'],
    checkedAs: ['checked as ', ''],
    erased: 'erased',
  },
  evidence: {
    loading: 'Loading the evidence…',
    none: 'The evidence of this check has expired.',
    checkedAt: 'Checked',
    apiWords: 'API words',
    rule: 'Decided by',
    dns: 'DNS',
    host: 'Server',
    encrypted: 'encrypted',
    attempts: (count: number) => some(count, 'attempt', 'attempts'),
    dialogue: 'SMTP dialogue',
    client: 'MXProof',
    server: 'Mail server',
    note: 'Note',
    ms: (ms: number) => `${formatCount(ms)}\u00a0ms`,
    notAsked: 'No mail server was contacted.',
  },
};
