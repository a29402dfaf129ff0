import { expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { startFake } from '../../test/fake-service.ts';
import { ConnectionFailed } from '../errors.ts';
import { openEvents } from './open-events.ts';
import { Transport } from './transport.ts';

const settings = {
  prefix: '/v1',
  headers: () => ({}),
  session: false,
  fetch,
  maxRetries: 0,
  timeoutMs: 1,
  deadlineMs: 1,
  random: () => 0,
  onWarning: () => {},
} as const;
const call = { method: 'GET', path: '/events' } as const;

test('a stream that goes silent is given up and closed', async () => {
  const fake = await startFake((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  });
  const transport = new Transport({ ...settings, origin: fake.url });
  await expect(
    Array.fromAsync(openEvents(transport, call, undefined, { silenceMs: 100 })),
  ).rejects.toBeInstanceOf(ConnectionFailed);
  await until(() => fake.open === 0);
  await fake.close();
});

test('a reader that stops closes the stream', async () => {
  const fake = await startFake((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\ndata: 2\n\n');
  });
  const transport = new Transport({ ...settings, origin: fake.url });
  for await (const { data } of openEvents(transport, call, undefined)) {
    expect(data).toBe('1');
    break;
  }
  await until(() => fake.open === 0);
  await fake.close();
});
