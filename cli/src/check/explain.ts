// check --explain at a service: why an address gets its verdict, checked now or read from a list.
// Promise: an address of a list is explained without another check or credit. Exit statuses as those of `check`, and those of a service.

import type { Evidence, MXProof, ResultRow } from '@mxproof/client';
import { addressesIn } from '@mxproof/files/read-addresses';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { EXIT, StatusError } from '../shared/exit-status.ts';
import { colours, plain, printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { evidenceText, shownEvidence, verdictText } from './show-finding.ts';

interface Options extends ServiceOptions {
  readonly list?: number;
  readonly json?: boolean;
  readonly explain?: boolean;
  readonly file?: string;
  readonly syntaxOnly?: boolean;
}

type Row = Omit<ResultRow, 'provider'> & { readonly provider?: string };

interface ExplainedRow {
  readonly row: Row;
  readonly evidence: Evidence;
}

/** Longer than nearly every server takes. */
const QUIET_MS = 5_000;

export async function explainAddress(words: readonly string[], options: Options): Promise<number> {
  const { list, json, explain, file, syntaxOnly } = options;
  const [text] = words;
  if (text === undefined || words.length > 1 || !explain || file !== undefined || syntaxOnly)
    throw new UsageError('--service, --list and --url go with --explain and one address.');
  const [address = text, ...others] = addressesIn(text);
  if (others.length > 0)
    throw new UsageError(`Pass one address: there are ${others.length + 1} in "${plain(text)}".`);
  const { mx } = await connectService(options);
  const { row, evidence } = await (list === undefined ? checkNow(mx, address) : findIn(mx, list, address));
  if (json) printJson({ ...row, evidence });
  else {
    const shown = shownEvidence(row, evidence);
    printLine(verdictText(shown, colours()));
    printLine(evidenceText(shown));
  }
  return row.state === 'deliverable' ? EXIT.ok : EXIT.failed;
}

async function checkNow(mx: MXProof, address: string): Promise<ExplainedRow> {
  const check = await mx.verify(address, { wait: false });
  const quiet = setTimeout(() => {
    process.stderr.write(
      `Still waiting for the mail server. Press Ctrl-C to stop; "mxproof check --explain ${plain(address)} --list ${check.listId}" shows it later, without another charge.\n`,
    );
  }, QUIET_MS);
  try {
    const row = await check.result();
    return { row, evidence: await mx.lists.evidence(check.listId, 0) };
  } finally {
    clearTimeout(quiet);
  }
}

async function findIn(mx: MXProof, list: number, address: string): Promise<ExplainedRow> {
  const email = address.trim().toLowerCase();
  for await (const row of mx.lists.results(list, { q: email })) {
    if (row.email !== email || row.position === undefined) continue;
    return { row, evidence: await mx.lists.evidence(list, row.position) };
  }
  throw new StatusError(EXIT.failed, `List ${list} has no address ${plain(email)}.`);
}
