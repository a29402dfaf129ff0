// From readings to messages: one transaction in which one node of all decides what the operator is told.

import type { Database } from '../../store/database.ts';
import type { Isolation } from '../../worker/isolate.ts';
import { alertBody } from './alert-message.ts';
import { type AlertState, advanceAlert, stillHolds } from './alert-state.ts';
import { ALERT_CONDITIONS, type AlertReading, type AlertSettings } from './conditions.ts';
import { type AlertRow, type AlertWay, changeAlerts, type NewAlertMessage } from './stored-alerts.ts';

/** Of one condition; more things than these at once are told of as far as here. */
const MAX_SUBJECTS = 100;

type Readings = ReadonlyMap<string, readonly AlertReading[] | null>;

/** Reads every condition; one that cannot be read stays as it is. */
export async function raiseAlerts(
  db: Database,
  ways: readonly AlertWay[],
  settings: AlertSettings,
  isolation: Pick<Isolation<string>, 'run'>,
): Promise<void> {
  const readings = new Map<string, readonly AlertReading[] | null>();
  for (const { id, read } of ALERT_CONDITIONS)
    await isolation.run(id, async () => void readings.set(id, await read(db, settings)));
  await applyReadings(db, ways, readings);
}

/** Conditions that are not among the readings stay as they are. */
export async function applyReadings(
  db: Database,
  ways: readonly AlertWay[],
  readings: Readings,
): Promise<void> {
  await changeAlerts(db, ways, (rows, nowMs) => decide(rows, readings, nowMs));
}

function decide(all: readonly AlertRow[], readings: Readings, nowMs: number) {
  const rows: AlertRow[] = [];
  const messages: NewAlertMessage[] = [];
  for (const condition of ALERT_CONDITIONS) {
    const { id } = condition;
    const read = readings.get(id);
    if (read === undefined) continue;
    const holding = new Map(
      (read ?? []).slice(0, MAX_SUBJECTS).map(({ subject, detail }) => [subject, detail]),
    );
    const before = new Map(all.filter((row) => row.condition === id).map((row) => [row.subject, row]));
    for (const subject of new Set([...before.keys(), ...holding.keys()])) {
      const known = before.get(subject) ?? null;
      const holds = read === null ? stillHolds(known) : holding.has(subject);
      const { state, event } = advanceAlert(known, holds, nowMs);
      if (state === null) continue;
      const detail = holding.get(subject) ?? known!.detail;
      if (known === null || detail !== known.detail || !isSame(known, state))
        rows.push({ ...state, condition: id, subject, detail });
      if (event === null) continue;
      const body = alertBody({
        condition: id,
        subject: subject === '' ? null : subject,
        status: event,
        title: condition.title,
        detail,
        advice: condition.advice,
        since: Math.floor(state.sinceMs / 1_000),
        at: Math.floor(nowMs / 1_000),
      });
      messages.push({ condition: id, subject, body, isRepeat: event === 'continues' });
    }
  }
  return { rows, messages };
}

function isSame(a: AlertState, b: AlertState): boolean {
  return (
    a.sinceMs === b.sinceMs &&
    a.toldMs === b.toldMs &&
    a.isTold === b.isTold &&
    a.clearSinceMs === b.clearSinceMs &&
    a.resolvedMs === b.resolvedMs
  );
}
