// Any number of addresses, as lists of 100,000 (10,000 in test mode), and their results in the order of the input.
// Promise: one result per input, duplicates included; an address is charged once, however often it occurs and whichever
// list its twin is in; nothing is submitted before all of the input has been read and found fit.

import type { Account } from './account.ts';
import type { ListSummary, ResultRow } from './api-types.ts';
import type { CheckOptions } from './check.ts';
import { InsufficientCredits, ListFailed, UnexpectedAnswer } from './errors.ts';
import { newKey } from './idempotency-key.ts';
import type { Lists } from './lists.ts';
import { queryText } from './transport/query-text.ts';
import type { CallOptions, Mode } from './transport/transport.ts';

export interface ManyOptions extends CallOptions, CheckOptions {
  /** Name of the list; of several, each with its number behind it. */
  readonly name?: string;
  /** Of several lists: they are shown as one. Default: a new one, unless `idempotencyKey` is given. */
  readonly group?: string;
  /** The same key with the same input within 24 hours continues where it was left, without a second charge. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (progress: ManyProgress) => void;
}

export interface ManyProgress {
  /** Unique addresses of all lists. */
  readonly total: number;
  readonly checked: number;
  readonly counts: ListSummary['counts'];
  readonly lists: readonly ListSummary[];
}

export interface Verified {
  /** As it was given. */
  readonly input: string;
  /** Null for a blank input, which the service does not check. */
  readonly result: ResultRow | null;
}

const MAX_LIST_ADDRESSES: Readonly<Record<Mode, number>> = { live: 100_000, test: 10_000 };
const MAX_EMAIL_CHARACTERS = 1_000;
/** All of them are held, to put results back in order. */
const MAX_INPUTS = 10_000_000;
/** Of the ten event streams a key may have. */
const WAITS_AT_ONCE = 4;
const BLANK = -1;

interface Service {
  readonly lists: Lists;
  readonly account: Account;
  readonly findMode: (call: CallOptions) => Promise<Mode>;
}

export async function* verifyMany(
  service: Service,
  emails: Iterable<string> | AsyncIterable<string>,
  options: ManyOptions,
): AsyncGenerator<Verified, void, undefined> {
  queryText({ include: options.include });
  const { inputs, places, unique, withTwin } = await gather(emails, options.signal);
  if (unique.length === 0) return yield* inputs.map((input) => ({ input, result: null }));
  const rows = rowsOf(service, unique, options);
  const kept = new Map<number, ResultRow>();
  let next = 0;
  try {
    for (const [at, input] of inputs.entries()) {
      const place = places[at]!;
      if (place === next) {
        const { value: row } = await rows.next();
        if (!row || row.email !== unique[place])
          throw new UnexpectedAnswer('The results are not those of the addresses submitted.', 200, null);
        if (withTwin.has(place)) kept.set(place, row);
        next += 1;
        yield { input, result: row };
      } else yield { input, result: place === BLANK ? null : kept.get(place)! };
    }
  } finally {
    await rows.return();
  }
}

/** The input, which unique address each is, and those that occur again. */
async function gather(emails: Iterable<string> | AsyncIterable<string>, signal: AbortSignal | undefined) {
  const inputs: string[] = [];
  const places: number[] = [];
  const placeOf = new Map<string, number>();
  const withTwin = new Set<number>();
  for await (const input of emails) {
    signal?.throwIfAborted();
    requireFit(input, inputs.length);
    // As the service cleans them, so that twins are found across lists too.
    const email = input.trim().toLowerCase();
    const known = placeOf.get(email);
    const place = email === '' ? BLANK : (known ?? placeOf.size);
    if (known !== undefined) withTwin.add(known);
    else if (email !== '') placeOf.set(email, place);
    inputs.push(input);
    places.push(place);
  }
  return { inputs, places, unique: [...placeOf.keys()], withTwin };
}

function requireFit(input: unknown, index: number): void {
  if (index >= MAX_INPUTS)
    throw new TypeError(`More than ${MAX_INPUTS} addresses: verify them in several calls.`);
  if (typeof input !== 'string') throw new TypeError(`Address ${index} is not a string.`);
  // By code points, as the service counts; most are far from it.
  if (
    input.length > MAX_EMAIL_CHARACTERS &&
    [...input.slice(0, 2 * MAX_EMAIL_CHARACTERS + 1)].length > MAX_EMAIL_CHARACTERS
  )
    throw new TypeError(`Address ${index} has more than ${MAX_EMAIL_CHARACTERS} characters.`);
}

/** The rows of the unique addresses, in order, as their lists finish. */
async function* rowsOf(
  { lists, account, findMode }: Service,
  unique: readonly string[],
  { name, group, idempotencyKey, onProgress, include, ...call }: ManyOptions,
): AsyncGenerator<ResultRow, void, undefined> {
  const listSize = MAX_LIST_ADDRESSES[await findMode(call)];
  const parts = Math.ceil(unique.length / listSize);
  if (parts > 1) await requireCredits(account, unique.length, call);
  const key = idempotencyKey ?? newKey();
  // The same key may be used again for another input, a day later.
  const together = parts === 1 ? undefined : (group ?? (idempotencyKey === undefined ? key : undefined));
  const made: ListSummary[] = [];
  for (let part = 0; part < parts; part += 1) {
    const emails = unique.slice(part * listSize, (part + 1) * listSize);
    const numbered = name !== undefined && parts > 1 ? `${name} (${part + 1} of ${parts})` : name;
    const list = await lists.create(
      {
        emails,
        ...(numbered !== undefined && { name: numbered }),
        ...(together !== undefined && { group: together }),
      },
      { ...call, idempotencyKey: parts > 1 ? `${key}.${part}` : key },
    );
    made.push(list);
  }
  // A consumer that stops early stops the waits with it; the lists go on.
  const stop = new AbortController();
  const onAbort = () => stop.abort(call.signal?.reason);
  call.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const ends = waitForAll(lists, made, stop.signal, onProgress);
    for (const [part, { id }] of made.entries()) {
      if ((await ends[part]!).status === 'failed') throw new ListFailed(id);
      yield* lists.results(id, { ...call, ...(include !== undefined && { include }) });
    }
  } finally {
    call.signal?.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

/** Some at a time, since a key has a bounded number of event streams, and each after the one before it in its lane. */
function waitForAll(
  lists: Lists,
  made: ListSummary[],
  signal: AbortSignal,
  onProgress: ManyOptions['onProgress'],
): Promise<ListSummary>[] {
  const lanes: Promise<unknown>[] = Array.from({ length: WAITS_AT_ONCE }, async () => {});
  return made.map(({ id }, part) => {
    const report = (list: ListSummary) => {
      made[part] = list;
      onProgress?.(sumOf(made));
    };
    const ended = lanes[part % WAITS_AT_ONCE]!.then(() => lists.wait(id, { signal, onProgress: report }));
    // Rejects where the list is awaited below, in the order of the lists.
    ended.catch(() => {});
    lanes[part % WAITS_AT_ONCE] = ended;
    return ended;
  });
}

/** Several lists are not refused as a whole, so the balance is checked before the first is submitted. */
async function requireCredits(account: Account, needed: number, call: CallOptions): Promise<void> {
  const { credits } = await account.get(call);
  if (credits >= needed) return;
  throw new InsufficientCredits(
    {
      kind: 'insufficient_credits',
      status: 402,
      requestId: null,
      body: null,
      message: `insufficient credits: ${needed} needed`,
      retryAfter: null,
    },
    needed,
  );
}

function sumOf(lists: readonly ListSummary[]): ManyProgress {
  const counts = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
  for (const list of lists)
    for (const state of Object.keys(counts) as (keyof typeof counts)[]) counts[state] += list.counts[state];
  const sum = (field: 'total' | 'checked') => lists.reduce((all, list) => all + list[field], 0);
  return { total: sum('total'), checked: sum('checked'), counts, lists: [...lists] };
}
