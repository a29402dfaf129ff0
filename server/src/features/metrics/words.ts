// The values of a label. Promise: as many as there is room for, and `other` for whatever else it is given, so that nothing
// from outside makes a series.

export const OTHER = 'other';

export class Words {
  readonly #places = new Map<string, number>();
  readonly #words = [OTHER];
  readonly #room: number;

  /** `room`: for words that are learnt later. */
  constructor(words: readonly string[], room = words.length) {
    this.#room = room;
    for (const word of words) this.learn(word);
  }

  /** Of code or configuration: never what a request or a mail server says. */
  learn(word: string): void {
    if (this.#words.length > this.#room || word === OTHER || this.#places.has(word)) return;
    this.#places.set(word, this.#words.length);
    this.#words.push(word);
  }

  /** How many there can be, `other` included. */
  get size(): number {
    return this.#room + 1;
  }

  placeOf(word: string): number {
    return this.#places.get(word) ?? 0;
  }

  at(place: number): string {
    return this.#words[place]!;
  }

  /** Without `other`. */
  named(): readonly string[] {
    return this.#words.slice(1);
  }
}
