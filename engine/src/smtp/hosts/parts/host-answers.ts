// What one mail host has answered so far, and how its last flight went. Pure: time as an argument. Promise: only replies
// about recipients count as answers.
import { CLOSING, type Flight } from '../../session/flight.ts';

export class HostAnswers {
  #count = 0;
  #lastAtMs = Number.NEGATIVE_INFINITY;
  #unansweredLast = 0;
  #endedRefused = false;
  #silentAbout: string | null = null;

  /** `answered`: how many of the flight's recipients were. */
  landed(flight: Flight, answered: number, nowMs: number): void {
    this.#count += answered;
    if (answered > 0) this.#lastAtMs = nowMs;
    this.#unansweredLast = flight.recipients - answered;
    this.#endedRefused = endsRefused(flight);
    this.#silentAbout = flight.silentAt?.task?.address.mailbox ?? null;
  }

  /** Recipients answered so far. */
  get count(): number {
    return this.#count;
  }

  get lastAtMs(): number {
    return this.#lastAtMs;
  }

  /** Recipients of the last flight without an answer. */
  get unansweredLast(): number {
    return this.#unansweredLast;
  }

  /** The last answer of the last flight was a refusal. */
  get endedRefused(): boolean {
    return this.#endedRefused;
  }

  /** The recipient of the last flight that got no reply. */
  get silentAbout(): string | null {
    return this.#silentAbout;
  }
}

function endsRefused({ commands }: Flight): boolean {
  const last = commands.findLast(
    ({ kind, reply }) => kind === 'rcpt' && reply !== null && reply.code !== CLOSING,
  );
  return (last?.reply?.code ?? 0) >= 400;
}
