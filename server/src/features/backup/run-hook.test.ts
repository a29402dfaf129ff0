// MXPROOF_BACKUP_HOOK as a program of the operator, in a folder whose name a shell would read as a command.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHook } from './run-hook.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'mxproof-hook-')), 'a $(touch ran); b');
  mkdirSync(folder);
  file = join(folder, 'own.backup');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

function hook(script: string): string {
  const path = join(folder, 'hook');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return path;
}

const inFolder = (name: string) => join(folder, name);
const silent = () => {};

test('it gets the path as its argument and by name, and nothing of the service’s settings', async () => {
  process.env.MXPROOF_SECRET_KEY = 'a secret of the service';
  try {
    await runHook({ hook: hook('printf %s "$1" > "$1.args"; env > "$1.env"'), file, say: silent });
  } finally {
    delete process.env.MXPROOF_SECRET_KEY;
  }
  expect(readFileSync(`${file}.args`, 'utf8')).toBe(file);
  const env = readFileSync(`${file}.env`, 'utf8');
  expect(env).toContain(`MXPROOF_BACKUP_FILE=${file}\n`);
  expect(env).not.toContain('a secret of the service');
  expect(existsSync(inFolder('ran'))).toBe(false);
});

test('one that fails is one sentence with its exit status, and what it said is the log’s, up to a bound', async () => {
  const said: string[] = [];
  const failing = hook('head -c 100000 /dev/zero | tr "\\0" x >&2; echo "no route" >&2; exit 3');
  await expect(runHook({ hook: failing, file, say: (text) => said.push(text) })).rejects.toThrow(
    `${file} was made, and MXPROOF_BACKUP_HOOK ended with exit status 3.`,
  );
  expect(said.join()).toMatch(/^x+no route$/);
  expect(said.join().length).toBeLessThanOrEqual(2_000);
  await expect(runHook({ hook: inFolder('gone'), file, say: silent })).rejects.toThrow(
    'MXPROOF_BACKUP_HOOK could not be started (ENOENT).',
  );
});

test('one that hangs is ended after its time, with what it started', async () => {
  const hanging = hook('sleep 1000 & echo $! > child; wait');
  await expect(runHook({ hook: hanging, file, say: silent, limitMs: 500 })).rejects.toThrow(
    'MXPROOF_BACKUP_HOOK was not done after 3 hours.',
  );
  const child = Number(readFileSync(inFolder('child'), 'utf8'));
  await expect.poll(() => isRunning(child)).toBe(false);
});

test('when the service stops, it is ended, and runs again with the next start', async () => {
  const stopping = new AbortController();
  const running = runHook({
    hook: hook('touch begun; sleep 1000'),
    file,
    say: silent,
    signal: stopping.signal,
  });
  await expect.poll(() => existsSync(inFolder('begun')), { timeout: 10_000 }).toBe(true);
  stopping.abort(new Error('the service stops'));
  await expect(running).rejects.toThrow('the service stops');
});

function isRunning(pid: number): boolean {
  try {
    // One that has ended and was not waited for yet counts as gone.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
