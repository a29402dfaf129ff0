import { setTimeout as sleep } from 'node:timers/promises';
import { netConnect } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { readConfig } from '../../settings/config.ts';
import type { Database } from '../../store/database.ts';
import { CHECKS } from './checks.ts';
import { CLOSE_LIMIT_MS } from './diagnose.ts';
import type { CheckResult, DoctorCheck, DoctorContext } from './doctor-check.ts';
import { CHECK_GROUPS, CHECK_IDS, CHECK_NAMES, isNamed } from './doctor-check-ids.ts';
import { failedIds, logLineOf } from './doctor-report.ts';
import { ok, warning } from './result.ts';
import { type DoctorParts, LIMITS, runDoctor } from './run-doctor.ts';

const SMALL = { openMs: 40, checkMs: 40, allMs: 80, graceMs: 10 };
const forever = () => new Promise<never>(() => {});
const unasked: DoctorContext['resolver'] = {
  mx: forever,
  a: forever,
  aaaa: forever,
  ptr: forever,
  txt: forever,
};
const db = {} as Database;

function parts(more: Partial<DoctorParts> = {}): DoctorParts {
  return {
    config: readConfig({}),
    env: {},
    resolver: unasked,
    connect: netConnect,
    openDatabase: async () => db,
    withoutNetwork: null,
    ...more,
  };
}

function check(
  id: string,
  run: (context: DoctorContext, signal: AbortSignal) => Promise<CheckResult | readonly CheckResult[]>,
  more: Partial<DoctorCheck> = {},
): DoctorCheck {
  return { id, title: id.toUpperCase(), needs: [], run, ...more };
}

const well = (id: string, more: Partial<DoctorCheck> = {}) => check(id, async () => ok('Well.'), more);

test('a report has every check in the order of the table, and is ok unless one failed', async () => {
  const slow = check('first', async () => {
    await sleep(5);
    return ok('Slow.');
  });
  const several = check('second', async () => [
    { ...ok('Well.'), about: '192.0.2.10' },
    { ...warning('Odd.', 'Look.'), about: '192.0.2.11' },
  ]);
  const report = await runDoctor([slow, several], parts());
  expect(report).toEqual({
    ok: true,
    checks: [
      { id: 'first', title: 'FIRST', status: 'ok', detail: 'Slow.', advice: null },
      { id: 'second', title: 'SECOND: 192.0.2.10', status: 'ok', detail: 'Well.', advice: null },
      { id: 'second', title: 'SECOND: 192.0.2.11', status: 'warning', detail: 'Odd.', advice: 'Look.' },
    ],
  });
});

test('whatever hangs, the run ends, and says what did not', async () => {
  const heeding = check(
    'heeding',
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const telling = check(
    'telling',
    (_, signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve(warning('Only half was asked.', 'Ask again.'))),
      ),
  );
  const report = await runDoctor([check('deaf', forever), heeding, telling, well('well')], parts(), {
    limits: SMALL,
  });
  expect(report.ok).toBe(false);
  expect(report.checks.map(({ id, status, detail }) => [id, status, detail])).toEqual([
    ['deaf', 'failure', 'This check did not end within 0 s.'],
    ['heeding', 'failure', 'This check did not end within 0 s.'],
    ['telling', 'warning', 'Only half was asked.'],
    ['well', 'ok', 'Well.'],
  ]);
});

test('a database that never opens costs its own limit: what needs it is skipped, what does not is asked meanwhile', async () => {
  const reporting = check('says', async ({ databaseError }) => warning(`Why: ${databaseError}.`, 'Look.'), {
    reportsDatabase: true,
  });
  const report = await runDoctor(
    [well('needs', { needs: ['database'] }), reporting, well('well')],
    parts({ openDatabase: forever }),
    { limits: SMALL },
  );
  expect(report.checks.map(({ status, detail }) => [status, detail])).toEqual([
    ['skipped', 'This needs the database, which could not be opened.'],
    ['warning', 'Why: PostgreSQL did not answer within 0 s.'],
    ['ok', 'Well.'],
  ]);
});

test('opening and checks together have one limit', async () => {
  const limits = { openMs: 200, checkMs: 60_000, allMs: 100, graceMs: 10 };
  const opened = parts({ openDatabase: async () => sleep(50, db) });
  const report = await runDoctor([check('deaf', forever, { needs: ['database'] })], opened, { limits });
  expect(report.checks[0]!.detail).toMatch(/did not end within 0(\.\d)? s/);
});

test('the command is over within 30 seconds, and a check has most of them', () => {
  expect(LIMITS.allMs + LIMITS.graceMs + CLOSE_LIMIT_MS).toBeLessThan(30_000);
  expect(LIMITS.openMs + LIMITS.graceMs).toBeLessThan(LIMITS.allMs / 2);
});

test('a check that throws is a failed line, and the others hold', async () => {
  const throwing = check('throws', async () => {
    throw new TypeError('x is not a function');
  });
  const atOnce = check('at once', () => {
    throw new Error('');
  });
  const lost = check('lost', async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  });
  const report = await runDoctor([throwing, atOnce, lost, well('well')], parts());
  expect(report.checks.map(({ status, detail }) => `${status} ${detail}`)).toEqual([
    'failure The doctor itself failed here: x is not a function.',
    'failure The doctor itself failed here: Error.',
    'failure The database stopped answering: connect ECONNREFUSED 127.0.0.1:5432.',
    'ok Well.',
  ]);
});

test('without a network, what needs one is skipped and nothing of it is run', async () => {
  const asked: string[] = [];
  const asking = check(
    'asks',
    async () => {
      asked.push('asks');
      return ok('Asked.');
    },
    { needs: ['network'] },
  );
  const report = await runDoctor([asking, well('well')], parts({ withoutNetwork: 'Closed.' }));
  expect([report.checks.map(({ status, detail }) => `${status} ${detail}`), asked]).toEqual([
    ['skipped Closed.', 'ok Well.'],
    [],
  ]);
});

test('a run that is aborted ends at once, without a report', async () => {
  const stopping = new AbortController();
  let signalled = false;
  const deaf = check('deaf', (_, signal) => {
    signal.addEventListener('abort', () => (signalled = true));
    stopping.abort(new Error('stopping'));
    return forever();
  });
  await expect(runDoctor([deaf], parts(), { signal: stopping.signal })).rejects.toThrow('stopping');
  expect(signalled).toBe(true);
  await expect(runDoctor([deaf], parts(), { signal: stopping.signal })).rejects.toThrow('stopping');
});

test('no secret and no control character is in a line, wherever it came from', async () => {
  const env = {
    DATABASE_URL: 'postgresql://carl:p%40ss-word@db.example/x',
    MXPROOF_SECRET_KEY: 'a key of sixty-four',
    MXPROOF_ALERT_SECRET: 'whsec-alerts',
    MXPROOF_SOURCE_ADDRESSES: '192.0.2.1=a.example,socks5://proxyuser:prox%2Fypass@192.0.2.9:1080=b.example',
    MXPROOF_HELO_NAME: 'probe.example',
  };
  const leaking = check('leaks', async () => ({
    status: 'failure' as const,
    detail: `${env.DATABASE_URL} p@ss-word ${env.MXPROOF_SECRET_KEY} \u001b[2Jprobe.example\n\0\ud800`,
    advice: `socks5://proxyuser:prox%2Fypass@192.0.2.9:1080 prox/ypass proxyuser ${env.MXPROOF_ALERT_SECRET} ${'x'.repeat(5_000)}`,
    about: 'http://someone:else@example.net',
  }));
  const text = JSON.stringify(await runDoctor([leaking], parts({ env })));
  expect(text).not.toMatch(/ss-word|sixty|prox%2Fypass|prox\/ypass|proxyuser|alerts|someone|else@/);
  expect(text).not.toMatch(/\\u|\\n/);
  expect(text).toContain('probe.example');
  expect(text.length).toBeLessThan(1_500);
});

test('the log line names what failed, each once, and no detail', () => {
  const line = (id: string, status: 'ok' | 'failure' | 'warning') => ({
    id,
    title: id,
    status,
    detail: 'ann@example.com',
    advice: null,
  });
  const checks = [line('a', 'ok'), line('b', 'failure'), line('b', 'failure'), line('c', 'warning')];
  expect(failedIds({ ok: false, checks })).toEqual(['b']);
  expect(logLineOf({ ok: false, checks })).toBe(
    'doctor: 1 ok, 1 warning, 2 failures; failed: b ("mxproof doctor" says what to do)',
  );
  expect(logLineOf({ ok: true, checks: checks.slice(0, 1) })).toBe('doctor: 1 ok');
});

test('the table has the ids that are promised, in the order of the report', () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(ids).toEqual(CHECK_IDS);
  for (const id of [...CHECK_GROUPS['Configuration and machine'], ...CHECK_GROUPS.Database])
    expect(ids).toContain(id);
  expect(CHECK_NAMES.filter((name) => !CHECK_IDS.includes(name))).toEqual(['dns', 'source']);
  expect([
    isNamed('source.ptr', ['source']),
    isNamed('dns.servers', ['source']),
    isNamed('disk', ['disk']),
  ]).toEqual([true, false, true]);
});
