// Is the simulated world fast enough not to be the bottleneck? A raw client that pipelines RCPTs over a few lines,
// the world in its own process on its own core.
import { connect, type Socket } from 'node:net';
import { spawnWorld } from '../../world/src/world-process.ts';
import { type Bench, repeat, row } from './runner.ts';

const LINES = 8;
const RCPTS_PER_FLIGHT = 100;
const FLIGHTS_PER_LINE = 500;

export const run: Bench = async ({ runs, log }) => {
  const world = await spawnWorld(
    { spec: { domains: { 'bench.example': { host: {}, mailboxes: { share: 1 } } } } },
    { keepAsks: false },
  );
  try {
    const results = await repeat(runs, async () => {
      await world.seen();
      const startMs = performance.now();
      await Promise.all(Array.from({ length: LINES }, (_, line) => pump(world.smtpPort, line)));
      const seconds = (performance.now() - startMs) / 1000;
      const { total, cpuSeconds } = await world.seen();
      log(`world: ${total.rcpts} RCPTs in ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of its CPU`);
      return { perSecond: total.rcpts / seconds, perCpuSecond: total.rcpts / cpuSeconds };
    });
    const target = { at: 'least', value: 200_000 } as const;
    return [
      row(
        'world: pipelined RCPTs answered',
        'RCPT/s',
        results.map((r) => r.perSecond),
        target,
      ),
      row(
        'world: RCPTs per second of its own CPU',
        'RCPT/s',
        results.map((r) => r.perCpuSecond),
        target,
      ),
    ];
  } finally {
    await world.close();
  }
};

/** MAIL and a hundred RCPTs a flight, RSET in between; the next flight goes when the last was answered. */
function pump(port: number, line: number): Promise<void> {
  const rcpts = Array.from(
    { length: RCPTS_PER_FLIGHT },
    (_, i) => `RCPT TO:<p${line * 1000 + i}@bench.example>\r\n`,
  );
  const flight = Buffer.from(`MAIL FROM:<>\r\n${rcpts.join('')}RSET\r\n`);
  const repliesPerFlight = RCPTS_PER_FLIGHT + 2;
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: '127.1.0.1', port, noDelay: true });
    let flights = 0;
    let replies = 0;
    let greeted = false;
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.on('data', (chunk) => {
      if (!greeted) {
        const text = chunk.toString('latin1');
        if (text.startsWith('220')) socket.write('EHLO bench.example\r\n');
        else greeted = true;
        if (!greeted) return;
      } else for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) replies += 1;
      if (replies < flights * repliesPerFlight) return;
      if (flights === FLIGHTS_PER_LINE) socket.end('QUIT\r\n');
      else socket.write(flight);
      flights += 1;
    });
  });
}
