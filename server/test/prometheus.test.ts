// The dashboard and the alert rules that the guide offers, with Debian's Prometheus and nodes in every role that have worked.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPrometheus, type Prometheus, promtool, startPrometheus } from './prometheus.ts';
import { type Rig, startRig } from './rig.ts';
import { until } from './until.ts';

const isSkipped = !hasPrometheus && process.env.MXPROOF_REQUIRE_EXTRAS !== '1';
const RULES = join(import.meta.dirname, '../../docs/monitoring/alert-rules.yml');
const DASHBOARD = join(import.meta.dirname, '../../docs/monitoring/grafana-dashboard.json');
const TOKEN = 'a-token-of-the-tests';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** As Grafana asks, with all jobs and nodes chosen. */
function panelQueries(): [title: string, query: string][] {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [
      title,
      expr.replace(/\$(job|instance)\b/g, '.*').replaceAll('$__rate_interval', '1m'),
    ]),
  );
}

const EVERY_MINUTE = 'x180';
const constant = (value: number) => `${value}${EVERY_MINUTE}`;
const rising = (perMinute: number) => `0+${perMinute}${EVERY_MINUTE}`;
/** Not for five minutes in a row. */
const NOW_AND_THEN = Array.from({ length: 180 }, (_, minute) => (minute % 4 === 0 ? 0 : 3)).join(' ');
const AT = '{source="192.0.2.1",provider="google"';

/** What makes each rule fire, by series; and the same series where nothing is wrong. */
const SICK_AND_WELL: Readonly<
  Record<string, Readonly<Record<string, readonly [sick: string, well: string]>>>
> = {
  MXProofNodeDown: { 'up{job="mxproof",instance="a"}': [constant(0), constant(1)] },
  MXProofNobodyChecks: { 'mxproof_role{role="checks"}': [constant(0), constant(1)] },
  MXProofPort25Shut: { 'mxproof_obstacle{code="port_25",instance="a"}': [constant(1), constant(0)] },
  MXProofDnsFails: { 'mxproof_dns_trusted{instance="a"}': [constant(0), constant(1)] },
  MXProofSourceRests: { [`mxproof_source_resting${AT}}`]: [constant(1), constant(0)] },
  MXProofRefused: {
    [`mxproof_smtp_refusals_total${AT},kind="block"}`]: [rising(10), rising(1)],
    [`mxproof_smtp_recipients_total${AT},outcome="accepted"}`]: [rising(100), rising(100)],
  },
  MXProofManyUnknownRecipients: {
    [`mxproof_smtp_recipients_total${AT},outcome="unknown"}`]: [rising(60), rising(10)],
    [`mxproof_smtp_recipients_total${AT},outcome="accepted"}`]: [rising(40), rising(90)],
  },
  MXProofManyUnknown: {
    'mxproof_checks_total{state="unknown"}': [rising(40), rising(5)],
    'mxproof_checks_total{state="deliverable"}': [rising(60), rising(95)],
  },
  MXProofQueueOld: { 'mxproof_jobs_oldest_age_seconds{kind="chunk"}': [rising(60), constant(60)] },
  MXProofCallbacksFail: {
    'mxproof_callback_attempts_total{outcome="failed"}': [rising(1), rising(0)],
    'mxproof_callback_attempts_total{outcome="delivered"}': [rising(1), rising(2)],
  },
  MXProofCallbacksLate: { 'mxproof_jobs_oldest_age_seconds{kind="callback"}': [rising(60), constant(0)] },
  MXProofDatabaseAway: { 'mxproof_database_up{instance="a"}': [constant(0), constant(1)] },
  MXProofDatabaseBusy: { 'mxproof_database_waiting{instance="a"}': [constant(3), NOW_AND_THEN] },
  // The tests' time begins at the epoch: what is older than two days is below zero.
  MXProofBackupOld: {
    mxproof_backup_expected_since_timestamp_seconds: [constant(-400_000), constant(-400_000)],
    mxproof_backup_last_success_timestamp_seconds: [constant(-200_000), constant(-100_000)],
  },
  MXProofBackupFails: { mxproof_backup_failing: [constant(1), constant(0)] },
  MXProofHttpErrors: {
    'mxproof_http_requests_total{instance="a",status="503"}': [rising(10), rising(0)],
    'mxproof_http_requests_total{instance="a",status="200"}': [rising(90), rising(90)],
  },
  MXProofEventLoopSlow: {
    'mxproof_nodejs_eventloop_lag_p99_seconds{instance="a"}': [constant(0.4), constant(0.02)],
  },
  MXProofFilesRunOut: {
    'mxproof_process_open_fds{instance="a"}': [constant(900), constant(100)],
    'mxproof_process_max_fds{instance="a"}': [constant(1_000), constant(1_000)],
  },
  MXProofBudgetUsedUp: { [`mxproof_budget_used_ratio${AT},window="day"}`]: [constant(1), constant(0.5)] },
};

/** Of a deployment that is scraped at all. */
const WATCHED = { 'mxproof_role{role="checks"}': constant(1) };

function pick(series: Readonly<Record<string, readonly [string, string]>>, how: 'sick' | 'well') {
  return Object.fromEntries(
    Object.entries(series).map(([name, [sick, well]]) => [name, how === 'sick' ? sick : well]),
  );
}

function rulesTest(series: Readonly<Record<string, string>>, firing: readonly string[]) {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '2h',
        exp_samples: firing.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
      },
    ],
  };
}

test.skipIf(isSkipped)('Prometheus takes the configuration of the guide', () => {
  const guide = readFileSync(new URL('../../docs/guide/monitoring.md', import.meta.url), 'utf8');
  const [, yaml] = /^```yaml\n(.*?)^```/ms.exec(guide)!;
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-scrapes-'));
  try {
    const [file, token] = [join(folder, 'prometheus.yml'), join(folder, 'token')];
    writeFileSync(token, 'a token of the tests');
    writeFileSync(file, yaml!.replace('/etc/prometheus/mxproof-token', token));
    promtool(['check', 'config', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(isSkipped)('every alert fires where its cause lasts, and none where all is well', () => {
  promtool(['check', 'rules', RULES]);
  const alerts = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  expect(alerts.toSorted()).toEqual(Object.keys(SICK_AND_WELL).toSorted());
  const cases = Object.entries(SICK_AND_WELL).map(([alert, series]) =>
    rulesTest({ ...WATCHED, ...pick(series, 'sick') }, [alert]),
  );
  const well = Object.assign({}, ...Object.values(SICK_AND_WELL).map((series) => pick(series, 'well')));
  cases.push(rulesTest(well, []));
  // Never one; just set up; not wanted any more.
  const [since, made] = ['expected_since', 'last_success'].map(
    (name) => `mxproof_backup_${name}_timestamp_seconds`,
  ) as [string, string];
  cases.push(rulesTest({ ...WATCHED, [since]: constant(-200_000) }, ['MXProofBackupOld']));
  cases.push(rulesTest({ ...WATCHED, [since]: constant(-100_000) }, []));
  cases.push(rulesTest({ ...WATCHED, [made]: constant(-900_000) }, []));
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-rules-'));
  try {
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: cases }));
    promtool(['test', 'rules', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

let rig: Rig;
let prometheus: Prometheus;
const nodes: string[] = [];
let api = '';
let backups = '';

beforeAll(async () => {
  if (isSkipped) return;
  rig = await startRig(
    {
      domains: {
        'good.example': { host: {}, mailboxes: ['anna'] },
        'grey.example': { host: { greylist: { delayMs: 1_500 } }, mailboxes: ['anna'] },
      },
    },
    1,
  );
  backups = mkdtempSync(join(tmpdir(), 'mxproof-backups-'));
  const env = {
    PORT: '0',
    MXPROOF_METRICS_PORT: '0',
    MXPROOF_METRICS_TOKEN: TOKEN,
    MXPROOF_BACKUP_DIR: backups,
  };
  for (const args of [['serve'], ['serve', '--no-checks'], ['work']]) {
    const node = await rig.node(args, env);
    nodes.push(urlIn(await node.line(/"msg":"metrics"/)));
    if (api === '') api = urlIn(await node.line(/"msg":"ready"/));
  }
  prometheus = await startPrometheus(
    nodes.map((url) => new URL(url).host),
    { rules: RULES, token: TOKEN },
  );
});
afterAll(async () => {
  await prometheus?.stop();
  await rig?.close();
  if (backups !== '') rmSync(backups, { recursive: true });
});

const urlIn = (line: string) => (JSON.parse(line) as { url: string }).url;
const call = (path: string, body?: object) =>
  fetch(`${api}/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${rig.account.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const scrape = async (url: string) =>
  (await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
const sampleOf = async (query: string) => Number((await prometheus.query(query))[0]?.value[1]);

test.skipIf(isSkipped)(
  'nodes of every role that have worked answer every panel of the dashboard',
  async () => {
    for (const email of ['anna@good.example', 'nobody@good.example']) await call('/verify', { email });
    const emails = [
      'anna@good.example',
      'bob@good.example',
      'anna@grey.example',
      'x@nowhere.example',
      'not one',
    ];
    await call('/lists', { emails, callback_url: rig.callbackUrl });
    expect((await call('/lists/9999999')).status).toBe(404);
    await until(() => expect(rig.receiver.received).toHaveLength(1));

    for (const url of nodes) promtool(['check', 'metrics'], await scrape(url));
    expect((await fetch(nodes[0]!)).status).toBe(401);

    // Each node is scraped in its own moment, so that one's count may be there before another's.
    const reaches = (query: string, count: number) =>
      until(async () => expect(await sampleOf(query), query).toBe(count));
    await reaches('sum(mxproof_checks_total)', 2 + emails.length);
    await reaches('sum(mxproof_callback_attempts_total)', 1);
    await reaches('sum(mxproof_list_duration_seconds_count)', 1);
    await reaches('sum(mxproof_role{role="checks"})', 2);
    await reaches('sum(mxproof_http_requests_total{route="/v1/lists/:id",status="404"})', 1);
    await reaches('max(mxproof_credits_total{kind="charge",mode="live"})', 2 + emails.length);
    expect(await sampleOf('sum(mxproof_smtp_recipients_total{outcome="accepted"})')).toBeGreaterThan(0);
    expect(await sampleOf('sum(mxproof_dns_questions_total{outcome="records"})')).toBeGreaterThan(0);
    const secrets = [...emails, 'good.example', rig.account.apiKey, TOKEN];
    for (const text of await Promise.all(nodes.map(scrape)))
      for (const secret of secrets) expect(text).not.toContain(secret);

    for (const [title, query] of panelQueries())
      await until(
        async () => expect(await prometheus.query(query), `${title}: ${query}`).not.toEqual([]),
        20_000,
      );
    const failing = await prometheus.query('ALERTS{alertstate="firing"}');
    expect(failing).toEqual([]);
  },
);
