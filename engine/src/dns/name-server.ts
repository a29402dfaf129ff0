// One name server and what is known about it. Promise: a query gets one reading of the server's answer, over UDP, over
// TCP if it was truncated, without EDNS if the server does not support it; `timeout` if there was no answer, or if none
// is wanted any more; `slow` if it took the thread too long to read (common/src/watchdog.ts).

import type { Reader, ReadingSubject, ReadingWatch } from '@mxproof/common/watchdog';
import {
  type AnswerContent,
  encodeQuestion,
  isAnswerTo,
  type Question,
  type QuestionType,
  readAnswer,
} from './dns-message.ts';
import type { ServerAddress } from './server-address.ts';
import { TcpQuestions } from './tcp-questions.ts';
import { UdpSocket } from './udp-socket.ts';

/** How long a server that does not understand EDNS is asked without. */
const NO_EDNS_MS = 10 * 60_000;

export type ServerReading<Row> = AnswerContent<Row> | { readonly kind: 'timeout' | 'slow' };

const SERVFAIL = { kind: 'servfail' } as const;
const TIMEOUT = { kind: 'timeout' } as const;
const SLOW = { kind: 'slow' } as const;

/** A query, independent of the server. */
export interface ServerQuery<Row> {
  readonly name: string;
  readonly type: QuestionType<Row>;
  readonly aliasesMax: number;
}

export class NameServer implements Reader {
  readonly name: string;
  readonly #address: ServerAddress;
  readonly #timeoutMs: number;
  readonly #tcp: TcpQuestions;
  readonly #watchdog: ReadingWatch;
  /** The name whose answer was read last. */
  #nameRead = '';
  /** The last one takes questions; those before it are worn, but queries may still wait there. */
  #sockets: UdpSocket[] = [];
  #isClosed = false;
  #noEdnsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(address: ServerAddress, timeoutMs: number, watchdog: ReadingWatch) {
    const { ip, port, family } = address;
    this.name = `${family === 4 ? ip : `[${ip}]`}:${port}`;
    this.#watchdog = watchdog;
    this.#address = address;
    this.#timeoutMs = timeoutMs;
    this.#tcp = new TcpQuestions(address, timeoutMs);
  }

  ask<Row>(query: ServerQuery<Row>, done: (reading: ServerReading<Row>) => void): void {
    if (this.#isClosed) {
      done(TIMEOUT);
      return;
    }
    const hasEdns = performance.now() > this.#noEdnsUntilMs;
    const question = encodeQuestion(query.name, query.type.code, hasEdns);
    if (question === null) {
      done(SERVFAIL);
      return;
    }
    this.#openSocket().ask(question, (answer) => {
      if (answer === null) return done(TIMEOUT);
      const reading = this.#read(answer, question, query);
      if (reading.kind === 'format') {
        if (!hasEdns) return done(SERVFAIL);
        this.#noEdnsUntilMs = performance.now() + NO_EDNS_MS;
        return this.ask(query, done);
      }
      if (reading.kind !== 'cut') return done(reading);
      this.#tcp.ask(question, (whole) => {
        if (whole === null) return done(TIMEOUT);
        if (!isAnswerTo(whole, question)) return done(SERVFAIL);
        const again = this.#read(whole, question, query);
        done(again.kind === 'cut' || again.kind === 'format' ? SERVFAIL : again);
      });
    });
  }

  #read<Row>(answer: Buffer, question: Question, { name, type, aliasesMax }: ServerQuery<Row>) {
    this.#nameRead = name;
    const beganMs = this.#watchdog.began(this);
    const reading = readAnswer(answer, question, type, aliasesMax);
    return this.#watchdog.wasSlow(this, beganMs) ? SLOW : reading;
  }

  whatIsRead(): ReadingSubject {
    return { kind: 'dns', host: this.name, lots: [], domain: this.#nameRead };
  }

  /** Waiting and later callers get `timeout`. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.close();
    this.#tcp.close();
  }

  #openSocket(): UdpSocket {
    const last = this.#sockets.at(-1);
    if (last?.takesQuestions) return last;
    const fresh = new UdpSocket(this.#address, this.#timeoutMs);
    this.#sockets = [...this.#sockets.filter((socket) => !socket.isClosed), fresh];
    return fresh;
  }
}
