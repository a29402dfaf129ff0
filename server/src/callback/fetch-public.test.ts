import type { ServerResponse } from 'node:http';
import { isPublicAddress } from '@mxproof/common/public-address';
import { afterEach, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { fetchPublic } from './fetch-public.ts';

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

async function fetched(
  answer: (response: ServerResponse) => void,
  isAllowed: (ip: string) => boolean = () => true,
) {
  receiver = await startReceiver((response) => answer(response));
  // Ports that callbacks may go to say nothing of it.
  const options = { isAllowed, dnsServers: [], ca: receiver.ca, ports: [] };
  return fetchPublic(receiver.url, options);
}

test('it gets what is there, and the beginning of what is long', async () => {
  expect(await fetched((response) => response.end('certificate'))).toEqual({
    status: 200,
    body: Buffer.from('certificate'),
  });
  expect(receiver!.received).toHaveLength(1);
  await receiver!.close();
  const long = await fetched((response) => response.end('x'.repeat(40_000)));
  expect(long?.body).toHaveLength(16_384);
});

test('a redirect is not followed, and a private address is not asked', async () => {
  const moved = await fetched((response) => response.writeHead(302, { location: receiver!.url }).end());
  expect([moved?.status, receiver!.received.length]).toEqual([302, 1]);
  await receiver!.close();
  expect(await fetched((response) => response.end(), isPublicAddress)).toBeNull();
  expect(receiver!.received).toEqual([]);
});
