// The operator's file of disposable domains, changed while the service runs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DisposableOverrides } from '@mxproof/engine';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { OperatorError } from '../src/rules/operator-error.ts';
import { loadDisposableFile, watchDisposableFile } from '../src/start/disposable-file.ts';
import { until } from './until.ts';

let folder = '';
let file = '';
let overrides = new DisposableOverrides();
let lines: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mxproof-disposable-'));
  file = join(folder, 'domains');
  overrides = new DisposableOverrides();
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const say = (...words: unknown[]) => void lines.push(words.map((word) => JSON.stringify(word)).join(' '));
const isDisposable = (domain: string) => overrides.find(domain)?.disposable ?? null;

async function watch(): Promise<void> {
  const watched = await watchDisposableFile({
    file,
    overrides,
    log: { info: say, warn: say },
    everyMs: 5,
  });
  onTestFinished(() => watched.stop());
}

test('what changes in the file, or is moved into its place, is in effect without a restart', async () => {
  writeFileSync(file, 'one.com\n!two.com\n');
  await watch();
  expect([isDisposable('one.com'), isDisposable('two.com')]).toEqual([true, false]);
  expect(lines).toEqual([expect.stringContaining('{"disposable":1,"never":1}')]);
  writeFileSync(file, 'three.com\n');
  await until(() => isDisposable('three.com') === true);
  expect(isDisposable('one.com')).toBe(null);
  writeFileSync(`${file}.new`, 'four.com\n');
  renameSync(`${file}.new`, file);
  await until(() => isDisposable('four.com') === true);
});

test('a file that is faulty, gone or too large leaves the last good one in effect, and says so once', async () => {
  writeFileSync(file, 'good.com\n');
  await watch();
  const fault = async (change: () => void, line: RegExp) => {
    const before = lines.length;
    change();
    await until(() => lines.length > before);
    // Several looks later nothing more has been said.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lines.slice(before)).toEqual([expect.stringMatching(line)]);
    expect(isDisposable('good.com')).toBe(true);
  };
  await fault(
    () => writeFileSync(`${file}.new`, 'better.com\nnot a domain\n') ?? renameSync(`${file}.new`, file),
    /fault in line 2: not a domain/,
  );
  await fault(() => rmSync(file), /cannot be read \(ENOENT\)/);
  await fault(() => {
    writeFileSync(`${file}.new`, '#');
    truncateSync(`${file}.new`, 33 * 1024 * 1024);
    renameSync(`${file}.new`, file);
  }, /fault in line 1: longer than|more than 32 MB/);
  writeFileSync(`${file}.new`, 'best.com\n');
  renameSync(`${file}.new`, file);
  await until(() => isDisposable('best.com') === true);
});

test('a file larger than the bound is not read to its end, however short its lines are', async () => {
  writeFileSync(file, `${'#'.repeat(500)}\n`.repeat(70_000));
  await expect(loadDisposableFile(file, overrides)).rejects.toThrow(/more than 32 MB/);
});

test('at the start, a file that cannot be used is an error for the operator, in one sentence', async () => {
  writeFileSync(file, Buffer.from([0x61, 0xff, 0x0a]));
  await expect(watch()).rejects.toThrow(OperatorError);
  await expect(watch()).rejects.toThrow(/^MXPROOF_DISPOSABLE_FILE names a file that is not UTF-8: /);
  rmSync(file);
  // It has no writer: opening it would wait for ever.
  execFileSync('mkfifo', [file]);
  await expect(watch()).rejects.toThrow(/is no file/);
});
