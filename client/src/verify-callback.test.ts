// Callbacks as the service signs them, and as an attacker would forge them.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callbackHeaders, signBody, signStandard } from '../../server/src/callback/sign.ts';
import { CallbackRejected } from './errors.ts';
import { MAX_CALLBACK_BYTES } from './signed-body.ts';
import { verifyCallback } from './verify-callback.ts';

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: number;
  readonly allowUntimed?: boolean;
  readonly outcome: string;
}
const { vectors } = JSON.parse(readFileSync(new URL('../test-vectors.json', import.meta.url), 'utf8')) as {
  vectors: Vector[];
};

const outcomeOf = (verified: Promise<unknown>) =>
  verified.then(
    () => 'genuine',
    (error: unknown) => (error instanceof CallbackRejected ? error.kind : Promise.reject(error)),
  );

describe('the published vectors', () => {
  test.each(vectors)('$name: $outcome', async ({ secrets, headers, body, now, allowUntimed, outcome }) => {
    const options = { now, ...(allowUntimed && { allowUntimed }) };
    expect(await outcomeOf(verifyCallback(body, headers, secrets, options))).toBe(outcome);
    const bytes = new TextEncoder().encode(body);
    expect(await outcomeOf(verifyCallback(bytes, new Headers(headers), secrets, options))).toBe(outcome);
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(await outcomeOf(verifyCallback(bytes.buffer, lower, secrets, options))).toBe(outcome);
  });

  test('what they call genuine is what the service signs', () => {
    const genuine = vectors.filter(
      ({ outcome, headers }) => outcome === 'genuine' && 'webhook-id' in headers,
    );
    expect(genuine.length).toBeGreaterThan(5);
    for (const { secrets, headers, body: text } of genuine) {
      const message = {
        id: headers['webhook-id']!,
        timestampSeconds: Number(headers['webhook-timestamp']),
        body: Buffer.from(text),
      };
      const signed = secrets.map((secret) => signStandard(secret, message));
      expect(headers['webhook-signature']!.split(' ').some((one) => signed.includes(one))).toBe(true);
    }
    const [first] = genuine;
    expect(
      callbackHeaders([first!.secrets[0]!], {
        id: first!.headers['webhook-id']!,
        timestampSeconds: Number(first!.headers['webhook-timestamp']),
        body: Buffer.from(first!.body),
      }),
    ).toMatchObject(first!.headers);
    const untimed = vectors.find(({ allowUntimed }) => allowUntimed)!;
    expect(untimed.headers['X-MX-Signature']).toBe(signBody(untimed.secrets[0]!, Buffer.from(untimed.body)));
  });
});

test('what is told is typed, and carries the id that a repeat has too', async () => {
  const { secrets, headers, body, now } = vectors[0]!;
  const callback = await verifyCallback(body, headers, secrets[0]!, { now });
  expect(callback).toEqual({ id: 'list.done.4711', body: JSON.parse(body) });
  expect(callback.body.list.counts.deliverable).toBe(2);
});

test('a secret that is not there is a mistake of ours, never a callback that passes', async () => {
  const { headers, body, now } = vectors[0]!;
  for (const secret of [undefined, '', ' ', [], [''], ['whsec_'], 'whsec_###'] as unknown as string[])
    await expect(verifyCallback(body, headers, secret, { now })).rejects.toThrow(TypeError);
  // What an empty key would sign.
  const empty = signStandard('whsec_', { id: 'x', timestampSeconds: now, body: Buffer.from(body) });
  const forged = { 'webhook-id': 'x', 'webhook-timestamp': String(now), 'webhook-signature': empty };
  await expect(verifyCallback(body, forged, '', { now })).rejects.toThrow(TypeError);
});

test('hostile headers are turned away, however many and odd they are', async () => {
  const { secrets, headers, body, now } = vectors[0]!;
  const odd = [
    { 'webhook-signature': 'v1,AAAA '.repeat(1_000) },
    { 'webhook-signature': 'v1,' },
    { 'webhook-signature': 'v1,ä' },
    { 'webhook-timestamp': '' },
    { 'webhook-timestamp': 'NaN' },
    { 'webhook-timestamp': '1e99' },
  ];
  for (const one of odd)
    expect(await outcomeOf(verifyCallback(body, { ...headers, ...one }, secrets, { now }))).toMatch(
      /bad_signature|too_old/,
    );
  // Signed by us, but not a time.
  const signed = signStandard(secrets[0]!, {
    id: 'x',
    timestampSeconds: Number.NaN,
    body: Buffer.from(body),
  });
  const untold = { 'webhook-id': 'x', 'webhook-timestamp': 'NaN', 'webhook-signature': signed };
  expect(await outcomeOf(verifyCallback(body, untold, secrets, { now }))).toBe('too_old');
  expect(await outcomeOf(verifyCallback('x'.repeat(MAX_CALLBACK_BYTES + 1), headers, secrets, { now }))).toBe(
    'too_large',
  );
});

test('a parsed body says that it cannot be verified', async () => {
  const { secrets, headers, body, now } = vectors[0]!;
  await expect(verifyCallback(JSON.parse(body) as string, headers, secrets, { now })).rejects.toThrow(
    /bytes of the request/,
  );
});

const SECRET_OF_MODES = 'whsec_c2VjcmV0';
test.each([
  ['list.done.7', undefined, true],
  ['test_list.done.7', undefined, true],
  ['list.done.7', 'live', true],
  ['test_list.done.7', 'live', false],
  ['list.done.7', 'test', false],
  ['test_list.done.7', 'test', true],
] as const)('%s is taken where %s is expected: %s', async (id, mode, isTaken) => {
  const body = '{"event":"list.done","list":{"id":7}}';
  const signed = createHmac('sha256', 'secret').update(`${id}.100.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': '100', 'webhook-signature': `v1,${signed}` };
  const verified = verifyCallback(body, headers, SECRET_OF_MODES, { now: 100, ...(mode && { mode }) });
  if (isTaken) expect((await verified).id).toBe(id);
  else await expect(verified).rejects.toMatchObject({ kind: 'wrong_mode', status: 401 });
});

test('where only the body is signed, nothing says the mode, and one that is expected refuses it', async () => {
  const body = '{"event":"list.done","list":{"id":7}}';
  const signed = createHmac('sha256', SECRET_OF_MODES).update(body).digest('hex');
  // Anyone can put another id beside it.
  const headers = { 'x-mx-signature': signed, 'webhook-id': 'list.done.7' };
  const verify = (more: object) =>
    verifyCallback(body, headers, SECRET_OF_MODES, { allowUntimed: true, ...more });
  expect((await verify({})).id).toBeNull();
  for (const mode of ['live', 'test'])
    await expect(verify({ mode })).rejects.toMatchObject({ kind: 'wrong_mode' });
});
