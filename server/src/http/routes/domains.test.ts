import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainReport } from '@mxproof/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { accepted } from '../../../test/verdicts.ts';
import { recordFindings } from '../../flow/record-findings.ts';
import { sweepCatchAlls } from '../../store/catch-alls.ts';
import { finishSingles } from '../../store/singles.ts';

let service: TestService;
const asked: [string, number | undefined][] = [];
let report: Partial<DomainReport> = {};

beforeAll(async () => {
  service = await startService({
    limits: { rateAddresses: 60 },
    domains: {
      async lookUpDomain(domain, account) {
        asked.push([domain, account]);
        return {
          domain,
          acceptsMail: true,
          mx: [{ preference: 10, exchange: `mx.${domain}` }],
          provider: 'google',
          free: false,
          disposable: false,
          suggestion: null,
          spf: 'v=spf1 -all',
          dmarc: '',
          ...report,
        };
      },
    },
  });
});
afterAll(() => service.close());

const look = (domain: string, options = {}) =>
  service.call('GET', `/v1/domains/${encodeURIComponent(domain)}`, options);

/** A finished list whose one address taught what its domain does. */
async function learn(domain: string, catchAll: 'yes' | 'no', single = false): Promise<number> {
  const path = single ? '/v1/verify' : '/v1/lists';
  const made = single
    ? await service.context.db.query<{ id: number }>(
        `INSERT INTO mxproof.lists (account_id, total, duplicates_removed, single, name_json, status)
         VALUES ($1, 1, 0, true, '""', 'checking') RETURNING id`,
        [service.account.accountId],
      )
    : [(await service.call('POST', path, { body: { emails: [`ann@${domain}`] } })).json];
  const listId = made[0]!.id as number;
  const recipient = { domain, isUnknown: null, catchAll };
  if (single)
    await finishSingles(service.context.db, [
      { listId, state: 'deliverable', results: ['', ''], evidence: null, asked: recipient },
    ]);
  else
    await recordFindings(service.context, listId, [
      {
        n: 0,
        verdicts: new Map([[0, accepted]]),
        evidence: [],
        asked: [recipient],
        claimed: null,
        over: false,
        deferred: [],
      },
    ]);
  return listId;
}

test('a domain is looked at on behalf of the account: nothing is charged, and no list made', async () => {
  const before = (await service.call('GET', '/v1/account')).json;
  const { status, json, headers } = await look(' Bücher.Example');
  expect([status, json]).toEqual([
    200,
    {
      domain: 'xn--bcher-kva.example',
      accepts_mail: true,
      mx: [{ host: 'mx.xn--bcher-kva.example', preference: 10 }],
      provider: 'google',
      free: false,
      disposable: false,
      suggestion: null,
      catch_all: 'unknown',
      catch_all_at: null,
      spf: 'v=spf1 -all',
      dmarc: '',
      checked_at: expect.any(Number),
    },
  ]);
  expect(asked).toEqual([['xn--bcher-kva.example', service.account.accountId]]);
  expect(headers.ratelimit).toMatch(/"addresses";r=59;/);
  expect((await service.call('GET', '/v1/account')).json).toEqual(before);
});

test('what DNS does not tell is null, what the lists say is there all the same', async () => {
  report = { acceptsMail: null, mx: null, provider: null, spf: null, dmarc: null };
  expect((await look('gmial.com')).json).toMatchObject({
    ...{ accepts_mail: null, mx: null, provider: null, spf: null, dmarc: null },
    ...{ free: false, suggestion: 'gmail.com', catch_all: 'unknown' },
  });
  report = {};
});

test.each([
  '',
  ' ',
  'ann@example.com',
  'exam ple.com',
  'example.com.',
  '-a.com',
  'a\u0000.com',
  `${'a'.repeat(64)}.com`,
])('no domain: %j', async (domain) => {
  const { status, json } = await look(domain);
  expect([status, json]).toEqual([400, { error: 'invalid domain' }]);
});

test.each([
  false,
  true,
])('an account knows what its own checks have found, and no other does (single: %s)', async (single) => {
  const domain = `own-${single}.example`;
  await learn(domain, 'yes', single);
  const { json } = await look(domain);
  expect(json).toMatchObject({ catch_all: 'yes', catch_all_at: expect.any(Number) });
  const other = await service.open();
  expect((await look(domain, { key: other.apiKey })).json).toMatchObject({
    catch_all: 'unknown',
    catch_all_at: null,
  });
  await learn(domain, 'no', single);
  expect((await look(domain)).json).toMatchObject({ catch_all: 'no' });
});

test('a finding goes with its list, with its results, with an erased address of the domain, and after 30 days', async () => {
  const { db } = service.context;
  const knows = async (domain: string) => (await look(domain)).json.catch_all !== 'unknown';
  const list = await learn('deleted.example', 'no');
  expect(await knows('deleted.example')).toBe(true);
  await service.call('DELETE', `/v1/lists/${list}?undo=60`);
  expect(await knows('deleted.example')).toBe(false);
  await service.call('POST', `/v1/lists/${list}/undelete`);
  expect(await knows('deleted.example')).toBe(true);
  await service.call('DELETE', `/v1/lists/${list}`);
  await service.call('POST', `/v1/lists/${list}/undelete`);
  expect(await knows('deleted.example')).toBe(false);
  await learn('old.example', 'yes');
  await db.query(
    `UPDATE mxproof.catch_alls SET found_at = now() - interval '30 days' WHERE domain = 'old.example'`,
  );
  expect(await knows('old.example')).toBe(false);
  await sweepCatchAlls(db);
  expect(await db.query(`SELECT FROM mxproof.catch_alls WHERE domain = 'old.example'`)).toEqual([]);
});

test('a finding that says the same within a day is not written again', async () => {
  const { db } = service.context;
  const row = () =>
    db.query(`SELECT list_id, found_at FROM mxproof.catch_alls WHERE domain = 'same.example'`);
  await learn('same.example', 'no');
  const first = await row();
  await learn('same.example', 'no');
  await learn('same.example', 'no', true);
  expect(await row()).toEqual(first);
  await db.query(`UPDATE mxproof.catch_alls SET found_at = now() - interval '25 hours'`);
  await learn('same.example', 'no');
  expect(await row()).not.toEqual(first);
});

test('a test key asks no DNS server: the first label decides', async () => {
  const { api_key: key } = (await service.call('POST', '/v1/keys', { body: { label: 'test', test: true } }))
    .json;
  asked.length = 0;
  for (const [domain, expected] of [
    [
      'example.com',
      { accepts_mail: true, mx: [{ host: 'mx.mxproof.test', preference: 10 }], catch_all: 'unknown' },
    ],
    ['accepted-email.example', { catch_all: 'no', catch_all_at: expect.any(Number) }],
    ['catch-all.example', { catch_all: 'yes' }],
    ['invalid-domain.example', { accepts_mail: false, mx: [], provider: '', spf: '' }],
    ['dns-error.example', { accepts_mail: null, mx: null, provider: null, spf: null, dmarc: null }],
    ['constructor', { accepts_mail: true }],
    ['mailinator.com', { disposable: true }],
  ] as const)
    expect((await look(domain, { key })).json).toMatchObject(expected);
  expect(asked).toEqual([]);
});

test('the example of the guide is an answer of the service', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/api.md'), 'utf8');
  const [, shown] = /\/v1\/domains\/example\.com"[^`]*```\n+```json\n(.*?)```/s.exec(guide)!;
  const { json } = await look('example.com');
  expect(Object.keys(JSON.parse(shown!))).toEqual(Object.keys(json));
});

test('lookups beyond the addresses window are refused', async () => {
  const statuses = [];
  for (let n = 0; n < 61; n += 1) statuses.push((await look('example.com')).status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
