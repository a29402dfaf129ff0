// The rate windows shared by all nodes. Promise: what is granted is in the database before any client is answered.
import { takeFromWindow, type Window, type WindowUpdate } from '../rules/rate-window.ts';
import type { Database, Tx } from './database.ts';

export type WindowKind = 'requests' | 'addresses';

/** A key or session has windows of its own, and its account has the same for all of them together; a hook has one, and an operator. */
type WindowName = WindowKind | `account_${WindowKind}` | 'hook' | 'admin_key' | 'operator';

export interface RateRequest {
  /** A key, a session by its negated id, an account, a hook, or an operator's key or session, as the window's name says. */
  readonly holderId: number;
  readonly kind: WindowName;
  readonly limit: number;
  readonly amount: number;
}

export interface RateDecision extends Omit<WindowUpdate, 'window' | 'granted'> {
  readonly granted: boolean;
}

/** `version`: the transaction that wrote it last. */
type WindowRow = { key_id: number; kind: WindowName; taken: string; version: string; now_ms: number };

/** Asks of one window, by their places in the whole. */
interface Group {
  readonly ask: RateRequest;
  readonly places: number[];
}

/** Read, then written if unchanged since; after so many conflicts, the rows are locked when read. */
const FREE_ATTEMPTS = 3;

export async function takeFromWindows(db: Database, asks: readonly RateRequest[]): Promise<RateDecision[]> {
  const decisions: RateDecision[] = [];
  let groups = groupByWindow(asks);
  for (let attempt = 1; attempt <= FREE_ATTEMPTS && groups.length > 0; attempt++)
    groups = await takeOnce(db, asks, groups, decisions, '');
  if (groups.length > 0)
    await db.transaction((tx) =>
      takeOnce(tx, asks, groups, decisions, 'ORDER BY r.key_id, r.kind FOR UPDATE OF r'),
    );
  return decisions;
}

/** Rows are locked in one order, so that two nodes never wait for each other. Fills in the decisions; what it returns was written by another node meanwhile. */
async function takeOnce(
  tx: Tx,
  asks: readonly RateRequest[],
  groups: readonly Group[],
  decisions: RateDecision[],
  lock: string,
): Promise<Group[]> {
  const holderIds = groups.map(({ ask }) => ask.holderId);
  const kinds = groups.map(({ ask }) => ask.kind);
  const rows = new Map(
    (await readWindows(tx, holderIds, kinds, lock)).map((row) => [nameOf(row.key_id, row.kind), row]),
  );
  const found = groups.map(({ ask, places }) => {
    const row = rows.get(nameOf(ask.holderId, ask.kind))!;
    const amounts = places.map((place) => asks[place]!.amount);
    return {
      version: row.version,
      taken: takeFromWindow(decode(row.taken), row.now_ms, ask.limit, amounts),
    };
  });
  const written = await tx.prepared<{ key_id: number; kind: WindowName }>(
    'write-windows',
    `WITH unchanged AS MATERIALIZED (
       SELECT r.key_id, r.kind, w.taken
       FROM mxproof.rate_windows r JOIN unnest($1::bigint[], $2::text[], $3::xid[], $4::text[])
         AS w (key_id, kind, version, taken) ON r.key_id = w.key_id AND r.kind = w.kind AND r.xmin = w.version
       ORDER BY r.key_id, r.kind FOR UPDATE OF r)
     UPDATE mxproof.rate_windows r SET taken = u.taken FROM unchanged u
     WHERE r.key_id = u.key_id AND r.kind = u.kind RETURNING r.key_id, r.kind`,
    [holderIds, kinds, found.map(({ version }) => version), found.map(({ taken }) => encode(taken.window))],
  );
  const kept = new Set(written.map(({ key_id, kind }) => nameOf(key_id, kind)));
  return groups.filter(({ ask, places }, index) => {
    if (!kept.has(nameOf(ask.holderId, ask.kind))) return true;
    const { granted, remaining, resetMs, retryAfterMs } = found[index]!.taken;
    for (const [nth, place] of places.entries())
      decisions[place] = {
        remaining,
        resetMs,
        granted: granted[nth]!,
        retryAfterMs: granted[nth] ? 0 : retryAfterMs,
      };
    return false;
  });
}

async function readWindows(
  tx: Tx,
  holderIds: number[],
  kinds: WindowName[],
  lock: string,
): Promise<WindowRow[]> {
  const read = () =>
    tx.prepared<WindowRow>(
      lock ? 'lock-windows' : 'read-windows',
      `SELECT r.key_id, r.kind, r.taken, r.xmin::text AS version,
         floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
       FROM mxproof.rate_windows r JOIN unnest($1::bigint[], $2::text[]) AS w (key_id, kind)
         ON r.key_id = w.key_id AND r.kind = w.kind ${lock}`,
      [holderIds, kinds],
    );
  const rows = await read();
  if (rows.length === holderIds.length) return rows;
  await tx.query(
    `INSERT INTO mxproof.rate_windows (key_id, kind)
     SELECT * FROM unnest($1::bigint[], $2::text[]) ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [holderIds, kinds],
  );
  return read();
}

function groupByWindow(asks: readonly RateRequest[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [place, ask] of asks.entries()) {
    const name = nameOf(ask.holderId, ask.kind);
    const group = groups.get(name);
    if (group) group.places.push(place);
    else groups.set(name, { ask, places: [place] });
  }
  return [...groups.values()];
}

const nameOf = (holderId: number, kind: WindowName) => `${holderId} ${kind}`;

/** Flat, each time as its distance from the one before: a busy window stays below what PostgreSQL moves out of its row. */
function encode({ times, counts }: Window): string {
  const flat: number[] = [];
  for (let at = 0, beforeMs = 0; at < times.length; beforeMs = times[at]!, at += 1)
    flat.push(times[at]! - beforeMs, counts[at]!);
  return JSON.stringify(flat);
}

function decode(text: string): Window {
  const flat = JSON.parse(text) as number[];
  const times: number[] = [];
  const counts: number[] = [];
  for (let at = 0, timeMs = 0; at < flat.length; at += 2) {
    timeMs += flat[at]!;
    times.push(timeMs);
    counts.push(flat[at + 1]!);
  }
  return { times, counts };
}
