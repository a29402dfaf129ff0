import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = `
  const { show } = await import(${JSON.stringify(join(import.meta.dirname, 'first-steps.ts'))});
  process.exitCode = show('the key') ? 0 : 1;
`;

function shown(stdout: number | 'pipe', stderr: number | 'pipe') {
  const stdio = ['ignore', stdout, stderr] as const;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    stdio: [...stdio],
  });
  return { status: ran.status, stdout: ran.stdout ?? '', stderr: ran.stderr ?? '' };
}

test('the first key is shown where it can be, and it is said when it cannot', () => {
  const full = openSync('/dev/full', 'w');
  expect(shown('pipe', 'pipe')).toEqual({ status: 0, stdout: 'the key', stderr: '' });
  expect(shown(full, 'pipe')).toEqual({ status: 0, stdout: '', stderr: 'the key' });
  expect(shown(full, full)).toMatchObject({ status: 1 });
});
