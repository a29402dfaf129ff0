// How many characters a backtracking matcher looks at for a regular expression, which V8 does not tell. Promise: it finds
// what V8 finds, or throws; an expression with syntax that it does not know is an error, never free.

/** @returns whether it matches from `at`, and the rest from where that ends */
type Matcher = (at: number, rest: (at: number) => boolean) => boolean;

export class TooManySteps extends Error {}

export class RegexpSteps {
  readonly #matchers = new Map<string, Compiled>();

  /** Of one call of `exec` from `from`, whose answer was `found`; more than `max` throw. */
  of(pattern: RegExp, text: string, from: number, found: RegExpExecArray | null, max: number): number {
    const { source, flags } = pattern;
    const key = `${flags}/${source}`;
    let compiled = this.#matchers.get(key);
    if (compiled === undefined) {
      compiled = new Compiled(source, flags);
      this.#matchers.set(key, compiled);
    }
    const { steps, start, end } = compiled.search(text, from, max);
    const isSame = found === null ? start < 0 : found.index === start && start + found[0].length === end;
    if (!isSame) throw new Error(`${pattern} is counted wrongly on ${JSON.stringify(text.slice(0, 200))}`);
    return steps;
  }
}

class Compiled {
  readonly #source: string;
  readonly #flags: string;
  readonly #matcher: Matcher;
  readonly #isSticky: boolean;
  #at = 0;
  #groups = 0;
  #text = '';
  #steps = 0;
  #max = 0;
  #captures: (readonly [number, number] | null)[] = [];

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/g, '');
    this.#isSticky = flags.includes('y');
    this.#matcher = this.#alternatives();
    if (this.#at < source.length) throw new Error(`/${source}/ cannot be counted`);
  }

  search(text: string, from: number, max: number): { steps: number; start: number; end: number } {
    this.#text = text;
    this.#steps = 0;
    this.#max = max;
    // V8 does not look further either where it must begin at the start.
    const last = this.#isSticky ? from : this.#source.startsWith('^') ? 0 : text.length;
    for (let start = from; start <= last; start += 1) {
      this.#captures = [];
      this.#step();
      let end = -1;
      const isFound = this.#matcher(start, (at) => {
        end = at;
        return true;
      });
      if (isFound) return { steps: this.#steps, start, end };
    }
    return { steps: this.#steps, start: -1, end: -1 };
  }

  #alternatives(): Matcher {
    const all = [this.#sequence()];
    while (this.#take('|')) all.push(this.#sequence());
    return (at, rest) => all.some((one) => one(at, rest));
  }

  #sequence(): Matcher {
    const all: Matcher[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) all.push(this.#term());
    const from = (index: number, at: number, rest: (at: number) => boolean): boolean =>
      index === all.length ? rest(at) : all[index]!(at, (next) => from(index + 1, next, rest));
    return (at, rest) => from(0, at, rest);
  }

  #term(): Matcher {
    if (this.#take('^')) return (at, rest) => at === 0 && rest(at);
    if (this.#take('$')) return (at, rest) => at === this.#text.length && rest(at);
    if (this.#take('(')) return this.#quantifiedGroup();
    const backreference = /^\\([1-9])/.exec(this.#source.slice(this.#at))?.[1];
    if (backreference !== undefined) {
      this.#at += 2;
      return this.#reference(Number(backreference));
    }
    return this.#quantifiedSign();
  }

  #quantifiedGroup(): Matcher {
    const number = this.#take('?:') ? null : ++this.#groups;
    const inner = this.#alternatives();
    if (!this.#take(')')) throw new Error(`/${this.#source}/ cannot be counted`);
    const group: Matcher = (at, rest) =>
      inner(at, (end) => {
        if (number === null) return rest(end);
        const before = this.#captures[number];
        this.#captures[number] = [at, end];
        if (rest(end)) return true;
        this.#captures[number] = before ?? null;
        return false;
      });
    const { min, max } = this.#quantifier();
    if (max > 1) throw new Error(`/${this.#source}/ cannot be counted`);
    if (min === 1) return group;
    return (at, rest) => group(at, rest) || rest(at);
  }

  #reference(number: number): Matcher {
    return (at, rest) => {
      const [from, to] = this.#captures[number] ?? [0, 0];
      this.#steps += to - from;
      const said = this.#text.slice(from, to);
      return this.#text.startsWith(said, at) && rest(at + said.length);
    };
  }

  /** In a loop, not by calls within calls: a text may be long. */
  #quantifiedSign(): Matcher {
    const isSign = this.#sign();
    const { min, max, isLazy } = this.#quantifier();
    const sizeAt = this.#flags.includes('u')
      ? (at: number) => (this.#text.codePointAt(at)! > 0xffff ? 2 : 1)
      : () => 1;
    const after = (at: number) => {
      this.#step();
      if (at >= this.#text.length) return -1;
      const size = sizeAt(at);
      return isSign(this.#text.slice(at, at + size)) ? at + size : -1;
    };
    return (start, rest) => {
      const ends: number[] = [start];
      const isTaken = (count: number) => count >= min && rest(ends[count]!);
      for (let count = 0; ; count += 1) {
        if (isLazy && isTaken(count)) return true;
        const next = count < max ? after(ends[count]!) : -1;
        if (next < 0) break;
        ends.push(next);
      }
      if (isLazy) return false;
      for (let count = ends.length - 1; count >= min; count -= 1) {
        this.#step();
        if (isTaken(count)) return true;
      }
      return false;
    };
  }

  #sign(): (char: string) => boolean {
    const one = /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\da-f]{4}|\\.|[^\\])/isu.exec(
      this.#source.slice(this.#at),
    )![0];
    this.#at += one.length;
    const pattern = new RegExp(`^${one}$`, this.#flags);
    const known = new Map<string, boolean>();
    return (char) => {
      const said = known.get(char);
      if (said !== undefined) return said;
      const is = pattern.test(char);
      known.set(char, is);
      return is;
    };
  }

  #quantifier(): { min: number; max: number; isLazy: boolean } {
    const [all = '', sign = '', least, most] =
      /^(?:([*+?])|\{(\d+)(?:,(\d*))?\})/.exec(this.#source.slice(this.#at)) ?? [];
    const isRange = all.startsWith('{');
    this.#at += all.length;
    const isLazy = all !== '' && this.#take('?');
    const min = isRange ? Number(least) : sign === '*' || sign === '?' ? 0 : 1;
    const isOpen = sign === '*' || sign === '+' || most === '';
    const max = isOpen ? Number.POSITIVE_INFINITY : isRange ? Number(most ?? least) : 1;
    return { min, max, isLazy };
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > this.#max) throw new TooManySteps();
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
