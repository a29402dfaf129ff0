// Takes what became of mail, from whatever says so: the API, and later hooks of sending services and files.
//
//   given ─ known already? ─ its latest result before the mail ─ what the reply says ─ written: ONE transaction
//
// Promise: a repeat changes nothing, whichever way it comes; an account that switches outcomes off meanwhile has none of it; no
// address is stored. A service's own word for a bounce is not read.
import { createHmac, type KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { holderOf } from '@mxproof/common/fair-share';
import type { BouncedReading } from '../../http/body/body-pool.ts';
import type { Parts } from '../../http/route-parts.ts';
import { askedDomain } from '../../rules/asked-domains.ts';
import { addressHash } from '../../rules/erased-hash.ts';
import { canonicalEmail } from '../../rules/erased-text.ts';
import type { GivenOutcome } from '../../rules/mail-outcome.ts';
import { findAddresses } from '../../store/checked-addresses.ts';
import { areOutcomesOn, lockOutcomesOn } from '../../store/outcome-settings.ts';
import { bounceOutcomeOf, isEcho } from './read-bounce-outcome.ts';
import {
  insertOutcomes,
  KEPT_DAYS,
  type KeptOutcome,
  type KnownVerdict,
  knownEvents,
  verdictsAt,
} from './stored-outcomes.ts';

/** A verdict answers for mail that was sent so long after it at most. */
export const MATCHED_WITHIN_DAYS = 90;
const HASHED_AT_ONCE = 250;
/** Replies that a thread reads before another account has its turn. */
const READ_AT_ONCE = 500;
const DAY_MS = 86_400_000;

export type TakenOutcomes =
  | {
      readonly kind: 'taken';
      readonly accepted: number;
      /** Echoes of a suppression list, and what is too old. */
      readonly ignored: number;
      readonly duplicates: number;
    }
  /** The account has outcomes off, or the replies cannot be read now. */
  | { readonly kind: 'outcomes_off' | 'unavailable' };

interface Fresh extends GivenOutcome {
  readonly event: Buffer;
  readonly hash: Buffer;
  readonly day: string;
}

/** `source`: what tells its ids apart from those of others; empty: the API. */
export async function takeOutcomes(
  { context, bodies }: Pick<Parts, 'context' | 'bodies'>,
  { accountId, source, nowMs = Date.now() }: { accountId: number; source: string; nowMs?: number },
  given: readonly GivenOutcome[],
): Promise<TakenOutcomes> {
  const { db } = context;
  if (!(await areOutcomesOn(db, accountId))) return { kind: 'outcomes_off' };
  const telling = given.filter(
    ({ outcome, reply, atSeconds }) =>
      (atSeconds ?? Number.POSITIVE_INFINITY) * 1_000 > nowMs - KEPT_DAYS * DAY_MS &&
      (outcome !== 'bounced' || !isEcho(reply)),
  );
  const different = await hashed(await context.addressKey(db), telling, source, nowMs);
  const known = await knownEvents(
    db,
    accountId,
    different.map(({ event }) => event),
  );
  const fresh = different.filter(({ event }) => !known.has(event.toString('hex')));
  const found = await findAddresses(db, accountId, fresh, MATCHED_WITHIN_DAYS);
  const verdicts = await verdictsAt(db, found);
  const read = await readReplies(bodies, accountId, fresh, verdicts);
  if (read === null) return { kind: 'unavailable' };
  const outcomes = fresh.map(({ email, outcome: said, event, hash, day }, place) => {
    const outcome = said === 'bounced' ? read.get(place)! : said;
    return {
      event,
      hash,
      day,
      outcome,
      suppresses: outcome === 'bounced' || outcome === 'complained',
      domain: askedDomain(email) ?? '',
      verdict: verdicts.get(place) ?? null,
    };
  });
  const accepted = await db.transaction(async (tx) =>
    (await lockOutcomesOn(tx, accountId)) ? insertOutcomes(tx, accountId, outcomes) : null,
  );
  if (accepted === null) return { kind: 'outcomes_off' };
  const ignored = given.length - telling.length;
  return { kind: 'taken', accepted, ignored, duplicates: telling.length - accepted };
}

/** Each event once. */
async function hashed(
  key: KeyObject,
  given: readonly GivenOutcome[],
  source: string,
  nowMs: number,
): Promise<Fresh[]> {
  const byEvent = new Map<string, Fresh>();
  for (const [at, each] of given.entries()) {
    // Other requests run between.
    if (at % HASHED_AT_ONCE === HASHED_AT_ONCE - 1) await nextTurn();
    // A clock that is ahead does not date mail into the future.
    const atMs = Math.min(each.atSeconds === null ? nowMs : each.atSeconds * 1_000, nowMs);
    const day = new Date(atMs).toISOString().slice(0, 10);
    const tells =
      each.id === null ? ['day', canonicalEmail(each.email), each.outcome, day] : ['id', source, each.id];
    const event = createHmac('sha256', key).update(JSON.stringify(tells)).digest();
    const name = event.toString('hex');
    if (!byEvent.has(name)) byEvent.set(name, { ...each, event, hash: addressHash(key, each.email), day });
  }
  return [...byEvent.values()];
}

/** What each bounce says, by its place; null: they cannot be read now. */
async function readReplies(
  bodies: Parts['bodies'],
  accountId: number,
  given: readonly Fresh[],
  verdicts: ReadonlyMap<number, KnownVerdict>,
): Promise<ReadonlyMap<number, KeptOutcome> | null> {
  const bounced = [...given.entries()].filter(([, { outcome }]) => outcome === 'bounced');
  const read = new Map<number, KeptOutcome>(bounced.map(([place]) => [place, 'unclear']));
  const said = bounced.filter(([, { reply }]) => reply.trim() !== '');
  for (let from = 0; from < said.length; from += READ_AT_ONCE) {
    const some = said.slice(from, from + READ_AT_ONCE);
    const replies = some.map(([place, { reply, email }]) => ({
      text: reply,
      provider: verdicts.get(place)?.provider ?? '',
      recipient: email,
    }));
    const readings: readonly BouncedReading[] | null = await bodies.readReplies(
      replies,
      holderOf(accountId, false),
    );
    if (readings === null) return null;
    for (const [at, [place]] of some.entries()) read.set(place, bounceOutcomeOf(readings[at]!));
  }
  return read;
}
