// A query over TCP, for answers that do not fit into a datagram. Promise: one query per connection, a bounded number of
// connections, the answer in any fragmentation; null if there was none: unreachable, too late, or incomplete.
import { connect, type Socket } from 'node:net';
import type { Question } from './dns-message.ts';
import type { ServerAddress } from './server-address.ts';

/** To one server; the others wait their turn. */
const OPEN_MAX = 50;
/** More than the engine ever has in flight. */
const WAITING_MAX = 1_000;
const LENGTH_BYTES = 2;

type AnswerHandler = (answer: Buffer | null) => void;

export class TcpQuestions {
  readonly #server: ServerAddress;
  readonly #timeoutMs: number;
  readonly #waiting: { readonly question: Question; readonly done: AnswerHandler }[] = [];
  readonly #open = new Set<Socket>();

  constructor(server: ServerAddress, timeoutMs: number) {
    this.#server = server;
    this.#timeoutMs = timeoutMs;
  }

  ask(question: Question, done: AnswerHandler): void {
    if (this.#open.size < OPEN_MAX) this.#connect(question, done);
    else if (this.#waiting.length < WAITING_MAX) this.#waiting.push({ question, done });
    else done(null);
  }

  /** Waiting callers get null: no answer. */
  close(): void {
    for (const { done } of this.#waiting.splice(0)) done(null);
    for (const socket of this.#open) socket.destroy();
  }

  #connect({ message }: Question, done: AnswerHandler): void {
    const { ip, port, family } = this.#server;
    const socket = connect({ host: ip, port, family, autoSelectFamily: false, noDelay: true });
    this.#open.add(socket);
    const input = new LengthAndAnswer();
    let isOver = false;
    const end = (answer: Buffer | null): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      done(answer);
    };
    const timer = setTimeout(() => end(null), this.#timeoutMs);
    socket.on('connect', () => {
      socket.write(Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message]));
    });
    socket.on('data', (chunk) => {
      const answer = input.take(chunk);
      if (answer !== null) end(answer);
    });
    socket.on('error', () => end(null));
    socket.on('close', () => {
      end(null);
      this.#open.delete(socket);
      const next = this.#waiting.shift();
      if (next !== undefined) this.#connect(next.question, next.done);
    });
  }
}

/** Two octets of length and as many as they say, 65,535 at most; what follows is of no interest. */
class LengthAndAnswer {
  readonly #length = Buffer.alloc(LENGTH_BYTES);
  #answer: Buffer | null = null;
  #filled = 0;

  /** The answer, once it is whole. */
  take(chunk: Buffer): Buffer | null {
    let at = 0;
    if (this.#answer === null) {
      at = chunk.copy(this.#length, this.#filled);
      this.#filled += at;
      if (this.#filled < LENGTH_BYTES) return null;
      this.#answer = Buffer.alloc(this.#length.readUInt16BE());
      this.#filled = 0;
    }
    this.#filled += chunk.copy(this.#answer, this.#filled, at);
    return this.#filled === this.#answer.length ? this.#answer : null;
  }
}
