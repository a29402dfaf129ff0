// One connected UDP socket to one name server, for a bounded number of queries. Promise: each query gets its answer, or
// null if there was none in time or the server is gone; datagrams that do not answer it are ignored and waiting
// continues. The kernel drops what other addresses send. The process is kept alive only while a query waits.
//
// If the machine has no socket to spare, one is requested again while the queries wait.
//
//   connecting ─▶ open ─ no query waited at the last timer, or worn and no query waits ─▶ closed
//        └──────────┴─── error, or close(): every waiting query is told ───────────────▶ closed
import { randomFillSync } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isAnswerTo, type Question } from './dns-message.ts';
import type { ServerAddress } from './server-address.ts';

/** Then a new port: an attacker who forges answers has to guess it again. */
const QUESTIONS_MAX = 1_000;
/** A lost datagram costs half a second; longer than nearly every resolver takes for a name it has to look up. */
const SECOND_TRY_MS = 500;
const TRIES = 2;
const IDS_AT_ONCE = 2_048;
const NO_SOCKETS: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
const SOCKET_AGAIN_MS = 100;

interface AskedQuestion {
  readonly question: Question;
  readonly done: (answer: Buffer | null) => void;
  dueAtMs: number;
}

export class UdpSocket {
  readonly #firstTryMs: number;
  readonly #secondTryMs: number;
  readonly #server: ServerAddress;
  #socket: Socket;
  /** Set while there is no socket to be had. */
  #again: NodeJS.Timeout | null = null;
  /** By id, those asked once and those asked twice, each in the order in which they are due. */
  readonly #once = new Map<number, AskedQuestion>();
  readonly #twice = new Map<number, AskedQuestion>();
  #asked = 0;
  #state: 'connecting' | 'open' | 'closed' = 'connecting';

  /** `timeoutMs` for each try on the average: the second comes early, and is waited for the longer. */
  constructor(server: ServerAddress, timeoutMs: number) {
    this.#firstTryMs = Math.min(SECOND_TRY_MS, timeoutMs);
    this.#secondTryMs = TRIES * timeoutMs - this.#firstTryMs;
    this.#server = server;
    this.#socket = this.#open();
    this.#setTimer(this.#firstTryMs);
  }

  #open(): Socket {
    const { family, port, ip } = this.#server;
    const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    socket.on('error', this.#broken);
    socket.on('message', (message) => this.#heard(message));
    socket.connect(port, ip, (error?: Error | null) => {
      if (error) return this.#broken(error);
      if (this.#state !== 'connecting') return;
      this.#state = 'open';
      for (const waiting of [this.#once, this.#twice])
        for (const { question } of waiting.values()) this.#send(question);
    });
    return socket;
  }

  /** Running out of sockets says nothing about the name server. */
  readonly #broken = (error: NodeJS.ErrnoException): void => {
    if (this.#state !== 'connecting' || !NO_SOCKETS.has(error.code)) {
      this.#failed();
      return;
    }
    if (this.#again !== null) return;
    this.#socket.close();
    this.#again = setTimeout(() => {
      this.#again = null;
      this.#socket = this.#open();
    }, SOCKET_AGAIN_MS);
  };

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  get takesQuestions(): boolean {
    return !this.isClosed && this.#asked < QUESTIONS_MAX;
  }

  /** Only while it takes questions. Gives the question its id. */
  ask(question: Question, done: (answer: Buffer | null) => void): void {
    this.#asked += 1;
    let id = randomId();
    while (this.#once.has(id) || this.#twice.has(id)) id = (id + 1) & 0xffff;
    question.message[0] = id >> 8;
    question.message[1] = id & 0xff;
    if (this.#isIdle()) this.#socket.ref();
    this.#once.set(id, { question, done, dueAtMs: performance.now() + this.#firstTryMs });
    if (this.#state === 'open') this.#send(question);
  }

  #send(question: Question): void {
    this.#socket.send(question.message, this.#sent);
  }

  /** One callback for all sends: an error that stops one datagram stops the others too. */
  readonly #sent = (error: Error | null): void => {
    if (error !== null) this.#failed();
  };

  #heard(message: Buffer): void {
    if (message.length < 2) return;
    const id = (message[0]! << 8) | message[1]!;
    const waiting = this.#once.get(id) ?? this.#twice.get(id);
    if (waiting === undefined || !isAnswerTo(message, waiting.question)) return;
    if (!this.#once.delete(id)) this.#twice.delete(id);
    waiting.done(message);
    // Afterwards: most answers lead to the next query.
    if (this.#isIdle()) this.#rest();
  }

  #rest(): void {
    if (this.#state === 'closed') return;
    if (this.#asked >= QUESTIONS_MAX) this.#close();
    else this.#socket.unref();
  }

  /** One timer for all, as late as it may be: an answer in time does not touch it. */
  #setTimer(ms: number): void {
    // The socket keeps the process alive while a query waits.
    setTimeout(() => this.#checkDue(), Math.max(1, ms)).unref();
  }

  #checkDue(): void {
    if (this.#state === 'closed') return;
    if (this.#isIdle()) {
      this.#close();
      return;
    }
    const nowMs = performance.now();
    for (const [id, waiting] of this.#once) {
      if (waiting.dueAtMs > nowMs) break;
      // With the same id, so that a late answer to the first try is one too.
      this.#once.delete(id);
      this.#twice.set(id, waiting);
      waiting.dueAtMs = nowMs + this.#secondTryMs;
      if (this.#state === 'open') this.#send(waiting.question);
    }
    for (const [id, waiting] of this.#twice) {
      if (waiting.dueAtMs > nowMs) break;
      this.#twice.delete(id);
      waiting.done(null);
    }
    if (this.#isIdle()) this.#rest();
    const [once] = this.#once.values();
    const [twice] = this.#twice.values();
    const nextAtMs = Math.min(once?.dueAtMs ?? Infinity, twice?.dueAtMs ?? Infinity);
    this.#setTimer(Math.min(this.#firstTryMs, nextAtMs - nowMs));
  }

  /** Waiting queries end without an answer. */
  close(): void {
    this.#failed();
  }

  readonly #failed = (): void => {
    if (this.#state === 'closed') return;
    this.#close();
    const all = [...this.#twice.values(), ...this.#once.values()];
    this.#once.clear();
    this.#twice.clear();
    for (const { done } of all) done(null);
  };

  #close(): void {
    this.#state = 'closed';
    if (this.#again === null) this.#socket.close();
    else clearTimeout(this.#again);
  }

  #isIdle(): boolean {
    return this.#once.size === 0 && this.#twice.size === 0;
  }
}

const ids = new Uint16Array(IDS_AT_ONCE);
let idsUsed = IDS_AT_ONCE;

/** Must be unpredictable; fetched from the system in bulk, since a call costs more than a query. */
function randomId(): number {
  if (idsUsed === IDS_AT_ONCE) {
    randomFillSync(ids);
    idsUsed = 0;
  }
  idsUsed += 1;
  return ids[idsUsed - 1]!;
}
