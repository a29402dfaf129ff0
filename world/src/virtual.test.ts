// Simulated time and memory: the same hosts without sockets or sleep.
import { expect, test } from 'vitest';
import type { Wire } from '../../engine/src/ports.ts';
import type { WorldSpec } from './index.ts';
import { createVirtualWorld, type VirtualWorld } from './virtual.ts';

/** Says each line when the reply to the last has come; ends with everything that happened, in order. */
function converse(world: VirtualWorld, ip: string, lines: readonly string[], source: string | null = null) {
  return new Promise<string[]>((resolve) => {
    const log: string[] = [];
    let next = 0;
    const wire: Wire = world.connect(
      { ip, port: 25, source, hostName: 'x' },
      {
        connected: () => log.push('connected'),
        data: (chunk) => {
          const text = Buffer.from(chunk).toString();
          log.push(text.trimEnd());
          if (!/^\d{3} .*\r\n$/m.test(text)) return;
          const line = lines[next++];
          if (line === 'TLS') wire.startTls();
          else if (line !== undefined) wire.write(`${line}\r\n`);
        },
        secured: () => {
          log.push('secured');
          wire.write(`${lines[next++]}\r\n`);
        },
        closed: (error) => {
          log.push(`closed ${error}`);
          resolve(log);
        },
      },
    );
  });
}

const ASK = ['EHLO p.example', 'MAIL FROM:<>', 'RCPT TO:<anna@a.example>', 'QUIT'];

test('an hour of greylisting takes no time, and the same seed gives the same run', async () => {
  const spec: WorldSpec = {
    domains: {
      'a.example': { host: { greylist: { delayMs: 3_600_000 }, replyDelayMs: 200 }, mailboxes: ['anna'] },
    },
  };
  const once = async () => {
    const world = createVirtualWorld(spec, { seed: 3 });
    const first = await world.run(converse(world, '127.1.0.1', ASK));
    await world.run(new Promise<void>((resolve) => world.clock.setTimeout(resolve, 3_600_000)));
    const second = await world.run(converse(world, '127.1.0.1', ASK));
    return { first, second, now: world.clock.now(), asks: world.seen.asks.get('anna@a.example') };
  };
  const run = await once();
  expect(run.first[4]).toMatch(/^450/);
  expect(run.second[4]).toBe('250 2.1.5 Ok');
  expect(run.asks?.map((ask) => ask.code)).toEqual([450, 250]);
  expect(run.now - 1_893_456_000_000).toBe(3_600_000 + 12 * 200);
  expect(await once()).toEqual(run);
});

test('refusal, reset, TLS and broken TLS come as a socket would tell them', async () => {
  const world = createVirtualWorld(
    {
      domains: {
        'a.example': { host: { tls: 'required' }, mailboxes: ['anna'] },
        'b.example': { host: { tls: 'broken' } },
        'c.example': { host: { at: { mail: { next: 'reset' } } } },
        'd.example': { host: { down: true } },
      },
    },
    { seed: 1 },
  );
  const tls = await world.run(converse(world, '127.1.0.1', ['EHLO p', 'STARTTLS', 'TLS', ...ASK]));
  expect(tls).toContain('secured');
  expect(tls).toContain('250 2.1.5 Ok');
  expect(tls.at(-1)).toBe('closed null');
  expect(
    (await world.run(converse(world, '127.1.0.2', ['EHLO p', 'STARTTLS', 'TLS', 'EHLO p']))).at(-1),
  ).toBe('closed EPROTO');
  expect((await world.run(converse(world, '127.1.0.3', ASK))).at(-1)).toBe('closed ECONNRESET');
  expect(await world.run(converse(world, '127.1.0.4', ASK))).toEqual(['closed ECONNREFUSED']);
  expect(world.seen.total).toMatchObject({ open: 0, connections: 3, tlsSessions: 1 });
});

test('the resolver answers, fails and is late as the zone says', async () => {
  const world = createVirtualWorld(
    {
      domains: {
        'a.example': { host: {}, ttlSeconds: 9 },
        'n.example': { mx: null },
        't.example': { dns: 'timeout' },
        'c.example': { host: {}, dns: 'truncate' },
      },
      dns: { latencyMs: 40 },
    },
    { seed: 1 },
  );
  const { resolver, clock, run } = world;
  const startMs = clock.now();
  expect(await run(resolver.mx('a.example'))).toEqual({
    kind: 'records',
    records: [{ preference: 10, exchange: 'mx.a.example' }],
    ttlSeconds: 9,
  });
  expect(clock.now() - startMs).toBe(40);
  expect(await run(resolver.a('mx.a.example'))).toMatchObject({ records: ['127.1.0.1'] });
  expect(await run(resolver.mx('n.example'))).toMatchObject({ records: [{ exchange: '' }] });
  expect(await run(resolver.mx('c.example'))).toMatchObject({ kind: 'records' });
  expect(await run(resolver.mx('gone.example'))).toEqual({ kind: 'nxdomain' });
  expect(await run(resolver.mx('t.example'))).toEqual({ kind: 'timeout' });
  expect(clock.now() - startMs).toBeGreaterThanOrEqual(5_000);
});

test('waiting for what can never come is an error, not a hang', async () => {
  const world = createVirtualWorld({ domains: {} }, { seed: 1 });
  await expect(world.run(new Promise(() => {}))).rejects.toThrow(/nothing is due/);
});
