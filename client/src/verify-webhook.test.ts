// Events for endpoints as the service signs them, and what else a signed body may be.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callbackHeaders } from '../../server/src/callback/sign.ts';
import type { ListSummary } from './api-types.ts';
import { CallbackRejected } from './errors.ts';
import { verifyWebhook, type WebhookEvent } from './verify-webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = 1_760_000_000;
const TIMESTAMP = '2025-10-09T08:53:20Z';

function verify(body: string, { id = 'evt_1', ...options }: { id?: string; mode?: 'live' | 'test' } = {}) {
  const headers = callbackHeaders([SECRET], { id, timestampSeconds: NOW, body: Buffer.from(body) });
  return verifyWebhook(body, headers, SECRET, { now: NOW, ...options });
}

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: number;
  readonly mode?: 'live' | 'test';
  readonly outcome: string;
}
const { events } = JSON.parse(readFileSync(new URL('../test-vectors.json', import.meta.url), 'utf8')) as {
  events: Vector[];
};

test.each(events)('published vector: $name: $outcome', async ({
  secrets,
  headers,
  body,
  now,
  mode,
  outcome,
}) => {
  const options = { now, ...(mode && { mode }) };
  const verified = await verifyWebhook(body, headers, secrets, options).catch((error: unknown) => {
    if (error instanceof CallbackRejected) return error.kind;
    throw error;
  });
  if (typeof verified === 'string') expect(verified).toBe(outcome);
  else {
    expect(outcome).toBe('genuine');
    expect(verified.event).toEqual(JSON.parse(body));
    expect(verified.id).toBe(headers['webhook-id']);
  }
});

/** Compiles only while each type has its own data. */
function told(event: WebhookEvent): string {
  switch (event.type) {
    case 'list.done':
    case 'list.failed':
    case 'list.paused':
      return `${event.type} ${(event.data satisfies ListSummary).id}`;
    case 'credits.low':
      return `${event.data.credits} below ${event.data.low_credits}`;
    case 'test':
      return 'test';
    default:
      event satisfies never;
      return 'later';
  }
}

test.each([
  ['list.done', { id: 7 }, 'list.done 7'],
  ['list.failed', { id: 7 }, 'list.failed 7'],
  ['list.paused', { id: 7 }, 'list.paused 7'],
  ['credits.low', { credits: 9, low_credits: 10 }, '9 below 10'],
  ['test', {}, 'test'],
  // Of a later service.
  ['account.renamed', { name: 'a' }, 'later'],
])('%s has its own data', async (type, data, expected) => {
  const { event, id } = await verify(JSON.stringify({ type, timestamp: TIMESTAMP, data }));
  expect([told(event), event.timestamp, id]).toEqual([expected, TIMESTAMP, 'evt_1']);
});

test('an event of the other side is refused where one is expected', async () => {
  const body = JSON.stringify({ type: 'test', timestamp: TIMESTAMP, data: {} });
  expect((await verify(body, { id: 'test_evt_1', mode: 'test' })).id).toBe('test_evt_1');
  for (const [id, mode] of [
    ['test_evt_1', 'live'],
    ['evt_1', 'test'],
  ] as const)
    await expect(verify(body, { id, mode })).rejects.toMatchObject({ kind: 'wrong_mode', status: 401 });
});

test('what was changed on its way, or signed with another secret, is refused', async () => {
  const body = Buffer.from(JSON.stringify({ type: 'test', timestamp: TIMESTAMP, data: {} }));
  const headers = callbackHeaders([SECRET], { id: 'evt_1', timestampSeconds: NOW, body });
  for (const [sent, secret] of [
    [`${body} `, SECRET],
    [body, 'whsec_b3RoZXI='],
  ] as const)
    await expect(verifyWebhook(sent, headers, secret, { now: NOW })).rejects.toMatchObject({
      kind: 'bad_signature',
    });
});

test('no handler sees a body that is signed but no event', async () => {
  const wrong = [
    ...['', 'null', '[]', '"list.done"', '{"event":"list.done","list":{"id":7}}', '{"type":"test"}'],
    '{"type":"test","timestamp":1,"data":{}}',
    '{"type":"test","timestamp":"x","data":null}',
    '{"type":"list.done","timestamp":"x","data":{"id":"7"}}',
    '{"type":"credits.low","timestamp":"x","data":{"credits":1}}',
  ];
  for (const body of wrong)
    await expect(verify(body), body).rejects.toMatchObject({ kind: 'not_a_callback', status: 400 });
  const typed = fc.record({
    type: fc.oneof(fc.constantFrom('list.done', 'credits.low', 'test'), fc.string(), fc.jsonValue()),
    timestamp: fc.jsonValue(),
    data: fc.jsonValue(),
  });
  const property = fc.asyncProperty(typed, async (value) => {
    const found = await verify(JSON.stringify(value)).catch((error: { kind?: string }) => error);
    if ('event' in found) {
      const { type, data } = found.event;
      if (type === 'list.done') expect(typeof data.id).toBe('number');
      if (type === 'credits.low') expect(typeof data.low_credits).toBe('number');
    } else expect(found.kind).toBe('not_a_callback');
  });
  await fc.assert(property);
});
