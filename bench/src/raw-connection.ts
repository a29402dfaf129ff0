// A client without an engine: one connection over which the same flight is sent again when the last was answered. Promise:
// it does next to nothing itself, so that what is measured, or warmed up, is the host.
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';

export interface RawConnection {
  readonly host: string;
  readonly port: number;
  /** Each is answered with one line. */
  readonly commands: readonly string[];
  readonly flights: number;
}

const LINE_FEED = 10;

/** Finds a domain's host by the world's DNS. */
export function hostFinder(dnsServer: string): (domain: string) => Promise<string> {
  const resolver = new Resolver();
  resolver.setServers([dnsServer]);
  return async (domain) => {
    const [mx] = await resolver.resolveMx(domain);
    const [host] = await resolver.resolve4(mx?.exchange ?? domain);
    if (host === undefined) throw new Error(`bench: ${domain} has no host`);
    return host;
  };
}

export function pumpFlights({ host, port, commands, flights }: RawConnection): Promise<void> {
  const flight = Buffer.from(commands.join(''));
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    let sent = 0;
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
      } else
        for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) replies += 1;
      if (replies < sent * commands.length) return;
      if (sent === flights) socket.end('QUIT\r\n');
      else socket.write(flight);
      sent += 1;
    });
  });
}
