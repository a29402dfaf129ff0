// list show|cancel and callback list|show|resend: the state of lists and of their callbacks.

import { type Context, createContext } from '@mxproof/server/flow/context.ts';
import { failList } from '@mxproof/server/flow/finish-list.ts';
import { resendCallback } from '@mxproof/server/flow/resend-callback.ts';
import { OperatorError } from '@mxproof/server/operator-error.ts';
import { listSummary } from '@mxproof/server/rules/list.ts';
import {
  type Callback,
  type CallbackState,
  callbacksOf,
  findCallback,
} from '@mxproof/server/store/callbacks.ts';
import { startJobs } from '@mxproof/server/store/jobs.ts';
import { lockList } from '@mxproof/server/store/lists.ts';
import { whileAloneWithJobs } from '@mxproof/server/store/one-at-a-time.ts';
import { dateOf, plain, printJson, printLine, printTable } from './print.ts';
import { type OpenStore, withStore } from './with-store.ts';

const CALLBACKS_SHOWN = 200;
const REFUSED = {
  no_callback: 'The list was not found or has no callback.',
  still_pending: 'The callback is still being sent: "mxproof callback show" shows its attempts.',
} as const;

interface Json {
  readonly json?: boolean;
}

export async function listShow(id: number, { json }: Json): Promise<void> {
  const list = await withStore(({ db }) => db.transaction((tx) => lockList(tx, id)));
  if (!list) throw new OperatorError('List not found.');
  const summary = { ...listSummary(list), account_id: list.accountId, failure: list.failure };
  if (json) return printJson(summary);
  const { counts } = list;
  printTable([
    ['list', list.id],
    ['account', list.accountId],
    ['name', plain(list.name)],
    ['status', list.status],
    ...(list.failure === null ? [] : [['failure', plain(list.failure)]]),
    ['checked', `${list.checked} of ${list.total}`],
    ['deliverable', counts.deliverable],
    ['risky', counts.risky],
    ['undeliverable', counts.undeliverable],
    ['unknown', counts.unknown],
    ['created', dateOf(list.createdAtSeconds)],
    ['finished', dateOf(list.finishedAtSeconds)],
  ]);
}

export async function listCancel(id: number): Promise<void> {
  const done = await withContext((context) => failList(context, id, 'cancelled by an operator'));
  if (!done) throw new OperatorError('List not found or already finished.');
  printLine(`List ${id} cancelled; unused credits refunded.`);
}

interface WhichCallbacks extends Json {
  readonly account?: number;
  readonly state?: CallbackState;
}

export async function callbackList(options: WhichCallbacks): Promise<void> {
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
  if (!callback) throw new OperatorError(REFUSED.no_callback);
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

export async function callbackResend(id: number): Promise<void> {
  const outcome = await withContext((context) => resendCallback(context, id));
  if (outcome !== 'resent') throw new OperatorError(REFUSED[outcome]);
  printLine(`Callback of list ${id} queued: the running service sends it, with all its attempts.`);
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

/** Flows that enqueue need the job engine, which does not supervise other nodes' jobs here. */
function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  return withStore(async ({ db }: OpenStore) => {
    const options = { safetyNetSeconds: 0, supervise: false, onError: () => {} };
    const jobs = await whileAloneWithJobs(db, () => startJobs(db, options));
    try {
      return await work(createContext(db, jobs));
    } finally {
      await jobs.stop();
    }
  });
}
