// What is as it is at the moment of a scrape: what this node's engine holds, its connections to the database, and what the
// database says of the deployment.
import { type Checker, DETAILS, type Policy } from '@mxproof/engine';
import type { Database } from '../../store/database.ts';
import type { Family, Sample } from './family.ts';
import { labelWords, type MeterLabels, NO_PROVIDER, OWN_ADDRESS } from './meter.ts';
import type { MeasuredParts, MeasuredState } from './stored-measures.ts';
import { OTHER, Words } from './words.ts';

const OBSTACLES = ['port_25', 'dns', 'source_blocked'];
const JOB_KINDS = ['chunk', 'alone', 'callback', 'webhook'];
const WINDOWS = ['hour', 'day'] as const;

type Gauge = Omit<Family, 'of' | 'type'> & { readonly type?: Family['type'] };

const one = (value: number): Sample[] => [{ labels: {}, value }];
const secondsOf = (ms: number | null): Sample[] => (ms === null ? [] : one(ms / 1_000));

/** Sums by label values, of words only. */
class Sums {
  readonly #labels: Readonly<Record<string, Words>>;
  readonly #samples = new Map<string, { labels: Record<string, string>; value: number }>();

  constructor(labels: Readonly<Record<string, Words>>) {
    this.#labels = labels;
  }

  add(labels: Readonly<Record<string, string>>, value: number, join = (a: number, b: number) => a + b): void {
    const own = Object.fromEntries(
      Object.entries(this.#labels).map(([name, words]) => [name, words.at(words.placeOf(labels[name]!))]),
    );
    const key = Object.values(own).join('\n');
    const known = this.#samples.get(key);
    if (known) known.value = join(known.value, value);
    else this.#samples.set(key, { labels: own, value });
  }

  samples(): Sample[] {
    return [...this.#samples.values()];
  }
}

/** Null: this node does not check. */
export function engineFamilies(
  checker: Pick<Checker, 'waiting' | 'health' | 'reachable' | 'dnsTrusted'> | null,
  labels: MeterLabels,
): Family[] {
  if (checker === null) return [];
  const words = {
    why: new Words(['checking', 'queued', ...DETAILS]),
    provider: labelWords(labels).providers,
  };
  const families: Gauge[] = [
    {
      name: 'mxproof_addresses_held',
      help: 'Addresses that this node holds, by what they wait for and at whom; checking: being asked about now',
      labels: ['why', 'provider'],
      samples() {
        const sums = new Sums(words);
        for (const why of ['checking', 'queued']) sums.add({ why, provider: NO_PROVIDER }, 0);
        for (const { why, provider, addresses } of checker.waiting())
          sums.add({ why, provider: provider || NO_PROVIDER }, addresses);
        return sums.samples();
      },
    },
    {
      name: 'mxproof_obstacle',
      help: 'Whether this keeps the node from checking: 1 yes, 0 no',
      labels: ['code'],
      samples() {
        const { obstacles } = checker.health();
        return OBSTACLES.map((code) => ({
          labels: { code },
          value: obstacles.some((each) => each.code === code) ? 1 : 0,
        }));
      },
    },
    {
      name: 'mxproof_smtp_reachable',
      help: '0 while nearly every mail server is out of reach, and lists wait',
      labels: [],
      samples: () => one(checker.reachable ? 1 : 0),
    },
    {
      name: 'mxproof_dns_trusted',
      help: '0 while every DNS server was wrong about a domain that certainly has mail',
      labels: [],
      samples: () => one(checker.dnsTrusted ? 1 : 0),
    },
  ];
  return families.map((family) => ({ type: 'gauge', of: 'node', ...family }));
}

export function poolFamilies(db: Pick<Database, 'connections' | 'poolSize'>): Family[] {
  const families: Gauge[] = [
    {
      name: 'mxproof_database_connections',
      help: 'Connections of this node to the database',
      labels: ['state'],
      samples() {
        const { inUse, idle } = db.connections();
        return [
          { labels: { state: 'in_use' }, value: inUse },
          { labels: { state: 'idle' }, value: idle },
        ];
      },
    },
    {
      name: 'mxproof_database_connections_max',
      help: 'Connections to the database that this node may have',
      labels: [],
      samples: () => one(db.poolSize),
    },
    {
      name: 'mxproof_database_waiting',
      help: 'Statements of this node that wait for a connection',
      labels: [],
      samples: () => one(db.connections().waiting),
    },
  ];
  return families.map((family) => ({ type: 'gauge', of: 'node', ...family }));
}

/** `state`: as it was read for this scrape; null: the database is away. */
export function databaseFamilies(
  state: () => MeasuredState | null,
  labels: MeterLabels,
  policy: Policy,
): Family[] {
  const { sources, providers } = labelWords(labels);
  const why = new Words(['queued', ...DETAILS]);
  const kind = new Words(JOB_KINDS);
  const sourceOf = (source: string) => (source === '' ? OWN_ADDRESS : source);
  const families: Gauge[] = [
    {
      name: 'mxproof_jobs',
      help: 'Jobs by kind: due, for a time that has not come, or claimed by a node',
      labels: ['kind', 'state'],
      samples: from('jobs', (jobs) => {
        const sums = new Sums({ kind, state: new Words(['due', 'later', 'claimed']) });
        for (const each of JOB_KINDS)
          for (const when of ['due', 'later', 'claimed'] as const)
            sums.add({ kind: each, state: when }, jobs.find((row) => row.kind === each)?.[when] ?? 0);
        return sums.samples();
      }),
    },
    {
      name: 'mxproof_jobs_oldest_age_seconds',
      help: 'How long the oldest job of a kind has been due without a node that claims it',
      labels: ['kind'],
      samples: from('jobs', (jobs) =>
        JOB_KINDS.map((each) => ({
          labels: { kind: each },
          value: Math.max(0, jobs.find((row) => row.kind === each)?.oldestSeconds ?? 0),
        })),
      ),
    },
    {
      name: 'mxproof_addresses_deferred',
      help: 'Addresses between two attempts, by what they wait for and at whom',
      labels: ['why', 'provider'],
      samples: from('deferred', (deferred) => {
        const sums = new Sums({ why, provider: providers });
        sums.add({ why: 'queued', provider: NO_PROVIDER }, 0);
        for (const row of deferred)
          sums.add({ why: row.why, provider: row.provider || NO_PROVIDER }, row.addresses);
        return sums.samples();
      }),
    },
    {
      name: 'mxproof_callbacks_pending',
      help: 'Callbacks that are neither delivered nor given up',
      labels: [],
      samples: from('jobs', (jobs) => {
        const row = jobs.find((each) => each.kind === 'callback');
        return one(row ? row.due + row.later + row.claimed : 0);
      }),
    },
    {
      name: 'mxproof_webhook_endpoints',
      help: 'Webhook endpoints of accounts: on, failing since their last success, paused by their owner, or switched off',
      labels: ['state'],
      samples: from('endpoints', (endpoints) =>
        Object.entries(endpoints).map(([state, value]) => ({ labels: { state }, value })),
      ),
    },
    {
      name: 'mxproof_source_resting',
      help: 'Whether a source rests at a provider: 1 yes, 0 no',
      labels: ['source', 'provider'],
      samples: from('rests', (rests) => {
        const sums = new Sums({ source: sources, provider: providers });
        for (const source of sources.named())
          for (const provider of [...labels.providers, OTHER]) sums.add({ source, provider }, 0);
        for (const { source, provider } of rests)
          sums.add({ source: sourceOf(source), provider }, 1, Math.max);
        return sums.samples();
      }),
    },
    {
      name: 'mxproof_budget_used_recipients',
      help: 'Recipients that a source asked about in this hour and day, where the policy limits them',
      labels: ['source', 'provider', 'window'],
      samples: from('budgets', (budgets) =>
        budgetSums(
          budgets,
          (_, __, used) => used,
          (a, b) => a + b,
        ),
      ),
    },
    {
      name: 'mxproof_budget_used_ratio',
      help: 'The share of a limit per hour or day that a source has used; the highest where a label stands for several',
      labels: ['source', 'provider', 'window'],
      samples: from('budgets', (budgets) =>
        budgetSums(
          budgets,
          (key, window, used) => {
            const limit = limitOf(policy, key, window);
            return limit === null ? 0 : used / limit;
          },
          Math.max,
        ),
      ),
    },
    {
      name: 'mxproof_credits_total',
      help: 'Credits of all accounts by the kind of the ledger’s entry; test: those of test keys',
      type: 'counter',
      labels: ['kind', 'mode'],
      samples: from('credits', (credits) =>
        [false, true].flatMap((isTest) => {
          const row = credits.find((each) => each.isTest === isTest);
          const { granted = 0, charged = 0, refunded = 0 } = row ?? {};
          const mode = isTest ? 'test' : 'live';
          return [
            { labels: { kind: 'grant', mode }, value: granted },
            { labels: { kind: 'charge', mode }, value: charged },
            { labels: { kind: 'refund', mode }, value: refunded },
          ];
        }),
      ),
    },
    {
      name: 'mxproof_backup_last_success_timestamp_seconds',
      help: 'When the newest backup was made that counts: a nightly one, or one by command in their folder; left out where there is none',
      labels: [],
      samples: from('backups', ({ newestMs }) => secondsOf(newestMs)),
    },
    {
      name: 'mxproof_backup_expected_since_timestamp_seconds',
      help: 'Since when nodes have been there that are to make a backup every night; left out where none is',
      labels: [],
      samples: from('backups', ({ nightlySinceMs }) => secondsOf(nightlySinceMs)),
    },
    {
      name: 'mxproof_backup_failing',
      help: 'Whether the latest nightly backup failed: 1 yes, 0 no',
      labels: [],
      samples: from('backups', ({ failure }) => one(failure === null ? 0 : 1)),
    },
  ];

  /** Left out while the database is away, or too slow for this part. */
  function from<Part extends keyof MeasuredParts>(
    part: Part,
    samples: (rows: MeasuredParts[Part]) => readonly Sample[],
  ): () => readonly Sample[] {
    return () => {
      const rows = state()?.[part] ?? null;
      return rows === null ? [] : samples(rows);
    };
  }

  function budgetSums(
    budgets: MeasuredParts['budgets'],
    worthOf: (key: string, window: (typeof WINDOWS)[number], used: number) => number,
    join: (a: number, b: number) => number,
  ): Sample[] {
    const sums = new Sums({ source: sources, provider: providers, window: new Words(WINDOWS) });
    for (const source of sources.named())
      for (const window of WINDOWS) sums.add({ source, provider: OTHER, window }, 0);
    for (const { source, key, inHour, inDay } of budgets)
      for (const [window, used] of [
        ['hour', inHour],
        ['day', inDay],
      ] as const)
        sums.add(
          { source: sourceOf(source), provider: providerOf(key), window },
          worthOf(key, window, used),
          join,
        );
    return sums.samples();
  }

  return [
    {
      name: 'mxproof_database_up',
      help: '1 where the database answered this scrape; else the families that come from it are left out',
      type: 'gauge',
      labels: [],
      of: 'node',
      samples: () => one(state() === null ? 0 : 1),
    },
    ...families.map((family): Family => ({ type: 'gauge', of: 'database', ...family })),
  ];
}

/** Of a budget's key (engine/src/policy/policy.ts): only a provider's is a label. */
function providerOf(key: string): string {
  return key.startsWith('provider ') ? key.slice('provider '.length) : OTHER;
}

function limitOf({ everyone, rows }: Policy, key: string, window: (typeof WINDOWS)[number]): number | null {
  const [kind, name] = key.split(' ', 2);
  const row = rows.find((each) =>
    kind === 'provider' ? each.provider === name : kind === 'host' && each.hostSuffix === name,
  );
  const limits = { ...everyone.limits, ...row?.limits };
  return window === 'hour' ? limits.recipientsPerHour : limits.recipientsPerDay;
}
