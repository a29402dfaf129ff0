// Where addresses have results: written with them, gone with them.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { accepted } from '../../test/verdicts.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { singleResults } from '../rules/chunk-results.ts';
import { addressHash } from '../rules/erased-hash.ts';
import { findAddresses } from '../store/checked-addresses.ts';
import {
  areOutcomesOn,
  forgetOutcomes,
  sweepForgotten,
  switchOutcomesOff,
  switchOutcomesOn,
} from '../store/outcome-settings.ts';
import { expireStep } from '../store/retention.ts';
import { finishSingles } from '../store/singles.ts';
import { deleteList } from './delete-list.ts';
import { deleteWithUndo, undeleteList } from './delete-with-undo.ts';
import { recordFindings } from './record-findings.ts';
import { submitList } from './submit-list.ts';

let s: TestService;
let accountId: number;
beforeAll(async () => {
  s = await startTestService();
});
afterAll(() => s.close());
beforeEach(async () => {
  accountId = await s.open();
  await switchOutcomesOn(s.db, accountId);
});

async function submit(emails: readonly string[], more = {}): Promise<number> {
  const submitted = await submitList(s.context, submission(accountId, emails, more));
  if (submitted.kind !== 'created') throw new Error(submitted.kind);
  return submitted.list.id;
}

async function find(listId: number, n: number, positions: readonly number[]): Promise<void> {
  await recordFindings(s.context, listId, [
    {
      n,
      verdicts: new Map(positions.map((position) => [position, accepted])),
      evidence: [],
      claimed: null,
      over: false,
      deferred: [],
    },
  ]);
}

async function placesOf(email: string, day = new Date().toISOString().slice(0, 10)) {
  const hash = addressHash(await s.context.addressKey(s.db), email);
  const found = await findAddresses(
    s.db,
    accountId,
    [
      { hash: Buffer.alloc(32), day },
      { hash, day },
    ],
    90,
  );
  return found.map(({ place, listId, position }) => [place, listId, position]);
}

const rows = async () =>
  (await s.db.query('SELECT FROM mxproof.checked_addresses WHERE account_id = $1', [accountId])).length;

test('an address is found once it has its result, in every chunk and spelling, and once however often it is written', async () => {
  const emails = Array.from({ length: 300 }, (_, at) => `a${at}@example.com`);
  emails[299] = 'anna@bücher.example';
  const listId = await submit(emails);
  await find(listId, 0, [0, 7]);
  await find(listId, 0, [7, 8]);
  expect(await rows()).toBe(3);
  expect(await placesOf('a7@example.com')).toEqual([[1, listId, 7]]);
  expect(await placesOf('a9@example.com')).toEqual([]);
  await find(listId, 1, [49]);
  expect(await placesOf('anna@xn--bcher-kva.example')).toEqual([[1, listId, 299]]);
});

test('an account that has outcomes off has no rows, not even for what was being written when it switched them off', async () => {
  const listId = await submit(['a@example.com', 'b@example.com']);
  await find(listId, 0, [0]);
  // It knows that they are on, and waits to write.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const off = s.db.transaction(async (tx) => {
    await switchOutcomesOff(tx, accountId);
    await held;
  });
  const writing = find(listId, 0, [1]);
  release();
  await Promise.all([off, writing]);
  await forgetOutcomes(s.db, accountId);
  expect([await rows(), await areOutcomesOn(s.db, accountId)]).toEqual([0, false]);
  const { accountId: never } = s;
  expect(await areOutcomesOn(s.db, never)).toBe(false);
});

test('what a process that died has left of a switch-off is swept, and nothing of an account that has them on', async () => {
  const listId = await submit(['a@example.com']);
  await find(listId, 0, [0]);
  await sweepForgotten(s.db);
  expect(await rows()).toBe(1);
  await switchOutcomesOff(s.db, accountId);
  expect(await rows()).toBe(1);
  await sweepForgotten(s.db);
  expect(await rows()).toBe(0);
});

test('a single check is found, and the latest of several results', async () => {
  const first = await submit(['a@example.com'], { single: true });
  const hash = addressHash(await s.context.addressKey(s.db), 'a@example.com');
  await finishSingles(s.db, [
    { listId: first, state: 'deliverable', results: singleResults(accepted), evidence: null, hash },
  ]);
  expect(await placesOf('a@example.com')).toEqual([[1, first, 0]]);
  const second = await submit(['b@example.com', 'a@example.com']);
  await find(second, 0, [1]);
  expect(await placesOf('a@example.com')).toEqual([[1, second, 1]]);
  // Mail of yesterday was not sent because of what was found today.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  expect(await placesOf('a@example.com', yesterday)).toEqual([]);
  await s.db.query('UPDATE mxproof.checked_addresses SET day = day - 91 WHERE list_id = $1', [second]);
  expect(await placesOf('a@example.com')).toEqual([[1, first, 0]]);
});

test('the rows go with their list and with its results; a list that may be brought back is not found meanwhile', async () => {
  const [kept, undone, deleted, expired] = [
    await submit(['a@example.com']),
    await submit(['b@example.com']),
    await submit(['c@example.com']),
    await submit(['d@example.com']),
  ];
  for (const listId of [kept, undone, deleted, expired]) await find(listId, 0, [0]);
  await deleteWithUndo(s.context, THE_SERVICE, undone, accountId, 60);
  expect(await placesOf('b@example.com')).toEqual([]);
  await undeleteList(s.context, THE_SERVICE, undone, accountId);
  expect(await placesOf('b@example.com')).toEqual([[1, undone, 0]]);
  await deleteList(s.context, THE_SERVICE, deleted, accountId);
  expect(await rows()).toBe(3);
  await s.db.query(`UPDATE mxproof.lists SET finished_at = now() - interval '2 days' WHERE id = $1`, [
    expired,
  ]);
  await s.db.transaction((tx) => expireStep(tx, { accountId, kind: 'results', keptSeconds: 86_400 }));
  expect(await rows()).toBe(2);
  expect(await placesOf('d@example.com')).toEqual([]);
});
