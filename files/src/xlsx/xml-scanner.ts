// The tags and texts of an XML document as they arrive. Promise: what it hands over, joined, is the document again, and
// the same however it was cut; a character is looked at once, however long the tag or text that it belongs to, and these
// are bounded; a document type is refused, so no entity is defined or expanded.

import { FileError } from '../file-error.ts';

/** A cell holds 32,767 characters, each at most a few more as an entity; anything longer is not a sheet. */
const MAX_PIECE_CHARACTERS = 1_048_576;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export interface XmlHandlers {
  /** `<row r="1">`, `</row>`, `<row/>`: the name without its prefix. */
  onTag(name: string, raw: string): void;
  /** Text between tags, comments, instructions. */
  onOther(raw: string): void;
}

/** How a piece ends that is neither a tag nor a text. */
const ENDS = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;
/** Of what may be the beginning of an end, one less than the longest of them. */
const END_OVERLAP = 2;

const LT = 0x3c;
const GT = 0x3e;
const DOUBLE = 0x22;
const SINGLE = 0x27;

export class XmlScanner {
  readonly #handlers: XmlHandlers;
  /** What has arrived of a piece and was looked at; it is never looked at again. */
  #begun: string[] = [];
  #begunLength = 0;
  /** The last few characters, where it takes more of them to tell. */
  #carry = '';
  /** What the piece is, as far as it has been read: null before its first characters. */
  #kind: 'text' | 'tag' | 'other' | null = null;
  /** Of a tag: the quote that is open, or 0. */
  #quote = 0;
  /** Of what is neither tag nor text. */
  #end = '';

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
  }

  push(arrived: string): void {
    // One flat string: of a concatenation V8 may make a copy for every piece that is cut out of it, and keep them all.
    const text = [this.#carry, arrived].join('');
    this.#carry = '';
    let at = 0;
    while (at < text.length) {
      let from = at;
      if (this.#kind === null) {
        from = this.#begin(text, at);
        if (from < 0) {
          this.#carry = text.slice(at);
          return;
        }
      }
      const end = this.#endIn(text, from);
      if (end < 0) {
        this.#keep(text, at, from);
        return;
      }
      this.#finish(text.slice(at, end));
      at = end;
    }
  }

  end(): void {
    const isText = this.#kind === null || this.#kind === 'text';
    if (!isText || (this.#begun.join('') + this.#carry).trim() !== '') throw broken('is cut off');
  }

  /** @returns from where its end is to be looked for; -1: it takes more characters to tell */
  #begin(text: string, at: number): number {
    this.#quote = 0;
    if (text.charCodeAt(at) !== LT) {
      this.#kind = 'text';
      return at;
    }
    if (at + 1 === text.length) return -1;
    const sign = text[at + 1];
    if (sign !== '!' && sign !== '?') {
      this.#kind = 'tag';
      return at + 1;
    }
    for (const [begin, end] of ENDS) {
      if (text.startsWith(begin, at)) {
        this.#kind = 'other';
        this.#end = end;
        return at + begin.length;
      }
      if (text.length - at < begin.length && begin.startsWith(text.slice(at))) return -1;
    }
    throw broken('has a document type');
  }

  /** Behind the end of the piece that has begun; -1: not here yet. */
  #endIn(text: string, from: number): number {
    if (this.#kind === 'text') return text.indexOf('<', from);
    if (this.#kind === 'tag') return this.#endOfTag(text, from);
    const at = text.indexOf(this.#end, from);
    return at < 0 ? -1 : at + this.#end.length;
  }

  /** A `>` within a quoted attribute does not end it. */
  #endOfTag(text: string, from: number): number {
    let quote = this.#quote;
    for (let at = from; at < text.length; at += 1) {
      const char = text.charCodeAt(at);
      if (quote !== 0) {
        if (char === quote) quote = 0;
      } else if (char === GT) return at + 1;
      else if (char === DOUBLE || char === SINGLE) quote = char;
    }
    this.#quote = quote;
    return -1;
  }

  /** `looked`: from where the end was looked for, so that no beginning is taken for a part of it. */
  #keep(text: string, from: number, looked: number): void {
    const to = this.#kind === 'other' ? Math.max(looked, text.length - END_OVERLAP) : text.length;
    this.#carry = text.slice(to);
    this.#begun.push(text.slice(from, to));
    this.#bound(to - from);
  }

  #bound(length: number): void {
    this.#begunLength += length;
    if (this.#begunLength > MAX_PIECE_CHARACTERS) throw broken('has a cell that is too long');
  }

  #finish(rest: string): void {
    this.#bound(rest.length);
    const raw = this.#begun.length === 0 ? rest : this.#begun.join('') + rest;
    const isTag = this.#kind === 'tag';
    if (this.#begun.length > 0) this.#begun = [];
    this.#begunLength = 0;
    this.#kind = null;
    if (isTag) this.#handlers.onTag(nameOf(raw), raw);
    else this.#handlers.onOther(raw);
  }
}

function nameOf(raw: string): string {
  const name = /^<\/?([^\s/>]+)/.exec(raw)?.[1] ?? '';
  return name.slice(name.indexOf(':') + 1);
}

const ATTRIBUTES = new Map<string, RegExp>();

/** The value of an attribute, null without it; a prefix belongs to the name. */
export function attributeOf(raw: string, name: string): string | null {
  let pattern = ATTRIBUTES.get(name);
  if (pattern === undefined) {
    pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
    ATTRIBUTES.set(name, pattern);
  }
  const match = pattern.exec(raw);
  return match === null ? null : decodeXml(match[1] ?? match[2]!);
}

/** What an attribute's value, a text, or what stands in its place says: a comment says nothing. */
export function decodeXml(text: string): string {
  if (text.startsWith('<![CDATA[')) return text.slice('<![CDATA['.length, -']]>'.length);
  if (text.startsWith('<!--') || text.startsWith('<?')) return '';
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(\w{1,6}));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export function encodeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

function broken(how: string): FileError {
  return new FileError(
    'damaged',
    `The sheet cannot be read, since its XML ${how}: open the workbook and save it again.`,
  );
}
