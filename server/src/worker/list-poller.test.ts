// A list followed on one node while others check it: real processes, one of them killed on the way.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type EventReader, readEvents } from '../../test/event-reader.ts';
import { type Rig, startRig } from '../../test/rig.ts';
import { until } from '../../test/until.ts';

const ADDRESSES = 600;
const DOMAINS = 6;
const START_LIMIT_MS = 60_000;
/** A dead node's work is back after 15 seconds, and every process takes some to start. */
const TEST_LIMIT_MS = 120_000;

let rig: Rig;
const readers: EventReader[] = [];
beforeAll(async () => {
  // Hosts that take a while, so that the list is still checked when something is killed.
  const host = { replyDelayMs: 100, limits: { connectionsPerHost: 2, connectionsPerSource: 2 } };
  const domains = Object.fromEntries(
    Array.from({ length: DOMAINS }, (_, n) => [`d${n}.example`, { host, mailboxes: { share: 0.8 } }]),
  );
  rig = await startRig({ domains }, 7);
}, START_LIMIT_MS);
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => rig.close());

async function speaker() {
  const node = await rig.node(['serve', '--no-checks'], { PORT: '0' });
  const port = Number(/"url":"[^"]*:(\d+)"/.exec(await node.line(/"url"/))![1]);
  const call = (method: string, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${rig.account.apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  const follow = async (listId: number, headers: Record<string, string> = {}) => {
    const path = `/v1/lists/${listId}/events`;
    const reader = await readEvents(port, path, rig.account.apiKey, { headers });
    readers.push(reader);
    return reader;
  };
  return { node, call, follow };
}

const emails = (kind: string) =>
  Array.from({ length: ADDRESSES }, (_, n) => `${kind}${n}@d${n % DOMAINS}.example`);

test('followed on two nodes that do not check, through the death of the one that checks and of one that is asked', {
  timeout: TEST_LIMIT_MS,
}, async () => {
  const [one, other] = [await speaker(), await speaker()];
  const worker = await rig.node(['work']);
  const posted = await one.call('POST', '/lists', { emails: emails('p') });
  const { id } = (await posted.json()) as { id: number };
  const here = await one.follow(id);
  const there = await other.follow(id);
  await until(() => expect(here.events.at(-1)!.data.checked).toBeGreaterThan(0));
  worker.process.kill('SIGKILL');
  await worker.ended;
  await rig.node(['work']);

  // The reader of the node that dies goes on with the other, from what it has seen.
  one.node.process.kill('SIGKILL');
  expect(await here.ended).toBe('broken');
  const seen = here.events.at(-1)!.id;
  const back = await other.follow(id, { 'last-event-id': String(seen) });
  expect(await back.ended).toBe('end');
  expect(await there.ended).toBe('end');
  expect(back.events.every((each) => each.id > seen)).toBe(true);
  for (const { events } of [there, back]) {
    const ids = events.map((each) => each.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const summary = await (await other.call('GET', `/lists/${id}`)).json();
    expect(events.at(-1)).toEqual({ event: 'done', id: ADDRESSES + 2, data: summary });
    expect(events.filter(({ event }) => event === 'done')).toHaveLength(1);
  }
});

test('a node that is told to stop ends its streams and is down, and a cancelled list is worked on no more', {
  timeout: TEST_LIMIT_MS,
}, async () => {
  const [one, other] = [await speaker(), await speaker()];
  await rig.node(['work']);
  const posted = await one.call('POST', '/lists', { emails: emails('q'), callback_url: rig.callbackUrl });
  const { id } = (await posted.json()) as { id: number };
  const open = await Promise.all(Array.from({ length: 10 }, () => one.follow(id)));
  const kept = await other.follow(id);
  await until(() => expect(kept.events.at(-1)!.data.checked).toBeGreaterThan(0));
  one.node.process.kill('SIGTERM');
  expect(await Promise.all(open.map(({ ended }) => ended))).toEqual(open.map(() => 'end'));
  expect(await one.node.ended).toBe(0);

  const cancelled = await (await other.call('POST', `/lists/${id}/cancel`)).json();
  expect(await kept.ended).toBe('end');
  expect(kept.events.at(-1)).toMatchObject({ event: 'failed', data: cancelled });
  const jobs = async () => rig.context.db.query(`SELECT 1 FROM mxproof.jobs WHERE queue = 'chunk'`);
  await until(async () => expect(await jobs()).toEqual([]));
  const asked = [...rig.world.seen.asks.keys()].filter((email) => email.startsWith('q'));
  expect(asked.length).toBeLessThan(ADDRESSES);
  expect(await (await other.call('GET', `/lists/${id}`)).json()).toEqual(cancelled);
  expect(rig.receiver.received).toEqual([]);
});
