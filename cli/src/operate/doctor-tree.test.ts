import { expect, test } from 'vitest';
import { doctorTree } from './doctor-tree.ts';

const REPORT = {
  ok: false,
  checks: [
    { id: 'config', title: 'Configuration', status: 'ok', detail: 'All is well.', advice: null },
    {
      id: 'disk',
      title: 'Disk',
      status: 'warning',
      detail: '3.0 GiB are left on the file system of /data, and lists need room.',
      advice: 'Make room.',
    },
    {
      id: 'postgres',
      title: 'PostgreSQL: fsync',
      status: 'failure',
      detail: 'fsync is off.',
      advice: 'Set it.',
    },
    { id: 'backup', title: 'Backups', status: 'skipped', detail: 'None yet.', advice: null },
    {
      id: 'source.ptr',
      title: 'Reverse name: 2001:db8:aaaa:bbbb::1',
      status: 'ok',
      detail: 'It\u001b[2J is right.',
      advice: null,
    },
  ],
} as const;

test('the report is a tree of groups, with what to do below what is wrong, and a sentence at the end', () => {
  expect(doctorTree(REPORT, { hasColours: false, columns: 62 })).toBe(`Configuration and machine
├─ ✓ ok       Configuration      All is well.
└─ ! warning  Disk               3.0 GiB are left on the file
                                 system of /data, and lists
                                 need room.
                                 → Make room.

Database
├─ ✗ failure  PostgreSQL: fsync  fsync is off.
│                                → Set it.
└─ · skipped  Backups            None yet.

Source addresses
└─ ✓ ok       Reverse name: 2001:db8:aaaa:bbbb::1
                                 It�[2J is right.

2 ok, 1 warning, 1 failure, 1 skipped. To repair: postgres.
`);
});

test('what is not a terminal gets whole lines, and colours only where they are wanted', () => {
  const plain = doctorTree(REPORT, { hasColours: false, columns: null });
  expect(plain).toContain('3.0 GiB are left on the file system of /data, and lists need room.\n');
  const coloured = doctorTree(REPORT, { hasColours: true, columns: null });
  expect([coloured === plain, coloured.replace(/\u001b\[\d+m/g, '')]).toEqual([false, plain]);
});

test('the last sentence says whether anything is to be done', () => {
  const last = (checks: (typeof REPORT)['checks'][number][]) =>
    doctorTree({ ok: true, checks }, { hasColours: false, columns: null }).split('\n').at(-2);
  expect(last([REPORT.checks[0]])).toBe('1 ok. Nothing is wrong.');
  expect(last([REPORT.checks[0], REPORT.checks[3]])).toBe(
    '1 ok, 1 skipped. Nothing is wrong in what was checked.',
  );
  expect(last([REPORT.checks[0], REPORT.checks[1]])).toBe(
    '1 ok, 1 warning. Nothing fails; see the warnings.',
  );
});
