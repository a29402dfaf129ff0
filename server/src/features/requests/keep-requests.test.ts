// What is not in the database yet.
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { until } from '../../../test/until.ts';
import type { Database } from '../../store/database.ts';
import { keepRequests } from './keep-requests.ts';
import { type LoggedRequest, MAX_WAITING, MAX_WAITING_OF_ACCOUNT, RequestBatch } from './request-batch.ts';
import { CLIENT_CHARACTERS, shownClient } from './shown-client.ts';

const ROW: LoggedRequest = {
  id: 'x',
  accountId: 1,
  atMs: 0,
  method: 'POST',
  route: null,
  status: 200,
  error: null,
  durationMs: 1,
  keyId: 1,
  client: '',
};

test('an account without measure takes no room from others, and all together have a bound', () => {
  const batch = new RequestBatch();
  for (let at = 0; at < 2 * MAX_WAITING_OF_ACCOUNT; at++) batch.add(ROW);
  expect(batch.size).toBe(MAX_WAITING_OF_ACCOUNT);
  batch.add({ ...ROW, accountId: 2 });
  expect(batch.size).toBe(MAX_WAITING_OF_ACCOUNT + 1);
  for (let at = 0; at < 2 * MAX_WAITING; at++) batch.add({ ...ROW, accountId: 3 + (at % 1_000) });
  expect(batch.size).toBe(MAX_WAITING);
  expect(batch.takeDropped()).toBe(
    MAX_WAITING_OF_ACCOUNT + 1 + 2 * MAX_WAITING - (MAX_WAITING - MAX_WAITING_OF_ACCOUNT),
  );
  expect(batch.takeDropped()).toBe(0);
  // Once written, there is room again.
  batch.remove(batch.size);
  batch.add(ROW);
  expect(batch.size).toBe(1);
});

test('of the 429s of a key that wait, one a minute does', () => {
  const batch = new RequestBatch();
  const add = (keyId: number | null, atMs: number) => batch.add({ ...ROW, status: 429, keyId, atMs });
  for (let at = 0; at < 100; at++) add(1, at);
  add(2, 0);
  add(null, 0);
  add(1, 60_000);
  expect([batch.size, batch.takeDropped()]).toEqual([4, 0]);
});

test('a User-Agent is cut, printable, and without addresses', () => {
  expect(shownClient(undefined)).toBe('');
  expect(shownClient('curl/8.5.0')).toBe('curl/8.5.0');
  expect(shownClient('bot (mailto:a.b+c@d.example; "x y"@z.example) p%40q.example')).toBe(
    'bot ([address]; "x y"[address]) [address]',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const shown = shownClient(text);
      expect(shown).toMatch(/^[ -~]*$/);
      expect(shown).not.toMatch(/@|%40/);
      expect(shown.length).toBeLessThanOrEqual(CLIENT_CHARACTERS);
    }),
  );
});

/** A service whose database does as `write` does. */
async function started(
  write: (ids: string[]) => Promise<void>,
): Promise<{ app: FastifyInstance; log: string[] }> {
  const log: string[] = [];
  const app = Fastify({
    loggerInstance: pino({}, { write: (line: string) => void log.push(line) }),
  }) as unknown as FastifyInstance;
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    request.caller = { accountId: 1, keyId: 1, session: null } as never;
  });
  const db = { prepared: async (_name: string, _text: string, [, , ids]: string[][]) => write(ids!) };
  keepRequests(app, db as unknown as Database);
  app.post('/', async () => 'done');
  await app.ready();
  return { app, log };
}

const unavailable = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

test('what came while the database was away is written once it is back', async () => {
  let isAway = true;
  let tried = 0;
  const written: string[] = [];
  const { app, log } = await started(async (ids) => {
    tried++;
    if (isAway) throw unavailable();
    written.push(...ids);
  });
  await app.inject({ method: 'POST', url: '/' });
  await until(() => tried > 1);
  await app.inject({ method: 'POST', url: '/' });
  isAway = false;
  await until(() => expect(written).toHaveLength(2));
  await app.close();
  expect(written).toHaveLength(2);
  expect(log.filter((line) => line.includes('database unavailable'))).toHaveLength(1);
});

test('what the database does not take is not tried for ever, and the next is written', async () => {
  const tried: string[][] = [];
  const { app } = await started(async (ids) => {
    tried.push(ids);
    if (tried.length === 1) throw new Error('no such column');
  });
  await app.inject({ method: 'POST', url: '/' });
  await until(() => tried.length === 1);
  await app.inject({ method: 'POST', url: '/' });
  await until(() => tried.length === 2);
  await app.close();
  expect(tried.map((ids) => ids.length)).toEqual([1, 1]);
  expect(tried[1]).not.toEqual(tried[0]);
});

test('one that the database does not take costs no other its row', async () => {
  const written: string[] = [];
  let isAway = true;
  let bad = '';
  const { app } = await started(async (ids) => {
    if (isAway) throw unavailable();
    bad ||= ids[1]!;
    if (ids.includes(bad)) throw new Error('numeric field overflow');
    written.push(...ids);
  });
  await Promise.all(Array.from({ length: 5 }, () => app.inject({ method: 'POST', url: '/' })));
  isAway = false;
  await until(() => expect(written).toHaveLength(4));
  await app.close();
  expect(written).not.toContain(bad);
});

test('a stop waits a while for a database that does not answer, and says what is lost', async () => {
  const { app, log } = await started(() => new Promise(() => {}));
  await app.inject({ method: 'POST', url: '/' });
  await app.close();
  expect(log.join('')).toContain('"lost":1,"msg":"requests could not be written to the request log"');
});

test('what did not fit is counted, and said in one line', async () => {
  let isAway = true;
  const { app, log } = await started(async () => {
    if (isAway) throw unavailable();
  });
  for (let at = 0; at < MAX_WAITING_OF_ACCOUNT; at++) await app.inject({ method: 'POST', url: '/' });
  await Promise.all(Array.from({ length: 7 }, () => app.inject({ method: 'POST', url: '/' })));
  const said = () => log.filter((line) => line.includes('are missing in the request log'));
  await until(() => said().length === 1);
  await app.inject({ method: 'POST', url: '/' });
  isAway = false;
  await app.close();
  expect(said()).toHaveLength(1);
  const counts = log.flatMap((line) => /"(?:dropped|lost)":(\d+)/.exec(line)?.[1] ?? []).map(Number);
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(8);
});
