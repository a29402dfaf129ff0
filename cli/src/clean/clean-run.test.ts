import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { CleanRun } from './clean-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'mxproof-clean-run-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('lists that were created when the service still knows their keys are this run’s, older ones another’s', async () => {
  vi.stubEnv('XDG_STATE_HOME', folder);
  const of = {
    url: 'http://x.test',
    key: 'k',
    name: 'n',
    parts: [['a@x.test'], ['b@x.test']],
    isFresh: false,
  };
  const run = await CleanRun.open(of);
  const { group } = run;
  expect(group).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  const now = 1_800_000_000;
  run.startAfter(now - 22 * 3_600, now);
  expect(run.group).toBe(group);
  run.startAfter(now - 25 * 3_600, now);
  expect(run.group).not.toBe(group);
  expect(run.group).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  // And stays so, once it has begun.
  await run.begin(0, now);
  expect((await CleanRun.open(of)).group).toBe(run.group);
});
