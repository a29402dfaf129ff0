// Simulated hosts as if they had been running for a while: a program just started answers several times more slowly until
// its code is compiled, and that would be measured as the engine's. Promise: no engine code runs here, and the hosts draw
// no conclusion from it (every recipient exists, every limit is kept).
import type { Truth } from '../../world/src/truth.ts';
import type { WorldProcess } from '../../world/src/world-process.ts';
import { hostFinder, pumpFlights } from './raw-connection.ts';
import type { Workload } from './workload.ts';

const HOSTS = 5;
const CONNECTIONS_PER_HOST = 8;
const RCPTS_PER_FLIGHT = 25;
const FLIGHTS_PER_LINE = 10;
const ROUNDS = 4;

export async function warmHosts(
  world: WorldProcess,
  workload: Workload,
  truths: ReadonlyMap<string, Truth>,
): Promise<void> {
  const known = Map.groupBy(
    workload.emails.filter((email) => truths.get(email)?.state === 'deliverable'),
    (email) => email.slice(email.indexOf('@') + 1),
  );
  const busiest = [...known].sort(([, a], [, b]) => b.length - a.length).slice(0, HOSTS);
  const findHost = hostFinder(world.dnsServer);
  const hosts = await Promise.all(
    busiest.map(async ([domain, emails]) => {
      const host = await findHost(domain);
      const commands = emails
        .slice(0, RCPTS_PER_FLIGHT)
        .flatMap((email) => ['MAIL FROM:<>\r\n', `RCPT TO:<${email}>\r\n`, 'RSET\r\n']);
      return { host, port: world.smtpPort, commands, flights: FLIGHTS_PER_LINE };
    }),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const connections = hosts.flatMap((host) =>
      Array.from({ length: CONNECTIONS_PER_HOST }, () => pumpFlights(host)),
    );
    await Promise.all(connections);
  }
  await world.seen();
}
