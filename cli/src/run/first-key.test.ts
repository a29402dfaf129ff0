import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Child, startNode } from '../../../server/test/child.ts';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
const SECRETS = /mx_live_|whsec_|sign-in\/[\w-]/;
/** script(1) gives the command behind it a terminal, and passes on what is written there. */
const ON_A_TERMINAL = 'set -- script -qefc "exec \\"$0\\" \\"$1\\" \\"$2\\"" /dev/null; exec "$@"';
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Start {
  readonly child: Child;
  readonly url: string;
  /** A command beside it, as a person pastes it; what it prints. */
  run(command: string): string;
}

async function firstStart(env: Record<string, string>, shell?: string): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-first-key-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const store = { PATH: process.env.PATH, MXPROOF_DATA_DIR: folder };
  const settings = { PORT: '0', LOG_FORMAT: 'json', MXPROOF_DNS_SERVERS: '127.0.0.1:9', ...env };
  const child = startNode(
    [launcher, 'serve'],
    { ...store, ...settings },
    shell === undefined ? {} : { shell },
  );
  cleanups.push(() => child.end());
  const { url, pid } = JSON.parse(await child.line(/"msg":"ready"/)) as { url: string; pid: number };
  cleanups.push(async () => {
    process.kill(pid, 'SIGTERM');
    expect(await child.ended).toBe(0);
  });
  const run = (command: string) => {
    const [program, ...words] = command.split(' ');
    expect(program).toBe('mxproof');
    return spawnSync(process.execPath, [launcher, ...words], { env: store, encoding: 'utf8' }).stdout;
  };
  return { child, url, run };
}

/** The one line that stands in the place of the secrets; what it names works. */
async function expectNoSecrets({ child, url, run }: Start): Promise<void> {
  const line = await child.line(/first account created/);
  expect(child.lines.filter((each) => SECRETS.test(each))).toEqual([]);
  const [link = '', key = ''] = ['mxproof account link 1', 'mxproof key create 1'].map((command) => {
    expect(line).toContain(`\\"${command}\\"`);
    return run(command);
  });
  const pressed = await fetch(link.split('\n')[0]!, { method: 'POST', headers: { origin: url } });
  expect(pressed.status).toBe(200);
  const authorization = `Bearer ${/mx_live_\S+/.exec(key)?.[0]}`;
  expect((await fetch(`${url}/v1/account`, { headers: { authorization } })).status).toBe(200);
}

test('a start whose output is kept makes no key and prints no secret: it names the commands that make a link and a key', async () => {
  const start = await firstStart({});
  expect(start.run('mxproof key list 1 --json').trim()).toBe('[]');
  await expectNoSecrets(start);
});

test('on a terminal the first start prints the key, the secret and the link', async () => {
  const { child, url } = await firstStart({}, ON_A_TERMINAL);
  const key = /mx_live_[\w-]+/.exec(await child.line(/API key/))![0];
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${url}/v1/account`, { headers })).status).toBe(200);
  await child.line(/webhook secret +whsec_/);
  await child.line(/Sign in to the console.*\/sign-in\//);
});

test('MXPROOF_SHOW_FIRST_KEY=0 holds on a terminal too', async () => {
  await expectNoSecrets(await firstStart({ MXPROOF_SHOW_FIRST_KEY: '0' }, ON_A_TERMINAL));
});
