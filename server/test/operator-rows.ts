// Rows for the operator's pages: two addresses and a proxy at five providers, and what the
// doctor found on two machines. The addresses are those of documentation.
import { type RefusalKind, warmUpKey } from '@mxproof/engine';
import type { DoctorReport } from '../src/features/doctor/doctor-report.ts';
import { writeDoctorReport } from '../src/features/doctor/stored-reports.ts';
import { addCounts, keepRest, keepRestByHand } from '../src/features/sources/stored-health.ts';
import { noteBackup } from '../src/store/backups.ts';
import type { Tx } from '../src/store/database.ts';

const HOUR_MS = 3_600_000;

const NO_REFUSALS: Readonly<Record<RefusalKind, number>> = { block: 0, rate: 0, ptr: 0, policy: 0 };

/** A stranger's words, with what must never run. */
export const HOSTILE_REPLY =
  '550 5.7.1 Service unavailable, Client host [203.0.113.7] blocked using Spamhaus. To request removal see https://www.spamhaus.org/query/ip/203.0.113.7 <img src=x onerror=alert(1)>';

interface Counted {
  readonly asked: number;
  readonly deferred?: number;
  readonly unknown?: number;
  readonly refused?: Partial<Record<RefusalKind, number>>;
  readonly reply?: string;
}

const ROWS: Readonly<Record<string, Readonly<Record<string, Counted>>>> = {
  '203.0.113.7': {
    google: { asked: 4_210, unknown: 310 },
    microsoft: { asked: 310, unknown: 12, refused: { block: 41 }, reply: HOSTILE_REPLY },
    outlook: { asked: 960, unknown: 80, deferred: 298 },
    yahoo: {
      asked: 1_800,
      unknown: 90,
      refused: { rate: 220 },
      reply:
        '421 4.7.0 [TSS04] Messages from 203.0.113.7 temporarily deferred due to unexpected volume or user complaints',
    },
    other: { asked: 12_800, unknown: 1_290, deferred: 1_404 },
  },
  '203.0.113.8': {
    google: { asked: 1_240, unknown: 70 },
    outlook: { asked: 85, unknown: 6 },
    other: { asked: 906, unknown: 64 },
  },
  'proxy.example.net:1080': {
    google: { asked: 75, unknown: 2 },
    yahoo: { asked: 130, unknown: 11 },
    other: { asked: 640, unknown: 40 },
  },
};

/** For a service whose policy file has `WARM_UPS`. */
export const WARM_UPS = {
  sources: { '203.0.113.8': { warmUp: { perDay: 200, until: 20_000 } } },
} as const;

/** The second address in its ninth day: as many as fit at Google, and a day that was held back at Outlook. */
export async function addWarmUpRows(tx: Tx): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.warm_ups (source, provider, begun_day, day, per_day, held_back)
     SELECT '203.0.113.8', w.provider, today - 8, today, w.per_day, w.held_back
     FROM (VALUES ('google', 1631, null), ('outlook', 571, 'unknown_recipients'), ('other', 1254, null))
       AS w (provider, per_day, held_back),
       (SELECT floor(extract(epoch FROM now()) / 86400)::bigint AS today) AS t`,
  );
  const asked = Object.entries(ROWS['203.0.113.8']!);
  await tx.query(
    `INSERT INTO mxproof.recipient_windows (source, budget, day, day_count)
     SELECT '203.0.113.8', w.budget, floor(extract(epoch FROM now()) / 86400), w.count
     FROM unnest($1::text[], $2::bigint[]) AS w (budget, count)`,
    [
      asked.map(([provider]) => warmUpKey(provider, '198.51.100.7')),
      asked.map(([, { asked: count }]) => count),
    ],
  );
}

export async function addSourceRows(tx: Tx): Promise<void> {
  await addCounts(
    tx,
    Object.entries(ROWS).flatMap(([source, providers]) =>
      Object.entries(providers).map(
        ([provider, { asked, unknown = 0, deferred = 0, refused = {}, reply }]) => {
          const kinds = { ...NO_REFUSALS, ...refused };
          const [kind = 'block'] = Object.keys(refused) as RefusalKind[];
          return {
            source,
            provider,
            counts: {
              asked,
              accepted: asked - unknown - deferred - Object.values(kinds).reduce((sum, each) => sum + each),
              unknownRecipients: unknown,
              deferred,
              refused: kinds,
            },
            refusal: reply === undefined ? null : { kind, reply },
            payers: new Map(),
          };
        },
      ),
    ),
  );
  await keepRest(
    tx,
    { source: '203.0.113.7', provider: 'microsoft' },
    { restMs: 4 * HOUR_MS, leftMs: 3 * HOUR_MS, refusals: 5 },
  );
  await keepRestByHand(tx, { source: 'proxy.example.net:1080', provider: 'google' }, null);
}

const report: DoctorReport = {
  ok: false,
  checks: [
    line('config', 'Configuration', 'ok', 'Every setting is known.'),
    line(
      'disk',
      'Disk',
      'warning',
      '6% of the disk is left: 3.1 GB.',
      'Free some, or move the data folder to a larger disk.',
    ),
    line('postgres', 'PostgreSQL', 'ok', 'PostgreSQL 18.4 answers within 1 ms; 80 connections are left.'),
    line('dns.servers', 'DNS servers', 'ok', '127.0.0.53 is believed.'),
    line('source.port25', 'Port 25, 203.0.113.7', 'ok', 'Three large providers answer within 80 ms.'),
    line(
      'source.ptr',
      'PTR, 203.0.113.8',
      'failure',
      '203.0.113.8 has no PTR record.',
      'Ask your hosting company to set the PTR record of 203.0.113.8 to the HELO name, probe2.example.net.',
    ),
    line('source.blocklists', 'Block lists', 'skipped', 'No zone is named.'),
  ],
};

function line(
  id: string,
  title: string,
  status: DoctorReport['checks'][number]['status'],
  detail: string,
  advice: string | null = null,
): DoctorReport['checks'][number] {
  return { id, title, status, detail, advice };
}

export async function addDoctorRows(tx: Tx): Promise<void> {
  await noteBackup(tx, {
    machine: 'mx1.example.net',
    path: '/backups/mxproof-20261117T030000Z.backup',
    isNightly: true,
    hasKey: true,
    bytes: 38_000_000,
    rows: 1_000_000,
    madeAt: new Date(Date.now() - 9.5 * HOUR_MS),
  });
  await writeDoctorReport(tx, 'mx1.example.net', report);
  await writeDoctorReport(tx, 'mx2.example.net', { ok: true, checks: report.checks.slice(0, 1) });
  await tx.query(
    "UPDATE mxproof.doctor_reports SET ran_at = now() - interval '3 days' WHERE machine = 'mx2.example.net'",
  );
}
