// The way out of a host session: latency, pieces, and the two ways of not speaking SMTP at all.
// Promise: what is said first arrives first, whatever the latency and however small the pieces; nothing is said
// once the connection is gone.
import type { Clock } from '@mxproof/engine';
import type { Random } from './random.ts';
import type { HostSpec } from './spec.ts';

export interface SessionPort {
  send(data: string | Uint8Array): void;
  /** From here on bytes are TLS. */
  startTls(): void;
  /** Ends the connection after what was sent. */
  end(): void;
  /** Ends it with RST. */
  reset(): void;
}

const ENDLESS_BANNER_LINES_MAX = 200_000;
const ENDLESS_BANNER_GAP_MS = 5;
const GARBAGE_BYTES = 4096;

export class ReplyPipe {
  readonly #port: SessionPort;
  readonly #clock: Clock;
  readonly #latencyMs: number;
  readonly #fragment: HostSpec['fragment'];
  #gone = false;
  #crumbling = false;
  /** What has to wait until the pieces before it have left. */
  #behind: (() => void)[] = [];

  constructor(port: SessionPort, clock: Clock, spec: HostSpec) {
    this.#port = port;
    this.#clock = clock;
    this.#latencyMs = spec.replyDelayMs ?? 0;
    this.#fragment = spec.fragment;
  }

  send(text: string): void {
    const fragment = this.#fragment;
    if (fragment === undefined) this.#later(() => this.#port.send(text));
    else this.#later(() => this.#crumble(Buffer.from(text), fragment.bytes, fragment.gapMs));
  }

  startTls(): void {
    this.#later(() => this.#port.startTls());
  }

  end(how: 'drop' | 'reset', ended: () => void): void {
    this.#later(() => {
      // Counted out before the client learns of it: it may reconnect at once.
      ended();
      if (how === 'drop') this.#port.end();
      else this.#port.reset();
    });
  }

  closed(): void {
    this.#gone = true;
  }

  sendGarbage(random: Random): void {
    const bytes = Uint8Array.from({ length: GARBAGE_BYTES }, () => random.between(0, 255));
    this.#later(() => this.#port.send(bytes));
  }

  sendEndlessly(name: string, line = 0): void {
    if (this.#gone || line >= ENDLESS_BANNER_LINES_MAX) return;
    this.#port.send(`220-${name} welcomes you, line ${line} of many\r\n`);
    this.#clock.setTimeout(() => this.sendEndlessly(name, line + 1), ENDLESS_BANNER_GAP_MS);
  }

  /** After the host's latency; equal delays keep their order. */
  #later(action: () => void): void {
    if (this.#latencyMs === 0) this.#act(action);
    else this.#clock.setTimeout(() => this.#act(action), this.#latencyMs);
  }

  #act(action: () => void): void {
    if (this.#gone) return;
    if (this.#crumbling) this.#behind.push(action);
    else action();
  }

  #crumble(bytes: Uint8Array, size: number, gapMs: number): void {
    this.#crumbling = bytes.length > 0;
    if (this.#gone) return;
    if (bytes.length === 0) {
      const behind = this.#behind;
      this.#behind = [];
      for (const action of behind) this.#act(action);
      return;
    }
    this.#port.send(bytes.subarray(0, size));
    this.#clock.setTimeout(() => this.#crumble(bytes.subarray(size), size, gapMs), gapMs);
  }
}
