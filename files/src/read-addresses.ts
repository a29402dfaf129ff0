// The addresses in a text as people write, copy and paste it: lists, mail headers, cells, sentences.
// Promise: read once from left to right, so that a text costs no more than its length; no address is lost in silence, and
// text that is not an address is reported too, except names, labels and comments. The engine says whether an address is good.
//
//   Ann Lee <a@x.org>, "Lee, Bob" <b@x.org>; mailto:c@x.org      a@x.org  b@x.org  c@x.org
//   Team: d@x.org, e@x.org; (old) f@x.org. foo                   d@x.org  e@x.org  f@x.org  foo

export interface TextItem {
  readonly text: string;
  /** Meant as one: it has an @. */
  readonly isAddress: boolean;
  /** Of an address: nothing but blanks parts it from words before it. They may belong to it: `ann lee@x.org`. */
  readonly isJoined: boolean;
  /** `Ann Lee <ann@x.org>`: what stands before the bracket. */
  readonly name?: string;
}

/**
 * The addresses of a line or a field that should hold one; without any, the text itself, to be judged as it is. One word is
 * that word, whatever its faults: nothing is taken away from a text that is to be judged.
 */
export function addressesIn(text: string): readonly string[] {
  const whole = trimmed(text);
  if (isWord(whole)) return [whole.replace(/^mailto:/i, '')];
  const found = readAddresses(whole).filter(({ isAddress }) => isAddress);
  return found.length === 0 || found[0]!.isJoined ? [whole] : found.map((item) => item.text);
}

/** Without a separator, a name or a bracket. */
export function isWord(text: string): boolean {
  return !/[\s,;<>()"\u3001\uff0c\uff1b]/.test(text);
}

/** Where an address is written, also one that is a name or stands there a second time. */
export interface AddressPlace {
  /** The address itself; between the two, invisible characters may stand in it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function readAddresses(text: string): readonly TextItem[] {
  return new AddressReader(text, true, 0).read();
}

/** With the places of all addresses, in their order. */
export function readPlaces(text: string): {
  readonly items: readonly TextItem[];
  readonly places: readonly AddressPlace[];
} {
  const reader = new AddressReader(text, true, 0);
  const items = reader.read();
  return { items, places: reader.places.toSorted((a, b) => a.start - b.start) };
}

// Sets of characters rather than expressions: each character is looked up several times.
const LINE_ENDS = new Set('\n\r\v\f\u0085\u2028\u2029');
/** Line ends, too; but not the byte-order mark, which is one of the invisible. */
const BLANKS = new Set([
  ...Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(code)),
  ...'\u007f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
]);
const COMMAS = new Set(',，、،﹐﹑､');
const SEMICOLONS = new Set(';；؛﹔');
const COLONS = new Set(':：﹕');
const OPENING = new Set('<＜〈');
const CLOSING = new Set('>＞〉');
/** They part words, wherever they stand. */
const BRACKETS = new Set('<>＜＞〈〉()（）[]［］【】「」『』《》«»‹›“”„');
const BOUNDARIES = new Set([...BLANKS, ...COMMAS, ...SEMICOLONS, ...COLONS, ...BRACKETS]);
const BRACKETS_AND_LINE_ENDS = new Set([...BRACKETS, ...LINE_ENDS]);
const BRACKETS_AND_BLANKS = new Set([...BRACKETS, ...BLANKS]);
const WORD_ENDS = new Set([...BOUNDARIES, '@']);
const COMMENT_ENDS = new Set('()（）@\n\r');
/** Around an address, one on each side. */
const WRAPPING = new Set("'‘’`*_~");
/** Between two addresses. */
const JOINING = new Set('|/\\&+');
const DOTS = new Set('.。．｡');
/** Words on a page are often broken at them, and readers do not see it. */
const INVISIBLE = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const INVISIBLES = new RegExp(INVISIBLE, 'g');
const UNSEEN =
  /[\s\u0000-\u001f\u007f\u0085\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]/;
/** `,com`, `,co.uk` and no word or address. */
const ENDING_BEHIND_COMMA = /,[a-z]{2,4}(?:\.[a-z]{2,3})?(?=[\s,;<>()"]|$)/iy;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** In ASCII. */
const IN_DOMAIN = new Set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@');
/** Beyond ASCII, what no domain has. */
const AFTER_DOMAIN = new Set('‘’…！？');

interface Name {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Where a quoted one begins. */
  readonly start: number;
}

class AddressReader {
  readonly places: AddressPlace[] = [];
  readonly #text: string;
  /** Where the text begins in the one that it is a part of. */
  readonly #offset: number;
  readonly #takesQuotes: boolean;
  readonly #items: TextItem[] = [];
  #at = 0;
  /** Words since the last comma; with those before it, a name where `<` follows. */
  #words: string[] = [];
  #names: Name[] = [];
  /** Nothing but blanks since the last address. */
  #isAfterAddress = false;
  #addressEnd = -1;
  /** The last label was `mailto:`. */
  #isLink = false;

  constructor(text: string, takesQuotes: boolean, offset: number) {
    this.#text = text;
    this.#offset = offset;
    this.#takesQuotes = takesQuotes;
  }

  read(): readonly TextItem[] {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at]!);
    this.#flush();
    return this.#items;
  }

  #step(char: string): void {
    if (char === '"') this.#quoted();
    else if (OPENING.has(char)) this.#bracketed();
    else if (char === '(' || char === '（') this.#comment();
    else if (!BOUNDARIES.has(char)) this.#word();
    else {
      this.#at += 1;
      if (LINE_ENDS.has(char)) {
        // A mail header goes on in the next line.
        if (!this.#isBeforeBracket()) this.#flush();
      } else if (SEMICOLONS.has(char)) this.#flush();
      else if (COMMAS.has(char)) {
        this.#endName();
        this.#endQuoted();
      } else if (COLONS.has(char)) this.#label();
    }
  }

  /** `Team A:`, `To:`, `mailto:` say what follows. */
  #label(): void {
    const isUrl = this.#text.startsWith('//', this.#at);
    this.#isLink = this.#words.at(-1)?.toLowerCase() === 'mailto';
    if (!isUrl) {
      this.#words = [];
      return;
    }
    const from = this.#at;
    this.#at = this.#until(BLANKS, from);
    this.#words.push(`${this.#words.pop() ?? ''}:${this.#text.slice(from, this.#at)}`);
  }

  #word(): void {
    const from = this.#at;
    this.#at = this.#until(WORD_ENDS, from);
    if (this.#text[this.#at] === '@') this.#address(from);
    else this.#addWord(this.#text.slice(from, this.#at));
  }

  #addWord(text: string): void {
    const isNumbered =
      /^\d{1,4}\.?$/.test(text) && /[.)）]/.test(text.at(-1)! + (this.#text[this.#at] ?? ''));
    const word = withoutInvisible(text);
    if (isNumbered || !LETTER_OR_DIGIT.test(word)) return;
    this.#endQuoted();
    this.#isAfterAddress = false;
    this.#words.push(word);
  }

  /** Its local part is read, and the @ is next. */
  #address(from: number): void {
    const isLink = this.#isLink;
    this.#at += 1;
    const domainAt = this.#at;
    if (this.#text[this.#at] === '[') this.#literal();
    else while (this.#at < this.#text.length && isInDomain(this.#text[this.#at]!)) this.#at += 1;
    let [start, end] = [from, this.#at];
    // `a@x.org/b@x.org`
    if (from === this.#addressEnd && JOINING.has(this.#text[from]!)) start += 1;
    this.#at = end = this.#commaForDot(domainAt, end);
    while (WRAPPING.has(this.#text[start]!) && isPair(this.#text[start]!, this.#text[this.#at] ?? '')) {
      start += 1;
      this.#at += 1;
    }
    if (this.#text[start] === '_' && this.#text[end - 1] === '_') [start, end] = [start + 1, end - 1];
    this.#addressEnd = this.#at;
    while (end > start && DOTS.has(this.#text[end - 1]!)) end -= 1;
    const isJoined = this.#words.length > 0;
    this.#flush();
    const address = withoutInvisible(this.#text.slice(start, end));
    this.#place(address, start, end);
    this.#add(address, isJoined);
    // `mailto:a@x.org?subject=Hello`
    if (isLink && this.#text[this.#at] === '?') this.#at = this.#until(BOUNDARIES, this.#at);
  }

  /** `bob@gmail,com`: where the domain ends, which has no dot but for this comma. */
  #commaForDot(domainAt: number, end: number): number {
    if (this.#text[end] !== ',' || !/^[a-z0-9-]+$/i.test(this.#text.slice(domainAt, end))) return end;
    ENDING_BEHIND_COMMA.lastIndex = end;
    return end + (ENDING_BEHIND_COMMA.exec(this.#text)?.[0].length ?? 0);
  }

  /** `[192.0.2.1]`: no address that we take, but to be shown whole. */
  #literal(): void {
    const to = this.#until(BRACKETS_AND_BLANKS, this.#at + 1);
    this.#at = this.#text[to] === ']' ? to + 1 : this.#at;
  }

  /** A name, or the local part of an address. Never beyond the line. */
  #quoted(): void {
    let to = this.#at + 1;
    while (to < this.#text.length && this.#text[to] !== '"' && !LINE_ENDS.has(this.#text[to]!))
      to += this.#text[to] === '\\' ? 2 : 1;
    const from = this.#at;
    if (this.#text[to] !== '"' || !this.#takesQuotes) {
      this.#at += 1;
      return;
    }
    this.#at = to + 1;
    const content = this.#text.slice(from + 1, to);
    if (this.#text[this.#at] === '@') this.#address(from);
    else if (content.includes('@')) {
      this.#endQuoted();
      this.#endName();
      this.#names.push({ text: content, isQuoted: true, start: from + 1 });
    } else this.#addWord(content);
  }

  /** `<a@x.org>`: what stands before it was a name. */
  #bracketed(): void {
    const to = this.#until(BRACKETS_AND_LINE_ENDS, this.#at + 1);
    const content = CLOSING.has(this.#text[to] ?? '')
      ? addressWithin(this.#text.slice(this.#at + 1, to))
      : null;
    if (content === null) {
      this.#at += 1;
      return;
    }
    const inner = this.#text.slice(this.#at + 1, to);
    const found = inner.indexOf(content);
    const start = this.#at + 1 + Math.max(0, found);
    this.#place(content, start, found < 0 ? to : start + content.length);
    this.#at = to + 1;
    const names = this.#names.filter(({ isQuoted }) => !isQuoted).map(({ text }) => text);
    const name = [...names, this.#words.join(' ')].filter(Boolean).join(', ');
    this.#words = [];
    // A name may be an address as well.
    for (const name of this.#names) if (name.isQuoted) this.#within(name);
    this.#names = [];
    // `a@x.org <mailto:a@x.org>`, as mail programs copy a link.
    const last = this.#items.at(-1)?.text.toLowerCase();
    if (!this.#isAfterAddress || last !== content.toLowerCase()) this.#add(content, false, name);
  }

  /** `(Ann)`, left out; `(a@x.org)` is read. */
  #comment(): void {
    const to = this.#until(COMMENT_ENDS, this.#at + 1);
    this.#at = this.#text[to] === ')' || this.#text[to] === '）' ? to + 1 : this.#at + 1;
  }

  /** Where the first of them is, or the end. */
  #until(ends: ReadonlySet<string>, from: number): number {
    let at = from;
    while (at < this.#text.length && !ends.has(this.#text[at]!)) at += 1;
    return at;
  }

  #isBeforeBracket(): boolean {
    let to = this.#at;
    while (to < this.#text.length && BLANKS.has(this.#text[to]!) && !LINE_ENDS.has(this.#text[to]!)) to += 1;
    // After CR comes LF.
    return OPENING.has(this.#text[to] ?? '') || (to === this.#at && this.#text[to] === '\n');
  }

  /** `"a@x.org" <` is a name, before anything else an address. */
  #endQuoted(): void {
    if (this.#names.at(-1)?.isQuoted) this.#flush();
  }

  #endName(): void {
    if (this.#words.length > 0) this.#names.push({ text: this.#words.join(' '), isQuoted: false, start: -1 });
    this.#words = [];
    this.#isAfterAddress = false;
    this.#isLink = false;
  }

  /** No `<` came: they were no names. */
  #flush(): void {
    this.#endName();
    for (const name of this.#names)
      if (name.isQuoted) this.#items.push(...this.#within(name));
      else this.#items.push({ text: name.text, isAddress: false, isJoined: false });
    this.#names = [];
  }

  #within({ text, start }: Name): readonly TextItem[] {
    const reader = new AddressReader(text, false, this.#offset + start);
    const items = reader.read();
    this.places.push(...reader.places);
    return items;
  }

  #place(text: string, start: number, end: number): void {
    this.places.push({ text, start: this.#offset + start, end: this.#offset + end });
  }

  #add(text: string, isJoined = false, name = ''): void {
    this.#items.push({ text, isAddress: true, isJoined, ...(name !== '' && { name }) });
    this.#isAfterAddress = true;
    this.#isLink = false;
  }
}

function isInDomain(char: string): boolean {
  return char <= '\u007f' ? IN_DOMAIN.has(char) : !BOUNDARIES.has(char) && !AFTER_DOMAIN.has(char);
}

function isPair(opening: string, closing: string): boolean {
  return opening === '‘' ? closing === '’' : opening === closing;
}

/** ` mailto:a@x.org?subject=x ` → `a@x.org`; null: no address, or more than one. */
function addressWithin(content: string): string | null {
  const text = trimmed(withoutInvisible(content));
  const link = /^mailto:/i.test(text);
  const address = link ? text.slice('mailto:'.length).split('?', 1)[0]! : text;
  if (!address.includes('@') || address.includes('://')) return null;
  for (const char of address) if (BLANKS.has(char) || COMMAS.has(char) || SEMICOLONS.has(char)) return null;
  return address;
}

function withoutInvisible(text: string): string {
  return INVISIBLE.test(text) ? text.replace(INVISIBLES, '') : text;
}

/** Without the blanks and the invisible characters at both ends. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && UNSEEN.test(text[start]!)) start += 1;
  while (end > start && UNSEEN.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
