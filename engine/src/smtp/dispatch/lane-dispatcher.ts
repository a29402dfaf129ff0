// What lanes share: the dispatcher above them, as they see it, and its settings.
import type { Connect } from '../../ports.ts';
import type { Clock } from '../../types.ts';
import type { Egress } from '../knowledge/egress.ts';
import type { Exchanger, Waiter } from '../knowledge/exchanger.ts';
import type { ReadReply } from '../knowledge/read-flight.ts';
import type { Session } from '../session/session.ts';
import type { SessionEnd, SessionTimeouts } from '../session/session-plan.ts';
import type { Task } from '../session/task.ts';
import type { LoopBudget } from '../wire/event-loop-budget.ts';

/** What a lane needs from the dispatcher above it. */
export interface LaneDispatcher {
  readonly options: LaneOptions;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly closing: boolean;
  /** Others wait for a connection of any kind. */
  readonly crowded: boolean;
  mayOpen(lane: Waiter): boolean;
  opened(session: Session): void;
  ended(session: Session, exchanger: Exchanger, end: SessionEnd): void;
  wakeAt(lane: Waiter, atMs: number): void;
  /** True when the error says that this machine has no more sockets; fewer are opened from then on. */
  outOfSockets(error: string | null): boolean;
  dropLane(lane: Waiter & { readonly key: string }): void;
  /** A host was reached, or every address of a group could not be. */
  reached(whom: string, ok: boolean): void;
  /** Queues a task on a source that has not been blocked for it; false when there is none. */
  fromElsewhere(task: Task, alone: boolean): boolean;
}

export interface LaneOptions {
  readonly connect: Connect;
  readonly loopBudget: LoopBudget;
  readonly smtpPort: number;
  readonly mailFrom: string;
  readonly pipelining: boolean;
  readonly evidence: boolean;
  readonly timeouts: SessionTimeouts;
  /** How long a host that could not be reached is not tried again. */
  readonly downMs: number;
  readonly readReply: ReadReply;
}
