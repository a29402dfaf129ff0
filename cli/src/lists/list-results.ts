// list results: the rows of a list, all or those that match, as CSV or as JSON lines.
// Promise: memory does not grow with the list, and a file appears when it is complete.

import type { MXProof, ResultsOptions } from '@mxproof/client';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { jsonText, plainOnTerminal, writeOut } from '../shared/print.ts';
import { writeWhole } from '../shared/write-whole.ts';

interface Options
  extends ServiceOptions,
    Pick<ResultsOptions, 'state' | 'reason' | 'detail' | 'provider' | 'flag' | 'q' | 'include'> {
  readonly json?: boolean;
  readonly output?: string;
}

/** More attempts than for a single request, since earlier pages have already been written. */
const MAX_RETRIES = 5;

export async function listResults(id: number, { json, output, url, ...filters }: Options): Promise<void> {
  const { mx } = await connectService({ ...(url !== undefined && { url }) });
  const options = { ...filters, maxRetries: MAX_RETRIES };
  const pieces = json ? jsonLines(mx, id, options) : mx.lists.csv(id, options);
  if (output === undefined || output === '-')
    for await (const piece of pieces) await writeOut(plainOnTerminal(piece));
  else {
    await writeWhole(output, pieces);
    process.stderr.write(`Results of list ${id}: ${output}\n`);
  }
}

async function* jsonLines(mx: MXProof, id: number, options: ResultsOptions): AsyncGenerator<string> {
  for await (const row of mx.lists.results(id, options)) yield `${jsonText(row)}\n`;
}
