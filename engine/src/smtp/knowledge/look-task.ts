// One question of a look (look.ts). Promise: put to the host, from the source and with the sender of the answer that is
// looked into, nowhere else and once: what goes wrong with it is an answer, not another try.
import type { Holder } from '../../pace/fair-share.ts';
import type { Address } from '../../types.ts';
import type { Answer, Task, TaskDomain } from '../session/task.ts';

/** A line that breaks under it is not tried again: the look is worth nothing then. */
const DROPPED_OFTEN_ENOUGH = 1_000;

export class LookTask implements Task {
  readonly kind = 'compared';
  readonly address: Address;
  readonly domain: TaskDomain;
  readonly single = false;
  readonly holder: Holder;
  readonly lot = 0;
  readonly boundSource: string | null;
  readonly boundSender: string;
  readonly told: (answer: Answer) => void;
  drops = DROPPED_OFTEN_ENOUGH;
  sendersRefused = 0;
  hostAnswersBefore = 0;
  onWire = false;
  withdrawn = false;

  /** `domain`: as if that host were its only exchanger; `first`: the answer that is looked into. */
  constructor(
    address: Address,
    domain: TaskDomain,
    holder: Holder,
    first: Answer,
    told: (answer: Answer) => void,
  ) {
    this.address = address;
    this.holder = holder;
    this.domain = domain;
    this.boundSource = first.source;
    this.boundSender = first.sender;
    this.told = told;
  }

  probeBehind(): null {
    return null;
  }
}
