import { DETAILS, PROVIDER_WORDS, type Verdict } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { createExposition } from './exposition.ts';
import { createMeter } from './meter.ts';

const LABELS = { sources: ['192.0.2.1', '192.0.2.2'], providers: ['google', 'microsoft'] };
const HOSTILE = [
  'victim@secret.example',
  'mx_live_0123456789',
  'list 4711',
  '"} 1\nmxproof_forged 1',
  '\u0000',
  '',
];

const verdict = (words: Partial<Record<'state' | 'detail' | 'provider', string>>) =>
  ({ state: 'deliverable', detail: 'accepted', provider: 'google', ...words }) as Verdict;

async function textOf(meter: ReturnType<typeof createMeter>): Promise<string> {
  return createExposition(meter.families, async () => {}).text();
}

test('what is counted is served: by its labels, and durations in buckets that add up', async () => {
  const meter = createMeter(LABELS);
  for (const tookMs of [50, 400, 1_000_000]) meter.checked(verdict({}), 'single', tookMs);
  meter.checked(verdict({ state: 'unknown', detail: 'greylisted', provider: '' }), 'list', null);
  meter.refusal({ source: '192.0.2.2', provider: 'microsoft' }, 'block', '550 5.7.1 blocked', '');
  meter.hasRoute('/v1/lists/:id');
  meter.request('GET', '/v1/lists/:id', 404, 3);
  const text = await textOf(meter);
  expect(text).toContain('mxproof_checks_total{state="deliverable",detail="accepted",provider="google"} 3\n');
  expect(text).toContain('mxproof_checks_total{state="unknown",detail="greylisted",provider="none"} 1\n');
  expect(text.match(/^mxproof_check_duration_seconds.*kind="single".*$/gm)).toEqual([
    'mxproof_check_duration_seconds_bucket{kind="single",le="0.1"} 1',
    ...['0.5', '2', '10', '30', '120', '600'].map(
      (le) => `mxproof_check_duration_seconds_bucket{kind="single",le="${le}"} 2`,
    ),
    'mxproof_check_duration_seconds_bucket{kind="single",le="+Inf"} 3',
    'mxproof_check_duration_seconds_sum{kind="single"} 1000.45',
    'mxproof_check_duration_seconds_count{kind="single"} 3',
  ]);
  expect(text).toContain('mxproof_check_duration_seconds_count{kind="list"} 0\n');
  expect(text).toContain(
    'mxproof_smtp_refusals_total{source="192.0.2.2",provider="microsoft",kind="block"} 1\n',
  );
  expect(text).toContain('mxproof_smtp_refusals_total{source="192.0.2.1",provider="other",kind="block"} 0\n');
  expect(text).toContain('mxproof_http_requests_total{method="GET",route="/v1/lists/:id",status="404"} 1\n');
});

test('whatever is counted, the series have a bound and say no word that was not theirs', async () => {
  const meter = createMeter(LABELS);
  const words = [
    ...HOSTILE,
    ...DETAILS,
    ...PROVIDER_WORDS,
    ...Array.from({ length: 500 }, (_, i) => `w${i}`),
  ];
  for (const [at, word] of words.entries()) {
    const other = words[(at * 7) % words.length]!;
    const place = { source: word, provider: other };
    meter.checked(verdict({ state: word, detail: other, provider: word }), word as 'list', at);
    meter.checked(verdict({ detail: word, provider: other }), 'list', at);
    meter.listDone(at);
    meter.session(place, word as 'failed');
    meter.recipient(place, other as 'accepted', '');
    meter.refusal(place, word as 'block', word, '');
    meter.dnsAnswered(word as 'mx', other as 'records', at);
    meter.callbackAttempt(word as 'failed', at);
    meter.webhookAttempt(word as 'failed');
    // Routes are code, but their room has a bound too.
    meter.hasRoute(`/route/${at}`);
    meter.request(word, `/route/${at}`, at, at);
    meter.request('GET', word, 200, at);
  }
  const lines = (await textOf(meter)).split('\n').filter((line) => /^mxproof_/.test(line));
  for (const family of meter.families) {
    const own = lines.filter(
      (line) => line.startsWith(`${family.name}{`) || line.startsWith(`${family.name}_`),
    );
    expect(own.length, family.name).toBeLessThanOrEqual(family.maxSeries);
  }
  const bounds = Object.fromEntries(meter.families.map(({ name, maxSeries }) => [name, maxSeries]));
  const [SOURCES, PROVIDERS, ROUTES] = [2 + 1, 3 + 1, 200 + 1];
  expect(bounds).toMatchObject({
    mxproof_checks_total: 5 * (DETAILS.length + 1) * PROVIDERS,
    mxproof_smtp_recipients_total: SOURCES * PROVIDERS * 5,
    mxproof_http_request_duration_seconds: ROUTES * 10,
  });
  expect(lines.join('\n')).not.toMatch(/secret|mx_live|4711|forged|"w\d|route\/2[0-9][0-9]|\u0000/);
  expect(lines.filter((line) => line.startsWith('mxproof_http_requests_total')).length).toBeLessThan(1_500);
});
