// outcomes.*, accuracy and suppressions.*: what became of mail, and what follows of it.
// Promise: any number is sent, in requests of a bounded size; what is sent twice is known by the service.
import type {
  Accuracy,
  AddedSuppressions,
  AddSuppressionsBody,
  CheckedSuppressions,
  GetAccuracyQuery,
  GetWrongVerdictsQuery,
  PostOutcomesBody,
  RemovedSuppressions,
  Suppressions as SuppressionsBody,
  TakenOutcomes,
  WrongVerdicts,
} from './api-types.ts';
import {
  ACCURACY,
  ADDED_SUPPRESSIONS,
  checkedSuppressions,
  REMOVED_SUPPRESSIONS,
  SUPPRESSIONS,
  shaped,
  TAKEN_OUTCOMES,
} from './shapes.ts';
import type { CallOptions, Transport } from './transport/transport.ts';

/** Of a request, as many as the service takes. */
const OUTCOMES_AT_ONCE = 10_000;
/** Of their texts: the service takes 8 MB, and a character is at most six bytes in JSON. */
const CHARACTERS_AT_ONCE = 1_200_000;
const EMAILS_AT_ONCE = 50_000;

export type Outcome = Readonly<PostOutcomesBody['outcomes'][number]>;
export type AccuracyOptions = CallOptions & Readonly<GetAccuracyQuery>;
export type WrongVerdictsOptions = CallOptions & Readonly<GetWrongVerdictsQuery>;

export class Outcomes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Tells what became of mail; the account must have switched `outcomes` on (`account.update`). What cannot be read is told in
   * `errors`, by its place in `outcomes`, and the rest is taken.
   */
  async send(outcomes: readonly Outcome[], options: CallOptions = {}): Promise<TakenOutcomes> {
    const sum: TakenOutcomes = { accepted: 0, ignored: 0, duplicates: 0, errors: [] };
    for (const [from, to] of batchesOf(outcomes)) {
      const some = outcomes.slice(from, to);
      const call = { method: 'POST', path: '/outcomes', body: { outcomes: some } } as const;
      const answer = await this.#transport.call<TakenOutcomes>(call, options);
      const body: TakenOutcomes = shaped(answer.body, TAKEN_OUTCOMES, 'what was taken of outcomes');
      sum.accepted += body.accepted;
      sum.ignored += body.ignored;
      sum.duplicates += body.duplicates;
      sum.errors.push(...body.errors.map((each) => ({ ...each, index: from + each.index })));
    }
    return sum;
  }
}

function* batchesOf(outcomes: readonly Outcome[]): Generator<readonly [from: number, to: number]> {
  let from = 0;
  let characters = 0;
  for (const [at, { email, reply, id }] of outcomes.entries()) {
    const more = `${email}${reply ?? ''}${id ?? ''}`.length;
    if (at > from && (at - from === OUTCOMES_AT_ONCE || characters + more > CHARACTERS_AT_ONCE)) {
      yield [from, at];
      from = at;
      characters = 0;
    }
    characters += more;
  }
  if (from < outcomes.length) yield [from, outcomes.length];
}

export async function getAccuracy(
  transport: Transport,
  { days, ...options }: AccuracyOptions,
): Promise<Accuracy> {
  const call = { method: 'GET', path: '/accuracy', query: { days } } as const;
  return shaped((await transport.call<Accuracy>(call, options)).body, ACCURACY, 'the accuracy');
}

export async function getWrongVerdicts(
  transport: Transport,
  { days, offset, limit, ...options }: WrongVerdictsOptions,
): Promise<WrongVerdicts> {
  const call = { method: 'GET', path: '/accuracy/wrong', query: { days, offset, limit } } as const;
  return (await transport.call<WrongVerdicts>(call, options)).body;
}

/** suppressions.*: addresses that the account does not mail. They are never given back. */
export class Suppressions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async count(options: CallOptions = {}): Promise<SuppressionsBody> {
    const call = { method: 'GET', path: '/suppressions' } as const;
    const { body } = await this.#transport.call<SuppressionsBody>(call, options);
    return shaped(body, SUPPRESSIONS, 'the size of a suppression list');
  }

  /** Such as those that unsubscribed. Returns how many were not on the list. */
  async add(emails: readonly string[], options: CallOptions = {}): Promise<number> {
    let added = 0;
    for await (const { body } of this.#inBatches<AddedSuppressions>('', emails, options))
      added += shaped(body, ADDED_SUPPRESSIONS, 'what was added to a suppression list').added;
    return added;
  }

  /** Places in `emails`, from 0, of those that are on the list. */
  async check(emails: readonly string[], options: CallOptions = {}): Promise<number[]> {
    const places: number[] = [];
    for await (const { from, asked, body } of this.#inBatches<CheckedSuppressions>(
      '/check',
      emails,
      options,
    )) {
      const shape = checkedSuppressions(asked);
      for (const place of shaped(body, shape, 'a look at a suppression list').suppressed)
        places.push(from + place);
    }
    return places;
  }

  /** Returns how many were on the list. */
  async remove(emails: readonly string[], options: CallOptions = {}): Promise<number> {
    let removed = 0;
    for await (const { body } of this.#inBatches<RemovedSuppressions>('/remove', emails, options))
      removed += shaped(body, REMOVED_SUPPRESSIONS, 'what was removed from a suppression list').removed;
    return removed;
  }

  async *#inBatches<Body>(
    path: string,
    all: readonly string[],
    options: CallOptions,
  ): AsyncGenerator<{ from: number; asked: number; body: Body }, void, undefined> {
    for (let from = 0; from < all.length; from += EMAILS_AT_ONCE) {
      const emails = all.slice(from, from + EMAILS_AT_ONCE);
      const body = { emails } satisfies AddSuppressionsBody;
      const call = { method: 'POST', path: `/suppressions${path}`, body } as const;
      yield { from, asked: emails.length, body: (await this.#transport.call<Body>(call, options)).body };
    }
  }
}
