// One question of a look (look.ts). Promise: asked of the host, from the source and with the sender of the answer under
// comparison, only there and only once: a failure is an answer, not a reason to retry.
import type { Holder } from '@mxproof/common/fair-share';
import type { Answer } from '../state/answer.ts';
import { NOT_QUEUED, Task, type TaskDomain } from '../state/task.ts';
import type { Address } from '../types.ts';

/** So many that a dropped connection is not retried: it has spoilt the look. */
const DROPPED_OFTEN_ENOUGH = 1_000;

export class LookTask extends Task {
  readonly kind = 'compared';
  readonly address: Address;
  readonly domain: TaskDomain;
  readonly single = false;
  readonly holder: Holder;
  readonly lot = 0;
  readonly boundSource: string | null;
  readonly boundSender: string;
  readonly #told: (answer: Answer) => void;
  #isMoot = false;

  /** `domain`: as if that host were its only MX host; `first`: the answer under comparison. */
  constructor(
    address: Address,
    domain: TaskDomain,
    holder: Holder,
    first: Answer,
    told: (answer: Answer) => void,
  ) {
    super(NOT_QUEUED);
    this.drops = DROPPED_OFTEN_ENOUGH;
    this.address = address;
    this.holder = holder;
    this.domain = domain;
    this.boundSource = first.source;
    this.boundSender = first.sender;
    this.#told = told;
  }

  told(answer: Answer): void {
    this.move({ kind: 'probe_told' });
    this.#told(answer);
  }

  probeBehind(): null {
    return null;
  }

  /** The look is over: what is not on the wire need not be asked any more. */
  giveUp(): void {
    this.#isMoot = true;
  }

  override get isDone(): boolean {
    return this.#isMoot || super.isDone;
  }
}
