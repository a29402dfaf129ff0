// An alert as the service posts it, verified by a receiver that has the code for callbacks.
import { expect, test } from 'vitest';
import { alertBody } from '../../server/src/features/alerts/alert-message.ts';
import { sendAlert } from '../../server/src/features/alerts/send-alert.ts';
import { startReceiver } from '../../server/test/receiver.ts';
import { verifyCallback } from '../src/verify-callback.ts';

const SECRET = `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`;

test('verifyCallback takes an alert with its secret, and no other', async () => {
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  const body = alertBody({
    condition: 'dns',
    subject: null,
    status: 'began',
    title: 'DNS is not trusted',
    detail: 'The DNS servers do not answer.',
    advice: 'See to it.',
    since: 1,
    at: 2,
  });
  const ways = { post: { url: receiver.url, secret: SECRET, format: 'json' as const }, mail: null };
  const target = { isAllowed: () => true, dnsServers: [], ca: receiver.ca };
  expect(await sendAlert({ ways, target }, { way: 'post', id: 'x', body })).toBe(null);
  await receiver.close();
  const [{ body: bytes, headers }] = receiver.received as [(typeof receiver.received)[number]];
  const verified = await verifyCallback(bytes, headers, SECRET);
  expect(verified).toEqual({ id: 'alert.x', body: JSON.parse(body) });
  const another = `whsec_${Buffer.from('another secret of 32 bytes......').toString('base64')}`;
  await expect(verifyCallback(bytes, headers, another)).rejects.toThrow();
});
