// Finds a free port for PostgreSQL.

import { createServer } from 'node:net';

/** Below the range the kernel gives to outgoing connections, of which this service makes thousands. */
const PORT_FIRST = 20_000;
const PORT_COUNT = 12_000;
const MAX_PORT_TRIES = 50;

/** A port that is free now; the caller tries again if it is taken meanwhile. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MAX_PORT_TRIES; tries += 1) {
    const port = PORT_FIRST + Math.floor(Math.random() * PORT_COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found on 127.0.0.1 in ${MAX_PORT_TRIES} tries`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
