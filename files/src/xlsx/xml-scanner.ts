// The tags and texts of an XML document as they arrive. Promise: what it hands over, joined, is the document again;
// a document type is refused, so no entity is defined or expanded; a tag or text is bounded.

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

export class XmlScanner {
  readonly #handlers: XmlHandlers;
  #rest = '';

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
  }

  push(text: string): void {
    const all = this.#rest + text;
    let at = 0;
    while (at < all.length) {
      const end = endOfPiece(all, at);
      if (end < 0) break;
      const raw = all.slice(at, end);
      if (isTag(all, at)) this.#handlers.onTag(nameOf(raw), raw);
      else this.#handlers.onOther(raw);
      at = end;
    }
    this.#rest = all.slice(at);
    if (this.#rest.length > MAX_PIECE_CHARACTERS) throw broken('has a cell that is too long');
  }

  end(): void {
    if (this.#rest.trim() !== '') throw broken('is cut off');
  }
}

function isTag(text: string, at: number): boolean {
  return text[at] === '<' && text[at + 1] !== '!' && text[at + 1] !== '?';
}

/** Where the tag, comment or text that begins at `at` ends; -1: not here yet. */
function endOfPiece(text: string, at: number): number {
  if (text[at] !== '<') return text.indexOf('<', at);
  if (at + 1 === text.length) return -1;
  if (text[at + 1] === '?') return after(text, '?>', at);
  if (text[at + 1] === '!') {
    if (text.startsWith('<!--', at)) return after(text, '-->', at + 4);
    if ('<!--'.startsWith(text.slice(at)) || '<![CDATA['.startsWith(text.slice(at))) return -1;
    if (text.startsWith('<![CDATA[', at)) return after(text, ']]>', at);
    throw broken('has a document type');
  }
  return endOfTag(text, at);
}

/** A `>` within a quoted attribute does not end it. */
function endOfTag(text: string, at: number): number {
  for (let from = at; ; ) {
    const end = text.indexOf('>', from);
    if (end < 0) return -1;
    const quote = openQuote(text, from, end);
    if (quote === null) return end + 1;
    const closed = text.indexOf(quote, end);
    if (closed < 0) return -1;
    from = closed + 1;
  }
}

function openQuote(text: string, from: number, to: number): string | null {
  let open: string | null = null;
  for (let at = from; at < to; at += 1) {
    const char = text[at]!;
    if (open === null && (char === '"' || char === "'")) open = char;
    else if (char === open) open = null;
  }
  return open;
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? -1 : at + what.length;
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

export function decodeXml(text: string): string {
  if (text.startsWith('<![CDATA[')) return text.slice('<![CDATA['.length, -']]>'.length);
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
