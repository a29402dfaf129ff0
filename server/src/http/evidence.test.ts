// Evidence as the API shows it: of the real engine, against mail hosts on loopback.
import { createChecker } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../../../world/src/index.ts';
import { auditRowsIn } from '../../test/audit-rows.ts';
import { startService, type TestService } from '../../test/http-service.ts';
import { quiet } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { accepted } from '../../test/verdicts.ts';
import { packEvidence, unpackEvidence } from '../rules/evidence-pack.ts';
import { compress, decompress } from '../store/compress.ts';
import { insertEvidence } from '../store/evidence.ts';
import { startNode } from '../worker/node.ts';
import { startNotifications } from '../worker/notifications.ts';

const people = (n: number) => `person${n}.name`;
let service: TestService;
let world: World;
let stop: () => Promise<void>;
beforeAll(async () => {
  world = await startWorld({
    domains: {
      'shop.example': {
        host: { tls: 'offered' },
        mailboxes: { known: Array.from({ length: 60 }, (_, n) => people(n)) },
      },
      'all.example': { host: {}, mailboxes: { catchAll: true } },
      'full.example': { host: {}, mailboxes: { overQuota: ['ann'] } },
      'gmial.com': { dns: 'nxdomain' },
    },
  });
  service = await startService();
  const checker = createChecker({
    dnsServers: [world.dnsServer],
    dnsSentinels: [],
    smtpPort: world.smtpPort,
    allowPrivateTargets: true,
    heloName: 'probe.example.com',
    mailFrom: 'probe@probe.example.com',
  });
  const { context } = service;
  const notifications = startNotifications(context.db, quiet);
  const node = startNode({ context, checker, sources: [], keepEvidence: true, log: quiet, notifications });
  stop = async () => {
    await node.stop();
    await notifications.stop();
    await checker.close();
  };
});
afterAll(async () => {
  await stop();
  await service.close();
  await world.close();
});

const evidenceOf = (id: number, position: number | string, key?: string) =>
  service.call('GET', `/v1/lists/${id}/results/${position}/evidence`, key === undefined ? {} : { key });

async function checked(emails: readonly string[]): Promise<number> {
  const { json } = await service.call('POST', '/v1/lists', { body: { emails } });
  await until(async () =>
    expect((await service.call('GET', `/v1/lists/${json.id}`)).json.status).toBe('done'),
  );
  return json.id;
}

test('it says what was looked up, who was asked, what was said, and why, in a sentence', async () => {
  const id = await checked([
    `${people(1)}@shop.example`,
    'nobody@shop.example',
    'ann@gmial.com',
    'ann@full.example',
    'ann@all.example',
    'not an address',
  ]);
  const [exists, missing, typo, full, catchAll, invalid] = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(async (position) => (await evidenceOf(id, position)).json),
  );
  expect(exists).toMatchObject({
    position: 0,
    email: `${people(1)}@shop.example`,
    state: 'deliverable',
    reason: 'accepted_email',
    detail: 'accepted',
    attempts: 1,
    explanation:
      'The mail server accepts mail for this address, and refuses it for addresses that do not exist.',
    suggestion: null,
    dns: { domain: 'shop.example', found: 'mx 10 mx.shop.example' },
    host: { name: 'mx.shop.example', address: expect.stringMatching(/^127\./), tls: true, source: null },
  });
  const { json: list } = await service.call('GET', `/v1/lists/${id}`);
  expect(exists.checked_at).toBeGreaterThanOrEqual(list.created_at);
  expect(exists.checked_at).toBeLessThanOrEqual(list.finished_at);
  const rows = await service.call('GET', `/v1/lists/${id}/results?include=checked_at,detail`);
  expect(rows.json.results[0]).toMatchObject({ checked_at: exists.checked_at, detail: exists.detail });
  const said = exists.dialogue.map(({ from, text }: { from: string; text: string }) => `${from}: ${text}`);
  expect(said[0]).toMatch(/^server: 220 /);
  expect(said).toContain(`client: RCPT TO:<${people(1)}@shop.example>`);
  expect(said).toContainEqual(expect.stringMatching(/^server: 250 2\.1\.5/));
  expect(said.at(-1)).toMatch(/^note: catch-all probe/);
  expect(missing).toMatchObject({
    reason: 'rejected_email',
    detail: 'no_such_mailbox',
    explanation: 'The mail server says that this mailbox does not exist.',
  });
  expect(typo).toMatchObject({
    reason: 'invalid_domain',
    attempts: 0,
    suggestion: 'gmail.com',
    dns: { domain: 'gmial.com', found: 'nxdomain' },
    host: null,
    dialogue: [],
  });
  expect(full).toMatchObject({ explanation: 'The mailbox exists, but it is full.' });
  expect(catchAll.explanation).toMatch(/accepts every address/);
  expect(invalid).toMatchObject({ reason: 'invalid_email', dns: null, host: null, dialogue: [] });
});

test('evidence of a row is a reading of its list, which the audit trail has once', async () => {
  const id = await checked(['person1.name@shop.example', 'person2.name@shop.example']);
  const exported = async () =>
    (await auditRowsIn(service.context.db)).filter(
      ({ action, subject_id }) => action === 'list.exported' && subject_id === id,
    );
  expect((await evidenceOf(id, 2)).status).toBe(404);
  expect(await exported()).toEqual([]);
  expect((await evidenceOf(id, 0)).status).toBe(200);
  expect(await exported()).toMatchObject([{ actor: 'key', client: '127.0.0.1' }]);
  await evidenceOf(id, 1);
  await service.call('GET', `/v1/lists/${id}/results`);
  expect(await exported()).toHaveLength(1);
});

test('addresses that shared a session do not see each other', async () => {
  const emails = Array.from({ length: 120 }, (_, n) => `${people(n)}@shop.example`);
  const id = await checked(emails);
  for (const [position, email] of emails.entries()) {
    const { json, text } = await evidenceOf(id, position);
    expect(json.email).toBe(email);
    expect(json.dialogue.length).toBeGreaterThan(2);
    const others = emails.filter((other) => other !== email && text.includes(`${other.split('@')[0]}@`));
    expect(others).toEqual([]);
  }
});

test('a position that is none, one not checked yet, one whose evidence is gone, a list that is not yours', async () => {
  const id = await checked([`${people(2)}@shop.example`]);
  for (const none of [1, 100_000, '-1', '01', '1.0', 'x', '%00', '9'.repeat(40)]) {
    const answered = await evidenceOf(id, none);
    expect([answered.status, answered.json]).toEqual([404, { error: 'no such position' }]);
  }
  const { apiKey } = await service.open();
  expect((await evidenceOf(id, 0, apiKey)).json).toEqual({ error: 'list not found' });
  expect((await evidenceOf(id + 1_000_000, 0)).json).toEqual({ error: 'list not found' });
  await service.context.db.query('DELETE FROM mxproof.evidence WHERE list_id = $1', [id]);
  const swept = await evidenceOf(id, 0);
  expect([swept.status, swept.json]).toEqual([404, { error: 'evidence expired' }]);
  await service.call('DELETE', `/v1/lists/${id}`);
  expect((await evidenceOf(id, 0)).json).toEqual({ error: 'list not found' });
});

test('of several writes the one that made the row final is shown, and old evidence is still read', async () => {
  const id = await checked([`${people(3)}@shop.example`]);
  const { db } = service.context;
  const [row] = await db.query<{ data: Buffer }>('SELECT data FROM mxproof.evidence WHERE list_id = $1', [
    id,
  ]);
  const evidence = unpackEvidence(decompress(row!.data)).get(0)!;
  const piece = (position: number, rule: string) => ({
    n: 0,
    data: compress(packEvidence([[position, { ...evidence, rule }]])),
  });
  // A worker that was thought dead brings its own.
  await insertEvidence(db, id, [piece(0, 'too late')]);
  expect((await evidenceOf(id, 0)).json.rule).toBe(evidence.rule);
  // Written in many pieces, as a chunk with many greylisted addresses is.
  await db.query('DELETE FROM mxproof.evidence WHERE list_id = $1', [id]);
  for (let n = 1; n < 12; n++) await insertEvidence(db, id, [piece(n, 'another position')]);
  const packed = JSON.parse(packEvidence([[0, { ...evidence, rule: 'mine' }]]));
  // As it was before what the answer means was kept.
  packed.rows[0].length = 11;
  await insertEvidence(db, id, [{ n: 0, data: compress(JSON.stringify(packed)) }]);
  expect((await evidenceOf(id, 0)).json).toMatchObject({ rule: 'mine', reason: 'accepted_email' });
});

test('of a result from before 0.2, the evidence has no detail', async () => {
  const id = await checked([`${people(4)}@shop.example`]);
  await service.context.db.query('UPDATE mxproof.chunks SET results = $2 WHERE list_id = $1', [
    id,
    '{"mx":["mx.shop.example"],"provider":["other"],"rows":[[0,95,0,0,0]]}',
  ]);
  const { json } = await evidenceOf(id, 0);
  expect(json).toMatchObject({ reason: 'accepted_email', detail: null, checked_at: expect.any(Number) });
});

test('a pending row has no evidence yet', async () => {
  await stop();
  const { json } = await service.call('POST', '/v1/lists', { body: { emails: ['a@x.test', 'b@x.test'] } });
  await service.find(json.id, { 1: accepted });
  const pending = await evidenceOf(json.id, 0);
  expect([pending.status, pending.json]).toEqual([409, { error: 'not checked yet' }]);
  // Never stored: the same to the reader as evidence that was swept.
  expect((await evidenceOf(json.id, 1)).json).toEqual({ error: 'evidence expired' });
});
