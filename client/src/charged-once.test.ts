// The real service behind a proxy that refuses, loses and cuts answers at random: what the client does is charged once.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { accepted } from '../../server/test/verdicts.ts';
import { type FlakyProxy, startFlakyProxy, type Trouble } from '../test/flaky-proxy.ts';
import { MXProof } from './index.ts';

const TROUBLES: readonly Trouble[] = [
  'rate_limited',
  'unavailable',
  'unavailable_after',
  'lost',
  'cut',
  'none',
];

/** Fixed by its seed: the same storm in every run. */
function storm(seed: number): (place: number) => Trouble {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return TROUBLES[Math.floor((state / 2 ** 32) * TROUBLES.length)]!;
  };
}

let service: TestService;
let proxy: FlakyProxy;
beforeAll(async () => {
  service = await startService();
  proxy = await startFlakyProxy(service.port, storm(15));
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});
// No assertion here is about time: waits are as short as jitter may make them.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

async function ledgerOf(accountId: number): Promise<{ kind: string; credits: number }[]> {
  return service.context.db.query(
    'SELECT kind, amount AS credits FROM mxproof.ledger WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
}

test('thirty lists and thirty single checks in a storm of 429, 503 and lost answers are charged exactly once', async () => {
  const { apiKey, accountId } = await service.open({ credits: 1_000 });
  const mx = new MXProof({ apiKey, baseUrl: proxy.url, maxRetries: 60 });
  const made = await Promise.all([
    ...Array.from({ length: 30 }, (_, at) => mx.lists.create({ emails: [`a${at}@b.test`, `c${at}@b.test`] })),
    ...Array.from({ length: 30 }, (_, at) => mx.verify(`single${at}@b.test`)),
  ]);
  expect(made).toHaveLength(60);
  const charges = (await ledgerOf(accountId)).filter(({ kind }) => kind === 'charge');
  expect(charges).toHaveLength(60);
  expect(charges.reduce((all, { credits }) => all + Math.abs(credits), 0)).toBe(90);
  expect(await mx.account.get()).toMatchObject({ credits: 910, credits_used: 90, lists: 60 });
  // It was a storm: the service did work whose responses were lost.
  for (const trouble of TROUBLES) expect(proxy.met[trouble], trouble).toBeGreaterThan(10);
});

test('a delete whose answer is lost has deleted, and every row is read once', async () => {
  const { apiKey } = await service.open();
  const mx = new MXProof({ apiKey, baseUrl: proxy.url, maxRetries: 60 });
  const emails = Array.from({ length: 20 }, (_, at) => `row${at}@b.test`);
  const list = await mx.lists.create({ emails });
  await service.find(list.id, Object.fromEntries(emails.map((_, at) => [at, accepted])));
  const rows = await Array.fromAsync(mx.lists.results(list.id, { pageSize: 1 }));
  expect(rows.map(({ email }) => email)).toEqual(emails);
  for (let at = 0; at < 10; at++) {
    const { id } = await mx.lists.create({ emails: ['gone@b.test'] });
    await mx.lists.delete(id);
  }
  expect(await mx.account.get()).toMatchObject({ lists: 1 });
});
