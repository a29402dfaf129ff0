// One recipient to ask about: a real address, a catch-all probe, or a question of a comparison. Promise: every task that
// is queued gets exactly one answer, or is withdrawn before it was sent; where it is, its `state` says.

import type { Holder } from '@mxproof/common/fair-share';
import { broken } from '@mxproof/common/invariant';
import type { DomainFacts } from '../dns/domain-facts.ts';
import type { Address } from '../types.ts';
import { advance, IllegalTransition } from './advance.ts';
import type { Answer } from './answer.ts';
import type { CheckEvent, CheckState, HostQueue } from './check-state.ts';

export interface TaskDomain {
  readonly name: string;
  readonly facts: DomainFacts;
  readonly provider: string;
}

const NO_QUEUE: HostQueue = { mx: null, heldUpBy: () => null };

/** Of a probe that is made, and queued in the next moment. */
export const NOT_QUEUED: CheckState = { at: 'queued', queue: NO_QUEUE, place: 'front' };
/** To be queued at its hosts in a moment: from now on it counts among the open recipients of its domain. */
export const ABOUT_TO_QUEUE: CheckEvent = { kind: 'queued', queue: NO_QUEUE };

/** The shape is fixed and small: there may be a hundred thousand of them. */
export abstract class Task {
  /** Only `move` sets it. */
  state: CheckState;
  /** Connections dropped under it so far. */
  drops = 0;
  /** Senders this recipient's host has refused, by bit: 1 the configured one, 2 `<>`. */
  sendersRefused = 0;
  /** How many answers its host had given when this task was queued; if the number has not grown, the attempt counts. */
  hostAnswersBefore = 0;

  constructor(state: CheckState) {
    this.state = state;
  }

  /** `compared`: one question of a look, which stay together. */
  abstract readonly kind: 'real' | 'catch_all' | 'postmaster' | 'compared';
  abstract readonly address: Address;
  abstract readonly domain: TaskDomain;
  abstract readonly single: boolean;
  /** Accounts take turns, and are charged for the sessions that are opened for them. */
  abstract readonly holder: Holder;
  /** The lists of an account take turns, too. */
  abstract readonly lot: number;
  /** Greylisting is keyed on source and sender: a later attempt is bound to the first one's. */
  abstract readonly boundSource: string | null;
  abstract readonly boundSender: string | null;
  /** The answer about it; called once for each time it was queued. */
  abstract told(answer: Answer): void;
  /** The catch-all probe to go behind this one, where its domain needs one. */
  abstract probeBehind(): Task | null;

  /** An event that is not allowed in the current state changes nothing. */
  move(event: CheckEvent): CheckState {
    try {
      this.state = advance(this.state, event);
    } catch (error) {
      if (!(error instanceof IllegalTransition)) throw error;
      broken(error.message);
    }
    return this.state;
  }

  /** Over, while a queue may still hold it: the queue skips it. */
  get isDone(): boolean {
    return this.state.at === 'done';
  }
}
