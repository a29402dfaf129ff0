// A file of disposable domains → its entries. One entry a line: `example.com` is disposable, `!example.com` or `allow example.com`
// never is; `#` begins a comment. Promise: linear in the text, which may come in pieces of any size; what is not an entry is a
// fault with the number of its line.
import { asciiDomain } from '../address/ascii-domain.ts';
import { detached } from '../detach-string.ts';
import type { OverrideEntries } from './disposable-overrides.ts';

export class OverridesFault extends Error {
  readonly line: number;

  constructor(line: number, why: string) {
    super(`line ${line}: ${why}`);
    this.line = line;
  }
}

export const MAX_OVERRIDE_LINES = 1_000_000;
/** A domain has at most 253 characters; the rest is for a comment. */
const MAX_LINE_CHARACTERS = 1_000;
const BYTE_ORDER_MARK = '\uFEFF';
const ALLOWS = /^(?:!|allow\s)\s*/i;
/** Most lines: nothing has to be converted. */
const PLAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_PLAIN_CHARACTERS = 253;

export class OverridesReader {
  readonly #denied = new Set<string>();
  readonly #allowed = new Set<string>();
  #lines = 0;
  /** Of a line whose end has not come yet. */
  #rest = '';

  /** @throws OverridesFault */
  push(piece: string): void {
    const text = this.#rest + piece;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#line(text.slice(start, end));
      start = end + 1;
    }
    if (text.length - start > MAX_LINE_CHARACTERS) throw this.#tooLong(this.#lines + 1);
    this.#rest = text.slice(start);
  }

  /** @throws OverridesFault */
  end(): OverrideEntries {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
    return { denied: this.#denied, allowed: this.#allowed };
  }

  #line(line: string): void {
    this.#lines += 1;
    if (this.#lines > MAX_OVERRIDE_LINES)
      throw new OverridesFault(this.#lines, `there are more than ${MAX_OVERRIDE_LINES} lines`);
    if (line.length > MAX_LINE_CHARACTERS) throw this.#tooLong(this.#lines);
    const hash = line.indexOf('#');
    let entry = (hash < 0 ? line : line.slice(0, hash)).trim();
    if (this.#lines === 1 && entry.startsWith(BYTE_ORDER_MARK)) entry = entry.slice(1).trim();
    if (entry === '') return;
    const domain = entry.replace(ALLOWS, '');
    (domain === entry ? this.#denied : this.#allowed).add(this.#domain(domain));
  }

  #domain(text: string): string {
    // What is kept must not keep the piece of the file that it was cut from.
    if (text.length <= MAX_PLAIN_CHARACTERS && PLAIN.test(text)) return detached(text);
    const read = asciiDomain(text);
    if (!read.ok) throw new OverridesFault(this.#lines, `not a domain: ${read.why}`);
    if (!read.domain.includes('.')) throw new OverridesFault(this.#lines, 'not a domain: it has no dot');
    return read.domain;
  }

  #tooLong(line: number): OverridesFault {
    return new OverridesFault(line, `longer than ${MAX_LINE_CHARACTERS} characters`);
  }
}
