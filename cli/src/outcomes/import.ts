// outcomes import: what became of your mail, from logs, bounce messages and tables, to your service.
// Promises: a file of any size takes little memory; each event has an id made of what it says, so that importing it again changes
// nothing; Ctrl-C loses nothing, and the same command goes on.
// Exit status: 0 reported; 1 the service refused some, or a file cannot be read; 2 a wrong call; 130 Ctrl-C.

import type { OutcomeWord } from '@mxproof/files/outcome';
import { type SentOutcome, sentOutcome } from '@mxproof/files/sent-outcome';
import { connectService, type Service, type ServiceOptions } from '../account/service-account.ts';
import { type CleanInput, openInput } from '../clean/clean-input.ts';
import { patientClient } from '../clean/clean-lists.ts';
import { EXIT } from '../shared/exit-status.ts';
import { whileNotInterrupted } from '../shared/interrupt.ts';
import { plain, printJson } from '../shared/print.ts';
import { createProgress } from '../shared/progress.ts';
import { UsageError } from '../shared/usage-error.ts';
import { ImportState } from './import-state.ts';
import { asOperatorError, confirmReading, type OpenedOutcomes, openOutcomeFile } from './open-file.ts';

interface Options extends ServiceOptions {
  readonly all?: OutcomeWord;
  readonly emailColumn?: string;
  readonly outcomeColumn?: string;
  readonly replyColumn?: string;
  readonly atColumn?: string;
  readonly idColumn?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Of one request. */
const MAX_BATCH = 1_000;
/** Different reasons for which the service refused some: so many are shown. */
const MAX_SHOWN_ERRORS = 5;

interface Sums {
  delivered: number;
  bounced: number;
  complained: number;
  unreadable: number;
  /** By an earlier run of the same command. */
  reportedBefore: number;
  accepted: number;
  duplicates: number;
  notMatched: number;
  readonly ignored: Map<string, number>;
  readonly errors: Map<string, number>;
}

export async function outcomesImport(files: readonly string[], options: Options): Promise<number> {
  if (files.length === 0) throw new UsageError('Name the file to import; "-" is standard input.');
  // A key that is missing is said before a large file is read.
  const service = options.dryRun ? null : await connectService(options);
  const sums: Sums = {
    ...{ delivered: 0, bounced: 0, complained: 0, unreadable: 0, reportedBefore: 0 },
    ...{ accepted: 0, duplicates: 0, notMatched: 0, ignored: new Map(), errors: new Map() },
  };
  for (const file of files) {
    const input = await openInput(file);
    try {
      const ended = await whileNotInterrupted((signal) =>
        importFile({ file, input, service, sums, signal }, options),
      );
      if (ended === 'interrupted') {
        process.stderr.write('Run the same command again to go on: no event is counted twice.\n');
        return EXIT.interrupted;
      }
    } finally {
      await input.close();
    }
  }
  if (options.json) printJson(jsonOf(sums));
  else process.stderr.write(summary(sums, service !== null));
  return sums.errors.size > 0 ? EXIT.failed : EXIT.ok;
}

interface Work {
  readonly file: string;
  readonly input: CleanInput;
  /** Null: a dry run. */
  readonly service: Service | null;
  readonly sums: Sums;
  readonly signal: AbortSignal;
}

async function importFile({ file, input, service, sums, signal }: Work, options: Options): Promise<void> {
  const columns = namedColumns(options);
  const opened = await openOutcomeFile(file, input, {
    ...{ nowSeconds: Date.now() / 1_000, columns },
    ...(options.all !== undefined && { assumed: options.all }),
  });
  await confirmReading([opened.shown], options.yes === true || isNamed(opened, options));
  const reading = [service?.url, service?.key, columns, options.all ?? null];
  const state = await ImportState.of(file, input.isPiped || service === null, reading);
  const before = await state.reported();
  sums.reportedBefore += before;
  const mx = service === null ? null : patientClient(service);
  const progress = createProgress(null, process.stderr.isTTY === true && options.json !== true, 'read');
  let waiting: SentOutcome[] = [];
  let seen = 0;
  let reported = before;
  const send = async (batch: readonly SentOutcome[]) => {
    if (mx === null || batch.length === 0) return;
    const taken = await mx.outcomes.send(batch, { signal });
    sums.accepted += taken.accepted;
    sums.duplicates += taken.duplicates;
    sums.notMatched += taken.ignored;
    for (const { error } of taken.errors) add(sums.errors, error);
    reported += batch.length;
    await state.save(reported);
  };
  const sendWhole = async (least: number) => {
    signal.throwIfAborted();
    while (waiting.length >= least && waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await send(batch);
    }
  };
  try {
    await opened.file.read({
      onOutcome(outcome) {
        seen += 1;
        sums[outcome.outcome] += 1;
        progress.step();
        if (seen > before && mx !== null) waiting.push(sentOutcome(outcome));
      },
      onIgnored: (word) => add(sums.ignored, word),
      onUnreadable() {
        sums.unreadable += 1;
      },
      drained: () => sendWhole(MAX_BATCH),
    });
    await sendWhole(1);
    await input.requireUnchanged();
    await state.forget();
  } catch (error) {
    throw asOperatorError(error, file);
  } finally {
    progress.clear();
  }
}

function namedColumns({ emailColumn, outcomeColumn, replyColumn, atColumn, idColumn }: Options) {
  const named = {
    email: emailColumn,
    outcome: outcomeColumn,
    reply: replyColumn,
    at: atColumn,
    id: idColumn,
  };
  return Object.fromEntries(Object.entries(named).filter(([, column]) => column !== undefined));
}

/** Nothing that matters was guessed: only tables have columns, and these two decide. */
function isNamed({ file }: OpenedOutcomes, { emailColumn, outcomeColumn, all }: Options): boolean {
  return file.table === null || (emailColumn !== undefined && (outcomeColumn ?? all) !== undefined);
}

/** Different words, or sentences of the service; the rest are counted together. */
const MAX_WORDS = 100;

function add(words: Map<string, number>, word: string): void {
  const known = words.has(word) || words.size < MAX_WORDS ? word : 'other';
  words.set(known, (words.get(known) ?? 0) + 1);
}

function jsonOf({ ignored, errors, ...sums }: Sums) {
  return {
    ...{ delivered: sums.delivered, bounced: sums.bounced, complained: sums.complained },
    ...{ unreadable: sums.unreadable, ignored: Object.fromEntries(ignored) },
    reported: {
      ...{ accepted: sums.accepted, duplicates: sums.duplicates, ignored: sums.notMatched },
      ...{ before: sums.reportedBefore, errors: Object.fromEntries(errors) },
    },
  };
}

function summary(sums: Sums, isReported: boolean): string {
  const of = (words: ReadonlyMap<string, number>, max = words.size) =>
    [...words].slice(0, max).map(([word, times]) => `${times.toLocaleString('en')} ${plain(word)}`);
  const { delivered, bounced, complained, unreadable, reportedBefore, accepted, duplicates } = sums;
  const n = (value: number) => value.toLocaleString('en');
  const lines = [
    `Read: ${n(delivered)} delivered, ${n(bounced)} bounced, ${n(complained)} complained.`,
    sums.ignored.size > 0 && `Passed over: ${of(sums.ignored).join(', ')}.`,
    unreadable > 0 && `Not readable: ${n(unreadable)}.`,
    isReported &&
      `Reported: ${n(accepted)} taken, ${n(duplicates)} known before, ${n(sums.notMatched)} ignored by the service${reportedBefore > 0 ? `; ${n(reportedBefore)} had been reported before the interruption` : ''}.`,
    sums.errors.size > 0 && `Refused: ${of(sums.errors, MAX_SHOWN_ERRORS).join('; ')}.`,
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}
