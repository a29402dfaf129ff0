// evaluate: result files of verifiers beside what became of the mail: how often was each right?
// Promises: no connection is opened; a bounce counts by its text, whatever the sending service called it; where fewer than
// MIN_OUTCOMES outcomes speak, no rate is given.
// Exit status: 0 compared; 1 a file cannot be read; 2 a wrong call.

import { STATE_WORDS, type State } from '@mxproof/common/vocabulary/labels';
import type { Share } from '@mxproof/common/wilson';
import { bounceClass } from '@mxproof/engine';
import type { OutcomeWord } from '@mxproof/files/outcome';
import { type CleanInput, openInput } from '../clean/clean-input.ts';
import { EXIT } from '../shared/exit-status.ts';
import { counted, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import {
  asOperatorError,
  confirmReading,
  type OpenedOutcomes,
  openOutcomeFile,
  openResultFile,
  type ResultFile,
} from './open-file.ts';
import {
  bouncedShare,
  deliveredShare,
  type Known,
  MAX_FILES,
  type Matrix,
  type Row,
  Tally,
} from './tally.ts';
import { plain as plainWord, type Verifier } from './verifiers.ts';

interface Options {
  readonly outcomes: readonly string[];
  readonly all?: OutcomeWord;
  /** One for all files, or one for each, in their order. */
  readonly verifiers?: readonly string[];
  readonly emailColumns?: readonly string[];
  readonly stateColumns?: readonly string[];
  readonly byDomain?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const COLUMNS: readonly (Known | 'none')[] = [
  ...(['delivered', 'complained', 'bounced', 'full', 'blocked', 'unclear', 'none'] as const),
];
/** Words of a file that are no verdict: so many of them are named. */
const MAX_NAMED_WORDS = 5;
const MAX_DOMAINS = 20;
/** The reply of one campaign is often that of a thousand addresses: classes of the last replies are kept. */
const MAX_KNOWN_REPLIES = 10_000;

export async function evaluate(files: readonly string[], options: Options): Promise<number> {
  if (files.length === 0) throw new UsageError('Name the result files of the verifiers to compare.');
  if (files.length > MAX_FILES) throw new UsageError(`At most ${MAX_FILES} result files can be compared.`);
  const inputs: CleanInput[] = [];
  const open = async (file: string) => {
    const input = await openInput(file);
    inputs.push(input);
    return input;
  };
  try {
    const results: ResultFile[] = [];
    for (const [at, file] of files.entries())
      results.push(await openResultFile(file, await open(file), namesOf(options, at, files.length)));
    const outcomes: OpenedOutcomes[] = [];
    const nowSeconds = Date.now() / 1_000;
    const assumed = options.all === undefined ? {} : { assumed: options.all };
    for (const file of options.outcomes)
      outcomes.push(await openOutcomeFile(file, await open(file), { nowSeconds, ...assumed }));
    const isSaid = [options.verifiers, options.emailColumns, options.stateColumns].every(Boolean);
    const isTable = outcomes.some(({ file }) => file.table !== null);
    const lines = [...results, ...outcomes].map(({ shown }) => shown);
    await confirmReading(lines, options.yes === true || (isSaid && !isTable));
    await compare(results, outcomes, options);
    return EXIT.ok;
  } finally {
    for (const input of inputs) await input.close();
  }
}

function namesOf({ verifiers, emailColumns, stateColumns }: Options, at: number, files: number) {
  const one = (option: string, values: readonly string[] | undefined) => {
    if (values === undefined || values.length === 1) return values?.[0];
    if (values.length !== files)
      throw new UsageError(`${option} takes one value, or one for each result file.`);
    return values[at];
  };
  return {
    verifier: one('--verifiers', verifiers),
    email: one('--email-columns', emailColumns),
    state: one('--state-columns', stateColumns),
  };
}

interface FileSum {
  /** By the word that stands in the file. */
  readonly words: Map<string, number>;
  /** Rows whose word is no verdict of this verifier. */
  readonly others: Map<string, number>;
}

interface OutcomeSum {
  read: number;
  unreadable: number;
  readonly ignored: Map<string, number>;
}

async function compare(
  results: readonly ResultFile[],
  outcomes: readonly OpenedOutcomes[],
  options: Options,
): Promise<void> {
  const tally = new Tally(results.length);
  const sums: FileSum[] = [];
  for (const [at, result] of results.entries()) sums.push(await readResult(result, at, tally));
  const heard: OutcomeSum = { read: 0, unreadable: 0, ignored: new Map() };
  for (const { file } of outcomes) {
    const classes = new Map<string, Known>();
    await file
      .read({
        onOutcome({ email, outcome, reply }) {
          heard.read += 1;
          tally.addOutcome(email, outcome === 'bounced' ? classOf(reply, email, classes) : outcome);
        },
        onIgnored: (word) => count(heard.ignored, word),
        onUnreadable() {
          heard.unreadable += 1;
        },
      })
      .catch((error: unknown) => {
        throw asOperatorError(
          error,
          options.outcomes[outcomes.findIndex((each) => each.file === file)] ?? '',
        );
      });
  }
  if (options.json) printJson(jsonOf(results, sums, tally, heard, options));
  else show(results, sums, tally, heard, options);
}

async function readResult({ verifier, read }: ResultFile, at: number, tally: Tally): Promise<FileSum> {
  const sum: FileSum = { words: new Map(), others: new Map() };
  await read((email, word) => {
    const state = stateOf(verifier, word);
    count(state === null ? sum.others : sum.words, word);
    if (state !== null) tally.addState(at, email, state);
  });
  return sum;
}

function stateOf({ words }: Verifier, word: string): State | null {
  return words.get(plainWord(word)) ?? null;
}

/** Different words in one column, or of one kind; the rest are counted together. */
const MAX_WORDS = 100;

function count(words: Map<string, number>, word: string): void {
  const known = words.has(word) || words.size < MAX_WORDS ? word : 'other words';
  words.set(known, (words.get(known) ?? 0) + 1);
}

function classOf(reply: string, email: string, classes: Map<string, Known>): Known {
  // The same sentence about another address is the same answer.
  const key = reply.toLowerCase().replaceAll(email, '');
  const known = classes.get(key);
  if (known !== undefined) return known;
  const found = bounceClass(reply, email);
  if (classes.size >= MAX_KNOWN_REPLIES) classes.clear();
  classes.set(key, found);
  return found;
}

// ---- for people --------------------------------------------------------------------------

function show(
  results: readonly ResultFile[],
  sums: readonly FileSum[],
  tally: Tally,
  heard: OutcomeSum,
  options: Options,
): void {
  const { matrices, addresses, leftOut } = tally.sum();
  for (const [at, { name, verifier }] of results.entries()) {
    printLine(`\n${plain(name)} (${verifier.title})`);
    printLine(`  words: ${mappingText(sums[at]!, verifier)}`);
    showMatrix(matrices[at]!);
  }
  printLine(`\n${addressesText(addresses, leftOut, results.length)}`);
  printLine(heardText(heard, tally.unmatched));
  printLine(
    'Wrong is: called deliverable and bounced as no such mailbox, or called undeliverable and delivered. Full mailboxes, blocks and unclear bounces count against no verdict. Intervals are Wilson’s, at 95 %.',
  );
  if (options.byDomain) showDomains(results, tally);
}

function mappingText({ words, others }: FileSum, verifier: Verifier): string {
  const mapped = STATE_WORDS.flatMap((state) => {
    const of = [...words].filter(([word]) => stateOf(verifier, word) === state);
    const same = of.length === 1 && of[0]![0] === state;
    return of.length === 0 ? [] : [same ? state : `${of.map(([word]) => word).join(', ')} → ${state}`];
  });
  const rows = [...others.values()].reduce((sum, each) => sum + each, 0);
  const named = [...others.keys()]
    .slice(0, MAX_NAMED_WORDS)
    .map((word) => (word === '' ? '(empty)' : plain(word)));
  const rest = rows === 0 ? '' : `; no verdict, left out: ${counted(rows, 'row')} (${named.join(', ')})`;
  return `${mapped.join('; ')}${rest}`;
}

function showMatrix(matrix: Matrix): void {
  const headings = COLUMNS.map((column) => (column === 'none' ? 'no outcome' : column));
  const rows = STATE_WORDS.map((state) => [
    `  ${state}`,
    ...COLUMNS.map((column) => matrix[state][column].toLocaleString('en')),
  ]);
  printTable([['  called', ...headings], ...rows]);
  for (const state of STATE_WORDS) {
    const text = rateText(state, matrix[state]);
    if (text !== '') printLine(`  ${state}, ${text}`);
  }
}

function rateText(state: State, row: Row): string {
  if (state === 'undeliverable') return shareText('wrong: delivered', deliveredShare(row));
  return shareText(state === 'deliverable' ? 'wrong: bounced' : 'bounced', bouncedShare(row));
}

function shareText(what: string, { count: few, of, rate, low, high }: Share): string {
  if (rate === null || low === null || high === null)
    return of === 0 ? '' : `${what} ${few} of ${of}: too few to say`;
  return `${what} ${few.toLocaleString('en')} of ${of.toLocaleString('en')}: ${percent(rate)}, between ${percent(low)} and ${percent(high)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function addressesText(addresses: number, leftOut: number, files: number): string {
  const judged = `${addresses.toLocaleString('en')} addresses were compared`;
  if (leftOut === 0) return `${judged}.`;
  return `${judged}; ${leftOut.toLocaleString('en')} that only some of the ${files} files have a verdict for were left out, so that all are judged by the same.`;
}

function heardText({ read, unreadable, ignored }: OutcomeSum, unmatched: number): string {
  const passed = [...ignored].map(([word, times]) => `${times.toLocaleString('en')} ${plain(word)}`);
  return [
    `${read.toLocaleString('en')} outcomes were read, ${unmatched.toLocaleString('en')} of them of other addresses.`,
    passed.length > 0 && `Not counted: ${passed.join(', ')}.`,
    unreadable > 0 && `Not readable: ${unreadable.toLocaleString('en')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function showDomains(results: readonly ResultFile[], tally: Tally): void {
  const rows = domainRows(tally).flatMap(({ domain, matrices }) =>
    results.map(({ name }, at) => {
      const { deliverable, undeliverable } = matrices[at]!;
      return [
        at === 0 ? plain(domain) : '',
        plain(name),
        shareText('bounced', bouncedShare(deliverable)),
        shareText('delivered', deliveredShare(undeliverable)),
      ];
    }),
  );
  if (rows.length === 0) {
    printLine('\nNo domain has 30 outcomes.');
    return;
  }
  printLine('');
  printTable([['domain', 'file', 'called deliverable', 'called undeliverable'], ...rows]);
}

/** Of which something can be said. */
function domainRows(tally: Tally) {
  const isKnown = (share: Share) => share.rate !== null;
  return tally
    .byDomain()
    .filter(({ matrices }) =>
      matrices.some(
        (matrix) =>
          isKnown(bouncedShare(matrix.deliverable)) || isKnown(deliveredShare(matrix.undeliverable)),
      ),
    )
    .slice(0, MAX_DOMAINS);
}

// ---- for programs ------------------------------------------------------------------------

function jsonOf(
  results: readonly ResultFile[],
  sums: readonly FileSum[],
  tally: Tally,
  { read, unreadable, ignored }: OutcomeSum,
  { byDomain }: Options,
) {
  const { matrices, addresses, leftOut } = tally.sum();
  return {
    ...{ addresses, left_out: leftOut },
    outcomes: { read, unmatched: tally.unmatched, unreadable, ignored: Object.fromEntries(ignored) },
    files: results.map(({ name, verifier }, at) => ({
      ...{ file: name, verifier: verifier.name },
      words: Object.fromEntries([...sums[at]!.words.keys()].map((word) => [word, stateOf(verifier, word)])),
      without_verdict: Object.fromEntries(sums[at]!.others),
      states: jsonMatrix(matrices[at]!),
    })),
    ...(byDomain && {
      domains: domainRows(tally).map(({ domain, matrices: each }) => ({
        domain,
        files: each.map((matrix) => jsonMatrix(matrix)),
      })),
    }),
  };
}

function jsonMatrix(matrix: Matrix) {
  return Object.fromEntries(
    STATE_WORDS.map((state) => {
      const { none, ...known } = matrix[state];
      const share = state === 'undeliverable' ? deliveredShare(matrix[state]) : bouncedShare(matrix[state]);
      const { of, rate, low, high } = share;
      const what = state === 'undeliverable' ? 'delivered' : 'bounced';
      return [state, { ...known, no_outcome: none, share: { what, n: of, rate, low, high } }];
    }),
  );
}
