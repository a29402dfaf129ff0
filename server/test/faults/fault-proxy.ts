// A TCP proxy that does to connections what networks do: delays, freezes, cuts.
// Promise: close() leaves no socket behind; what is frozen is passed on, in order, when it thaws.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultProxy {
  readonly port: number;
  /** What the client says reaches the server so much later. */
  delay(ms: number): void;
  /** Nothing passes, nothing is refused: a cable cut between two switches. */
  freeze(frozen: boolean): void;
  /** Connections are reset and new ones refused. */
  cut(isCut: boolean): void;
  close(): Promise<void>;
}

export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const timers = new Set<NodeJS.Timeout>();
  let delayMs = 0;
  let isFrozen = false;
  let isCut = false;

  function pass(from: Socket, to: Socket, isDelayed: boolean): void {
    from.on('data', (bytes) => {
      if (!isDelayed || delayMs === 0) return void to.write(bytes);
      const timer = setTimeout(() => {
        timers.delete(timer);
        to.write(bytes);
      }, delayMs);
      timers.add(timer);
    });
  }

  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    const upstream = connect(target.port, target.host);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    pass(client, upstream, true);
    pass(upstream, client, false);
    if (isFrozen) for (const socket of pair) socket.pause();
    for (const socket of pair)
      socket
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(pair);
          for (const other of pair) other.destroy();
        });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    delay(ms) {
      delayMs = ms;
    },
    freeze(frozen) {
      isFrozen = frozen;
      for (const pair of pairs) for (const socket of pair) frozen ? socket.pause() : socket.resume();
    },
    cut(cutNow) {
      isCut = cutNow;
      if (cutNow) for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
