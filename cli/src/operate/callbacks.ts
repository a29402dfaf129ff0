// callback list|show|resend: the callbacks of any account, from the store.

import {
  type Callback,
  type CallbackState,
  callbacksOf,
  findCallback,
  resendCallback,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { commandActor, withContext, withStore } from './with-store.ts';

const CALLBACKS_SHOWN = 200;
const REFUSED = {
  no_callback: 'The list was not found or has no callback.',
  still_pending: 'The callback is still being sent: "mxproof callback show" shows its attempts.',
} as const;

interface Json {
  readonly json?: boolean;
}

interface CallbackListOptions extends Json {
  readonly account?: number;
  readonly state?: CallbackState;
}

export async function callbackList(options: CallbackListOptions): Promise<void> {
  const { account: accountId = null, state = null, json } = options;
  const callbacks = await withStore(({ db }) =>
    callbacksOf(db, { accountId, state, limit: CALLBACKS_SHOWN }),
  );
  if (json) return printJson(callbacks.map(onWire));
  const rows = callbacks.map((each) => [
    ...[each.listId, each.accountId, each.state, each.attempts.length],
    ...[dateOf(each.createdAtSeconds), plain(each.url)],
  ]);
  printTable([['list', 'account', 'state', 'attempts', 'created', 'url'], ...rows]);
}

export async function callbackShow(listId: number, { json }: Json): Promise<void> {
  const callback = await withStore(({ db }) => findCallback(db, listId));
  if (!callback || callback.isDeleted) throw new OperatorError(REFUSED.no_callback);
  if (json) return printJson({ ...onWire(callback), body: callback.body });
  printTable([
    ['list', callback.listId],
    ['account', callback.accountId],
    ['state', callback.state],
    ['url', plain(callback.url)],
    ['created', dateOf(callback.createdAtSeconds)],
  ]);
  const rows = callback.attempts.map((each) => [
    ...[dateOf(each.atSeconds), each.status ?? '-', `${each.durationMs} ms`, plain(each.error ?? '')],
  ]);
  if (rows.length > 0) printTable([['attempt', 'status', 'took', 'error'], ...rows]);
  printLine(plain(callback.body));
}

export async function callbackResend(id: number, { json }: Json): Promise<void> {
  const outcome = await withContext((context) => resendCallback(context, commandActor(), id));
  if (outcome !== 'resent') throw new OperatorError(REFUSED[outcome]);
  if (json) return printJson({ list_id: id, queued: true });
  printLine(`Callback of list ${id} queued: the running service sends it, with a full set of attempts.`);
}

function onWire(callback: Callback): Record<string, unknown> {
  return {
    list_id: callback.listId,
    account_id: callback.accountId,
    state: callback.state,
    url: callback.url,
    created_at: callback.createdAtSeconds,
    attempts: callback.attempts.map(({ atSeconds, status, error, durationMs }) => ({
      at: atSeconds,
      status,
      error,
      duration_ms: durationMs,
    })),
  };
}
