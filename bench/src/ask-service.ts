// What a benchmark asks of the service over HTTP, as an account does.
import { openConnection } from './http-connection.ts';
import type { ServiceRig } from './service-rig.ts';

const SUBMITTING_LINES = 32;
const POLL_MS = 25;
/** A list that takes longer is given up, and counts as this. */
const LIST_LIMIT_MS = 180_000;

export async function submitAll(rig: ServiceRig, key: string, bodies: readonly object[]): Promise<void> {
  const waiting = bodies.values();
  await Promise.all(
    Array.from({ length: SUBMITTING_LINES }, async () => {
      const connection = await openConnection(rig.port, key);
      for (const body of waiting) {
        const { status } = await connection.ask('POST', '/v1/lists', Buffer.from(JSON.stringify(body)));
        if (status !== 201) throw new Error(`POST /v1/lists answered ${status}`);
      }
      connection.close();
    }),
  );
}

/** Seconds from the first byte to `done`. */
export async function postToDone(rig: ServiceRig, key: string, emails: readonly string[]): Promise<number> {
  const connection = await openConnection(rig.port, key);
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1000;
  const posted = await connection.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
  if (posted.status !== 201) throw new Error(`POST /v1/lists answered ${posted.status}`);
  const { id } = JSON.parse(posted.body.toString()) as { id: number };
  while (seconds() * 1000 < LIST_LIMIT_MS) {
    const { body } = await connection.ask('GET', `/v1/lists/${id}`);
    if ((JSON.parse(body.toString()) as { status: string }).status === 'done') break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  connection.close();
  return seconds();
}

/** A 202 is its own wait of twenty seconds. */
export async function verify(rig: ServiceRig, key: string, email: string): Promise<number> {
  const connection = await openConnection(rig.port, key);
  const { status, ms } = await connection.ask('POST', '/v1/verify', Buffer.from(JSON.stringify({ email })));
  connection.close();
  if (status !== 200 && status !== 202) throw new Error(`POST /v1/verify answered ${status}`);
  return ms;
}
