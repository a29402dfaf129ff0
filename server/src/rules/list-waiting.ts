// What a list waits for: groups of addresses by what holds them up and where, out of what every node says of the
// addresses it holds and of what waits in jobs.
// Promise: `checking` and the groups, before the smallest are cut off, add up to the addresses without a result, however
// the parts were out of step; addresses that no part speaks of are queued.
import type { Detail, Meaning, Resume, WaitingGroup } from '@mxproof/engine';

type WaitingReason = 'queued' | 'paused' | Detail;

export interface Group {
  readonly why: WaitingReason;
  readonly host: string | null;
  readonly provider: string | null;
  readonly addresses: number;
  /** The number of the next one; the lowest of the group. */
  readonly attempt: number;
  /** The earliest, in Unix seconds; null: not known. */
  readonly nextAttemptAt: number | null;
}

/** What one part of the service knows of a list's addresses. */
export interface WaitingPart {
  /** Being asked about, or answered and about to be written. */
  readonly checking: number;
  /** In groups that were cut off. */
  readonly others: number;
  /** The largest first. */
  readonly groups: readonly Group[];
}

export interface ListWaiting {
  readonly pending: number;
  readonly checking: number;
  readonly groups: readonly Group[];
}

export const SHOWN_GROUPS = 50;
/** More than are shown: one that is small in each part may be large in all of them. */
export const KEPT_GROUPS = 2 * SHOWN_GROUPS;

/** What is said where the engine's own word is missing: versions before 0.2 stored none. */
const WHY_BY_MEANING: Readonly<Record<Meaning, Detail>> = {
  accepted: 'unclear',
  no_mailbox: 'unclear',
  over_quota: 'mailbox_full',
  mailbox_busy: 'temporary',
  greylisted: 'greylisted',
  temporary: 'temporary',
  rate_limited: 'rate_limited',
  too_many_recipients: 'temporary',
  blocked: 'blocked',
  sender_refused: 'sender_refused',
  tls_required: 'tls_failed',
  relay_denied: 'unclear',
  tenant_lapsed: 'tenant_lapsed',
  content: 'unclear',
  protocol: 'unclear',
  unclear: 'unclear',
};

/** Of an address that left its job. Unasked ones wait only when nothing is reachable. */
function whyOf(resume: Resume | undefined, isDelayed: boolean): WaitingReason {
  if (!resume) return isDelayed ? 'network_down' : 'queued';
  if (resume.detail !== undefined) return resume.detail;
  if (resume.meaning !== null) return WHY_BY_MEANING[resume.meaning];
  // Asked, and nothing was heard.
  return resume.mute || (resume.attempt > 0 && resume.mx != null) ? 'timeout' : 'queued';
}

export function groupOfDeferred(resume: Resume | undefined, nextAttemptAt: number | null): Group {
  return {
    why: whyOf(resume, nextAttemptAt !== null),
    host: resume?.mx ?? null,
    provider: resume?.provider || null,
    addresses: 1,
    attempt: (resume?.attempt ?? 0) + 1,
    nextAttemptAt,
  };
}

/** `answered`: addresses that have their answer and wait for nothing but its write. */
export function partOfNode(
  fromEngine: readonly WaitingGroup[],
  deferred: readonly Group[],
  answered: number,
): WaitingPart {
  const waiting = fromEngine.filter(({ why }) => why !== 'checking');
  // Before they are made ours: the engine has a group for each of perhaps 20,000 hosts, and is asked every second.
  const groups = largest(waiting, KEPT_GROUPS).map(toGroup);
  const kept = largest(mergeGroups([...groups, ...deferred]), KEPT_GROUPS);
  return {
    checking: answered + sumOf(fromEngine) - sumOf(waiting),
    groups: kept,
    others: sumOf(waiting) + sumOf(deferred) - sumOf(kept),
  };
}

function toGroup({ why, host, provider, addresses, attempt, nextAttemptAtMs }: WaitingGroup): Group {
  return {
    why: why as WaitingReason,
    host,
    provider: provider || null,
    addresses,
    attempt,
    nextAttemptAt: nextAttemptAtMs === null ? null : Math.ceil(nextAttemptAtMs / 1000),
  };
}

/** In the order they come. */
function largest<G extends { readonly addresses: number }>(groups: readonly G[], count: number): G[] {
  if (groups.length <= count) return [...groups];
  const sizes = Float64Array.from(groups, ({ addresses }) => addresses).sort();
  const least = sizes[sizes.length - count]!;
  let room = count - groups.filter(({ addresses }) => addresses > least).length;
  return groups.filter(({ addresses }) => addresses > least || (addresses === least && room-- > 0));
}

const sumOf = (groups: readonly { readonly addresses: number }[]) =>
  groups.reduce((sum, { addresses }) => sum + addresses, 0);

/** One for each `why` and host, the largest first. */
export function mergeGroups(groups: readonly Group[]): Group[] {
  const merged = new Map<string, Group>();
  for (const group of groups) {
    const key = `${group.why} ${group.host ?? ''}`;
    const before = merged.get(key);
    merged.set(key, before ? join(before, group) : group);
  }
  return [...merged.values()].sort(largestFirst);
}

function join(one: Group, other: Group): Group {
  return {
    why: one.why,
    host: one.host,
    provider: one.provider ?? other.provider,
    addresses: one.addresses + other.addresses,
    attempt: Math.min(one.attempt, other.attempt),
    nextAttemptAt: earliest(one.nextAttemptAt, other.nextAttemptAt),
  };
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function largestFirst(one: Group, other: Group): number {
  return (
    other.addresses - one.addresses ||
    compare(one.why, other.why) ||
    compare(one.host ?? '', other.host ?? '')
  );
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

export function composeWaiting(pending: number, parts: readonly WaitingPart[]): ListWaiting {
  let checking = parts.reduce((sum, part) => sum + part.checking, 0);
  let others = parts.reduce((sum, part) => sum + part.others, 0);
  let groups = mergeGroups(parts.flatMap((part) => part.groups));
  const missing = pending - checking - others - sumOf(groups);
  if (missing > 0) groups = mergeGroups([...groups, hostless('queued', missing)]);
  // What was answered since a node last spoke: most likely what was being asked, or next in line.
  let surplus = -missing;
  const take = (from: number) => {
    const taken = Math.max(0, Math.min(from, surplus));
    surplus -= taken;
    return from - taken;
  };
  checking = take(checking);
  others = take(others);
  if (surplus > 0) {
    const lessOf = (group: Group): Group => ({ ...group, addresses: take(group.addresses) });
    const [inQueue, delayed] = [
      groups.filter(({ why }) => why === 'queued'),
      groups.filter(({ why }) => why !== 'queued'),
    ];
    groups = [...inQueue.map(lessOf), ...delayed.map(lessOf)]
      .filter(({ addresses }) => addresses > 0)
      .sort(largestFirst);
  }
  return { pending, checking, groups: groups.slice(0, SHOWN_GROUPS) };
}

/** Of a paused list: what is not being asked waits for one thing alone. */
export function pausedWaiting({ pending, checking, groups }: ListWaiting): ListWaiting {
  const addresses = pending - checking;
  if (addresses === 0) return { pending, checking, groups: [] };
  const attempt = Math.min(...groups.map((group) => group.attempt));
  return { pending, checking, groups: [{ ...hostless('paused', addresses), attempt }] };
}

const hostless = (why: WaitingReason, addresses: number): Group => ({
  ...{ why, host: null, provider: null, addresses, attempt: 1, nextAttemptAt: null },
});
