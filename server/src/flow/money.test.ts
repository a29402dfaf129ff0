// Money, as a property: whatever is granted, submitted, checked, crashed, deleted and finished in whatever order, the
// account, live or test, has what a model of the rules says, at every moment.

import type { State, Verdict } from '@mxproof/engine';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHistory, usageSum } from '../../test/account-books.ts';
import { Crash, type DatabaseFault, flakyDatabase } from '../../test/flaky-database.ts';
import { atOnce } from '../../test/reading.ts';
import { startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { verdictOf } from '../../test/verdicts.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { type ChunkJob, positionsOf, type WaitingPosition } from '../rules/chunk-owners.ts';
import { readResults, singleResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE, toChunks } from '../rules/clean-emails.ts';
import { insertTestTwin } from '../store/accounts.ts';
import { readClaimed } from '../store/chunks.ts';
import { removeDeletedLists } from '../store/deleted-lists.ts';
import type { ClaimedJob } from '../store/jobs.ts';
import { grantCredits } from '../store/ledger.ts';
import { findList } from '../store/lists.ts';
import { finishSingles } from '../store/singles.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { TEST_CREDITS } from './add-key.ts';
import { cancelList } from './cancel-list.ts';
import { changeCredits } from './change-credits.ts';
import { chargeLists } from './charge-lists.ts';
import { type Context, createContext } from './context.ts';
import { deleteList } from './delete-list.ts';
import { deleteWithUndo, undeleteList } from './delete-with-undo.ts';
import { endLateList } from './end-late-list.ts';
import { failList } from './finish-list.ts';
import { openAccount } from './open-account.ts';
import { pauseList, resumeList } from './pause-list.ts';
import { type ChunkFindings, recordFindings } from './record-findings.ts';
import { endedRetries, readOpen } from './retry-list.ts';
import { submitList } from './submit-list.ts';

const CREDITS = 600;
const MAX_DRAIN_ROUNDS = 60;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

interface ModelList {
  readonly id: number;
  readonly emails: readonly string[];
  readonly single: boolean;
  readonly found: Map<number, State>;
  status: 'open' | 'done' | 'failed' | 'deleted';
  /** Deleted, and may be brought back. */
  isHidden: boolean;
  /** Of a retry: the first list's. */
  readonly retryOf?: number;
}

/** A claimed chunk, and the positions its job asks about with their addresses. */
interface AskedChunk {
  readonly claimed: ClaimedJob<ChunkJob>;
  readonly asked: readonly WaitingPosition[];
  readonly verdicts: ReadonlyMap<number, Verdict>;
}

interface WantedList {
  readonly ok: number;
  readonly unknown: number;
  readonly single: boolean;
  readonly singleUnknown: boolean;
}

type Step =
  | { readonly do: 'grant'; readonly amount: number; readonly crash: DatabaseFault }
  /** By an operator, who repeats it when it is not known whether it was made. */
  | {
      readonly do: 'change';
      readonly amount: number;
      readonly repeats: boolean;
      readonly crash: DatabaseFault;
    }
  /** More than one: charged in one transaction. */
  | { readonly do: 'submit'; readonly wanted: readonly WantedList[]; readonly crash: DatabaseFault }
  | {
      readonly do: 'check';
      readonly share: number;
      readonly keep: boolean;
      readonly twice: boolean;
      readonly crash: DatabaseFault;
    }
  | { readonly do: 'check_singles'; readonly picks: readonly number[]; readonly crash: DatabaseFault }
  | { readonly do: 'lapse' | 'hold' }
  | { readonly do: 'write_late'; readonly crash: DatabaseFault }
  | {
      readonly do: 'delete' | 'fail' | 'cancel' | 'end_late';
      readonly pick: number;
      readonly crash: DatabaseFault;
    }
  | { readonly do: 'pause' | 'resume'; readonly pick: number; readonly crash: DatabaseFault }
  | { readonly do: 'retry'; readonly pick: number; readonly crash: DatabaseFault }
  | { readonly do: 'hide' | 'bring_back' | 'end_undo'; readonly pick: number; readonly crash: DatabaseFault };

const crash: fc.Arbitrary<DatabaseFault> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'none' } as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('before_statement' as const), n: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'after_commit' } as const) },
);
const wantedList: fc.Arbitrary<WantedList> = fc.record({
  ok: fc.oneof(fc.nat(4), fc.nat(400)),
  unknown: fc.oneof(fc.nat(2), fc.nat(60)),
  single: fc.boolean(),
  singleUnknown: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), amount: fc.integer({ min: 1, max: 300 }), crash }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      amount: fc.oneof(fc.integer({ min: -400, max: -1 }), fc.integer({ min: 1, max: 300 })),
      repeats: fc.boolean(),
      crash,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      wanted: fc.oneof(
        fc.array(wantedList, { minLength: 1, maxLength: 1 }),
        fc.array(wantedList, { minLength: 2, maxLength: 5 }),
      ),
      crash,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('check' as const),
      // Lists that end are what money is about: mostly all of a chunk is answered.
      share: fc.oneof(
        { weight: 2, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
      ),
      keep: fc.boolean(),
      twice: fc.boolean(),
      crash,
    }),
  },
  fc.record({
    do: fc.constant('check_singles' as const),
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    crash,
  }),
  fc.record({ do: fc.constantFrom('lapse' as const, 'hold' as const) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write_late' as const), crash }) },
  fc.record({
    do: fc.constantFrom('delete' as const, 'fail' as const, 'cancel' as const, 'end_late' as const),
    pick: fc.nat(),
    crash,
  }),
  fc.record({
    do: fc.constantFrom('pause' as const, 'resume' as const),
    pick: fc.nat(),
    crash,
  }),
  fc.record({ do: fc.constant('retry' as const), pick: fc.nat(), crash }),
  fc.record({
    do: fc.constantFrom('hide' as const, 'hide' as const, 'bring_back' as const, 'end_undo' as const),
    pick: fc.nat(),
    crash,
  }),
);

test('charges less refunds are what was checked, at every moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      fc.integer({ min: 1, max: 7 }),
      fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      async (steps, pageSize, isTest) => {
        const run = await createRun(isTest);
        for (const one of steps) {
          await run.take(one);
          await run.agrees();
        }
        await run.drain();
        await run.agrees();
        await run.eachListAgrees();
        await run.booksAgree(pageSize);
        expect((await verifyLedger(service.db)).differences).toEqual([]);
      },
    ),
    { numRuns: 120, endOnFailure: true },
  );
});

/** A test twin begins with less than it would, so that it is topped up. */
async function openModel(isTest: boolean): Promise<number> {
  const { accountId } = await openAccount(service.db, THE_SERVICE, service.box, {
    name: 'model',
    credits: CREDITS,
  });
  if (!isTest) return accountId;
  return service.db.transaction(async (tx) => {
    const twin = (await insertTestTwin(tx, accountId))!;
    await grantCredits(tx, twin, CREDITS, 'a test');
    return twin;
  });
}

async function createRun(isTest: boolean) {
  const accountId = await openModel(isTest);
  let granted = CREDITS;
  // Work of earlier runs would be claimed here, and its lists are not in the model.
  await service.db.query('DELETE FROM mxproof.jobs');
  const lists: ModelList[] = [];
  /** Chunks a node has claimed and asked about, and not written: whatever happens to their lists meanwhile. */
  const inHand: AskedChunk[] = [];
  let serial = 0;

  /** The work as it happens: true where its transaction was committed, whatever its caller learned. */
  async function during(how: DatabaseFault, work: (context: Context) => Promise<unknown>): Promise<boolean> {
    const context = createContext(flakyDatabase(service.db, how), service.context.jobs, service.box);
    try {
      await work(context);
      return true;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return how.kind === 'after_commit';
    }
  }

  function merge(list: ModelList, verdicts: ReadonlyMap<number, State>): void {
    if (list.status !== 'open') return;
    for (const [position, state] of verdicts) if (!list.found.has(position)) list.found.set(position, state);
    if (list.found.size === list.emails.length) list.status = 'done';
  }

  async function grant(given: Extract<Step, { do: 'grant' }>): Promise<void> {
    const committed = await during(given.crash, (context) =>
      context.db.transaction((tx) => grantCredits(tx, accountId, given.amount, 'more')),
    );
    if (committed) granted += given.amount;
  }

  async function change({ amount, repeats, crash }: Extract<Step, { do: 'change' }>): Promise<void> {
    const wanted = { accountId, amount, note: 'by hand', key: `change ${serial++}` };
    const isThere = granted - expectedUsed() + amount >= 0;
    const expected = isTest ? 'no_account' : isThere ? 'changed' : 'too_few';
    const make = (isRepeated: boolean) => async (context: Context) => {
      const { kind } = await changeCredits(context.db, THE_SERVICE, wanted);
      expect(kind).toBe(isRepeated && expected === 'changed' ? 'repeated' : expected);
    };
    let committed = await during(crash, make(false));
    if (repeats) committed = await during({ kind: 'none' }, make(committed));
    if (committed && expected === 'changed') granted += amount;
  }

  function emailsOf({ ok, unknown, single, singleUnknown }: WantedList): string[] {
    const named = (kind: string, count: number) =>
      Array.from({ length: count }, () => `${kind}${serial++}@example.com`);
    if (single) return named(singleUnknown ? 'unknown' : 'ok', 1);
    return [...named('ok', ok + 1), ...named('unknown', unknown)];
  }

  async function submit(given: Extract<Step, { do: 'submit' }>): Promise<void> {
    const wanted = given.wanted.map((list) => submission(accountId, emailsOf(list), { single: list.single }));
    const before = (await listsAfter(0)).at(-1)?.id ?? 0;
    const committed = await during(given.crash, (context) => {
      if (wanted.length === 1) return submitList(context, wanted[0]!);
      const lists = wanted.map((list) => ({
        ...list,
        group: null,
        retryOf: null,
        correctionOf: null,
        file: null,
        keyId: null,
        mailMemberId: null,
        emails: toChunks(list.emails as string[]),
      }));
      return context.db.transaction((tx) => chargeLists(tx, context.jobs, lists));
    });
    const paid = committed
      ? pay(wanted.map(({ emails, single }) => ({ emails: emails as string[], single })))
      : [];
    const created = await listsAfter(before);
    expect(created.map(({ total }) => total)).toEqual(paid.map(({ emails }) => emails.length));
    for (const [place, list] of paid.entries())
      lists.push({ ...list, id: created[place]!.id, found: new Map(), status: 'open', isHidden: false });
  }

  /** Those that there are credits for, in their order; a test balance gets more where it is too small for all. */
  function pay<T extends { emails: readonly string[] }>(wanted: readonly T[]): T[] {
    const needed = wanted.reduce((sum, { emails }) => sum + emails.length, 0);
    if (isTest && needed > granted - expectedUsed()) granted += TEST_CREDITS;
    let left = granted - expectedUsed();
    return wanted.filter(({ emails }) => {
      if (emails.length > left) return false;
      left -= emails.length;
      return true;
    });
  }

  function listsAfter(id: number): Promise<{ id: number; total: number }[]> {
    return service.db.query(
      'SELECT id, total FROM mxproof.lists WHERE $1 IN (account_id, deleted_of) AND id > $2 ORDER BY id',
      [accountId, id],
    );
  }

  async function check(given: Extract<Step, { do: 'check' }>): Promise<void> {
    const claimed = await service.context.jobs.claimChunks({ limit: 3, notFrom: [] });
    for (const one of claimed) await checkOne(one, given);
  }

  /** Null: its list is over or gone. */
  async function ask(claimed: ClaimedJob<ChunkJob>): Promise<AskedChunk | null> {
    const [chunk] = await readClaimed(service.db, [claimed.job]);
    if (!chunk) return null;
    const emails = JSON.parse(chunk.emails) as string[];
    const asked = positionsOf(claimed.job, chunk.owners, readResults(chunk.results, chunk.size));
    const verdicts = new Map(asked.map(({ position }) => [position, verdictOf(emails[position]!)]));
    return { claimed, asked, verdicts };
  }

  async function checkOne(
    claimed: ClaimedJob<ChunkJob>,
    given: Extract<Step, { do: 'check' }>,
  ): Promise<void> {
    const chunk = await ask(claimed);
    if (!chunk) return void (await service.context.jobs.finish(service.db, [claimed.claim]));
    const answered = Math.ceil(chunk.asked.length * given.share);
    const rest = chunk.asked.slice(answered);
    const findings = {
      n: claimed.job.n,
      verdicts: new Map([...chunk.verdicts].slice(0, answered)),
      evidence: [],
      claimed,
      over: !given.keep,
      deferred: rest.length > 0 ? [{ positions: rest, source: null, afterMs: 0 }] : [],
    };
    await write(claimed.job.listId, findings, given.crash);
    if (given.twice) await write(claimed.job.listId, findings, { kind: 'none' });
  }

  async function write(listId: number, findings: ChunkFindings, crash: DatabaseFault): Promise<void> {
    const committed = await during(crash, (context) => recordFindings(context, listId, [findings]));
    if (!committed) return;
    const start = findings.n * CHUNK_SIZE;
    const states = new Map([...findings.verdicts].map(([position, { state }]) => [start + position, state]));
    merge(lists.find(({ id }) => id === listId)!, states);
  }

  /** All of what it asked about is answered, and nothing of it written yet. */
  async function hold(): Promise<void> {
    const claimed = await service.context.jobs.claimChunks({ limit: 2, notFrom: [] });
    for (const one of claimed) {
      const chunk = await ask(one);
      if (chunk) inHand.push(chunk);
    }
  }

  /** The answers of a node that had its list deleted, failed, ended or checked by others meanwhile, or not. */
  async function writeLate(given: Extract<Step, { do: 'write_late' }>): Promise<void> {
    const chunk = inHand.shift();
    if (!chunk) return;
    const { claimed, verdicts } = chunk;
    const { listId, n } = claimed.job;
    await write(listId, { n, verdicts, evidence: [], claimed, over: true, deferred: [] }, given.crash);
  }

  async function checkSingles(given: Extract<Step, { do: 'check_singles' }>): Promise<void> {
    const singles = lists.filter(({ single }) => single);
    if (singles.length === 0) return;
    const picked = [...new Set(given.picks.map((pick) => singles[pick % singles.length]!))];
    const verdicts = picked.map(({ emails }) => verdictOf(emails[0]!));
    const found = verdicts.map((verdict, at) => ({
      listId: picked[at]!.id,
      state: verdict.state,
      results: singleResults(verdict),
      evidence: null,
    }));
    const committed = await during(given.crash, (context) =>
      context.db.transaction((tx) => finishSingles(tx, found)),
    );
    if (committed)
      for (const [at, list] of picked.entries()) merge(list, new Map([[0, verdicts[at]!.state]]));
  }

  async function end(given: Extract<Step, { do: 'delete' | 'fail' | 'cancel' | 'end_late' }>): Promise<void> {
    const list = lists[given.pick % Math.max(1, lists.length)];
    if (!list || list.status === 'deleted') return;
    const total = list.emails.length;
    const committed = await during(given.crash, async (context) => {
      if (given.do === 'delete') await deleteList(context, THE_SERVICE, list.id, accountId);
      else if (given.do === 'fail') await failList(context, list.id, 'cancelled');
      else if (given.do === 'cancel') await cancelList(context, THE_SERVICE, list.id, accountId);
      else await endLateList(context, { id: list.id, total });
    });
    if (!committed || list.isHidden) return;
    if (given.do === 'end_late') merge(list, new Map(list.emails.map((_, index) => [index, 'unknown'])));
    else if (given.do === 'delete') list.status = 'deleted';
    else if (list.status === 'open') list.status = 'failed';
  }

  async function pauseOrResume({
    do: verb,
    pick,
    crash,
  }: Extract<Step, { do: 'pause' | 'resume' }>): Promise<void> {
    const list = lists[pick % Math.max(1, lists.length)];
    const change = verb === 'pause' ? pauseList : resumeList;
    if (list) await during(crash, (context) => change(context, list.id, accountId));
  }

  /** What the list and those made of it since have left open. */
  function openOf(list: ModelList): readonly string[] | null {
    const later = lists.filter(
      (each) => isThere(each) && each.id > list.id && each.retryOf === firstOf(list),
    );
    if (later.some(({ status }) => status === 'open')) return null;
    const isAnswered = ({ emails, found }: ModelList, email: string) =>
      !['unknown', undefined].includes(found.get(emails.indexOf(email)));
    return list.emails.filter((email) => ![list, ...later].some((each) => isAnswered(each, email)));
  }
  const firstOf = ({ id, retryOf }: ModelList) => retryOf ?? id;

  async function retry({ pick, crash }: Extract<Step, { do: 'retry' }>): Promise<void> {
    const ended = lists.filter((list) => isThere(list) && list.status !== 'open');
    const picked = ended[pick % Math.max(1, ended.length)];
    if (!picked) return;
    const of = (await findList(service.db, picked.id, accountId))!;
    const earlier = await endedRetries(service.db, of);
    const expected = openOf(picked);
    expect(earlier === null).toBe(expected === null);
    if (!earlier || !expected) return;
    const emails = await readOpen(service.db, atOnce, of, earlier);
    expect(
      emails.pieces.flatMap(({ text }) => String(text).split('\n')).flatMap((line) => JSON.parse(line)),
    ).toEqual(expected);
    if (emails.total === 0) return;
    const wanted = { ...submission(accountId, []), emails, retry: { of, earlier } };
    const before = lists.at(-1)!.id;
    const committed = await during(crash, (context) => submitList(context, wanted));
    const paid = committed ? pay([{ emails: expected, single: false, retryOf: firstOf(picked) }]) : [];
    const created = await listsAfter(before);
    expect(created.map(({ total }) => total)).toEqual(paid.map((list) => list.emails.length));
    for (const [place, list] of paid.entries())
      lists.push({ ...list, id: created[place]!.id, found: new Map(), status: 'open', isHidden: false });
  }

  async function undo(given: Extract<Step, { do: 'hide' | 'bring_back' | 'end_undo' }>): Promise<void> {
    // Of lists that are open nothing comes of it.
    const picked = lists.filter(({ status, isHidden }) =>
      given.do === 'hide' ? status !== 'open' : isHidden,
    );
    const list = (picked.length > 0 ? picked : lists)[
      given.pick % Math.max(1, picked.length || lists.length)
    ];
    if (!list) return;
    const committed = await during(given.crash, async (context) => {
      if (given.do === 'hide') await deleteWithUndo(context, THE_SERVICE, list.id, accountId, 3_600);
      else if (given.do === 'bring_back') await undeleteList(context, THE_SERVICE, list.id, accountId);
      else
        await context.db.transaction(async (tx) => {
          await tx.query(
            'UPDATE mxproof.lists SET remove_at = now() WHERE id = $1 AND remove_at IS NOT NULL',
            [list.id],
          );
          await removeDeletedLists(tx, [list.id]);
        });
    });
    if (!committed) return;
    if (given.do === 'end_undo' && list.isHidden) list.status = 'deleted';
    list.isHidden = given.do === 'hide' && (list.status === 'done' || list.status === 'failed');
  }

  /** No further disturbance: every list ends, whatever was done to it before. */
  async function drain(): Promise<void> {
    for (const { id } of lists) await resumeList(service.context, id, accountId);
    for (
      let rounds = 0;
      rounds < MAX_DRAIN_ROUNDS && lists.some(({ status }) => status === 'open');
      rounds++
    ) {
      await lapse();
      await service.hurryDelayedJobs();
      await check({ do: 'check', share: 1, keep: false, twice: false, crash: { kind: 'none' } });
    }
    expect(lists.filter(({ status }) => status === 'open')).toEqual([]);
  }

  /** The claims of nodes that died come back. */
  async function lapse(): Promise<void> {
    await service.db.query(`UPDATE mxproof.jobs SET is_claimed = false WHERE is_claimed`);
  }

  function expectedNet({ emails, found, status }: ModelList): number {
    const unknown = [...found.values()].filter((state) => state === 'unknown').length;
    return status === 'open' ? emails.length : found.size - unknown;
  }
  const isThere = ({ status, isHidden }: ModelList) => status !== 'deleted' && !isHidden;
  const expectedUsed = () => lists.reduce((sum, list) => sum + expectedNet(list), 0);

  return {
    async take(one: Step): Promise<void> {
      switch (one.do) {
        case 'grant':
          return grant(one);
        case 'change':
          return change(one);
        case 'submit':
          return submit(one);
        case 'check':
          return check(one);
        case 'check_singles':
          return checkSingles(one);
        case 'lapse':
          return lapse();
        case 'hold':
          return hold();
        case 'write_late':
          return writeLate(one);
        case 'delete':
        case 'fail':
        case 'cancel':
        case 'end_late':
          return end(one);
        case 'pause':
        case 'resume':
          return pauseOrResume(one);
        case 'retry':
          return retry(one);
        case 'hide':
        case 'bring_back':
        case 'end_undo':
          return undo(one);
        default:
          one satisfies never;
      }
    },
    drain,
    /** Charged less refunded is total less unknown less never checked, also of lists that are gone. */
    async eachListAgrees(): Promise<void> {
      const rows = await service.db.query<{ list_id: number; net: number; status: string | null }>(
        `SELECT e.list_id, sum(CASE kind WHEN 'charge' THEN amount ELSE -amount END)::bigint AS net,
           (SELECT status FROM mxproof.lists l WHERE l.id = e.list_id) AS status
         FROM mxproof.ledger e WHERE account_id = $1 AND kind <> 'grant' GROUP BY 1 ORDER BY 1`,
        [accountId],
      );
      const expected = lists.map((list) => ({
        list_id: list.id,
        net: expectedNet(list),
        status: list.status === 'deleted' ? null : list.status,
      }));
      expect(rows).toEqual(expected);
    },
    /** What the account's history and usage say about all of it. */
    async booksAgree(pageSize: number): Promise<void> {
      const entries = await readHistory(service.db, accountId, pageSize);
      expect(entries[0]!.balance).toBe(granted - expectedUsed());
      expect(entries.filter(({ kind }) => kind === 'charge').map(({ listId }) => listId)).toEqual(
        lists.map(({ id }) => id).toReversed(),
      );
      for (const { listId, list } of entries)
        expect(list !== null).toBe(lists.some((each) => each.id === listId && isThere(each)));
      const found = lists.flatMap((list) => [...list.found.values()]);
      const charged = lists.reduce((total, { emails }) => total + emails.length, 0);
      expect(await usageSum(service.db, accountId)).toEqual({
        charged,
        refunded: charged - expectedUsed(),
        deliverable: found.filter((state) => state === 'deliverable').length,
        risky: 0,
        undeliverable: 0,
        unknown: found.filter((state) => state === 'unknown').length,
      });
    },
    async agrees(): Promise<void> {
      const [account] = await service.db.query<{ credits: number; used: number; lists: number }>(
        'SELECT credits, used, lists FROM mxproof.accounts WHERE id = $1',
        [accountId],
      );
      const used = expectedUsed();
      const existing = lists.filter(isThere).length;
      expect(account).toEqual({ credits: granted - used, used, lists: existing });
    },
  };
}
