// The metrics of a service: counted by its parts, and served to scrapers.
// Promise: loaded and counted only where MXPROOF_METRICS_PORT is set.
import { readFileSync } from 'node:fs';
import { type Checker, DEFAULT_POLICY, type Policy } from '@mxproof/engine';
import type { Readiness } from '../../http/readiness.ts';
import type { Database } from '../../store/database.ts';
import { createExposition } from './exposition.ts';
import type { Family } from './family.ts';
import { listenForScrapers, type MetricsAddress, type MetricsListener } from './listener.ts';
import { createMeter, type Meter, type MeterLabels } from './meter.ts';
import { databaseFamilies, engineFamilies, poolFamilies } from './state-families.ts';
import type { MeasuredState } from './stored-measures.ts';
import { createStoredState } from './stored-state.ts';

export interface Metrics {
  readonly meter: Meter;
  listen(parts: ListeningParts): Promise<MetricsListener>;
}

export interface MeasuredParts {
  readonly db: Database;
  /** Null: this node does not check. */
  readonly checker: Checker | null;
  /** This node speaks HTTP. */
  readonly http: boolean;
}

interface ListeningParts extends MeasuredParts {
  readonly readiness: Readiness;
}

export function createMetrics(
  address: MetricsAddress,
  settings: { readonly sources: readonly string[]; readonly policy: Policy | null },
): Metrics {
  const policy = settings.policy ?? DEFAULT_POLICY;
  const labels = { sources: settings.sources, providers: providersOf(policy) };
  const meter = createMeter(labels);
  return {
    meter,
    listen(parts) {
      const stored = createStoredState(parts.db);
      let now: MeasuredState | null = null;
      const families = allFamilies(meter.families, parts, { labels, policy, state: () => now });
      const exposition = createExposition(families, async () => {
        now = await stored.read();
      });
      return listenForScrapers(address, exposition, parts.readiness);
    },
  };
}

/** In the order in which they are served and described. */
export function allFamilies(
  counted: readonly Family[],
  { db, checker, http }: MeasuredParts,
  settings: {
    readonly labels: MeterLabels;
    readonly policy: Policy;
    readonly state: () => MeasuredState | null;
  },
): Family[] {
  return [
    buildInfo(),
    roles({ http, checks: checker !== null }),
    ...counted,
    ...engineFamilies(checker, settings.labels),
    ...poolFamilies(db),
    ...databaseFamilies(settings.state, settings.labels, settings.policy),
  ];
}

/** Those with limits of their own: the others are asked about little, and would make most of the series. */
export function providersOf({ rows }: Policy): string[] {
  return [...new Set(rows.flatMap(({ provider }) => provider ?? []))].sort();
}

function buildInfo(): Family {
  const file = new URL('../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return {
    name: 'mxproof_build_info',
    help: 'The version of MXProof and of Node',
    type: 'gauge',
    labels: ['version', 'node'],
    of: 'node',
    samples: () => [{ labels: { version, node: process.version }, value: 1 }],
  };
}

function roles(on: { readonly http: boolean; readonly checks: boolean }): Family {
  return {
    name: 'mxproof_role',
    help: 'Whether this node has the role: 1 yes, 0 no',
    type: 'gauge',
    labels: ['role'],
    of: 'node',
    samples: () => Object.entries(on).map(([role, has]) => ({ labels: { role }, value: has ? 1 : 0 })),
  };
}
