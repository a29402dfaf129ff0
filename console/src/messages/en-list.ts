// English, of the page of a list: loaded with it, since the first script has no room for more.
import { PROVIDERS } from '@mxproof/common/vocabulary/providers';
import type { LimitCounts } from '@mxproof/files/bounce-limit';
import { formatCount } from '../design/format.ts';
import { some } from './en.ts';

const answersNow = (answers: number) =>
  answers === 0
    ? 'there is still no answer'
    : `${some(answers, 'has an answer', 'have an answer')} now, here and in your file`;

export const listMessages = {
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
        `Usually minutes; we stop asking at ${moment}. Addresses without an answer by then are not charged.`,
    },
    /** What keeps the whole service from checking, instead of the time left. */
    serviceWaits: {
      port_25: 'waiting: this service cannot reach mail servers (port 25)',
      dns: 'waiting: this service cannot look up domains (DNS)',
      database: 'waiting: the database of this service does not answer',
      no_node: 'waiting: no process of this service checks addresses',
    },
    mayLeave: 'You can close this tab: checking continues. Come back to this link for the results.',
    notify: 'Notify me (keep this tab open)',
    willNotify: 'You will be notified while this tab stays open.',
    notification: (name: string) => `${name} is done`,
    pause: 'Pause',
    resume: 'Resume',
    paused: 'Paused',
    pausedSince: (time: string) => `Paused since ${time}; nothing is asked until you resume`,
    whilePaused: 'Nothing is lost while it is paused. After 30 days it is stopped and the rest refunded.',
    stopping: {
      button: 'Stop and refund the rest…',
      title: 'Stop and refund the rest?',
      left: (left: number, total: string) =>
        `${some(left, 'address', 'addresses')} of ${total} will not be checked.`,
      refund: (credits: number) =>
        `About ${some(credits, 'credit comes', 'credits come')} back, less what is answered until then.`,
      kept: (answers: number) => `The ${some(answers, 'answer', 'answers')} there are stay on this page.`,
      later: 'The rest can be checked later, for its price.',
      orPause: 'To go on later as it is, pause it instead.',
      agree: 'Stop and refund',
      keep: 'Keep the list',
    },
    states: 'States',
    reasons: 'Reasons',
    providers: 'Providers',
    others: PROVIDERS.other,
    done: 'Done',
    stopped: 'Stopped',
    checking: 'Checking',
    duplicates: (count: number) => `${some(count, 'duplicate', 'duplicates')} left out`,
    rowsOf: (rows: number, file: string) => `${some(rows, 'row', 'rows')} in ${file}`,
    invalid: (count: number) => `${formatCount(count)} not an e-mail address`,
    corrected: (count: number) => `${formatCount(count)} corrected before the check`,
    deletedOn: (day: string) => `results are deleted on ${day}`,
    expired: (day: string) => `The results were deleted on ${day}.`,
    expiredHint: 'Your account keeps results for a limited time. The summary stays.',
    stoppedAt: (checked: string, total: string) =>
      `Stopped: ${checked} of its ${total} addresses were checked.`,
    checkedSince: (checked: string, total: string) =>
      `With what was checked since, ${checked} of ${total} have a result.`,
    refunded: (credits: number) => `${some(credits, 'credit was', 'credits were')} refunded.`,
    restHint: 'Finished results stay. The rest can be checked into this page and file.',
    checkRest: (unchecked: number, unanswered: number) =>
      `Check the other ${formatCount(unchecked)}${unanswered > 0 ? ` and try ${formatCount(unanswered)} again` : ''}`,
    again: {
      running: (checked: number, total: number) =>
        `Trying those without an answer again: ${formatCount(checked)} of ${formatCount(total)}. The answers appear here.`,
      done: (moment: string, answers: number) =>
        `Those without an answer were tried again on ${moment}: ${answersNow(answers)}.`,
      stopped: (moment: string, answers: number) =>
        `Trying those without an answer again was stopped on ${moment}: ${answersNow(answers)}.`,
    },
    againOf: (name: string) => `${name}: tried again`,
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
      title: (domains: number, addresses: number) =>
        `${some(domains, 'misspelt domain', 'misspelt domains')}, ${some(addresses, 'address', 'addresses')}`,
      meaning: 'Their domains look mistyped. Check the addresses as they were probably meant.',
      pair: (domain: string, meant: string) => `${domain} → ${meant}`,
      others: (count: number) => `and ${some(count, 'other domain', 'other domains')}`,
      inList: (count: number) =>
        `${some(count, 'other is', 'others are')} in this list in the right spelling too, and not checked again.`,
      fix: (count: number) => `Fix and check ${some(count, 'address', 'addresses')}`,
      fixing: 'Starting…',
      choose: 'Choose domains',
      chooseHint: 'Untick a domain that is spelt as it should be.',
    },
    report: 'Report',
    delete: 'Delete',
    checkedAgainNow: (name: string) =>
      `${name} is being checked again: stop that first, or wait for its end.`,
    readAgain: 'Load the rest again',
  },
  actions: {
    title: 'What to do',
    download: 'Download',
    show: 'Show',
    checkAgain: (count: number) => `Try the ${formatCount(count)} again`,
    refundedAgain: 'Refunded where there is still no answer.',
    // Each is a part of one sentence, but for the first.
    whySeparate: {
      unknown: 'The domain accepts every address, or the mailbox is full.',
      everyone: (count: number) => `${formatCount(count)} at servers that accept everyone`,
      perhaps: (count: number) => `${formatCount(count)} at servers that may accept everyone`,
      full: (count: number) => `${formatCount(count)} with a full mailbox`,
      afterMessage: (count: number) => `${formatCount(count)} at Yahoo and AOL: cannot be checked in advance`,
    },
  },
  /** How likely mail bounces, and what is not mailed at all. */
  risk: {
    between: (risk: string, low: string, high: string) => `${risk}, between ${low} and ${high}`,
    basis: {
      domain: (count: string, domain: string) =>
        `by what became of your mail to ${count} addresses at ${domain}`,
      provider: (count: string) =>
        `by what became of your mail to ${count} such addresses at the same provider`,
      detail: (count: string) => `by what became of your mail to ${count} such addresses at any provider`,
    },
    few: (action: string) => `${action}: the safer ones`,
    below: 'Bounce risk below',
    only: 'Only the safer ones:',
    sides: ({ below, above, unknown }: LimitCounts) =>
      [
        `${formatCount(below)} below`,
        `${formatCount(above)} above`,
        ...(unknown > 0 ? [`${formatCount(unknown)} unknown`] : []),
      ].join(', '),
    download: (count: number, limit: number) =>
      `Download ${count === 1 ? 'the one' : `the ${formatCount(count)}`} below ${limit} %`,
    suppressed:
      'On your suppression list: mail to it bounced or was called spam, or you added it. Files of addresses to send to are without it.',
    suppressedOf: (count: number) =>
      `${some(count, 'is', 'are')} on your suppression list, and not in what you download here.`,
    suppressedRows: (count: number) =>
      `${some(count, 'address is', 'addresses are')} on your suppression list, and only among all rows.`,
  },
  downloads: {
    goodRows: 'Download the good rows',
    goodRowsSoFar: 'Download the good rows so far',
    soFar: (unchecked: number) =>
      `${some(unchecked, 'address is', 'addresses are')} not checked yet. The file has what is known now, and its name ends in “so-far”.`,
    madeSoFar: (unchecked: number) =>
      `${some(unchecked, 'address was', 'addresses were')} not checked yet when it was made.`,
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
    dropRepeated: 'Leave out rows that repeat the addresses of rows above',
    preview: {
      title: 'Preview',
      preparing: 'Preparing…',
      about: (name: string, kept: string, rows: string) => `${name}, ${kept} of ${rows} rows`,
      firstRows: 'The first rows',
      failed: 'The preview could not be made.',
    },
    words: 'Words',
    people: 'For people',
    peopleHint: '“Email: what to do”, “Send”, “Deliverable”, “yes”',
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
      some(count, 'row of your file has no address.', 'rows of your file have no address.'),
    missing:
      'Your file is stored only in the browser you dropped it in. Choose it again here to get it back.',
    tableInstead:
      'This browser does not have the file of this list, so this is a table of its addresses. To get your own file instead, choose it here.',
    takeAgain: 'The file you checked',
    anotherFile: 'This is not the file that was checked, or it has changed. Choose the original.',
    others: (count: number) =>
      `${some(count, 'address in this file is', 'addresses in this file are')} not part of this list. Those rows have no result.`,
    notKept: 'This browser has no room to store the file. Choose it again for the next download.',
    failed: 'Your file could not be prepared. Choose the file again, or download the results as CSV.',
  },
  report: {
    title: 'Verification report',
    list: 'List',
    file: 'File',
    rows: 'Rows in the file',
    found: 'Addresses in the file',
    invalid: 'Not an e-mail address',
    corrected: 'Corrected before the check',
    submitted: 'Submitted',
    finished: 'Finished',
    addresses: 'Addresses',
    duplicates: 'Duplicates left out',
    checked: 'Checked',
    charged: 'Credits charged',
    refunded: 'Credits refunded',
    usedByRetries: 'Credits used by retries',
    usedByCorrections: 'Credits used by fixes',
    paid: 'Credits used',
    how: 'MXProof asked each address’s mail server whether the mailbox exists. No message was sent. Unknown results were not charged.',
  },
  results: {
    title: 'Results',
    search: 'Search',
    searchHint: 'Part of an address',
    filters: (active: number) => (active === 0 ? 'Filters' : `Filters (${formatCount(active)})`),
    any: 'Any',
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
    risk: 'Bounce risk',
    suppressed: 'Suppressed',
    own: {
      title: 'Columns of your file',
      hint: 'Shown beside each address. They stay in this browser.',
      column: (at: number) => `Column ${at}`,
    },
    apiWords: 'API words',
    // Around an address.
    didYouMean: ['did you mean ', '?'],
    checkedAs: ['checked as ', ''],
  },
};
