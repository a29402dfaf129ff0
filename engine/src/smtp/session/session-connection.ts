// One session's connection as its state machine sees it: lines out, whole replies in. Promise: the clock is read once for
// all replies of a piece of bytes, and the end of a piece is reported after all of them; what is heard waits its turn on the
// event loop (wire/event-loop-budget.ts); after `stop` no reply is passed on; a piece that took the thread too long is
// reported as such (common/src/watchdog.ts).

import type { Reader, ReadingWatch } from '@mxproof/common/watchdog';
import type { Connect, ConnectTarget, Wire } from '../../ports.ts';
import type { Clock, Reply } from '../../types.ts';
import {
  type Listener,
  type LoopBudget,
  ScheduledEvents,
  type TextEvents,
} from '../wire/event-loop-budget.ts';
import { ReplyReader } from '../wire/reply-reader.ts';

export interface ConnectionOptions {
  readonly connect: Connect;
  readonly clock: Clock;
  readonly loopBudget: LoopBudget;
  readonly watchdog: ReadingWatch;
}

export interface ConnectionEvents extends Reader {
  /** Recipients that still wait to be asked about. */
  readonly backlog: number;
  connected(): void;
  /** `isLater`: it is not the first reply of its piece. */
  reply(reply: Reply, isLater: boolean): void;
  pieceRead(): void;
  secured(): void;
  /** What came is not SMTP. */
  broken(why: string): void;
  /** What came was slow to read. */
  tooSlow(): void;
  closed(error: string | null): void;
}

export class SessionConnection implements Listener, TextEvents {
  /** When the bytes being read were received. */
  nowMs: number;
  /** The server has said at least one thing. */
  spoke = false;
  urgent = false;
  unheard = 0;
  waitsWith = 0;
  readonly #events: ConnectionEvents;
  readonly #clock: Clock;
  readonly #watchdog: ReadingWatch;
  readonly #wire: Wire;
  /** Made when the server first speaks: of those that never do there may be thousands. */
  #reader: ReplyReader | null = null;
  #repliesInPiece = 0;
  #isStopped = false;

  constructor(target: ConnectTarget, options: ConnectionOptions, events: ConnectionEvents) {
    const { connect, clock, loopBudget, watchdog } = options;
    this.#events = events;
    this.#clock = clock;
    this.#watchdog = watchdog;
    this.nowMs = clock.now();
    this.#wire = connect(target, new ScheduledEvents(loopBudget, this, this));
  }

  get backlog(): number {
    return this.#events.backlog;
  }

  /** Reads the clock, or takes over what was just read from it. */
  readClock(nowMs = this.#clock.now()): void {
    this.nowMs = nowMs;
  }

  write(text: string): void {
    this.#wire.write(text);
  }

  /** Nothing that came in clear after the command for it is heard. */
  startTls(): void {
    this.#reader?.stop();
    this.#wire.startTls();
  }

  /** Replies are read again, of what comes through TLS. */
  restart(): void {
    this.#reader?.restart();
  }

  stop(): void {
    this.#isStopped = true;
    this.#reader?.stop();
    this.#wire.destroy();
  }

  #createReader(): ReplyReader {
    const events = this.#events;
    return new ReplyReader({
      reply: (reply) => {
        this.#repliesInPiece += 1;
        events.reply(reply, this.#repliesInPiece > 1);
      },
      broken: (why) => events.broken(why),
    });
  }

  connected(): void {
    this.readClock();
    this.#events.connected();
  }

  secured(): void {
    this.readClock();
    this.#events.secured();
  }

  closed(error: string | null): void {
    this.#isStopped = true;
    this.#events.closed(error);
  }

  tooMuch(): void {
    this.#events.broken('more than was asked for');
  }

  data(text: string): void {
    if (this.#isStopped) return;
    const beganMs = this.#watchdog.began(this.#events);
    this.spoke = true;
    this.#repliesInPiece = 0;
    this.readClock();
    this.#reader ??= this.#createReader();
    this.#reader.push(text);
    if (!this.#isStopped) this.#events.pieceRead();
    if (this.#watchdog.wasSlow(this.#events, beganMs)) this.#events.tooSlow();
  }
}
