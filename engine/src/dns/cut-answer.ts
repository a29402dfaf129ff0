// Whether "there is no such record" was said, or an answer that was cut off even over TCP. c-ares repeats a truncated
// answer over TCP and then hands out whatever came: of one that is still truncated (TC) and empty, node:dns says
// ENODATA, as of an honest "none". Promise: asked over TCP, the header is looked at and nothing else; a server that
// does not answer there leaves it undecided, and is not asked for a while.
import { randomInt } from 'node:crypto';
import { connect, isIP } from 'node:net';

export type QuestionType = 'a' | 'mx' | 'aaaa';

const TYPES: Readonly<Record<QuestionType, number>> = { a: 1, mx: 15, aaaa: 28 };
const CLASS_IN = 1;
const DNS_PORT = 53;
const HEADER_BYTES = 12;
const LENGTH_BYTES = 2;
const LABEL_MAX_BYTES = 63;
const RECURSION_DESIRED = 0x0100;
const IS_ANSWER = 0x8000;
const IS_TRUNCATED = 0x0200;
/** How long a resolver without TCP is taken at its word. */
const NO_TCP_MS = 10 * 60_000;

export class CutAnswers {
  readonly #timeoutMs: number;
  readonly #noTcpUntilMs = new Map<string, number>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** True: its empty answer is a piece of one. `server` as in `NodeResolverOptions`. */
  async isCut(server: string, name: string, type: QuestionType): Promise<boolean> {
    if ((this.#noTcpUntilMs.get(server) ?? 0) > Date.now()) return false;
    const id = randomInt(0x10000);
    const question = encode(id, name, type);
    if (question === null) return false;
    const flags = await this.#flags(server, id, question);
    if (flags === null) this.#noTcpUntilMs.set(server, Date.now() + NO_TCP_MS);
    return flags !== null && (flags & IS_TRUNCATED) !== 0;
  }

  /** The answer's flags; null: there was none. */
  #flags(server: string, id: number, question: Buffer): Promise<number | null> {
    return new Promise((done) => {
      const { host, port } = endpoint(server);
      const socket = connect({ host, port, family: isIP(host), autoSelectFamily: false });
      let input = Buffer.alloc(0);
      const end = (flags: number | null) => {
        clearTimeout(timer);
        socket.destroy();
        done(flags);
      };
      const timer = setTimeout(() => end(null), this.#timeoutMs);
      socket.on('connect', () => socket.write(question));
      socket.on('data', (chunk) => {
        input = Buffer.concat([input, chunk]);
        if (input.length < LENGTH_BYTES + HEADER_BYTES) return;
        const flags = input.readUInt16BE(LENGTH_BYTES + 2);
        const isOurs = input.readUInt16BE(LENGTH_BYTES) === id && (flags & IS_ANSWER) !== 0;
        end(isOurs ? flags : null);
      });
      socket.on('error', () => end(null));
      socket.on('close', () => end(null));
    });
  }
}

function encode(id: number, name: string, type: QuestionType): Buffer | null {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'));
  if (labels.some(({ length }) => length === 0 || length > LABEL_MAX_BYTES)) return null;
  const header = Buffer.alloc(LENGTH_BYTES + HEADER_BYTES);
  const tail = Buffer.from([0, 0, TYPES[type], 0, CLASS_IN]);
  const rest = Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), tail]);
  header.writeUInt16BE(HEADER_BYTES + rest.length, 0);
  header.writeUInt16BE(id, LENGTH_BYTES);
  header.writeUInt16BE(RECURSION_DESIRED, LENGTH_BYTES + 2);
  header.writeUInt16BE(1, LENGTH_BYTES + 4);
  return Buffer.concat([header, rest]);
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`. */
function endpoint(server: string): { host: string; port: number } {
  if (isIP(server) !== 0) return { host: server, port: DNS_PORT };
  const named = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(server);
  return { host: named?.[1] ?? server, port: Number(named?.[2] ?? DNS_PORT) };
}
