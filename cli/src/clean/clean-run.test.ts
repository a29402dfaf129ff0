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

test('what a run leaves out is on the disk with its first part, and is no other run', async () => {
  vi.stubEnv('XDG_STATE_HOME', folder);
  const parts = [Array.from({ length: 20 }, (_, at) => `a${at}@left.test`)];
  const of = { url: 'http://x.test', key: 'k', name: 'n', parts, isFresh: false };
  const run = await CleanRun.open(of);
  const places = new Set([0, 7, 8, 19]);
  run.leaveOut(places);
  run.splitInto(2);
  expect((await CleanRun.open(of)).leftOut).toEqual(new Set());
  await run.begin(0, 1_800_000_000);
  const again = await CleanRun.open(of);
  expect([again.leftOut, again.group]).toEqual([places, run.group]);
  again.splitInto(2);
  expect(() => again.splitInto(3)).toThrow(/is damaged: delete it/);
  expect((await CleanRun.open({ ...of, isFresh: true })).leftOut).toEqual(new Set());
});
