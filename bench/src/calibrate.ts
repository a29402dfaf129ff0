// The machine's own noise, measured the same way every time: a loop of arithmetic, round trips over loopback, fsync.
// Promise: takes about a second and leaves no file.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './runner.ts';

export interface Calibration {
  /** Rounds of a fixed integer loop per second, in millions. */
  readonly cpuMillionsPerSecond: number;
  readonly loopbackRoundTripMicroseconds: number;
  readonly fsyncMilliseconds: number;
  /** Spread of the loop's five runs: what the machine does to a figure by itself. */
  readonly cpuSpread: number;
}

const CPU_ROUNDS = 20_000_000;
const ROUND_TRIPS = 2_000;
const FSYNCS = 50;

export async function calibrate(): Promise<Calibration> {
  const cpu = Array.from({ length: 5 }, cpuMillionsPerSecond);
  return {
    cpuMillionsPerSecond: median(cpu),
    loopbackRoundTripMicroseconds: await roundTripMicroseconds(),
    fsyncMilliseconds: fsyncMilliseconds(),
    cpuSpread: (Math.max(...cpu) - Math.min(...cpu)) / median(cpu),
  };
}

function cpuMillionsPerSecond(): number {
  const startMs = performance.now();
  let sum = 1;
  for (let i = 0; i < CPU_ROUNDS; i += 1) sum = Math.imul(sum ^ i, 0x01000193);
  const seconds = (performance.now() - startMs) / 1000;
  // The sum is used, or V8 would eliminate the loop as dead code.
  return CPU_ROUNDS / 1e6 / seconds + (sum === 0 ? 1e-9 : 0);
}

async function roundTripMicroseconds(): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const startMs = performance.now();
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let trips = 0;
    socket.once('connect', () => socket.write('x'));
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.on('data', () => {
      trips += 1;
      if (trips === ROUND_TRIPS) socket.destroy();
      else socket.write('x');
    });
  });
  const micros = ((performance.now() - startMs) * 1000) / ROUND_TRIPS;
  server.close();
  return micros;
}

function fsyncMilliseconds(): number {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-bench-'));
  const file = openSync(join(folder, 'fsync'), 'w');
  try {
    const runs = Array.from({ length: FSYNCS }, () => {
      const startMs = performance.now();
      writeSync(file, 'x'.repeat(8192));
      fsyncSync(file);
      return performance.now() - startMs;
    });
    return median(runs);
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
