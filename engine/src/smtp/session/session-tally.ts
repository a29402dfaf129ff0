// What a session has asked so far and how long replies took. Promise: what is counted is what was sent and heard on this
// connection, errors of the greeting included.
import type { Flight } from './flight.ts';

export class SessionTally {
  flights = 0;
  recipients = 0;
  transactions = 0;
  /** RSETs and HELPs. */
  resets = 0;
  refusals = 0;
  askedAtMs = 0;
  replyMs = 0;
  readyAfterMs = 0;

  greetingRefused(): void {
    this.refusals += 1;
  }

  sent(flight: Flight, startedAtMs: number, nowMs: number): void {
    this.flights += 1;
    this.recipients += flight.recipients;
    this.transactions += flight.transactions;
    this.askedAtMs = nowMs;
    flight.sentAtMs = nowMs - startedAtMs;
    if (this.flights === 1) this.readyAfterMs = flight.sentAtMs;
  }

  firstReplied(afterMs: number): void {
    this.replyMs = afterMs;
  }

  landed(flight: Flight): void {
    this.refusals += flight.refusals;
    this.resets += flight.resets;
  }
}
