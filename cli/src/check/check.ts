// check: what the engine of this machine finds about addresses, without a service, an account or a database.
// Promise: exit status 0 if every address is deliverable, 1 if some are not, 2 for invalid arguments. Where no mail server or
// DNS server is reached at all it ends at once, and its last line says what to do.

import { statSync } from 'node:fs';
import {
  type Checker,
  type CheckerHealth,
  certainVerdict,
  type Detail,
  DOTLESS_RULE,
  type Finding,
  isDotless,
  parseAddress,
} from '@mxproof/engine';
import { ADVICE, createCheckerFor, findDnsServers, type SayEvent } from '@mxproof/server/checker';
import { readConfig } from '@mxproof/server/config';
import { OperatorError } from '@mxproof/server/operator-error';
import { serviceSettings } from '../shared/environment.ts';
import { colours, plain, printJson, printLine } from '../shared/print.ts';
import { createProgress } from '../shared/progress.ts';
import { UsageError } from '../shared/usage-error.ts';
import { type Input, readInput } from './check-input.ts';
import { evidenceText, shownFinding, verdictText, wireRow } from './show-finding.ts';

/** A bar for two addresses would only flicker. */
const BAR_FROM = 10;
/** Longer than nearly every server takes. */
const QUIET_MS = 5_000;
const QUIET =
  'Still waiting: some servers deferred their answer or could not be reached, and are asked again, first after a minute (MXPROOF_SMTP_RETRY_SECONDS). Press Ctrl-C to stop.';
const NO_ADDRESS = 'No addresses given: pass them as arguments, with --file, or on standard input.';

interface CheckOptions extends OutputOptions {
  readonly file?: string;
  readonly syntaxOnly?: boolean;
}

export async function check(words: readonly string[], options: CheckOptions): Promise<void> {
  if (words.length > 0 && options.file !== undefined)
    throw new UsageError('Pass addresses as arguments or with --file, not both.');
  const file = words.find(isMeantAsFile);
  if (file !== undefined)
    throw new UsageError(`"${file}" is a file, not an e-mail address. Did you mean "--file ${file}"?`);
  const isDash = words.length === 1 && words[0] === '-';
  const input = await readInput(isDash ? [] : words, isDash ? '-' : options.file).catch(refusedAsUsage);
  if (!input) throw new UsageError(NO_ADDRESS);
  const run = () =>
    options.syntaxOnly ? checkSyntax(input, options.json ?? false) : checkAll(input, options);
  const checked = await run().catch(refusedAsUsage);
  if (checked === 0) throw new UsageError(NO_ADDRESS);
}

function isMeantAsFile(word: string): boolean {
  if (parseAddress(word).ok) return false;
  try {
    return statSync(word).isFile();
  } catch {
    return false;
  }
}

/** Status 1 is about addresses, so an unreadable file or setting counts as invalid usage. */
function refusedAsUsage(error: unknown): never {
  throw error instanceof OperatorError ? new UsageError(error.message) : error;
}

async function checkSyntax(input: Input, asJson: boolean): Promise<number> {
  let checked = 0;
  for await (const email of input.addresses) {
    checked += 1;
    const parsed = parseAddress(email);
    const wrong = whatIsWrong(parsed);
    if (wrong !== null) process.exitCode = 1;
    if (asJson) printJson(syntaxRow(email, parsed.ok));
    else
      printLine(
        wrong === null
          ? `✓ well-formed  ${plain(email)}`
          : `✗ ${wrong.words}  ${plain(email)}\n    ${wrong.why}`,
      );
  }
  return checked;
}

interface SyntaxFault {
  readonly words: string;
  readonly why: string;
}

/** What can be said without DNS or a mail server. */
function whatIsWrong(parsed: ReturnType<typeof parseAddress>): SyntaxFault | null {
  if (!parsed.ok) return { words: 'invalid', why: parsed.why };
  if (!isDotless(parsed.address.domain)) return null;
  return { words: 'invalid domain', why: DOTLESS_RULE };
}

/** The results' shape: an address that is only well-formed has not been checked, which is called pending. */
function syntaxRow(email: string, isValid: boolean): Record<string, unknown> {
  const certain = certainVerdict(email);
  if (certain !== null) return { ...wireRow({ email, ...certain }), valid: isValid };
  const facts = { accept_all: false, role: false, free: false, disposable: false, mx: null, provider: '' };
  return { email, state: 'pending', reason: '', score: 0, ...facts, detail: null, valid: isValid };
}

interface OutputOptions {
  readonly json?: boolean;
  readonly explain?: boolean;
}

async function checkAll(input: Input, shown: OutputOptions): Promise<number> {
  let checked = 0;
  let isUnreached = false;
  const config = readConfig(serviceSettings());
  const say: SayEvent = (level, line) =>
    void (
      level !== 'info' &&
      process.stderr.write(`${line}
`)
    );
  for (const warning of config.warnings) say('warn', warning);
  const dnsServers = await findDnsServers(config);
  const checker = await createCheckerFor(config, dnsServers, say, null, { endsUnreached: true });
  const isLong = input.total === null || input.total >= BAR_FROM;
  const progress = createProgress(input.total, isLong && process.stderr.isTTY === true);
  const interrupt = () => {
    progress.clear();
    process.exit(130);
  };
  process.once('SIGINT', interrupt);
  const quiet = sayWhenQuiet(input.total, () => progress.clear());
  try {
    for await (const finding of findings(checker, input)) {
      checked += 1;
      quiet.heard();
      if (finding.state !== 'deliverable') process.exitCode = 1;
      if (finding.reason === 'no_connect' && UNREACHED.has(finding.detail)) isUnreached = true;
      progress.clear();
      show(finding, shown);
      progress.step();
    }
  } finally {
    quiet.stop();
    progress.clear();
    process.off('SIGINT', interrupt);
    await checker.close();
  }
  for (const line of causeLines(checker.health(), isUnreached)) process.stderr.write(`${line}\n`);
  return checked;
}

/** One or two domains may be down. */
const NONE_ANSWERED =
  'No mail server answered. If those of other domains do not answer either, the cause is this network.';
const UNREACHED: ReadonlySet<Detail> = new Set(['timeout', 'connection_refused', 'network_down']);

/** `isUnreached`: the mail servers of some address could not be connected to. */
function causeLines({ obstacles, reachedAtMs }: CheckerHealth, isUnreached: boolean): string[] {
  if (obstacles.length > 0) return obstacles.map(({ code }) => ADVICE[code]);
  return isUnreached && reachedAtMs === null ? [`${NONE_ANSWERED} ${ADVICE.port_25}`] : [];
}

/** A single address is not retried, and with input that is still being written the wait may be for the writer. */
function sayWhenQuiet(total: number | null, makeRoom: () => void): { heard(): void; stop(): void } {
  if (total === null || total < 2) return { heard() {}, stop() {} };
  let isPrinted = false;
  const timer = setTimeout(() => {
    isPrinted = true;
    makeRoom();
    process.stderr.write(`${QUIET}\n`);
  }, QUIET_MS).unref();
  return {
    heard() {
      if (!isPrinted) timer.refresh();
    },
    stop: () => clearTimeout(timer),
  };
}

/** A single address is answered at once: if its server does not answer, that is the answer. */
async function* findings(checker: Checker, input: Input): AsyncIterable<Finding> {
  if (input.total !== 1) yield* checker.checkAll(input.addresses);
  else for await (const email of input.addresses) yield await checker.check(email);
}

function show(finding: Finding, shown: OutputOptions): void {
  if (shown.json) {
    printJson(shown.explain ? { ...wireRow(finding), evidence: finding.evidence } : wireRow(finding));
    return;
  }
  const found = shownFinding(finding);
  printLine(verdictText(found, colours()));
  if (shown.explain) printLine(evidenceText(found));
}
