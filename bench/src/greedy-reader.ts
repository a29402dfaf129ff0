// One account beside another that asks for whatever takes long to read, within the limits of its keys: pages of 10,000 rows,
// filters, breakdowns, history, evidence, deep pages of lists; that stores test lists; that makes keys.
// Promise: every attack is under way while the neighbour is measured, and a figure is the longest of many.
import { grantCredits } from '../../server/src/store/ledger.ts';
import { spawnWorld } from '../../world/src/world-process.ts';
import { type HttpResponse, openConnection } from './http-connection.ts';
import { type BenchOptions, type BenchRow, median, repeat, row } from './runner.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';

const LIST_ADDRESSES = 100_000;
const SINGLE_CHECKS = 300_000;
const GRANTS = 20_000;
const GRANTS_AT_ONCE = 100;
/** Of one key, at once; it has 600 a minute. */
const BURST = 250;
const ALONE = 50;
/** An attack that lasts longer is measured for so long. */
const WATCHED_MS = 15_000;
const TEST_LISTS = 40;
const TEST_ADDRESSES = 10_000;
const TEST_BYTES_EACH = 1_000;
const MANY_KEYS = 12;
const KEY_REQUESTS = 600;
const KEY_LINES = 4;
const POLL_MS = 100;

const WAITS_MORE_MS = 1_000;
const ACCOUNT_REQUESTS = 10 * KEY_REQUESTS;
const TEST_MEGABYTES = 220;

/** By what is asked for, again and again. */
const READINGS: readonly (readonly [words: string, path: (list: number, n: number) => string])[] = [
  // So many requests at once are a load by themselves: what the others are measured against.
  ['requests that read one row', (list) => `/v1/lists/${list}`],
  ['pages of 10,000', (list) => `/v1/lists/${list}/results?limit=10000`],
  ['CSV pages of 10,000', (list) => `/v1/lists/${list}/results?limit=10000&format=csv`],
  ['filters', (list) => `/v1/lists/${list}/results?q=99&limit=10000`],
  ['breakdowns', (list) => `/v1/lists/${list}/breakdown`],
  ['history', () => '/v1/account/history?limit=10000&offset=10000'],
  ['evidence', (list, n) => `/v1/lists/${list}/results/${(n * 397) % LIST_ADDRESSES}/evidence`],
  ['deep pages of lists', () => '/v1/lists?single=true&limit=10000&offset=290000'],
  ['lists by status', () => '/v1/lists?single=true&status=failed'],
];

export async function measureReaders(log: BenchOptions['log']): Promise<BenchRow[]> {
  const world = await spawnWorld({ spec: { domains: {} } }, { keepAsks: false });
  const env = { MXPROOF_RATE_REQUESTS: String(KEY_REQUESTS), MXPROOF_RATE_ADDRESSES: '500000' };
  const rig = await startServiceRig(world, { accounts: 2, env });
  const [modest, greedy] = rig.keys as [string, string];
  try {
    const list = await createList(rig, greedy);
    await createPast(rig);
    const alone = await repeat(ALONE, () => getAccount(rig, modest));
    log(`neighbour: GET /account alone ${median(alone).toFixed(1)} ms`);
    const rows: BenchRow[] = [row('GET /account, alone', 'ms', alone)];
    let cheapMs: number | null = null;
    for (const [words, path] of READINGS) {
      const [key, ours] = [await addKey(rig, greedy), await addKey(rig, modest)];
      const attack = Promise.all(Array.from({ length: BURST }, (_, n) => get(rig, key, path(list, n))));
      const { longest, during } = await watch(rig, ours, attack);
      const accepted = during?.filter(({ status }) => status === 200).length;
      const note = `${accepted ?? 'fewer'} of ${BURST} answered`;
      log(`neighbour: beside ${words} ${longest.toFixed(0)} ms, ${note}`);
      const target = cheapMs === null ? null : ({ at: 'most', value: cheapMs + WAITS_MORE_MS } as const);
      cheapMs ??= longest;
      rows.push(row(`GET /account beside ${BURST} ${words}, longest`, 'ms', [longest], target, note));
    }
    rows.push(await measureTestLists(rig, greedy, log));
    // Last: afterwards the account is refused everything for a minute.
    rows.push(await measureKeys(rig, greedy, log));
    return rows;
  } finally {
    await rig.stop();
    await world.close();
  }
}

/** The neighbour's longest wait while the attack lasts; `during` null: it lasted longer than was watched. */
async function watch(rig: ServiceRig, key: string, attack: Promise<HttpResponse[]>) {
  let during: HttpResponse[] | null = null;
  const ended = attack.then((answers) => {
    during = answers;
  });
  const untilMs = performance.now() + WATCHED_MS;
  let longest = 0;
  while (!during && performance.now() < untilMs) {
    longest = Math.max(longest, await getAccount(rig, key));
    // Within its own limit.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const watched = during as HttpResponse[] | null;
  await ended;
  return { longest, during: watched };
}

async function measureKeys(rig: ServiceRig, greedy: string, log: BenchOptions['log']): Promise<BenchRow> {
  const keys = await repeat(MANY_KEYS, () => addKey(rig, greedy));
  let accepted = 0;
  const line = async (key: string) => {
    const connection = await openConnection(rig.port, key);
    for (let n = 0; n < KEY_REQUESTS / KEY_LINES; n++)
      if ((await connection.ask('GET', '/v1/account')).status === 200) accepted++;
    connection.close();
  };
  await Promise.all(keys.flatMap((key) => Array.from({ length: KEY_LINES }, () => line(key))));
  log(`neighbour: ${accepted} of ${MANY_KEYS * KEY_REQUESTS} requests of ${MANY_KEYS} keys`);
  const target = { at: 'most', value: ACCOUNT_REQUESTS } as const;
  return row(`requests of ${MANY_KEYS} keys that are served in a minute`, '', [accepted], target);
}

async function measureTestLists(
  rig: ServiceRig,
  greedy: string,
  log: BenchOptions['log'],
): Promise<BenchRow> {
  const size = async () =>
    (await rig.db.query<{ size: number }>('SELECT pg_database_size(current_database()) AS size'))[0]!.size;
  const key = await addKey(rig, greedy, { test: true });
  const beforeBytes = await size();
  const connection = await openConnection(rig.port, key);
  let created = 0;
  for (let n = 0; n < TEST_LISTS; n++) {
    // Letters that do not compress, so that what is stored is what was sent.
    const emails = Array.from(
      { length: TEST_ADDRESSES },
      () => `${noise(TEST_BYTES_EACH - 16)}@test.example`,
    );
    const { status } = await connection.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
    if (status === 201) created++;
  }
  connection.close();
  const megabytes = (Number(await size()) - Number(beforeBytes)) / 1_000_000;
  log(`neighbour: ${created} of ${TEST_LISTS} test lists, ${megabytes.toFixed(0)} MB`);
  const target = { at: 'most', value: TEST_MEGABYTES } as const;
  return row('stored by test lists of one account', 'MB', [megabytes], target, `${created} of ${TEST_LISTS}`);
}

function noise(characters: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(characters / 2))).toString('hex');
}

/** Dotless domains: every result is known at once, and has evidence. */
async function createList(rig: ServiceRig, key: string): Promise<number> {
  const emails = Array.from(
    { length: LIST_ADDRESSES },
    (_, n) => `somebody.or.other.${n}@localdomain${n % 50}`,
  );
  const connection = await openConnection(rig.port, key);
  const posted = await connection.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
  const { id } = JSON.parse(posted.body.toString()) as { id: number };
  for (let status = ''; status !== 'done'; ) {
    await new Promise((resolve) => setTimeout(resolve, 5 * POLL_MS));
    const { body } = await connection.ask('GET', `/v1/lists/${id}`);
    ({ status } = JSON.parse(body.toString()) as { status: string });
  }
  connection.close();
  return id;
}

/** As if they had come over months: single checks and ledger entries of the account made last. */
async function createPast(rig: ServiceRig): Promise<void> {
  const [account] = await rig.db.query<{ id: number }>('SELECT max(id) AS id FROM mxproof.accounts');
  await rig.db.query(
    `INSERT INTO mxproof.lists
       (account_id, single, name_json, total, duplicates_removed, status, checked, deliverable, finished_at)
     SELECT $1, true, '""', 1, 0, 'done', 1, 1, now() FROM generate_series(1, $2)`,
    [account!.id, SINGLE_CHECKS],
  );
  for (let n = 0; n < GRANTS; n += GRANTS_AT_ONCE)
    await Promise.all(
      Array.from({ length: GRANTS_AT_ONCE }, () => grantCredits(rig.db, account!.id, 1, 'for a benchmark')),
    );
  await rig.db.query('VACUUM ANALYZE mxproof.lists, mxproof.ledger');
}

async function addKey(rig: ServiceRig, key: string, more: object = {}): Promise<string> {
  const connection = await openConnection(rig.port, key);
  const body = Buffer.from(JSON.stringify({ label: 'bench', ...more }));
  const made = await connection.ask('POST', '/v1/keys', body);
  connection.close();
  return (JSON.parse(made.body.toString()) as { api_key: string }).api_key;
}

async function get(rig: ServiceRig, key: string, path: string): Promise<HttpResponse> {
  const connection = await openConnection(rig.port, key);
  const startMs = performance.now();
  try {
    return await connection.ask('GET', path);
  } catch {
    // A wait that does not end is a figure, too.
    return { status: 0, body: Buffer.alloc(0), ms: performance.now() - startMs };
  } finally {
    connection.close();
  }
}

/** A 503 comes after as long as the service waits for its database. */
async function getAccount(rig: ServiceRig, key: string): Promise<number> {
  const { status, ms } = await get(rig, key, '/v1/account');
  if (status !== 200 && status !== 503 && status !== 0) throw new Error(`GET /v1/account answered ${status}`);
  return ms;
}
