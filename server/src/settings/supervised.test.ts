import { expect, test } from 'vitest';
import { isSupervised } from './supervised.ts';

const nowhere = () => false;
const docker = (path: string) => path === '/.dockerenv';
const own = { pid: 70, ppid: 60, hasLauncher: false };

test.each([
  ['the main process of a unit', { SYSTEMD_EXEC_PID: '70' }, own, nowhere, true],
  [
    'a Node below the launcher of a unit',
    { SYSTEMD_EXEC_PID: '60' },
    { ...own, hasLauncher: true },
    nowhere,
    true,
  ],
  ['a shell of a systemd session', { SYSTEMD_EXEC_PID: '50', INVOCATION_ID: 'x' }, own, nowhere, false],
  ['the first process of a container', {}, { ...own, pid: 1, ppid: 0 }, docker, true],
  ['below tini in a container', {}, { ...own, ppid: 1 }, docker, true],
  [
    'a pod whose processes share an id space',
    { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
    { ...own, ppid: 0 },
    nowhere,
    true,
  ],
  ['a shell in a container', {}, own, docker, false],
  ['a terminal', {}, own, nowhere, false],
  ['an orphan outside of any container', {}, { ...own, ppid: 1 }, nowhere, false],
] as const)('SIGHUP of %s reads the settings again: %#', (_, env, process, exists, is) => {
  expect(isSupervised(env, process, exists)).toBe(is);
});
