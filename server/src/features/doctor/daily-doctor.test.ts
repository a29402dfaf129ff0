import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { readConfig } from '../../settings/config.ts';
import type { Database } from '../../store/database.ts';
import { type DailyDoctorOptions, startDailyDoctor } from './daily-doctor.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { failure, ok } from './result.ts';
import { readDoctorReports, sweepDoctorReports } from './stored-reports.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const well: DoctorCheck = { id: 'disk', title: 'Disk', needs: [], run: async () => ok('Room.') };
const asking: DoctorCheck = { ...well, id: 'source.ptr', title: 'PTR', needs: ['network'] };

function start(more: Partial<DailyDoctorOptions> = {}) {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const doctor = startDailyDoctor({
    config: readConfig({ MXPROOF_SMTP_PORT: '2525' }),
    db: service.db,
    dnsServers: [{ host: '127.0.0.1', port: 9 }],
    isChecking: true,
    log,
    machine: 'here',
    checks: [well, asking],
    firstAfterMs: 0,
    lookEveryMs: 5,
    ...more,
  });
  return { ...doctor, lines };
}

test('at the start it runs once, says one line, and the database has what this machine’s run found', async () => {
  const doctor = start();
  await until(async () => (await readDoctorReports(service.db)).length > 0);
  const [report] = await readDoctorReports(service.db);
  await until(() => doctor.lines.length > 0);
  await doctor.stop();
  expect(doctor.lines).toMatchObject([{ level: 30, msg: 'doctor: 1 ok, 1 skipped' }]);
  expect(report).toMatchObject({
    machine: 'here',
    report: {
      ok: true,
      checks: [
        { id: 'disk', status: 'ok' },
        {
          id: 'source.ptr',
          status: 'skipped',
          detail: expect.stringContaining('MXPROOF_SMTP_PORT is not 25'),
        },
      ],
    },
  });
});

test('what failed is named in a warning; the network is asked where port 25 is, by a process that checks', async () => {
  const sick = { ...asking, run: async () => failure('No PTR.', 'Set one.') };
  const config = readConfig({});
  const doctor = start({ checks: [well, sick], config });
  await until(() => doctor.lines.length > 0);
  await doctor.stop();
  expect(doctor.lines).toMatchObject([
    { level: 40, msg: 'doctor: 1 ok, 1 failure; failed: source.ptr ("mxproof doctor" says what to do)' },
  ]);
  // Beside it, one that only serves: it says its line, and leaves the report of the other.
  const serving = start({ checks: [well, sick], config, isChecking: false });
  await until(() => serving.lines.length > 0);
  await serving.stop();
  expect(serving.lines).toMatchObject([{ msg: 'doctor: 1 ok, 1 skipped' }]);
  expect(await readDoctorReports(service.db)).toMatchObject([{ report: { ok: false } }]);
});

test('it runs again when the machine’s report is a day old, and not before', async () => {
  let looks = 0;
  const db: Database = {
    ...service.db,
    query(...statement) {
      looks += 1;
      return service.db.query(...statement);
    },
  };
  const doctor = start({ db });
  await until(() => doctor.lines.length === 1);
  await until(async () => (await readDoctorReports(service.db)).length === 1);
  await service.db.query(`UPDATE mxproof.doctor_reports SET ran_at = now() - interval '23 hours'`);
  const before = looks;
  await until(() => looks > before + 3);
  expect(doctor.lines).toHaveLength(1);
  await service.db.query(`UPDATE mxproof.doctor_reports SET ran_at = now() - interval '25 hours'`);
  await until(() => doctor.lines.length === 2);
  await doctor.stop();
});

test('a check that does not end keeps nothing from stopping, and nothing is written', async () => {
  let began = () => {};
  const beginning = new Promise<void>((resolve) => {
    began = resolve;
  });
  const deaf: DoctorCheck = {
    ...well,
    run() {
      began();
      return new Promise(() => {});
    },
  };
  const doctor = start({ checks: [deaf] });
  await beginning;
  await doctor.stop();
  expect([doctor.lines, await readDoctorReports(service.db)]).toEqual([[], []]);
  // Nor does one that has not begun yet.
  await start({ firstAfterMs: 3_600_000, log: quiet }).stop();
});

test('machines that were not seen for a week are forgotten', async () => {
  await service.db.query(
    `INSERT INTO mxproof.doctor_reports (machine, ran_at, is_ok, checks)
     VALUES ('gone', now() - interval '8 days', true, '[]'), ('here', now() - interval '6 days', true, '[]')`,
  );
  await sweepDoctorReports(service.db);
  expect((await readDoctorReports(service.db)).map(({ machine }) => machine)).toEqual(['here']);
});
