// list retry: a new list of what a list has left open. Nothing is charged before the most it can cost is shown and accepted.

import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { counted } from '../clean/clean-progress.ts';
import { askYes, canAsk } from '../shared/ask.ts';
import { EXIT } from '../shared/exit-status.ts';
import { printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';

interface Options extends ServiceOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function listRetry(id: number, { yes, json, ...rest }: Options): Promise<number> {
  const { mx } = await connectService(rest);
  if (!yes) {
    if (!canAsk()) throw new UsageError('Not a terminal: pass --yes to check the addresses and be charged.');
    const { total, checked, counts, finished_at } = await mx.lists.get(id);
    const most = counts.unknown + total - checked;
    // The service says why there is nothing, or why it is too early.
    if (most > 0 && finished_at !== null) {
      const addresses = counted(most, 'address', 'addresses');
      if (!(await askYes(`Check up to ${addresses} again, one credit each, refunded without an answer?`))) {
        printLine('Nothing was charged.');
        return EXIT.failed;
      }
    }
  }
  const list = await mx.lists.retry(id);
  if (json) printJson(list);
  else
    printLine(
      `List ${list.id}: ${counted(list.total, 'address', 'addresses')}, charged. "mxproof list show ${list.id} --watch" follows it.`,
    );
  return EXIT.ok;
}
