// list ls|show|cancel --any: lists of any account, from the store.

import { waitingPhrase } from '@mxproof/common/vocabulary/labels';
import { type AnyList, cancelList, listSummary, listsOfAllAccounts, lockList } from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { commandActor, withContext, withStore } from '../operate/with-store.ts';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { summaryRows } from './list-summary.ts';

const PAGE_LISTS = 50;

interface Json {
  readonly json?: boolean;
}

export interface AnyListsFilter extends Json {
  readonly status?: 'processing' | 'checking' | 'done' | 'failed';
  readonly stuck?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

export async function listAny(options: AnyListsFilter): Promise<void> {
  const { json, stuck: isStuck = false, status = null, offset = 0, limit = PAGE_LISTS } = options;
  const lists = await withStore(({ db }) =>
    listsOfAllAccounts(db, { isStuck, accountId: null, status, offset, limit }),
  );
  if (json) return printJson(lists.map(onWire));
  if (lists.length === 0) return printLine(isStuck ? 'No list is stuck.' : 'No lists.');
  const rows = lists.map((each) => {
    const { id, accountId, status: state, checked, total, createdAtSeconds } = each.list;
    return [id, accountId, state, `${checked}/${total}`, dateOf(createdAtSeconds), waitingFor(each)];
  });
  printTable([['list', 'account', 'status', 'checked', 'created', 'waits for'], ...rows], { cutLast: true });
}

/** The largest of its groups: `mxproof list waiting` shows all of them to its account. */
function waitingFor({ pending, checking, groups: [group] }: AnyList): string {
  if (pending === 0) return '-';
  if (group === undefined) return `${checking} being checked`;
  const words = waitingPhrase(group.why);
  const where = group.host === null ? '' : ` (${plain(group.host)})`;
  return `${group.addresses} of ${pending}: ${typeof words === 'string' ? words : words[0]}${where}`;
}

function onWire({ list, pending, checking, groups }: AnyList): Record<string, unknown> {
  const waiting = groups.map(({ nextAttemptAt, ...group }) => ({ ...group, next_attempt_at: nextAttemptAt }));
  return { ...listSummary(list), account_id: list.accountId, pending, checking, waiting };
}

export async function showAnyList(id: number, { json }: Json): Promise<void> {
  const list = await withStore(({ db }) => db.transaction((tx) => lockList(tx, id)));
  if (!list) throw new OperatorError('List not found.');
  const summary = {
    ...listSummary(list),
    ...{ account_id: list.accountId, failure: list.failure, paused_at: list.pausedAtSeconds },
  };
  if (json) return printJson(summary);
  printTable([
    ...summaryRows(summary),
    ['account', list.accountId],
    ...(list.failure === null ? [] : [['failure', plain(list.failure)]]),
  ]);
}

export async function cancelAnyList(id: number, { json }: Json): Promise<void> {
  const { kind } = await withContext((context) => cancelList(context, commandActor(), id, null));
  if (kind !== 'cancelled') throw new OperatorError('List not found or already finished.');
  if (json) return printJson({ list_id: id, cancelled: true });
  printLine(`List ${id} cancelled; unused credits refunded.`);
}
