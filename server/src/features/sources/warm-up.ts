// How many recipients a source that is being warmed up may ask about at a provider on a day: a schedule that grows by itself.
// Pure: the day is an argument. Promise: it begins at its first day's limit and never goes below it; a day grows by no more
// than the set growth, and only if the day before was used and went well; of whichever node asks, the answer is the same.
// Where there are several payers, a day has not gone badly as long as it has for one of them alone.
//
//   begins ──▶ grows, after a day that was used ──▶ has reached `until`: no limit any more
//     ▲          ├─ stays: refused, too many unknown recipients, or not used enough
//     │          └─ halves: refused often
//     └── not used for PAUSE_DAYS
import type { WarmUp } from '@mxproof/engine';
import type { SourceHealth, WarmUpDay } from './source-health.ts';

/** Why a day did not grow. */
export type HeldBack = 'unused' | 'unknown_recipients' | 'refused' | 'refused_often';

/** Days are of UTC, counted from the epoch. */
export interface WarmUpState {
  readonly begunDay: number;
  /** The day of the limit: the last one on which something was to be asked. */
  readonly day: number;
  readonly perDay: number;
  readonly heldBack: HeldBack | null;
}

/** Of recipients and replies, as `SourceCounts` has them, the refusals of all kinds together. */
export interface DayCounts {
  readonly asked: number;
  readonly unknownRecipients: number;
  readonly refused: number;
}

/** `payers`: what each had of it, where there are several; empty: there is only one. */
export interface DayEvidence extends DayCounts {
  readonly payers: readonly DayCounts[];
}

/** Mail providers forget a sender within about a month. */
export const PAUSE_DAYS = 30;
/** Of the recipients of a day, those refused for what we are: more, and the next day stays as it is. */
const REFUSED_SHARE = 0.02;
/** … and it halves. */
const REFUSED_OFTEN_SHARE = 0.1;
/** A day of which less was used shows nothing. */
const USED_SHARE = 0.5;

/** `evidence`: of the day of `state`; null: there is none. */
export function warmUpToday(
  state: WarmUpState | null,
  evidence: DayEvidence | null,
  settings: WarmUp,
  today: number,
): WarmUpState {
  if (state === null || today - state.day >= PAUSE_DAYS)
    return { begunDay: today, day: today, perDay: settings.perDay, heldBack: null };
  // Judged already. A clock that was stepped back a little finds the next day.
  if (state.day === today || state.day === today + 1) return state;
  const perDay = Math.max(state.perDay, settings.perDay);
  // A clock that was far ahead: its days never were.
  if (state.day > today) return { ...state, begunDay: Math.min(state.begunDay, today), day: today, perDay };
  if (isWarm({ perDay }, settings)) return { ...state, day: today, perDay: settings.until, heldBack: null };
  const heldBack = whyHeldBack(perDay, evidence, settings);
  return { begunDay: state.begunDay, day: today, perDay: nextLimit(perDay, heldBack, settings), heldBack };
}

/** Its days have no limit any more. */
export function isWarm({ perDay }: Pick<WarmUpState, 'perDay'>, { until }: Pick<WarmUp, 'until'>): boolean {
  return perDay >= until;
}

function nextLimit(perDay: number, heldBack: HeldBack | null, settings: WarmUp): number {
  if (heldBack === 'refused_often') return Math.max(settings.perDay, Math.floor(perDay / 2));
  if (heldBack !== null) return perDay;
  return Math.min(settings.until, Math.max(perDay + 1, Math.floor(perDay * settings.growth)));
}

/** A bad day is one that is bad without any one payer too; after the bad day of one alone the limit stays. */
function whyHeldBack(perDay: number, evidence: DayEvidence | null, settings: WarmUp): HeldBack | null {
  if (evidence === null) return 'unused';
  const { payers } = evidence;
  const bad = whyBad(evidence, settings);
  // What the others leave of a limit to each (engine/src/pace/permit-windows.ts).
  const share = perDay / (payers.length + 1);
  let why = bad;
  for (const payer of payers) {
    const others = minus(evidence, payer);
    const said = whyBad(others, settings) ?? (isUsed(others, share) ? null : withoutHalving(bad));
    if (GRAVITY.indexOf(said) < GRAVITY.indexOf(why)) why = said;
  }
  return why ?? (isUsed(evidence, perDay) ? null : 'unused');
}

const GRAVITY: readonly (HeldBack | null)[] = [null, 'unknown_recipients', 'refused', 'refused_often'];

function withoutHalving(why: HeldBack | null): HeldBack | null {
  return why === 'refused_often' ? 'refused' : why;
}

function minus(all: DayCounts, { asked, unknownRecipients, refused }: DayCounts): DayCounts {
  return {
    asked: all.asked - asked,
    unknownRecipients: all.unknownRecipients - unknownRecipients,
    refused: all.refused - refused,
  };
}

function whyBad({ asked, unknownRecipients, refused }: DayCounts, settings: WarmUp): HeldBack | null {
  // Sessions that are refused ask about no recipient.
  const all = Math.max(asked, refused);
  if (refused > all * REFUSED_OFTEN_SHARE) return 'refused_often';
  if (refused > all * REFUSED_SHARE) return 'refused';
  return unknownRecipients * 100 > asked * settings.unknownPercent ? 'unknown_recipients' : null;
}

function isUsed({ asked }: DayCounts, limit: number): boolean {
  return asked >= limit * USED_SHARE;
}

/** For people, after "did not grow: ". */
export const HELD_BACK_WORDS: Readonly<Record<HeldBack, string>> = {
  unused: 'less than half of the day before was used',
  unknown_recipients: 'too many unknown recipients the day before',
  refused: 'refused the day before',
  refused_often: 'refused often the day before, so it was halved',
};

/** A source at a provider on which today has a limit. */
export interface WarmingPlace {
  readonly source: string;
  readonly provider: string;
  readonly today: WarmUpDay;
}

export interface WarmingSources {
  /** Of UTC: when the next one begins, in Unix seconds. */
  readonly dayEndsAt: number;
  /** At providers of which something was to be asked before, or of which the policy says something of its own. */
  readonly places: readonly WarmingPlace[];
  /** What all sources together may ask on their first day at any other one. */
  readonly elsewhere: number;
}

/** Recipients that may still be asked about today, at each provider that is named. */
export function fitsToday(places: readonly WarmingPlace[]): Map<string, number> {
  const left = new Map<string, number>();
  for (const { provider, today } of places)
    left.set(provider, (left.get(provider) ?? 0) + Math.max(0, today.perDay - today.used));
  return left;
}

export function withWarmUps(
  all: readonly SourceHealth[],
  places: readonly WarmingPlace[],
): readonly SourceHealth[] {
  return all.map((one) => {
    const place = places.find(({ source, provider }) => source === one.source && provider === one.provider);
    return place === undefined ? one : { ...one, warmUp: place.today };
  });
}
