// What one mail host (address) does in every domain it serves: whether it accepts any recipient.
// Decides, touches nothing. Promise: assumed only of a host that accepted the catch-all probe of several domains and
// refused no recipient of any; forgotten at the first refusal; a domain's own probe always weighs more
// (docs/adr/0006-refuse-all.md).
//
//   not known ──accepted the catch-all probe of the third domain, refused none─────▶ accepts everything
//       ▲                                                                                  │
//       └── hours pass ── refuses ◀──a recipient of any domain refused──────────────────────┘

import { QueueSet } from '@mxproof/common/queue-set';
import type { Answer } from '../state/answer.ts';
import type { Task, TaskDomain } from '../state/task.ts';

/** As long as what is known of a domain. */
const KEPT_MS = 6 * 3_600_000;
/** Two catch-all domains on one host may be one owner's habit; three without one refusal are the host's. */
const DOMAINS_MIN = 3;
const HOSTS_MAX = 50_000;

interface Habit {
  /** Domains whose catch-all probe was accepted, with the time; no more than are needed. */
  readonly accepted: Map<string, number>;
  refusedAtMs: number | null;
}

export class HostHabits {
  readonly #hosts = new Map<string, Habit>();
  /** In the order they came: the first key of a map costs more the more were deleted before it. */
  readonly #byAge = new QueueSet<string>();

  /** Learns from a recipient's answer. */
  note({ name, provider }: TaskDomain, answer: Answer, kind: Task['kind'], nowMs: number): void {
    // Providers are known: what one of their many hosts did in a few domains says nothing about the rest.
    if (provider !== 'other' || answer.ip === null || answer.reply === null) return;
    if (answer.meaning === 'accepted') {
      if (kind === 'catch_all') this.#accepted(answer.ip, name, nowMs);
    } else if (isAboutRecipient(answer)) this.#refused(answer.ip, nowMs);
  }

  /** Since when it has been known to accept everything, else null. */
  acceptsAllSinceMs(ip: string | null, nowMs: number): number | null {
    const habit = ip === null ? undefined : this.#hosts.get(ip);
    if (habit === undefined || isRecent(habit.refusedAtMs, nowMs)) return null;
    const recent = [...habit.accepted.values()].filter((atMs) => isRecent(atMs, nowMs));
    return recent.length < DOMAINS_MIN ? null : Math.max(...recent);
  }

  #accepted(ip: string, domain: string, nowMs: number): void {
    const { accepted } = this.#of(ip);
    accepted.delete(domain);
    accepted.set(domain, nowMs);
    const oldest = accepted.keys().next().value;
    if (accepted.size > DOMAINS_MIN && oldest !== undefined) accepted.delete(oldest);
  }

  #refused(ip: string, nowMs: number): void {
    this.#of(ip).refusedAtMs = nowMs;
  }

  #of(ip: string): Habit {
    let habit = this.#hosts.get(ip);
    if (habit === undefined) {
      const oldest = this.#hosts.size >= HOSTS_MAX ? this.#byAge.shift() : undefined;
      if (oldest !== undefined) this.#hosts.delete(oldest);
      habit = { accepted: new Map(), refusedAtMs: null };
      this.#hosts.set(ip, habit);
      this.#byAge.add(ip);
    }
    return habit;
  }
}

function isRecent(atMs: number | null, nowMs: number): boolean {
  return atMs !== null && nowMs - atMs < KEPT_MS;
}

/** A permanent refusal of the recipient, in any words. A refusal of us says nothing about the host's habits. */
function isAboutRecipient(answer: Answer): boolean {
  if (answer.temporary) return false;
  return (
    answer.meaning === 'no_mailbox' || answer.meaning === 'over_quota' || answer.meaning === 'relay_denied'
  );
}
