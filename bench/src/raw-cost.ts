// What a workload's connections cost without an engine: the same hosts, as many recipients, flights as large, by a client
// that does no DNS lookups and does not interpret replies. Promise: no engine code; measured in the same run, it is the
// machine's own share of the engine's CPU time.
import { createRandom } from '../../world/src/random.ts';
import type { Truth } from '../../world/src/truth.ts';
import type { WorldProcess } from '../../world/src/world-process.ts';
import { SENDER } from './engine-run.ts';
import { hostFinder, pumpFlights, type RawConnection } from './raw-connection.ts';
import type { Workload } from './workload.ts';

/** What the engine asks in a session by default, on the average: nine refusals of one in five, less what is in flight. */
const RECIPIENTS_PER_CONNECTION = 36;
const AT_ONCE = 60;

export async function rawCpuPerThousand(
  world: WorldProcess,
  workload: Workload,
  truths: ReadonlyMap<string, Truth>,
): Promise<number> {
  const connections = await connectionsOf(world, workload, truths);
  const recipients = connections.reduce((sum, { commands }) => sum + commands.length - 1, 0);
  const before = process.cpuUsage();
  await inParallel(connections, pumpFlights);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3 / recipients;
}

/** Only recipients that exist, as often as the domain has addresses: no host delays its replies. */
async function connectionsOf(
  world: WorldProcess,
  workload: Workload,
  truths: ReadonlyMap<string, Truth>,
): Promise<RawConnection[]> {
  const findHost = hostFinder(world.dnsServer);
  const byDomain = Map.groupBy(workload.emails, (email) => email.slice(email.indexOf('@') + 1));
  const connections: RawConnection[] = [];
  await inParallel([...byDomain], async ([domain, emails]) => {
    const known = emails.filter((email) => truths.get(email)?.state !== 'undeliverable');
    if (known.length === 0) return;
    const host = await findHost(domain);
    for (let at = 0; at < emails.length; at += RECIPIENTS_PER_CONNECTION) {
      const count = Math.min(RECIPIENTS_PER_CONNECTION, emails.length - at);
      const rcpts = Array.from({ length: count }, (_, i) => `RCPT TO:<${known[i % known.length]}>\r\n`);
      const commands = [`MAIL FROM:<${SENDER}>\r\n`, ...rcpts];
      connections.push({ host, port: world.smtpPort, commands, flights: 1 });
    }
  });
  // Shuffled, so that no host has more than a few of these connections at a time.
  const { next: chance } = createRandom(connections.length);
  const mixed = connections
    .map((connection) => ({ connection, key: chance() }))
    .sort((a, b) => a.key - b.key);
  return mixed.map(({ connection }) => connection);
}

async function inParallel<T>(all: readonly T[], one: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < all.length) {
      next += 1;
      await one(all[next - 1]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
