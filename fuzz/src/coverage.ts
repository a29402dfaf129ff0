// Which code has run, by V8's own count of blocks: what reaches code that nothing reached before is worth building on.
// Promise: only our own sources count, and a block is new once.
import { Session } from 'node:inspector';

const OURS = /\/(?:common|engine|server|files)\/src\//;

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

export class Coverage {
  readonly #session = new Session();
  readonly #ours: RegExp;
  /** Of each function, which of its characters have run. */
  readonly #seen = new Map<string, Uint8Array>();

  /** Before the code to be watched is loaded: V8 counts no block of what was compiled earlier. */
  constructor(ours = OURS) {
    this.#ours = ours;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** What has run since the last call. */
  take(): readonly Script[] {
    let scripts: readonly Script[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      scripts = taken.result.filter(({ url }) => this.#ours.test(url));
    });
    return scripts;
  }

  /** How many blocks have run since the last call, each as often as it ran. */
  blocks(): number {
    let blocks = 0;
    for (const { functions } of this.take())
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    return blocks;
  }

  /** Whether any of it never ran before; `marked`: it has from now on. */
  hasNew(scripts: readonly Script[], marked: boolean): boolean {
    let isNew = false;
    for (const script of scripts) if (this.#isNew(script, marked)) isNew = true;
    return isNew;
  }

  close(): void {
    this.#session.disconnect();
  }

  #isNew({ url, functions }: Script, marked: boolean): boolean {
    let isNew = false;
    for (const { ranges } of functions) {
      const [whole] = ranges;
      if (whole === undefined || whole.count === 0) continue;
      const { startOffset: start, endOffset: end } = whole;
      const ran = new Uint8Array(end - start);
      // An inner range comes behind the one it lies in.
      for (const { startOffset, endOffset, count } of ranges)
        ran.fill(count > 0 ? 1 : 0, startOffset - start, endOffset - start);
      const seen = this.#of(`${url} ${start}`, ran.length);
      for (let at = 0; at < ran.length; at += 1) {
        if (ran[at] === 0 || seen[at] === 1) continue;
        isNew = true;
        if (!marked) return true;
        seen[at] = 1;
      }
    }
    return isNew;
  }

  /** A function apart from the one it stands in, which may have run without it. */
  #of(place: string, length: number): Uint8Array {
    const seen = this.#seen.get(place) ?? new Uint8Array(length);
    this.#seen.set(place, seen);
    return seen;
  }
}
