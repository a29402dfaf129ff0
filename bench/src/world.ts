// Is the simulated world fast enough not to be the bottleneck? A raw client that pipelines RCPTs over a few connections,
// the world in its own process on its own core.
import { spawnWorld } from '../../world/src/world-process.ts';
import { pumpFlights } from './raw-connection.ts';
import { type Bench, repeat, row } from './runner.ts';

const CONNECTIONS = 8;
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
      await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => pump(world.smtpPort, n)));
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

/** MAIL and a hundred RCPTs a flight, RSET in between. */
function pump(port: number, n: number): Promise<void> {
  const rcpts = Array.from(
    { length: RCPTS_PER_FLIGHT },
    (_, i) => `RCPT TO:<p${n * 1000 + i}@bench.example>\r\n`,
  );
  const commands = ['MAIL FROM:<>\r\n', ...rcpts, 'RSET\r\n'];
  return pumpFlights({ host: '127.1.0.1', port, commands, flights: FLIGHTS_PER_LINE });
}
