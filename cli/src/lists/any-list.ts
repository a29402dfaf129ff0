// list show|cancel --any: a list of any account, from the store.

import { failList, listSummary, lockList } from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { withContext, withStore } from '../operate/with-store.ts';
import { plain, printJson, printLine, printTable } from '../shared/print.ts';
import { summaryRows } from './list-summary.ts';

interface Json {
  readonly json?: boolean;
}

export async function showAnyList(id: number, { json }: Json): Promise<void> {
  const list = await withStore(({ db }) => db.transaction((tx) => lockList(tx, id)));
  if (!list) throw new OperatorError('List not found.');
  const summary = { ...listSummary(list), account_id: list.accountId, failure: list.failure };
  if (json) return printJson(summary);
  printTable([
    ...summaryRows(summary),
    ['account', list.accountId],
    ...(list.failure === null ? [] : [['failure', plain(list.failure)]]),
  ]);
}

export async function cancelAnyList(id: number, { json }: Json): Promise<void> {
  const done = await withContext((context) => failList(context, id, 'cancelled by an operator'));
  if (!done) throw new OperatorError('List not found or already finished.');
  if (json) return printJson({ list_id: id, cancelled: true });
  printLine(`List ${id} cancelled; unused credits refunded.`);
}
