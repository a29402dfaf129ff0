// microsocks and Dante, for real, on loopback. Promise: stop() ends the process it started and leaves no folder behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../src/embedded/free-port.ts';
import { until } from './until.ts';

export type SocksMake = 'microsocks' | 'danted';

const PROGRAMS: Readonly<Record<SocksMake, string>> = {
  microsocks: '/usr/bin/microsocks',
  danted: '/usr/sbin/danted',
};
const LOG_MAX_CHARS = 16_384;

export const isInstalled = (make: SocksMake) => existsSync(PROGRAMS[make]);

export interface SocksOptions {
  /** The address that mail hosts see. */
  readonly from: string;
  readonly port?: number;
  /** microsocks: without it no client is let in. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Dante: an address that it does not connect to. */
  readonly forbidden?: string;
}

export interface RunningSocks {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startSocks(make: SocksMake, options: SocksOptions): Promise<RunningSocks> {
  const folder = mkdtempSync(join(tmpdir(), `mxproof-${make}-`));
  const port = options.port ?? (await findFreePort());
  const args = make === 'microsocks' ? microsocksArgs(options, port) : dantedArgs(options, port, folder);
  const child = spawn(PROGRAMS[make], args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (said = `${said}${chunk}`.slice(-LOG_MAX_CHARS)));
  const ended = once(child, 'close');
  const stop = async () => {
    // Dante ends the processes it has made.
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error('it ended');
      await answers(port);
    });
  } catch (cause) {
    await stop();
    throw new Error(`${make} did not start:\n${said}`, { cause });
  }
  return { port, stop };
}

function microsocksArgs({ from, login }: SocksOptions, port: number): string[] {
  const credentials = login === undefined ? [] : ['-u', login.user, '-P', login.password];
  return ['-i', '127.0.0.1', '-p', String(port), '-b', from, ...credentials];
}

function dantedArgs({ from, forbidden }: SocksOptions, port: number, folder: string): string[] {
  const file = join(folder, 'danted.conf');
  const lines = [
    'logoutput: stderr',
    `internal: 127.0.0.1 port = ${port}`,
    `external: ${from}`,
    'clientmethod: none',
    'socksmethod: none',
    'client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }',
    ...(forbidden === undefined ? [] : [`socks block { from: 0.0.0.0/0 to: ${forbidden}/32 }`]),
    'socks pass { from: 127.0.0.0/8 to: 127.0.0.0/8 }',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return ['-f', file, '-p', join(folder, 'pid'), '-N', '1'];
}

async function answers(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
