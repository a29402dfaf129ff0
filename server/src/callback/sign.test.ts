import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { callbackHeaders, signBody, signStandard } from './sign.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('the Standard Webhooks signature is the one its own libraries publish for this message', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
    body: Buffer.from('{"test": 2432232314}'),
  };
  expect(signStandard(SECRET, message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('X-MX-Signature is 64 lower-case hex digits, keyed with the secret as it was shown', () => {
  const body = Buffer.from('{"event":"list.done"}');
  const signature = signBody(SECRET, body);
  expect(signature).toMatch(/^[0-9a-f]{64}$/);
  expect(signature).toBe(createHmac('sha256', SECRET).update(body).digest('hex'));
});

test('a callback says who sends it and what it is', () => {
  const body = Buffer.from('{}');
  expect(callbackHeaders([SECRET], { id: 'list.done.1', timestampSeconds: 7, body })).toMatchObject({
    'Content-Type': 'application/json',
    'User-Agent': 'MXProof-Webhook/1',
    'webhook-id': 'list.done.1',
    'webhook-timestamp': '7',
  });
});
