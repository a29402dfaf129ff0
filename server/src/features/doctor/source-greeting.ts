// One short dialogue with a mail server: its banner, its answer to EHLO, QUIT. Promise: neither MAIL nor RCPT is ever sent; it
// is over when its time is, or its signal is aborted, whatever comes; what comes is read by the engine's reader, within its
// bounds.
//
//   connecting ─▶ banner ─220─▶ EHLO ─▶ QUIT ─▶ over
//       │            └─ refused ────────▲
//       └─ not reached, silent, no SMTP, out of time ─▶ over
import { type Connect, type ConnectTarget, type Reply, ReplyReader } from '@mxproof/engine';

export type Greeting =
  /** `hello` is null where nothing came after the banner. */
  | { readonly kind: 'answered'; readonly banner: Reply; readonly hello: Reply | null }
  /** The banner itself is a refusal. */
  | { readonly kind: 'turned_away'; readonly banner: Reply }
  | { readonly kind: 'no_smtp'; readonly why: string }
  /** Connected, and no banner came. */
  | { readonly kind: 'silent' }
  /** `error`: an errno word; ETIMEDOUT where nothing answered in time. */
  | { readonly kind: 'unreached'; readonly error: string };

export interface GreetingOptions {
  readonly connect: Connect;
  readonly target: ConnectTarget;
  readonly helo: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const READY = 220;
/** For the answer to QUIT, which nothing depends on. */
const QUIT_MS = 1_000;

export function greet(options: GreetingOptions): Promise<Greeting> {
  return new Promise((done) => {
    new Dialogue(options, done);
  });
}

class Dialogue {
  readonly #done: (greeting: Greeting) => void;
  readonly #signal: AbortSignal;
  readonly #helo: string;
  readonly #reader: ReplyReader;
  readonly #wire: ReturnType<Connect>;
  #timer: NodeJS.Timeout;
  #isConnected = false;
  #banner: Reply | null = null;
  #hello: Reply | null = null;
  #broken: string | null = null;
  #hasQuit = false;
  #isOver = false;

  constructor(
    { connect, target, helo, timeoutMs, signal }: GreetingOptions,
    done: (greeting: Greeting) => void,
  ) {
    this.#done = done;
    this.#signal = signal;
    this.#helo = helo;
    this.#reader = new ReplyReader({
      reply: (reply) => this.#heard(reply),
      broken: (why) => {
        this.#broken = why;
        this.#end(null);
      },
    });
    this.#timer = setTimeout(this.#outOfTime, timeoutMs);
    signal.addEventListener('abort', this.#outOfTime);
    this.#wire = connect(target, {
      connected: () => {
        this.#isConnected = true;
      },
      data: (chunk) => this.#reader.push(Buffer.from(chunk).toString('latin1')),
      secured: () => {},
      closed: (error) => this.#end(error),
    });
    if (signal.aborted) this.#outOfTime();
  }

  readonly #outOfTime = (): void => this.#end('ETIMEDOUT');

  #heard(reply: Reply): void {
    if (this.#isOver) return;
    if (this.#hasQuit) this.#end(null);
    else if (this.#banner === null) {
      this.#banner = reply;
      if (reply.code === READY) this.#wire.write(`EHLO ${this.#helo}\r\n`);
      else this.#quit();
    } else {
      this.#hello = reply;
      this.#quit();
    }
  }

  #quit(): void {
    this.#hasQuit = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(null), QUIT_MS);
    this.#wire.write('QUIT\r\n');
  }

  #end(error: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#outOfTime);
    this.#reader.stop();
    this.#wire.destroy();
    this.#done(this.#conclude(error));
  }

  #conclude(error: string | null): Greeting {
    const [banner, hello] = [this.#banner, this.#hello];
    if (banner === null) {
      if (this.#broken !== null) return { kind: 'no_smtp', why: this.#broken };
      return this.#isConnected ? { kind: 'silent' } : { kind: 'unreached', error: error ?? 'ECONNRESET' };
    }
    return banner.code === READY ? { kind: 'answered', banner, hello } : { kind: 'turned_away', banner };
  }
}
