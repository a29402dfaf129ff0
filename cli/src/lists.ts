// list show|cancel and callback list|show|resend: what became of paid work, and how its end was announced.

import { type Context, createContext } from '@mxproof/server/flow/context.ts';
import { failList } from '@mxproof/server/flow/finish-list.ts';
import { resendCallback } from '@mxproof/server/flow/resend-callback.ts';
import { listSummary } from '@mxproof/server/rules/list.ts';
import { StartRefused } from '@mxproof/server/start-refused.ts';
import {
  type Callback,
  type CallbackState,
  callbacksOf,
  findCallback,
} from '@mxproof/server/store/callbacks.ts';
import { startJobs } from '@mxproof/server/store/jobs.ts';
import { lockList } from '@mxproof/server/store/lists.ts';
import { whileAloneWithJobs } from '@mxproof/server/store/one-at-a-time.ts';
import { readArguments, readId } from './arguments.ts';
import { dateOf, plain, printJson, printLine, printTable } from './print.ts';
import { UsageError } from './usage.ts';
import { type OpenStore, withStore } from './with-store.ts';

const STATES: readonly CallbackState[] = ['pending', 'delivered', 'failed'];
const CALLBACKS_SHOWN = 200;
const REFUSED = {
  no_callback: 'This list has no callback.',
  still_pending: 'The callback of this list is still being sent: "mxproof callback show" tells when.',
} as const;

export async function listShow(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<list>'], { json: 'switch' });
  const id = readId('The list', words[0]);
  const list = await withStore(({ db }) => db.transaction((tx) => lockList(tx, id)));
  if (!list) throw new StartRefused('There is no such list.');
  const summary = { ...listSummary(list), account_id: list.accountId, failure: list.failure };
  if (flags.json) return printJson(summary);
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

export async function listCancel(args: readonly string[]): Promise<void> {
  const { words } = readArguments(args, ['<list>'], {});
  const id = readId('The list', words[0]);
  const done = await withContext((context) => failList(context, id, 'cancelled by an operator'));
  if (!done) throw new StartRefused('There is no such list, or it is finished.');
  printLine(`List ${id} is cancelled; what it did not use is refunded.`);
}

export async function callbackList(args: readonly string[]): Promise<void> {
  const { flags } = readArguments(args, [], { account: 'text', state: 'text', json: 'switch' });
  const state = STATES.find((each) => each === flags.state) ?? null;
  if (flags.state !== undefined && state === null)
    throw new UsageError(`--state must be one of ${STATES.join(', ')}.`);
  const accountId = flags.account === undefined ? null : readId('The account', flags.account);
  const callbacks = await withStore(({ db }) =>
    callbacksOf(db, { accountId, state, limit: CALLBACKS_SHOWN }),
  );
  if (flags.json) return printJson(callbacks.map(onWire));
  const rows = callbacks.map((each) => [
    ...[each.listId, each.accountId, each.state, each.attempts.length],
    ...[dateOf(each.createdAtSeconds), plain(each.url)],
  ]);
  printTable([['list', 'account', 'state', 'attempts', 'created', 'url'], ...rows]);
}

export async function callbackShow(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<list>'], { json: 'switch' });
  const callback = await withStore(({ db }) => findCallback(db, readId('The list', words[0])));
  if (!callback) throw new StartRefused('This list has no callback.');
  if (flags.json) return printJson({ ...onWire(callback), body: callback.body });
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

export async function callbackResend(args: readonly string[]): Promise<void> {
  const { words } = readArguments(args, ['<list>'], {});
  const id = readId('The list', words[0]);
  const outcome = await withContext((context) => resendCallback(context, id));
  if (outcome !== 'resent') throw new StartRefused(REFUSED[outcome]);
  printLine(`The callback of list ${id} is sent again by the running service, with its whole schedule.`);
}

function onWire(callback: Callback): Record<string, unknown> {
  return {
    list_id: callback.listId,
    account_id: callback.accountId,
    state: callback.state,
    url: callback.url,
    created_at: callback.createdAtSeconds,
    attempts: callback.attempts.map(({ atSeconds, status, error, durationMs }) => ({
      ...{ at: atSeconds, status, error, duration_ms: durationMs },
    })),
  };
}

/** Flows that enqueue want the job engine, which looks after nobody else's jobs here. */
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
