// A chunk that this node has claimed: which positions are still open, and what became known since the last write.
// Promise: every position ends as a verdict, as work for later, or handed back unasked; none is lost, none counts twice.
// All of its state is private: the claimer, the heartbeat, the writer and the drain use the verbs below.
//
//   asking ──every position has its outcome──▶ over ──written──▶ (dropped)
//     │ └──blamed: thrown inside the service──▶ over, with its defect
//     └──lost: another node has the claim──▶ verdicts are still written, no work is moved
import type { AskedRecipient, Outcome, Question, Verdict } from '@mxproof/engine';
import { askedDomain } from '../rules/asked-domains.ts';
import { type ChunkJob, positionsOf, type WaitingPosition } from '../rules/chunk-owners.ts';
import { readResults, storedVerdict } from '../rules/chunk-results.ts';
import { EvidencePack } from '../rules/evidence-pack.ts';
import { rankOf } from '../rules/fair-rank.ts';
import type { DeferredPosition } from '../rules/group-deferred.ts';
import type { WorkChunk } from '../store/chunks.ts';
import type { ClaimedJob } from '../store/jobs.ts';

/** A chunk that is not over is written at most this often. */
const WRITE_INTERVAL_MS = 1_000;
/** Deferred positions are written together, unless the first has waited this long or one is due this soon. */
const DEFERRED_HELD_MS = 5_000;
const DUE_SOON_MS = 2_000;

/** What one write takes out of a chunk. */
export interface UnwrittenResults {
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** One, or more after a write that failed. */
  readonly evidence: readonly EvidencePack[];
  readonly deferred: readonly DeferredPosition[];
  /** Recipients that exist, or do not, by their mail servers' word. */
  readonly asked: readonly AskedRecipient[];
  /** The chunk was over when this was taken: nothing comes after it. */
  readonly isLast: boolean;
}

export class ClaimedChunk {
  #claimed: ClaimedJob<ChunkJob>;
  readonly rank: number;
  readonly accountId: number;
  /** Of a test list: no mail server is asked. */
  readonly isTest: boolean;
  /** Its list was paused before it was claimed. */
  readonly isPaused: boolean;
  readonly claimedSinceMs: number;
  readonly #asked: readonly WaitingPosition[];
  readonly #emails: readonly string[];
  /** By question: it has no outcome. */
  readonly #isOpen: boolean[];
  #open: number;
  readonly #stop = new AbortController();
  #verdicts = new Map<number, Verdict>();
  #evidence = new EvidencePack();
  /** Of writes that failed. */
  #olderEvidence: readonly EvidencePack[] = [];
  #askedRecipients: AskedRecipient[] = [];
  #deferred: DeferredPosition[] = [];
  /** When the first of `#deferred` came in. */
  #deferredSinceMs = 0;
  #takenAtMs: number;
  #handBackAfterMs = 0;
  #isOver = false;
  #isLost = false;
  /** Taken out and not known to be written. */
  #inWrite: UnwrittenResults | null = null;
  #defect: unknown = null;

  /** Throws where the stored chunk cannot be read. */
  constructor(claimed: ClaimedJob<ChunkJob>, chunk: WorkChunk, nowMs: number) {
    const emails = readEmails(chunk.emails);
    this.#claimed = claimed;
    this.rank = rankOf(claimed.job);
    this.accountId = chunk.accountId;
    this.isTest = chunk.testName !== null;
    this.isPaused = chunk.isPaused;
    this.claimedSinceMs = nowMs;
    this.#takenAtMs = nowMs;
    this.#asked = positionsOf(claimed.job, chunk.owners, readResults(chunk.results, chunk.size));
    this.#emails = this.#asked.map(({ position }) => emails[position]!);
    this.#isOpen = this.#asked.map(() => true);
    this.#open = this.#asked.length;
  }

  get claimed(): ClaimedJob<ChunkJob> {
    return this.#claimed;
  }
  get jobId(): number {
    return this.claimed.claim.jobId;
  }
  get listId(): number {
    return this.claimed.job.listId;
  }
  get isSingle(): boolean {
    return this.claimed.job.single ?? false;
  }
  /** How often the process died that asked about it alone; undefined: it is asked about with others. */
  get aloneDeaths(): number | undefined {
    return this.claimed.job.alone;
  }
  get n(): number {
    return this.claimed.job.n;
  }
  /** Addresses it was claimed for. */
  get size(): number {
    return this.#asked.length;
  }
  get isOver(): boolean {
    return this.#isOver;
  }
  get isLost(): boolean {
    return this.#isLost;
  }
  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }
  /** Aborted when nothing more is to be asked. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }
  get defect(): unknown {
    return this.#defect;
  }

  questions(): Question[] {
    return this.#asked.map(({ resume }, index) => ({
      email: this.#emails[index]!,
      ...(resume ? { resume } : {}),
    }));
  }

  /** Domains of its questions. */
  domains(): Set<string> {
    return new Set(this.#emails.map(askedDomain).filter((domain) => domain !== null));
  }

  /** Keeps the outcome of the question at `index` until it is written. The clock is read only where time matters. */
  keepOutcome(index: number, outcome: Outcome, now: () => number): void {
    // The drain may have given up waiting for this one and handed it back.
    if (!this.#close(index)) return;
    const asked = this.#asked[index]!;
    switch (outcome.kind) {
      case 'final':
        this.#verdicts.set(asked.position, storedVerdict(outcome.finding));
        this.#evidence.add(asked.position, outcome.finding.evidence);
        if (outcome.asked) this.#askedRecipients.push(outcome.asked);
        return;
      case 'later':
        this.#defer(
          { position: asked.position, resume: outcome.resume, notBeforeMs: outcome.notBeforeMs },
          now(),
        );
        return;
      case 'unasked': {
        const nowMs = now();
        this.#defer({ ...asked, notBeforeMs: nowMs + this.#handBackAfterMs }, nowMs);
        return;
      }
      default:
        outcome satisfies never;
    }
  }

  /** False: it has its outcome already. */
  #close(index: number): boolean {
    if (!this.#isOpen[index]) return false;
    this.#isOpen[index] = false;
    this.#open -= 1;
    return true;
  }

  #defer(deferred: DeferredPosition, nowMs: number): void {
    if (this.#deferred.length === 0) this.#deferredSinceMs = nowMs;
    this.#deferred.push(deferred);
  }

  /** Stops asking. What is unasked is handed back, to be asked by any node after `handBackAfterMs`. */
  stop(handBackAfterMs = 0): void {
    this.#handBackAfterMs = Math.max(this.#handBackAfterMs, handBackAfterMs);
    this.#stop.abort();
  }

  /** The claim lapsed and this node has claimed the job again. False: it was another node's in between, or is lost. */
  takeBack(again: ClaimedJob<ChunkJob>): boolean {
    const { jobId, number } = this.#claimed.claim;
    if (this.#isLost || again.claim.jobId !== jobId || again.claim.number !== number + 1) return false;
    this.#claimed = again;
    return true;
  }

  /** Another node has the claim. */
  lose(): void {
    this.#isLost = true;
    this.stop();
  }

  /** Something was thrown inside the service. The first defect is the one that is reported. */
  blame(error: unknown): void {
    this.#defect ??= error;
  }

  /** The checker has given all the outcomes it will give. */
  end(): void {
    if (this.#open > 0) this.blame(new Error('the checker left addresses without an outcome'));
    this.#isOver = true;
  }

  /** Hands back the positions that have no outcome, as they were claimed, and ends the chunk. */
  handBackOpen(nowMs: number): void {
    for (const [index, asked] of this.#asked.entries())
      if (this.#close(index)) this.#defer({ ...asked, notBeforeMs: nowMs }, nowMs);
    this.end();
  }

  isDue(nowMs: number): boolean {
    if (this.#isOver) return true;
    if (nowMs - this.#takenAtMs < WRITE_INTERVAL_MS) return false;
    return this.#verdicts.size > 0 || this.#isDeferredDue(nowMs);
  }

  #isDeferredDue(nowMs: number): boolean {
    if (this.#deferred.length === 0) return false;
    if (nowMs - this.#deferredSinceMs >= DEFERRED_HELD_MS) return true;
    return this.#deferred.some(({ notBeforeMs }) => notBeforeMs - nowMs < DUE_SOON_MS);
  }

  /** Takes out what there is to write; null: nothing. */
  takeUnwritten(nowMs: number): UnwrittenResults | null {
    const takesDeferred = this.#isOver || this.#isDeferredDue(nowMs);
    if (!this.#isOver && this.#verdicts.size === 0 && !takesDeferred) return null;
    const taken: UnwrittenResults = {
      verdicts: this.#verdicts,
      evidence: this.#evidence.isEmpty ? this.#olderEvidence : [...this.#olderEvidence, this.#evidence],
      deferred: takesDeferred ? this.#deferred : [],
      asked: this.#askedRecipients,
      isLast: this.#isOver,
    };
    this.#verdicts = new Map();
    this.#evidence = new EvidencePack();
    this.#olderEvidence = [];
    this.#askedRecipients = [];
    if (takesDeferred) this.#deferred = [];
    this.#takenAtMs = nowMs;
    this.#inWrite = taken;
    return taken;
  }

  /** What could not be written, before what came in since. */
  putBack({ verdicts, evidence, deferred, asked }: UnwrittenResults): void {
    this.#verdicts = new Map([...verdicts, ...this.#verdicts]);
    this.#olderEvidence = [...evidence, ...this.#olderEvidence];
    this.#deferred = [...deferred, ...this.#deferred];
    this.#askedRecipients = [...asked, ...this.#askedRecipients];
    this.#inWrite = null;
  }

  /** What has its outcome and is not known to be written. */
  unwritten(): { readonly answered: number; readonly deferred: readonly DeferredPosition[] } {
    return {
      answered: this.#verdicts.size + (this.#inWrite?.verdicts.size ?? 0),
      deferred: [...(this.#inWrite?.deferred ?? []), ...this.#deferred],
    };
  }

  /** What was taken out is written, or put back. */
  endWrite(): void {
    this.#inWrite = null;
  }
}

function readEmails(text: string): string[] {
  try {
    return JSON.parse(text) as string[];
  } catch {
    // The parser's message quotes the text, and addresses must not be logged.
    throw new Error('the stored addresses are not JSON');
  }
}
