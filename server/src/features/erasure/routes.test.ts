// Erasing an address over HTTP, with a node beside it that does the work.

import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { quiet } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { eraseEverywhere } from './erase-everywhere.ts';
import { startErasures } from './start-erasures.ts';
import { claimErasures } from './stored-erasures.ts';

let service: TestService;
let erasing: { stop(): Promise<void> } | null = null;
beforeEach(async () => {
  service = await startService();
});
afterEach(async () => {
  await erasing?.stop();
  erasing = null;
  await service.close();
});

const work = () => {
  const { context, box } = service;
  erasing = startErasures({ context, box, dataDir: tmpdir(), log: quiet, lookMs: 10 });
};
const post = (email: unknown, key?: string) =>
  service.call('POST', '/v1/erase', { body: { email }, ...(key && { key }) });
const doneWith = async (id: number, key?: string) =>
  until(async () => {
    const { json } = await service.call('GET', `/v1/erase/${id}`, key ? { key } : {});
    if (json.status !== 'done') throw new Error(JSON.stringify(json));
    return json;
  });

test('an owner erases an address: its row stays without it, everywhere it can be read', async () => {
  const emails = ['anna@example.com', 'ben@example.com'];
  const { json: list } = await service.call('POST', '/v1/lists', {
    body: { emails, name: 'For anna@example.com' },
  });
  const begun = await post(' Anna@Example.COM');
  expect([begun.status, begun.json]).toEqual([202, { id: expect.any(Number) }]);
  const { id } = begun.json;
  expect((await service.call('GET', `/v1/erase/${id}`)).json).toEqual({
    status: 'running',
    lists: 0,
    rows: 0,
  });
  // The same while it runs.
  expect((await post('anna@example.com')).json).toEqual({ id });
  work();
  expect(await doneWith(id)).toEqual({ status: 'done', lists: 1, rows: 1 });
  expect((await service.call('GET', `/v1/lists/${list.id}`)).json).toMatchObject({
    name: 'For [erased]',
    total: 2,
    checked: 1,
    counts: { unknown: 1 },
  });
  const rows = await service.call('GET', `/v1/lists/${list.id}/results?include=detail`);
  expect(rows.json.results).toMatchObject([
    { email: '', state: 'unknown', reason: 'no_connect', detail: 'list_ended' },
    { email: 'ben@example.com', state: 'pending' },
  ]);
  const csv = await service.call('GET', `/v1/lists/${list.id}/results?format=csv`);
  expect(csv.text.split('\r\n')[1]).toMatch(/^,unknown,no_connect,/);
  const found = await service.call('GET', `/v1/lists/${list.id}/results?q=anna`);
  expect(found.headers['x-total-count']).toBe('0');
  const { json: breakdown } = await service.call('GET', `/v1/lists/${list.id}/breakdown`);
  expect(breakdown.domains).toMatchObject([{ domain: 'example.com', total: 1 }]);
  expect(breakdown.reasons.no_connect).toBe(1);
  expect((await service.call('GET', `/v1/lists/${list.id}/results/0/evidence`)).json).toEqual({
    error: 'evidence expired',
  });
  expect(service.logged.join('\n')).not.toMatch(/anna/i);
});

test('what was erased is neither retried nor corrected, alone or beside others', async () => {
  const { json: list } = await service.call('POST', '/v1/lists', {
    body: { emails: ['anna@gmial.com', 'anna@gmail.com'] },
  });
  work();
  await doneWith((await post('anna@gmial.com')).json.id);
  await doneWith((await post('anna@gmail.com')).json.id);
  expect((await service.call('GET', `/v1/lists/${list.id}`)).json).toMatchObject({
    status: 'done',
    counts: { unknown: 2 },
  });
  const retried = await service.call('POST', `/v1/lists/${list.id}/retry`);
  expect([retried.status, retried.json]).toEqual([409, { error: 'nothing to retry' }]);
  const corrected = await service.call('POST', `/v1/lists/${list.id}/corrections`);
  expect([corrected.status, corrected.json]).toEqual([409, { error: 'nothing to correct' }]);
  // Both were refunded.
  expect((await service.call('GET', '/v1/account')).json).toMatchObject({ credits_used: 0 });
});

test('only a key that may manage keys erases; a test key in test lists only; nobody sees the erasures of others', async () => {
  const { accountId } = service.account;
  const { db } = service.context;
  const make = async (more: object) =>
    (await db.transaction((tx) => addKey(tx, THE_SERVICE, { accountId, label: 'x', manage: true, ...more })))
      .apiKey;
  const weak = await make({ manage: false });
  for (const call of [() => post('a@b.co', weak), () => service.call('GET', '/v1/erase/1', { key: weak })])
    expect((await call()).json).toEqual({ error: 'key may not manage keys' });
  const test = await make({ test: true });
  const submit = async (key?: string) =>
    (await service.call('POST', '/v1/lists', { body: { emails: ['a@b.co'] }, ...(key && { key }) })).json.id;
  const lists = { live: await submit(), test: await submit(test) };
  work();
  const { id } = (await post('a@b.co', test)).json;
  expect(await doneWith(id, test)).toMatchObject({ lists: 1 });
  const emailOf = async (listId: number, key?: string) =>
    (await service.call('GET', `/v1/lists/${listId}/results`, key ? { key } : {})).json.results[0].email;
  expect([await emailOf(lists.live), await emailOf(lists.test, test)]).toEqual(['a@b.co', '']);
  expect((await service.call('GET', `/v1/erase/${id}`)).json).toEqual({ error: 'erasure not found' });
  for (const [email, error] of [
    ['', 'email required'],
    [3, 'email required'],
    ['x'.repeat(1_001), 'email too long'],
  ])
    expect((await post(email)).json).toEqual({ error });
});

test('an account has so many erasures at once, and is told to wait', async () => {
  await service.context.db.query(
    `INSERT INTO mxproof.erasures (account_id, key_id, hash, sealed, up_to_list)
     SELECT $1, '', sha256(n::text::bytea), '', 0 FROM generate_series(1, 99) AS n`,
    [service.account.accountId],
  );
  expect((await post('one@example.com')).status).toBe(202);
  const refused = await post('one@more.co');
  expect([refused.status, refused.json]).toEqual([429, { error: 'max 100 erasures at once' }]);
  expect(refused.headers['retry-after']).toBe('30');
});

test('an account erases so many addresses in a day, and the operator as many as there are', async () => {
  const { db } = service.context;
  await db.query(
    `INSERT INTO mxproof.erasures (account_id, key_id, hash, asked_at, done_at, up_to_list)
     SELECT $1, '', sha256(n::text::bytea), now() - make_interval(hours => 23 + 2 * (n / 1000)), now(), 0
     FROM generate_series(1, 1500) AS n`,
    [service.account.accountId],
  );
  expect((await post('one@example.com')).status).toBe(202);
  const refused = await post('one@more.co');
  expect([refused.status, refused.json]).toEqual([429, { error: 'max 1000 erasures in 24 hours' }]);
  expect([refused.headers['mxproof-error'], refused.headers['retry-after']]).toEqual([
    'too_many_erasures_a_day',
    '3600',
  ]);
  const { apiKey: neighbour } = await service.open();
  expect((await post('one@more.co', neighbour)).status).toBe(202);
  const everywhere = { db, box: service.box, config: { dataDir: tmpdir() } };
  expect(await eraseEverywhere(everywhere, THE_SERVICE, 'one@more.co')).toMatchObject({ lists: 0 });
});

test('behind a hundred erasures of one account, another waits for one round, in which tables are vacuumed once', async () => {
  const { apiKey: neighbour } = await service.open();
  const emails = Array.from({ length: 100 }, (_, n) => `a${n}@example.com`);
  const { json: list } = await service.call('POST', '/v1/lists', {
    body: { emails, name: emails.slice(0, 10).join() },
  });
  const { json: other } = await service.call('POST', '/v1/lists', { body: { emails }, key: neighbour });
  const own: number[] = [];
  for (const email of emails) own.push((await post(email)).json.id);
  const late = (await post('a1@example.com', neighbour)).json.id;
  const { context, box } = service;
  const done: number[] = [];
  let vacuums = 0;
  const log = pino({}, { write: (line: string) => void done.push(JSON.parse(line).id) });
  const db = {
    ...context.db,
    connectAlone: () => {
      vacuums++;
      return context.db.connectAlone();
    },
  };
  erasing = startErasures({ context: { ...context, db }, box, dataDir: tmpdir(), log, lookMs: 10 });
  await doneWith(late, neighbour);
  expect(new Set(done.slice(0, 100))).toEqual(new Set(own));
  expect(done[100]).toBe(late);
  expect(vacuums).toBe(2);
  const rows = async (id: number, key?: string) =>
    (await service.call('GET', `/v1/lists/${id}/results`, key ? { key } : {})).json.results;
  expect((await rows(list.id)).filter(({ email }: { email: string }) => email !== '')).toEqual([]);
  expect((await service.call('GET', `/v1/lists/${list.id}`)).json).toMatchObject({
    status: 'done',
    name: Array(10).fill('[erased]').join(),
  });
  expect(
    (await rows(other.id, neighbour)).filter(({ email }: { email: string }) => email === ''),
  ).toHaveLength(1);
  expect((await service.call('GET', `/v1/erase/${own[7]}`)).json).toEqual({
    status: 'done',
    lists: 1,
    rows: 1,
  });
});

test('an account that asks again and again comes behind one that has waited longer', async () => {
  const { apiKey: neighbour } = await service.open();
  const first = (await post('a@b.co')).json.id;
  const late = (await post('a@b.co', neighbour)).json.id;
  expect((await post('a@b.co')).json.id).toBe(first);
  const claimed = async () => (await claimErasures(service.context.db)).map(({ id }) => id);
  expect([await claimed(), await claimed(), await claimed()]).toEqual([[late], [first], []]);
});

test('what was submitted after an erasure was asked for stays, whatever else is erased with it', async () => {
  const { json: before } = await service.call('POST', '/v1/lists', {
    body: { emails: ['a@b.co', 'b@b.co'] },
  });
  const first = (await post('a@b.co')).json.id;
  const { json: after } = await service.call('POST', '/v1/lists', { body: { emails: ['a@b.co', 'b@b.co'] } });
  const second = (await post('b@b.co')).json.id;
  work();
  expect([await doneWith(first), await doneWith(second)]).toMatchObject([{ lists: 1 }, { lists: 2 }]);
  const emailsOf = async (id: number) =>
    (await service.call('GET', `/v1/lists/${id}/results`)).json.results.map(
      (row: { email: string }) => row.email,
    );
  expect([await emailsOf(before.id), await emailsOf(after.id)]).toEqual([
    ['', ''],
    ['a@b.co', ''],
  ]);
});

test('one that the secret key does not open keeps the others of its account from nothing', async () => {
  const bad = (await post('a@b.co')).json.id;
  await service.context.db.query(`UPDATE mxproof.erasures SET sealed = 'x' WHERE id = $1`, [bad]);
  const good = (await post('b@b.co')).json.id;
  work();
  expect(await doneWith(good)).toMatchObject({ status: 'done' });
  expect((await service.call('GET', `/v1/erase/${bad}`)).json).toMatchObject({ status: 'running' });
});

test.each([
  [
    'Jörg@BÜCHER.example',
    ['jörg@bücher.example', 'jo\u0308rg@bu\u0308cher.example', 'jörg@xn--bcher-kva.example'],
  ],
  [
    'anna@xn--bcher-kva.example',
    ['anna@bücher.example', 'anna@bu\u0308cher.example', 'anna@xn--bcher-kva.example'],
  ],
  [
    'anna@bu\u0308cher.example',
    ['ANNA@bücher。example', 'Anna@Bu\u0308cher.example', 'anna@XN--bcher-kva.example'],
  ],
])('all spellings of %s are one address', async (email, spellings) => {
  const others = ['jorg@bucher.example', 'anna@bücher.example.com'];
  const { json: list } = await service.call('POST', '/v1/lists', {
    body: { emails: [...spellings, ...others], name: `${spellings[0]!.toUpperCase()}, ${spellings[1]}!` },
  });
  work();
  expect(await doneWith((await post(email)).json.id)).toEqual({ status: 'done', lists: 1, rows: 3 });
  const { results } = (await service.call('GET', `/v1/lists/${list.id}/results`)).json;
  expect(results.map((row: { email: string }) => row.email)).toEqual(['', '', '', ...others]);
  const { name } = (await service.call('GET', `/v1/lists/${list.id}`)).json;
  expect(name).toBe(
    spellings[0]!.includes('。') ? `${spellings[0]!.toUpperCase()}, [erased]!` : '[erased], [erased]!',
  );
});

test.each([
  ['a name', 'lists', `name_json = '"not json'`],
  ['addresses', 'chunks', `emails = '"anna@example.com" is not json'`],
])('an erasure that meets %s that cannot be read keeps no other waiting', async (_, table, poison) => {
  const { apiKey: neighbour } = await service.open();
  const emails = ['anna@example.com'];
  const { json: bad } = await service.call('POST', '/v1/lists', { body: { emails } });
  await service.call('POST', '/v1/lists', { body: { emails }, key: neighbour });
  const id = table === 'lists' ? 'id' : 'list_id';
  await service.context.db.query(`UPDATE mxproof.${table} SET ${poison} WHERE ${id} = $1`, [bad.id]);
  const first = (await post('anna@example.com')).json.id;
  const second = (await post('anna@example.com', neighbour)).json.id;
  expect(first).toBeLessThan(second);
  work();
  expect(await doneWith(second, neighbour)).toEqual({ status: 'done', lists: 1, rows: 1 });
  // Once it can be read, its turn comes again by itself.
  await service.context.db.query(`UPDATE mxproof.chunks SET emails = $2 WHERE list_id = $1`, [
    bad.id,
    JSON.stringify(emails),
  ]);
  expect(await doneWith(first)).toEqual({ status: 'done', lists: 1, rows: 1 });
});

test('an address that begins with a quote leaves every list as readable as it was', async () => {
  const { json: list } = await service.call('POST', '/v1/lists', {
    body: { emails: ['a@b.co'], name: 'x@y.example', callback_url: 'https://example.com/?x@y.example' },
  });
  work();
  for (const email of ['"x@y.example', 'x@y.example"', '":"x@y.example', 'name_json":"x@y.example'])
    await doneWith((await post(email)).json.id);
  expect((await service.call('GET', `/v1/lists/${list.id}`)).json).toMatchObject({ name: 'x@y.example' });
  await doneWith((await post('x@y.example')).json.id);
  expect((await service.call('GET', `/v1/lists/${list.id}`)).json).toMatchObject({ name: '[erased]' });
});
