// Writes findings back: positions, counters, work that continues later and, with the last position, the end of the
// list, in one transaction.
// Promise: a late or repeated write changes nothing; a writer that lost its claim moves no work.
import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AskedRecipient, Verdict } from '@mxproof/engine';
import { countAsked } from '../rules/asked-domains.ts';
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { giveAway, positionsOf } from '../rules/chunk-owners.ts';
import { type Counts, mergeResults, noCounts, readResults } from '../rules/chunk-results.ts';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { addressHash } from '../rules/erased-hash.ts';
import type { DeferredGroup } from '../rules/group-deferred.ts';
import { learntCatchAlls } from '../rules/learnt-catch-alls.ts';
import { addAsked } from '../store/asked-domains.ts';
import { keepCatchAlls } from '../store/catch-alls.ts';
import { type CheckedAddress, indexAddresses } from '../store/checked-addresses.ts';
import { type LockedChunk, lockResults, writeResults } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import { insertDeferred } from '../store/deferred.ts';
import { insertEvidence } from '../store/evidence.ts';
import type { ClaimedJob } from '../store/jobs.ts';
import { addToCounts, lockList } from '../store/lists.ts';
import { parkJobs } from '../store/parked-jobs.ts';
import type { Context } from './context.ts';
import { finishList } from './finish-list.ts';
import { stripEvidence } from './strip-evidence.ts';

export interface ChunkFindings {
  readonly n: number;
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** Packed and compressed; none where evidence is not kept. */
  readonly evidence: readonly Buffer[];
  /** Recipients that exist, or do not, by their mail servers' word. */
  readonly asked?: readonly AskedRecipient[];
  /** Null: without a job (the list's time is over). */
  readonly claimed: ClaimedJob<ChunkJob> | null;
  /** The claimed job has nothing more to do. */
  readonly over: boolean;
  /** Positions that go on in jobs of their own. */
  readonly deferred: readonly DeferredGroup[];
}

export interface RecordResult {
  readonly list: 'open' | 'finished' | 'gone';
  /** Ids of claims that turned out to be lost. */
  readonly lost: ReadonlySet<number>;
  /** Of a list that this has finished: since its submission. */
  readonly tookSeconds?: number;
}

export async function recordFindings(
  context: Context,
  listId: number,
  findings: readonly ChunkFindings[],
): Promise<RecordResult> {
  const asked = findings.flatMap((found) => found.asked ?? []);
  const recipients = countAsked(asked);
  const learnt = learntCatchAlls(asked);
  return context.db.transaction(async (tx) => {
    const list = await lockList(tx, listId);
    if (!list || list.finishedAtSeconds !== null) {
      await finishClaims(context, tx, findings);
      // Deleting a list does not undo what was asked for it.
      const [claimed] = findings.flatMap((found) => found.claimed ?? []);
      if (claimed) await addAsked(tx, claimed.job.accountId, recipients);
      return { list: 'gone', lost: new Set() };
    }
    const ns = [...new Set(findings.map(({ n }) => n))];
    const rows = new Map((await lockResults(tx, list, ns)).map((row) => [row.n, row]));
    const lost = await finishClaims(context, tx, findings);
    const changed = new Set<number>();
    const evidence: { n: number; data: Buffer }[] = [];
    const indexed: CheckedAddress[] = [];
    const added = noCounts();
    let addedTotal = 0;
    for (const found of findings) {
      const row = rows.get(found.n);
      if (!row) continue;
      const merged = mergeResults(row.results, row.size, found.verdicts, row.nowSeconds);
      // Other requests run between two chunks.
      await nextTurn();
      let next: LockedChunk = row;
      if (merged.addedTotal > 0) {
        next = { ...next, results: merged.text };
        addCounts(added, merged.added);
        addedTotal += merged.addedTotal;
        if (row.indexedEmails !== null)
          indexed.push(...hashed(await context.addressKey(tx), row.n, row.indexedEmails, merged.addedAt));
        for (const each of found.evidence) {
          const data = row.erased === null ? each : stripEvidence(each, row.erased);
          if (data !== null) evidence.push({ n: row.n, data });
        }
      }
      if (found.claimed && found.deferred.length > 0 && !lost.has(found.claimed.claim.jobId))
        next = {
          ...next,
          owners: await leave(context, tx, next, found.claimed.job, found.deferred),
        };
      if (next === row) continue;
      rows.set(row.n, next);
      changed.add(row.n);
    }
    await writeResults(
      tx,
      listId,
      [...changed].map((n) => rows.get(n)!),
    );
    await insertEvidence(tx, listId, evidence);
    if (indexed.length > 0) await indexAddresses(tx, { accountId: list.accountId, listId }, indexed);
    if (list.pausedAtSeconds !== null) await parkJobs(tx, listId);
    if (addedTotal === 0) return { list: 'open', lost };
    const now = await addToCounts(tx, listId, added);
    const finished = now.checked === now.total ? await finishList(context, tx, now) : null;
    await addAsked(tx, list.accountId, recipients);
    await keepCatchAlls(tx, { accountId: list.accountId, listId }, learnt);
    if (!finished) return { list: 'open', lost };
    const { createdAtSeconds, finishedAtSeconds } = finished;
    return { list: 'finished', lost, tookSeconds: finishedAtSeconds! - createdAtSeconds };
  });
}

/** Addresses of a chunk, as they are found later; erased ones are not. */
function hashed(key: KeyObject, n: number, emails: string, positions: readonly number[]): CheckedAddress[] {
  const texts = JSON.parse(emails) as string[];
  return positions
    .filter((position) => texts[position] !== '')
    .map((position) => ({
      hash: addressHash(key, texts[position]!),
      position: n * CHUNK_SIZE + position,
    }));
}

/** Ends the jobs that are over and renews the others; returns those that were not ours any more. */
async function finishClaims(
  context: Context,
  tx: Tx,
  findings: readonly ChunkFindings[],
): Promise<Set<number>> {
  const over = claimsOf(findings.filter((found) => found.over));
  const going = claimsOf(findings.filter((found) => !found.over && found.deferred.length > 0));
  const ended = await context.jobs.finish(tx, over);
  const renewed = await context.jobs.renewIn(tx, going);
  const jobIds = [...over, ...going].map(({ jobId }) => jobId);
  return new Set(jobIds.filter((jobId) => !ended.has(jobId) && !renewed.has(jobId)));
}

function claimsOf(findings: readonly ChunkFindings[]) {
  return findings.flatMap(({ claimed }) => (claimed ? [claimed.claim] : []));
}

/** Gives the positions, as far as they are still pending and this job's, to new jobs; returns the owners to store. */
async function leave(
  context: Context,
  tx: Tx,
  row: LockedChunk,
  job: ChunkJob,
  deferred: readonly DeferredGroup[],
): Promise<string | null> {
  const own = new Set(
    positionsOf(job, row.owners, readResults(row.results, row.size)).map(({ position }) => position),
  );
  const groups = deferred
    .map((group) => ({ ...group, positions: group.positions.filter(({ position }) => own.has(position)) }))
    .filter(({ positions }) => positions.length > 0);
  if (groups.length === 0) return row.owners;
  const { text, numbers } = giveAway(
    row.owners,
    groups.map(({ positions }) => positions),
  );
  const { listId, accountId, n, single, alone } = job;
  const jobs = groups.map((group, index) => ({
    group,
    job: {
      listId,
      accountId,
      n,
      ...(single ? { single } : {}),
      ...(alone === undefined ? {} : { alone }),
      owner: numbers[index]!,
      waiting: group.positions,
    },
  }));
  await context.jobs.enqueueWaiting(tx, jobs);
  await insertDeferred(tx, jobs);
  return text;
}

function addCounts(sum: Counts, more: Counts): void {
  sum.deliverable += more.deliverable;
  sum.risky += more.risky;
  sum.undeliverable += more.undeliverable;
  sum.unknown += more.unknown;
}
