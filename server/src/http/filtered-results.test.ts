// Filtered results and breakdowns on the real service, against a plain model of both.

import { request } from 'node:http';
import { connect } from 'node:net';
import { REASON_WORDS, REASONS } from '@mxproof/common/vocabulary/verdicts';
import { DETAILS, type Verdict } from '@mxproof/engine';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { startService, type TestService } from '../../test/http-service.ts';
import { addresses, quiet } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { accepted } from '../../test/verdicts.ts';
import { CHUNKS_AT_ONCE } from '../flow/read-results.ts';
import { READINGS_UNDER_WAY } from '../flow/reading-turns.ts';
import { startNode } from '../worker/node.ts';
import { startNotifications } from '../worker/notifications.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const submit = async (emails: readonly string[]): Promise<number> =>
  (await service.call('POST', '/v1/lists', { body: { emails } })).json.id;
const resultsOf = (id: number, query = '') => service.call('GET', `/v1/lists/${id}/results${query}`);
const rejected: Verdict = { ...accepted, state: 'undeliverable', reason: 'rejected_email', score: 0 };

test('a filtered page has the rows that match, their places, and how many match', async () => {
  const id = await submit(['a@x.test', 'b@x.test', 'c@y.test', 'd@y.test']);
  await service.find(id, { 0: rejected, 2: rejected, 3: { ...accepted, role: true } });
  const page = await resultsOf(id, '?state=undeliverable,pending&limit=2');
  expect(page.headers['x-total-count']).toBe('3');
  expect(page.json.results).toMatchObject([
    { position: 0, email: 'a@x.test', reason: 'rejected_email' },
    { position: 1, email: 'b@x.test', state: 'pending' },
  ]);
  const csv = await resultsOf(id, '?q=Y.T&flag=role,free&format=csv');
  expect(csv.headers['x-total-count']).toBe('1');
  expect(csv.headers['content-disposition']).toBe(`attachment; filename="list-${id}.csv"`);
  expect(csv.text).toBe(
    'email,state,reason,score,accept_all,role,free,disposable,mx,provider\r\n' +
      'd@y.test,deliverable,accepted_email,95,False,True,False,False,mx.example.com,other\r\n',
  );
  const none = await resultsOf(id, '?reason=dns_error');
  expect({ count: none.headers['x-total-count'], text: none.text }).toEqual({
    count: '0',
    text: '{"results":[]}',
  });
});

test('an unfiltered page is as ever, without places; its header counts the whole list', async () => {
  const id = await submit(['a@x.test']);
  await service.find(id, { 0: accepted });
  const page = await resultsOf(id, '?unknown=parameter');
  expect(page.headers['x-total-count']).toBe('1');
  expect(page.text).toBe(
    '{"results":[{"email":"a@x.test","state":"deliverable","reason":"accepted_email","score":95,"accept_all":false,"role":false,"free":false,"disposable":false,"mx":"mx.example.com","provider":"other"}]}',
  );
});

test.each([
  ['state=good', 'state must be a comma list of deliverable, risky, undeliverable, unknown, pending'],
  ['state=', 'state must be a comma list of deliverable, risky, undeliverable, unknown, pending'],
  ['state=risky,', 'state must be a comma list of deliverable, risky, undeliverable, unknown, pending'],
  [
    'state=risky&state=unknown',
    'state must be a comma list of deliverable, risky, undeliverable, unknown, pending',
  ],
  ['reason=pending', 'reason must be a comma list of reasons, such as no_connect,dns_error'],
  ['detail=slow', 'detail must be a comma list of details, such as greylisted,timeout'],
  ['detail=timeout,', 'detail must be a comma list of details, such as greylisted,timeout'],
  ['provider=Google', 'provider must be a comma list of known providers, such as google,other'],
  ['provider=__proto__', 'provider must be a comma list of known providers, such as google,other'],
  ['flag=acceptAll', 'flag must be a comma list of role, free, disposable, accept_all'],
  ['q=', 'q must be 1 to 1000 characters of an address'],
  [`q=${'a'.repeat(1001)}`, 'q must be 1 to 1000 characters of an address'],
])('%.30s is refused in a sentence', async (query, error) => {
  const id = await submit(['a@x.test']);
  const answered = await resultsOf(id, `?${query}`);
  expect({ status: answered.status, json: answered.json }).toEqual({ status: 400, json: { error } });
});

test('another account’s list has neither matches nor a breakdown', async () => {
  const id = await submit(['a@x.test']);
  const { apiKey: key } = await service.open();
  for (const what of ['results?state=pending', 'breakdown'])
    expect((await service.call('GET', `/v1/lists/${id}/${what}`, { key })).json).toEqual({
      error: 'list not found',
    });
});

// ---- against a model -----------------------------------------------------------------------

const STATES = ['deliverable', 'risky', 'undeliverable', 'unknown', 'pending'] as const;
const PROVIDERS = ['google', 'microsoft', 'other', ''];
const DOMAINS = ['x.test', 'y.test', '__proto__', 'constructor', '\ud800.test', 'ü.test', ''];
const verdict = fc
  .record({
    reason: fc.constantFrom(...REASON_WORDS),
    detail: fc.constantFrom(...DETAILS),
    acceptAll: fc.boolean(),
    role: fc.boolean(),
    free: fc.boolean(),
    disposable: fc.boolean(),
    provider: fc.constantFrom(...PROVIDERS),
  })
  .map((some): Verdict => ({ ...accepted, ...some, state: REASONS[some.reason].state, score: 1 }));
const some = (all: readonly string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: 3 }), { nil: null });
const filter = fc.record({
  state: some(STATES),
  reason: some(REASON_WORDS),
  detail: fc.option(fc.uniqueArray(fc.constantFrom(...DETAILS), { minLength: 1, maxLength: 12 }), {
    nil: null,
  }),
  provider: some(['google', 'microsoft', 'other']),
  flag: some(['role', 'free', 'disposable', 'accept_all']),
  q: fc.option(fc.constantFrom('1', 'X.', '@', 'proto', 'ü', '99@y'), { nil: null }),
});
type Filter = typeof filter extends fc.Arbitrary<infer One> ? One : never;
type Row = Record<string, unknown> & { position: number; email: string; state: string };

const modelMatches = (given: Filter) => (row: Row) =>
  (given.state?.includes(row.state) ?? true) &&
  (given.reason?.includes(row.reason as string) ?? true) &&
  (given.detail?.some((word) => word === row.detail) ?? true) &&
  (given.provider?.includes(row.provider as string) ?? true) &&
  (given.flag?.some((flag) => row[flag] === true) ?? true) &&
  (given.q === null || row.email.includes(given.q.toLowerCase()));

function modelBreakdown(rows: readonly Row[]) {
  const finished = rows.filter(({ state }) => state !== 'pending');
  const count = (of: (row: Row) => boolean) => finished.filter(of).length;
  const domains = new Map<string, Row[]>();
  for (const row of rows) {
    const domain = row.email.split('@').at(-1)!;
    if (row.email.includes('@') && domain !== '') domains.set(domain, [...(domains.get(domain) ?? []), row]);
  }
  const counts = (all: readonly Row[]) =>
    Object.fromEntries(
      STATES.slice(0, 4).map((state) => [state, all.filter((r) => r.state === state).length]),
    );
  return {
    reasons: Object.fromEntries(
      REASON_WORDS.map((reason) => [reason, count((row) => row.reason === reason)]),
    ),
    details: Object.fromEntries(
      DETAILS.map((word) => [word, count((row) => row.detail === word)] as const).filter(([, of]) => of > 0),
    ),
    providers: Object.fromEntries(
      PROVIDERS.filter(Boolean)
        .map((provider) => [provider, count((row) => row.provider === provider)] as const)
        .filter(([, of]) => of > 0),
    ),
    flags: Object.fromEntries(
      ['role', 'free', 'disposable', 'accept_all'].map((flag) => [flag, count((row) => row[flag] === true)]),
    ),
    domains: [...domains]
      .map(([domain, all]) => ({ domain, total: all.length, ...counts(all) }))
      .sort((a, b) => b.total - a.total || (a.domain < b.domain ? -1 : 1))
      .slice(0, 50),
  };
}

test('filters, pages and breakdown say what the unfiltered rows say, whatever is in the list', async () => {
  const many = fc.nat(200).chain((domains) =>
    fc.array(
      fc.record({
        domain: fc.oneof(
          fc.constantFrom(...DOMAINS),
          fc.nat(domains).map((n) => `d${n}.test`),
        ),
        verdict: fc.option(verdict, { nil: null }),
      }),
      { minLength: 1, maxLength: 700, size: 'max' },
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      many,
      fc.array(filter, { minLength: 3, maxLength: 3 }),
      fc.nat(40),
      fc.nat(60),
      async (list, filters, offset, more) => {
        const emails = list.map(({ domain }, n) => (n % 50 === 49 ? `no-at-${n}` : `p${n}@${domain}`));
        const id = await submit(emails);
        const verdicts = Object.fromEntries(
          list.flatMap((row, n) => (row.verdict ? [[n, row.verdict] as const] : [])),
        );
        await service.find(id, verdicts);
        const all: Row[] = (await resultsOf(id, '?limit=10000&include=detail')).json.results.map(
          (row: object, position: number) => ({ position, ...row }),
        );
        for (const given of filters) {
          const asked = Object.entries(given).filter(([, value]) => value !== null);
          if (asked.length === 0) continue;
          const words = new URLSearchParams(
            asked.map(([name, value]): [string, string] => [name, String(value)]),
          );
          const matches = all.filter(modelMatches(given));
          const limit = more + 1;
          const page = await resultsOf(id, `?${words}&offset=${offset}&limit=${limit}&include=detail`);
          expect(page.headers['x-total-count']).toBe(String(matches.length));
          expect(page.json.results).toEqual(matches.slice(offset, offset + limit));
          const csv = await resultsOf(id, `?${words}&offset=${offset}&limit=${limit}&format=csv`);
          expect(csv.headers['x-total-count']).toBe(String(matches.length));
          expect(csv.text.split('\r\n')).toHaveLength(2 + matches.slice(offset, offset + limit).length);
        }
        const breakdown = await service.call('GET', `/v1/lists/${id}/breakdown`);
        expect(breakdown.json).toEqual(modelBreakdown(all));
      },
    ),
    { numRuns: 15 },
  );
});

// ---- while something happens -----------------------------------------------------------------

test('of a list that is being checked, every page agrees with its filter, and in the end with the list', async () => {
  const checker = createFakeChecker();
  const { context } = service;
  const notifications = startNotifications(context.db, quiet);
  const node = startNode({ context, checker, sources: [], keepEvidence: true, log: quiet, notifications });
  try {
    const emails = [...addresses(700, 'ok'), ...addresses(500, 'no'), ...addresses(3, 'slow')];
    const id = await submit(emails);
    let undeliverable = 0;
    await until(async () => {
      const [pending, refused, breakdown] = await Promise.all([
        resultsOf(id, '?state=pending&limit=10000'),
        resultsOf(id, '?reason=rejected_email&limit=10000'),
        service.call('GET', `/v1/lists/${id}/breakdown`),
      ]);
      for (const [page, state] of [
        [pending, 'pending'],
        [refused, 'undeliverable'],
      ] as const) {
        expect(page.json.results).toHaveLength(Number(page.headers['x-total-count']));
        for (const row of page.json.results)
          expect(row).toMatchObject({ state, email: emails[row.position] });
      }
      expect(breakdown.json.domains).toMatchObject([{ domain: 'example.com', total: 1203 }]);
      expect(refused.json.results.length).toBeGreaterThanOrEqual(undeliverable);
      undeliverable = refused.json.results.length;
      if (pending.json.results.length > 3) throw new Error('not yet');
    });
    expect((await resultsOf(id, '?state=pending')).json.results.map(({ position }: Row) => position)).toEqual(
      [1200, 1201, 1202],
    );
    checker.release();
    await until(async () => expect((await service.call('GET', `/v1/lists/${id}`)).json.status).toBe('done'));
    expect((await service.call('GET', `/v1/lists/${id}/breakdown`)).json.domains).toEqual([
      { domain: 'example.com', total: 1203, deliverable: 703, risky: 0, undeliverable: 500, unknown: 0 },
    ]);
  } finally {
    await node.stop();
    await notifications.stop();
  }
});

/** Runs `what` before a chunk statement of this number (from 1), until the returned function is called. */
function beforeStatement(number: number, what: () => Promise<unknown>): { count(): number; restore(): void } {
  const db = service.context.db as { prepared: TestService['context']['db']['prepared'] };
  const original = db.prepared;
  let count = 0;
  db.prepared = (async (...args: Parameters<typeof original>) => {
    if (args[0] === 'read-chunks' && ++count === number) await what();
    return original(...args);
  }) as typeof original;
  return {
    count: () => count,
    restore: () => {
      db.prepared = original;
    },
  };
}

test('a list that is deleted while it is scanned is not found; one deleted while its page is sent is cut off', async () => {
  for (const [path, statement, outcome] of [
    ['breakdown', 2, 404],
    ['results?state=pending&limit=1', 2, 404],
    // The scan takes two statements; the page's first comes before the status.
    ['results?state=pending&limit=10000', 3, 404],
    ['results?state=pending&limit=10000', 4, 'cut off'],
  ] as const) {
    const id = await submit(addresses(2 * CHUNKS_AT_ONCE * 250));
    const { restore } = beforeStatement(statement, () => service.call('DELETE', `/v1/lists/${id}`));
    const answered = await service
      .call('GET', `/v1/lists/${id}/${path}`)
      .then(({ status, headers }) => {
        expect(headers).not.toHaveProperty('x-total-count');
        return status;
      })
      .catch(() => 'cut off')
      .finally(restore);
    expect(answered).toBe(outcome);
  }
});

test('what becomes final between counting and sending is shown as it was counted', async () => {
  const id = await submit(addresses(300));
  const { restore } = beforeStatement(2, () => service.find(id, { 0: accepted, 299: rejected }));
  const page = await resultsOf(id, '?state=pending&limit=10000').finally(restore);
  expect(page.headers['x-total-count']).toBe('300');
  expect(page.json.results).toHaveLength(300);
  expect(new Set(page.json.results.map(({ state }: Row) => state))).toEqual(new Set(['pending']));
});

test('a scan whose client has gone reads no further', async () => {
  const id = await submit(addresses(6 * CHUNKS_AT_ONCE * 250));
  const asked = request({
    port: service.port,
    path: `/v1/lists/${id}/breakdown`,
    headers: { authorization: `Bearer ${service.account.apiKey}` },
  });
  const noneOpen = () =>
    new Promise<boolean>((resolve) => service.app.server.getConnections((_, open) => resolve(open === 0)));
  let hasLeft = false;
  const { count, restore } = beforeStatement(2, async () => {
    asked.destroy();
    await until(noneOpen);
    hasLeft = true;
  });
  asked.on('error', () => {}).end();
  await until(() => hasLeft);
  // The next scan of the account has its turn once this one is over.
  expect((await service.call('GET', `/v1/lists/${id}/breakdown`)).status).toBe(200);
  restore();
  expect(count()).toBe(2 + 6);
});

test('an account with too many readings under way gets a 429 that costs nothing', async () => {
  const id = await submit(addresses(1));
  const path = `/v1/lists/${id}/breakdown`;
  const remaining = async () => {
    const { headers } = await service.call('GET', '/v1/account');
    return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
  };
  const before = await remaining();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { count, restore } = beforeStatement(1, () => held);
  const running = service.call('GET', path);
  await until(() => count() === 1);
  const waiting = Array.from({ length: READINGS_UNDER_WAY }, () => service.call('GET', path));
  const refused = await Promise.race(waiting);
  expect(refused.json).toEqual({ error: 'rate limit exceeded' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  release();
  const statuses = (await Promise.all([running, ...waiting])).map(({ status }) => status);
  restore();
  expect(statuses.filter((status) => status === 200)).toHaveLength(READINGS_UNDER_WAY);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await remaining()).toBe(before - READINGS_UNDER_WAY - 1);
});

test('pages that are not taken count as under way, and a neighbour’s page waits for none of them', async () => {
  const long = addresses(10_000).map((email) => `${'a'.repeat(300)}${email}`);
  const id = await submit(long);
  const { apiKey } = service.account;
  const open = () => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {}).pause();
    socket.write(
      `GET /v1/lists/${id}/results?limit=10000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    );
    return socket;
  };
  const untaken = Array.from({ length: READINGS_UNDER_WAY }, open);
  try {
    const readOne = () => service.call('GET', `/v1/lists/${id}/results?limit=1`);
    await until(async () => expect((await readOne()).status).toBe(429));
    const other = await service.open();
    const emails = addresses(500);
    const made = await service.call('POST', '/v1/lists', { key: other.apiKey, body: { emails } });
    const page = await service.call('GET', `/v1/lists/${made.json.id}/results`, { key: other.apiKey });
    expect(page.json.results).toHaveLength(500);
    for (const socket of untaken) socket.destroy();
    await until(async () => expect((await readOne()).status).toBe(200));
  } finally {
    for (const socket of untaken) socket.destroy();
  }
});
