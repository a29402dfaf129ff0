// list correct: a new list of what was meant by the misspelt addresses of a list. Nothing is charged before the cost is shown
// and accepted.

import type { MXProof } from '@mxproof/client';
import { domainText } from '@mxproof/files/address-text';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { counted } from '../clean/clean-progress.ts';
import { meantBy } from '../clean/misspelt.ts';
import { askYes, canAsk } from '../shared/ask.ts';
import { EXIT } from '../shared/exit-status.ts';
import { printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';

interface Options extends ServiceOptions {
  readonly domains?: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function listCorrect(id: number, { domains, yes, json, ...rest }: Options): Promise<number> {
  const { mx } = await connectService(rest);
  if (!yes) {
    if (!canAsk()) throw new UsageError('Not a terminal: pass --yes to check the addresses and be charged.');
    const cost = await countMeant(mx, id, domains);
    // The service says why there is nothing, or why it is too early.
    if (cost > 0 && !(await askYes(`Check ${counted(cost, 'address', 'addresses')}, one credit each?`))) {
      printLine('Nothing was charged.');
      return EXIT.failed;
    }
  }
  const list = await mx.lists.correct(id, domains === undefined ? {} : { domains });
  if (json) printJson(list);
  else
    printLine(
      `List ${list.id}: ${counted(list.total, 'corrected address', 'corrected addresses')}, charged. "mxproof list show ${list.id} --watch" follows it.`,
    );
  return EXIT.ok;
}

/** As the service picks them: each once, and none that the list has checked already. */
async function countMeant(mx: MXProof, id: number, domains?: readonly string[]): Promise<number> {
  const meant = new Set<string>();
  const checked = new Set<string>();
  for await (const row of mx.lists.results(id, { include: 'suggestion' })) {
    if (row.state !== 'pending') checked.add(row.email);
    const likelier = meantBy(row);
    if (likelier !== null && (domains?.includes(domainText(row.email)) ?? true)) meant.add(likelier);
  }
  return [...meant].filter((email) => !checked.has(email)).length;
}
