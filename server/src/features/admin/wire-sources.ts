// What operators are told of sources and of the doctor, as JSON has it. Promise: however much is stored, the answer is bounded, and a link is
// one that the service itself took for a known operator's.
import { CHECK_GROUPS } from '../doctor/doctor-check-ids.ts';
import type { DoctorReport } from '../doctor/doctor-report.ts';
import type { SourceCounts, SourceHealth } from '../sources/source-health.ts';
import type { WireDoctor, WireSourceHealth, WireSources } from './service-schemas.ts';

/** What the machine's own address, which has no name, is called in a path. */
export const OWN_SOURCE = 'own';
/** Some sources at each of the providers there are. */
const MAX_PAIRS = 2_000;
const MAX_MACHINES = 100;
const MAX_CHECKS = 300;
/** Replies and sentences; more is not what a person reads. */
const MAX_TEXT_CHARACTERS = 1_000;
const MAX_NAME_CHARACTERS = 255;

/** The doctor's latest report on one machine. */
export interface MachineReport {
  readonly machine: string;
  readonly ranAt: Date;
  readonly report: DoctorReport;
}

export function wireSources(health: readonly SourceHealth[], now: Date): WireSources {
  return {
    at: seconds(now),
    pairs: health.slice(0, MAX_PAIRS).map(wireHealth),
    left_out: Math.max(0, health.length - MAX_PAIRS),
  };
}

function wireHealth({
  source,
  provider,
  today,
  lastWeek,
  refusal,
  rest,
  warmUp,
}: SourceHealth): WireSourceHealth {
  return {
    id: source === '' ? OWN_SOURCE : name(source),
    source: name(source),
    provider: name(provider),
    today: wireCounts(today),
    last_week: wireCounts(lastWeek),
    refusal: refusal && {
      kind: refusal.kind,
      reply: text(refusal.reply),
      link: refusal.link?.startsWith('https://') ? text(refusal.link) : null,
      at: seconds(refusal.at),
    },
    rest: rest && { since: seconds(rest.since), until: rest.until && seconds(rest.until), by: rest.by },
    warm_up: warmUp && {
      day: warmUp.day,
      per_day: warmUp.perDay,
      used: warmUp.used,
      held_back: warmUp.heldBack === null ? null : text(warmUp.heldBack),
    },
  };
}

function wireCounts({
  asked,
  accepted,
  unknownRecipients,
  deferred,
  refused,
}: SourceCounts): WireSourceHealth['today'] {
  const { block, rate, ptr, policy } = refused;
  return {
    asked,
    accepted,
    unknown_recipients: unknownRecipients,
    deferred,
    refused: { block, rate, ptr, policy },
  };
}

export function wireDoctor(reports: readonly MachineReport[], backupAt: Date | null, now: Date): WireDoctor {
  return {
    at: seconds(now),
    backup_at: backupAt === null ? null : seconds(backupAt),
    reports: reports.slice(0, MAX_MACHINES).map(({ machine, ranAt, report }) => ({
      machine: name(machine),
      ran_at: seconds(ranAt),
      ok: report.ok,
      checks: report.checks.slice(0, MAX_CHECKS).map(({ id, title, status, detail, advice }) => ({
        id: name(id),
        group: groupOf(id),
        title: name(title),
        status,
        detail: text(detail),
        advice: advice === null ? null : text(advice),
      })),
    })),
    left_out: Math.max(0, reports.length - MAX_MACHINES),
  };
}

function groupOf(id: string): string {
  const [group = ''] =
    Object.entries<readonly string[]>(CHECK_GROUPS).find(([, ids]) => ids.includes(id)) ?? [];
  return group;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
const text = (words: string) => words.slice(0, MAX_TEXT_CHARACTERS);
const name = (words: string) => words.slice(0, MAX_NAME_CHARACTERS);
