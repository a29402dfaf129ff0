import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Child } from '../child.ts';
import { type FaultRig, ordinaryWorld, people, startFaultRig, until } from './fault-rig.ts';

/** Longer than a pipe holds. */
const REQUESTS = 400;
/** Longer than a socket and a stream of Node hold. */
const REQUESTS_FOR_A_SOCKET = 2_000;
const AT_ONCE = 20;
let rig: FaultRig;
const closers: (() => void)[] = [];
afterEach(async () => {
  await rig.close();
  for (const close of closers.splice(0)) close();
});

function newPipe(): { reader: number; writer: number } {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-pipe-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  rmSync(folder, { recursive: true });
  return { reader, writer };
}

async function serveOn(stdout: number, meanwhile = () => {}): Promise<Child> {
  rig = await startFaultRig(ordinaryWorld(5));
  const service = await rig.serve({ stdout });
  closeSync(stdout);
  meanwhile();
  await ask(REQUESTS);
  await rig.settled(await rig.submit(people(300)));
  return service;
}

async function ask(requests: number): Promise<void> {
  for (let n = 0; n < requests; n += AT_ONCE) {
    const answers = Array.from({ length: AT_ONCE }, () => rig.call('GET', '/v1/account'));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  }
}

async function stop(service: Child): Promise<void> {
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
}

test('with standard output on a full disk the service serves, checks and stops', async () => {
  await stop(await serveOn(openSync('/dev/full', 'w')));
});

test('with standard output closed at the other end the service serves, checks and stops', async () => {
  const { reader, writer } = newPipe();
  await stop(await serveOn(writer, () => closeSync(reader)));
});

test('with a reader that has stopped the service serves and checks; the reader misses nothing once it goes on', async () => {
  const { reader, writer } = newPipe();
  closers.push(() => closeSync(reader));
  const service = await serveOn(writer);
  let text = '';
  const buffer = Buffer.alloc(64 * 1024);
  await until(async () => {
    text += buffer.toString('utf8', 0, readSync(reader, buffer));
    return text.split('"route":"/v1/account"').length > REQUESTS;
  });
  const times = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { time: string }).time);
  expect(times).toEqual(times.toSorted());
  for (let n = 0; n < REQUESTS; n++) await rig.call('GET', '/healthz');
  await stop(service);
});

test('with a supervisor that has stopped reading from its socket the service serves, checks and stops', async () => {
  rig = await startFaultRig(ordinaryWorld(5));
  // What Node calls a pipe to its child is a pair of sockets, as systemd's journal is.
  const service = await rig.serve({ env: { MXPROOF_RATE_REQUESTS: '100000' } });
  service.process.stdout!.pause();
  await ask(REQUESTS_FOR_A_SOCKET);
  await rig.settled(await rig.submit(people(300)));
  const seen = service.lines.length;
  expect(seen).toBeLessThan(REQUESTS_FOR_A_SOCKET);
  service.process.stdout!.resume();
  await until(
    async () =>
      service.lines.filter((line) => line.includes('"route":"/v1/account"')).length > REQUESTS_FOR_A_SOCKET,
  );
  await stop(service);
});
