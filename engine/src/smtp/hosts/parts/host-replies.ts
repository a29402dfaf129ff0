// Whether one mail host's replies can be matched to their commands (see session/seal.ts). Pure: time as an
// argument. Promise: after replies were lost or misplaced it is asked one command at a time, for an hour.

/** A host that loses or mixes up replies may be mended within the hour. */
const ONE_BY_ONE_MS = 60 * 60_000;

export class HostReplies {
  #oneByOneUntilMs = 0;
  #goodbye: 'unknown' | 'said' | 'missed' = 'unknown';
  #resetWords: string | null = null;
  #areAlike = false;

  mayPipeline(nowMs: number): boolean {
    return this.#oneByOneUntilMs <= nowMs;
  }

  /** Replies of a flight were lost or misplaced, or may have been. */
  mixedUp(nowMs: number): void {
    this.#oneByOneUntilMs = nowMs + ONE_BY_ONE_MS;
  }

  /** Whether the last session that had something to tell ended with 221, the proof that nothing was misplaced. */
  get goodbye(): 'unknown' | 'said' | 'missed' {
    return this.#goodbye;
  }

  saidGoodbye(): void {
    this.#goodbye = 'said';
  }

  missedGoodbye(): void {
    this.#goodbye = 'missed';
  }

  /** What it answers RSET with; null: not seen yet. */
  get resetWords(): string | null {
    return this.#resetWords;
  }

  /** The first words that were seen stay. */
  sawResetWords(words: string | null): void {
    this.#resetWords ??= words;
  }

  /** It answers recipients as it answers other commands: where it says no 221, HELP is asked after each of them. */
  get areAlike(): boolean {
    return this.#areAlike;
  }

  sawAlike(): void {
    this.#areAlike = true;
  }
}
