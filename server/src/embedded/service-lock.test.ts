import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startNode } from '../../test/child.ts';
import { processIdentity } from './process-identity.ts';
import { serviceLockHolder, takeServiceLock } from './service-lock.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mxproof-lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('the lock is one holder’s until it is released', () => {
  const held = takeServiceLock(dataDir, 'service');
  expect(takeServiceLock(dataDir, 'command')).toEqual({ kind: 'busy', holder: 'service', pid: process.pid });
  if (held.kind === 'held') held.release();
  expect(serviceLockHolder(dataDir)).toBeNull();
  expect(takeServiceLock(dataDir, 'command').kind).toBe('held');
  expect(serviceLockHolder(dataDir)?.holder).toBe('command');
});

test.each([
  ['a process that is gone', { pid: 2 ** 22 + 1, identity: 'boot:1', holder: 'service' }],
  [
    'a process number that went to another',
    { pid: process.ppid, identity: processIdentity(process.pid), holder: 'service' },
  ],
])('the lock of %s is taken over', (_who, entry) => {
  mkdirSync(join(dataDir, 'service.lock'));
  writeFileSync(join(dataDir, 'service.lock/41'), JSON.stringify(entry));
  expect(takeServiceLock(dataDir, 'service').kind).toBe('held');
  expect(readdirSync(join(dataDir, 'service.lock'))).toEqual(['42']);
});

test('a lock file torn by a power cut is taken over', () => {
  mkdirSync(join(dataDir, 'service.lock'));
  writeFileSync(join(dataDir, 'service.lock/1'), '');
  expect(takeServiceLock(dataDir, 'service').kind).toBe('held');
});

test('of many that find a dead holder at the same moment exactly one takes the lock', async () => {
  const names = Array.from({ length: 300 }, (_, n) => join(dataDir, String(n)));
  for (const name of names) {
    mkdirSync(join(name, 'service.lock'), { recursive: true });
    const dead = { pid: 1, identity: 'gone', holder: 'service' };
    writeFileSync(join(name, 'service.lock/1'), JSON.stringify(dead));
  }
  const file = JSON.stringify(join(import.meta.dirname, 'service-lock.ts'));
  const startFile = join(dataDir, 'go');
  // Through all of them in one order, all starting when the file appears, so that they meet at many.
  const script = `const { existsSync } = await import('node:fs');
    const { takeServiceLock } = await import(${file});
    const names = ${JSON.stringify(names)};
    console.log('here');
    while (!existsSync(${JSON.stringify(startFile)}));
    const won = names.map((name) => takeServiceLock(name, 'service').kind === 'held');
    console.log('won ' + JSON.stringify(won));
    setTimeout(() => {}, 60000);`;
  const children = Array.from({ length: 4 }, () => startNode(['--input-type=module', '-e', script]));
  await Promise.all(children.map((child) => child.line(/^here/)));
  writeFileSync(startFile, '');
  const lines = await Promise.all(children.map((child) => child.line(/^won/)));
  await Promise.all(children.map((child) => child.end()));
  const won = lines.map((line) => JSON.parse(line.slice(4)) as boolean[]);
  expect(names.map((_, n) => won.filter((each) => each[n]).length)).toEqual(names.map(() => 1));
});

test('a process is told from one that is gone', () => {
  expect(processIdentity(process.pid)).toBe(processIdentity(process.pid));
  expect(processIdentity(2 ** 22 + 1)).toBeNull();
  expect(processIdentity(Number.NaN)).toBeNull();
});
