// A set that is emptied from its front: a queue whose members can leave from anywhere. Promise: taking the first costs
// the same however many have left before it.

export class QueueSet<One> extends Set<One> {
  /**
   * Kept between calls: a new iterator would step over every deleted entry again. Replaced once more entries were deleted
   * elsewhere than are left, since an iterator that does not move keeps every hash table that the set has outgrown.
   */
  #front: SetIterator<One> | null = null;
  #deleted = 0;

  shift(): One | undefined {
    this.#front ??= this.values();
    const { value } = this.#front.next();
    if (value !== undefined) super.delete(value);
    if (this.size === 0) this.#front = null;
    return value;
  }

  override delete(one: One): boolean {
    const isGone = super.delete(one);
    if (isGone) this.#deleted += 1;
    if (this.#deleted > this.size) {
      this.#front = null;
      this.#deleted = 0;
    }
    return isGone;
  }
}
