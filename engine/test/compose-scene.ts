// A flight composed for one session at one host, with whatever differs from an ordinary one given. For tests.

import type { Limits } from '../src/pace/pace.ts';
import { type ComposedSession, composeFlight } from '../src/smtp/dispatch/compose-flight.ts';
import { LaneQueue } from '../src/smtp/dispatch/lane-queue.ts';
import type { MxHost } from '../src/smtp/hosts/mx-host.ts';
import { senderBit } from '../src/smtp/hosts/parts/senders.ts';
import type { Task } from '../src/state/task.ts';
import { unknownMxHost } from './mx-host.ts';
import { SOME_QUEUE, TestTask } from './test-task.ts';

export const NOW_MS = 1_000;
export const US = 'probe@us.example';

const NEW_SESSION: ComposedSession = {
  banner: 'mx.a.example ESMTP',
  flights: 0,
  isLate: () => false,
  pipelining: true,
  readyAfterMs: 0,
  recipients: 0,
  recipientsMax: null,
  refusals: 0,
  replyMs: 0,
  resets: 0,
  smtpUtf8: false,
  transactions: 0,
  urgent: false,
};

export const task = (n: number, more: ConstructorParameters<typeof TestTask>[1] = {}): Task =>
  new TestTask(`p${n}`, more);

export interface FlightScene {
  readonly queued: number;
  readonly limits?: Partial<Limits>;
  readonly session?: Partial<ComposedSession>;
  readonly sharers?: number;
  readonly permitted?: number;
  readonly mailFrom?: string;
  /** The host has not accepted this sender yet. */
  readonly isNewSender?: boolean;
  readonly host?: (mxHost: MxHost) => void;
}

export function compose(given: FlightScene, tasks = Array.from({ length: given.queued }, (_, n) => task(n))) {
  const { mailFrom = US, sharers = 1, permitted = Number.POSITIVE_INFINITY } = given;
  const mxHost = unknownMxHost('192.0.2.1', { refusalsPerConnection: 10, ...given.limits });
  if (!given.isNewSender) mxHost.senders.landed(senderBit(mailFrom), 0, NOW_MS);
  given.host?.(mxHost);
  const session = { ...NEW_SESSION, ...given.session };
  const queue = new LaneQueue(SOME_QUEUE);
  for (const one of tasks) queue.push(one);
  const unsupported: Task[] = [];
  const onUnsupported = (one: Task) => unsupported.push(one);
  const flight = composeFlight(session, mxHost, queue, {
    mailFrom,
    nowMs: NOW_MS,
    sharers,
    permitted,
    isHeldBack: null,
    unsupported: onUnsupported,
  });
  return { flight, queue, unsupported, mxHost, session };
}
