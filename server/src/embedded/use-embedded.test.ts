import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startNode } from '../../test/child.ts';
import { endStores, newFolder, quiet } from '../../test/stores.ts';
import { endStart, isServiceStarting, sayStarting } from './starting-service.ts';
import { useEmbedded } from './use-embedded.ts';

afterEach(endStores);

const STARTING = JSON.stringify(join(import.meta.dirname, 'starting-service.ts'));
const AWAITED = { mustExist: true, awaitsStart: true };

test('a command says that it waits for a service that is starting, and ends with a start that is given up', async () => {
  const dataDir = newFolder();
  sayStarting(dataDir);
  const said = Promise.withResolvers<string>();
  const used = useEmbedded(dataDir, { ...quiet, warn: said.resolve }, AWAITED);
  expect(await said.promise).toBe('The service is starting: waiting for it, up to 60 seconds …');
  endStart(dataDir);
  await expect(used).rejects.toThrow(/^There is no store in the data folder .*: start the service first/);
});

test('a start that was killed is not waited for, and the next one removes what it left', async () => {
  const dataDir = newFolder();
  const gone = startNode([
    '--input-type=module',
    '-e',
    `(await import(${STARTING})).sayStarting(${JSON.stringify(dataDir)}); process.kill(process.pid, 'SIGKILL');`,
  ]);
  expect(await gone.ended).toBe('SIGKILL');
  const left = join(dataDir, `service.lock/starting-${gone.process.pid}`);
  expect([existsSync(left), isServiceStarting(dataDir)]).toEqual([true, false]);
  const warn = () => expect.unreachable('nothing is starting');
  await expect(useEmbedded(dataDir, { ...quiet, warn }, AWAITED)).rejects.toThrow('There is no store');
  sayStarting(dataDir);
  expect([existsSync(left), isServiceStarting(dataDir)]).toEqual([false, true]);
});

test('where there is no store, a command that needs one makes nothing', async () => {
  const folder = newFolder();
  await expect(useEmbedded(join(folder, 'data'), quiet, AWAITED)).rejects.toThrow(
    /^There is no store in the data folder .*\/data: .* MXPROOF_DATA_DIR to the folder of the service\.$/,
  );
  expect(existsSync(join(folder, 'data'))).toBe(false);
  await expect(useEmbedded(folder, quiet, AWAITED)).rejects.toThrow('There is no store');
  expect(readdirSync(folder)).toEqual(['service.lock']);
});
