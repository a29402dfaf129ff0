// Signs the bytes of a callback. Promise: both signatures cover exactly the bytes that are sent.
import { createHmac } from 'node:crypto';

const STANDARD_PREFIX = 'whsec_';

/** X-MX-Signature: keyed with the secret as the account was shown it, prefix and all. */
export function signBody(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** webhook-signature of Standard Webhooks: keyed with what the secret's base64 stands for. */
export function signStandard(
  secret: string,
  message: { readonly id: string; readonly timestampSeconds: number; readonly body: Buffer },
): string {
  const key = Buffer.from(
    secret.slice(secret.startsWith(STANDARD_PREFIX) ? STANDARD_PREFIX.length : 0),
    'base64',
  );
  const signature = createHmac('sha256', key)
    .update(`${message.id}.${message.timestampSeconds}.`)
    .update(message.body)
    .digest('base64');
  return `v1,${signature}`;
}

/** `secrets`: the newest first; Standard Webhooks carries a signature of each, so that receivers can change over. */
export function callbackHeaders(
  secrets: readonly [string, ...string[]],
  message: { readonly id: string; readonly timestampSeconds: number; readonly body: Buffer },
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(message.body.length),
    'User-Agent': 'MXProof-Webhook/1',
    'X-MX-Signature': signBody(secrets[0], message.body),
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': secrets.map((secret) => signStandard(secret, message)).join(' '),
  };
}
