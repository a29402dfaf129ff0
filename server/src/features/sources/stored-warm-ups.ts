// The warm-up of sources at providers, for all nodes of the database (warm-up.ts has the schedule).
// Promise: each day is judged once, by whichever node asks first, from what all of them have counted; the days are the
// database's.
import {
  type Policy,
  type ProviderWarmUp,
  WARM_UP_OTHER,
  warmUpAt,
  warmUpKey,
  warmUpOf,
} from '@mxproof/engine';
import type { Database, Row, Tx } from '../../store/database.ts';
import { OWN_ADDRESS } from './source-health.ts';
import {
  type DayCounts,
  type DayEvidence,
  HELD_BACK_WORDS,
  type HeldBack,
  isWarm,
  PAUSE_DAYS,
  type WarmingPlace,
  type WarmingSources,
  type WarmUpState,
  warmUpToday,
} from './warm-up.ts';

const DAY_SECONDS = 86_400;

/** A day that may have to be judged. */
export interface WarmUpPlace {
  /** Empty: the machine's own address. */
  readonly source: string;
  readonly settings: ProviderWarmUp;
}

/** Null columns: nothing was counted on the day of the state. */
type StateRow = Row & {
  source: string;
  provider: string;
  begun_day: number;
  day: number;
  per_day: number;
  held_back: HeldBack | null;
  asked: number | null;
  unknown_recipients: number;
  refused: number;
  payers: readonly DayCounts[];
};

const STATES = `SELECT w.*, d.asked, d.unknown_recipients,
    d.refused_block + d.refused_rate + d.refused_ptr + d.refused_policy AS refused,
    ARRAY(SELECT jsonb_build_object('asked', p.asked, 'unknownRecipients', p.unknown_recipients, 'refused', p.refused)
      FROM mxproof.warm_up_payers p
      WHERE p.source = w.source AND p.provider = w.provider AND p.day = w.day) AS payers
  FROM mxproof.warm_ups w LEFT JOIN mxproof.source_days d USING (source, provider, day)`;

/** Makes the limit of the current day of each. Rows are locked in one order, and the clock is read once they are. */
export async function judgeDays(db: Database, places: readonly WarmUpPlace[]): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.query<StateRow>(
      `${STATES} JOIN unnest($1::text[], $2::text[]) AS p (source, provider) USING (source, provider)
       ORDER BY w.source, w.provider FOR UPDATE OF w`,
      [places.map(({ source }) => source), places.map(({ settings }) => settings.provider)],
    );
    const known = new Map(rows.map((row) => [nameOf(row.source, row.provider), row]));
    const today = await readToday(tx);
    const judged = places.map(({ source, settings }) => {
      const row = known.get(nameOf(source, settings.provider));
      return { source, provider: settings.provider, ...todayOf(row, settings, today) };
    });
    await tx.query(
      // What another node has made meanwhile was made of the same.
      `INSERT INTO mxproof.warm_ups AS w (source, provider, begun_day, day, per_day, held_back)
       SELECT DISTINCT ON (1, 2) * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
       ORDER BY 1, 2
       ON CONFLICT (source, provider) DO UPDATE SET begun_day = excluded.begun_day, day = excluded.day,
         per_day = excluded.per_day, held_back = excluded.held_back
       WHERE w.day <> excluded.day`,
      [
        judged.map(({ source }) => source),
        judged.map(({ provider }) => provider),
        judged.map(({ begunDay }) => begunDay),
        judged.map(({ day }) => day),
        judged.map(({ perDay }) => perDay),
        judged.map(({ heldBack }) => heldBack),
      ],
    );
  });
}

/** What today allows; judges nothing. Null: no source is being warmed up. */
export async function readWarmUps(
  tx: Tx,
  policy: Policy,
  sources: readonly string[],
): Promise<WarmingSources | null> {
  const warming = sources.flatMap((source) => {
    const settings = warmUpOf(policy, source === OWN_ADDRESS ? null : source);
    return settings === null ? [] : [{ source, settings }];
  });
  if (warming.length === 0) return null;
  const names = [warming.map(({ source }) => source)];
  const rows = await tx.query<StateRow>(`${STATES} WHERE w.source = ANY ($1)`, names);
  const states = new Map(rows.map((row) => [nameOf(row.source, row.provider), row]));
  const today = await readToday(tx);
  const windows = await tx.query<{ source: string; budget: string; day_count: number }>(
    'SELECT source, budget, day_count FROM mxproof.recipient_windows WHERE source = ANY ($1) AND day >= $2',
    [...names, today],
  );
  const used = new Map<string, number>();
  for (const { source, budget, day_count: count } of windows) {
    // Of hosts of no known provider, the one that was asked most.
    const name = nameOf(source, budget.startsWith(WARM_UP_OTHER) ? WARM_UP_OTHER : budget);
    used.set(name, Math.max(used.get(name) ?? 0, count));
  }
  const named = new Set([
    ...rows.map(({ provider }) => provider),
    ...warming.flatMap(({ settings }) => [...settings.providers.keys()]),
  ]);
  const places: WarmingPlace[] = [];
  for (const { source, settings } of warming)
    for (const provider of [...named].sort()) {
      const own = warmUpAt(settings, provider);
      const state = todayOf(states.get(nameOf(source, provider)), own, today);
      if (isWarm(state, own)) continue;
      const { begunDay, perDay, heldBack } = state;
      const count = used.get(nameOf(source, warmUpKey(provider, ''))) ?? 0;
      const words = heldBack === null ? null : HELD_BACK_WORDS[heldBack];
      places.push({
        source,
        provider,
        today: { day: today - begunDay + 1, perDay, used: count, heldBack: words },
      });
    }
  const elsewhere = warming.reduce(
    (sum, { settings }) => sum + (isWarm(settings, settings) ? 0 : settings.perDay),
    0,
  );
  if (places.length === 0 && elsewhere === 0) return null;
  return { dayEndsAt: (today + 1) * DAY_SECONDS, places, elsewhere };
}

/** What is left begins anew: as if there were no row. Of payers only what has not been judged yet is kept. */
export async function sweepWarmUps(tx: Tx): Promise<void> {
  await tx.query('DELETE FROM mxproof.warm_ups WHERE day <= $1', [(await readToday(tx)) - PAUSE_DAYS]);
  await tx.query(
    `DELETE FROM mxproof.warm_up_payers p WHERE NOT EXISTS (
       SELECT FROM mxproof.warm_ups w WHERE w.source = p.source AND w.provider = p.provider AND w.day <= p.day)`,
  );
}

async function readToday(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ today: number }>(
    `SELECT floor(extract(epoch FROM clock_timestamp()) / ${DAY_SECONDS})::bigint AS today`,
  );
  return row!.today;
}

function todayOf(row: StateRow | undefined, settings: ProviderWarmUp, today: number): WarmUpState {
  if (row === undefined) return warmUpToday(null, null, settings, today);
  const { begun_day: begunDay, day, per_day: perDay, held_back: heldBack } = row;
  return warmUpToday({ begunDay, day, perDay, heldBack }, evidenceOf(row), settings, today);
}

function evidenceOf({ asked, unknown_recipients, refused, payers }: StateRow): DayEvidence | null {
  return asked === null ? null : { asked, unknownRecipients: unknown_recipients, refused, payers };
}

function nameOf(source: string, what: string): string {
  return `${source} ${what}`;
}
