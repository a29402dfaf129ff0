// What one run may be charged. Promise: what is reserved and what was charged never exceed the limit together; credits that the
// service refunds later, for addresses without an answer, are not given back here, so that the limit holds at every moment.

export class Spending {
  readonly limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get left(): number {
    return Math.max(0, this.limit - this.#taken);
  }

  /** Before the service is asked. False: nothing is taken. */
  reserve(credits: number): boolean {
    if (credits > this.left) return false;
    this.#taken += credits;
    return true;
  }

  /** What was reserved and not charged. */
  giveBack(credits: number): void {
    this.#taken -= credits;
  }
}
