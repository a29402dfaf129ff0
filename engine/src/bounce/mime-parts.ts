// A message's source, line by line → its parts that hold text (RFC 2045, 2046). Pure.
// Promises: hostile sources end at MAX_DEPTH and MAX_PARTS; each line is looked at once per level; what was sent back (the
// original message) is no part of it; never throws.
import { decodePart } from './decode-part.ts';

interface MessagePart {
  /** Lower case, without parameters: `text/plain`, `message/delivery-status`. */
  readonly type: string;
  readonly lines: readonly string[];
}

export interface ParsedMessage {
  readonly parts: readonly MessagePart[];
  /** What a mail server names as failed in the header; empty if it does not. */
  readonly failedRecipients: string;
  /** Of the header, as they stand there; empty: none. */
  readonly date: string;
  readonly messageId: string;
}

const MAX_DEPTH = 8;
const MAX_PARTS = 64;
const MAX_HEADER_LINES = 1_000;
const MAX_FIELD_CHARS = 4_096;
const MAX_BOUNDARY_CHARS = 200;

const FIELD = /^([!-9;-~]{1,76}):[ \t]{0,16}(.*)$/;
/** A text that begins with one of these fields is a message, not a log or a reply. */
const HEADER_FIELDS: ReadonlySet<string> = new Set(
  'arc-seal authentication-results auto-submitted content-transfer-encoding content-type date delivered-to dkim-signature errors-to from message-id mime-version received reply-to return-path subject to x-failed-recipients x-original-to x-received'.split(
    ' ',
  ),
);
/** What was sent: its words are the sender's own. */
const RETURNED = /^(?:message\/(?:rfc822|global|partial)|text\/rfc822-headers|message\/global-headers)$/;
const TEXT = /^(?:text\/|message\/(?:delivery-status|global-delivery-status|feedback-report)$)/;

interface Header {
  readonly fields: ReadonlyMap<string, string>;
  /** The first line of the body. */
  readonly bodyAt: number;
}

/** Null: not a message. */
export function parseMessage(lines: readonly string[]): ParsedMessage | null {
  let start = 0;
  while (start < lines.length && lines[start]?.trim() === '') start += 1;
  // A mailbox file begins each message so.
  if (lines[start]?.startsWith('From ')) start += 1;
  const name = FIELD.exec(lines[start] ?? '')?.[1]?.toLowerCase() ?? '';
  if (!HEADER_FIELDS.has(name)) return null;
  const header = readHeader(lines, start, lines.length);
  const parts: MessagePart[] = [];
  addParts(lines, header, lines.length, 0, parts);
  const of = (field: string) => header.fields.get(field) ?? '';
  return {
    parts,
    failedRecipients: of('x-failed-recipients'),
    date: of('date'),
    messageId: of('message-id'),
  };
}

function addParts(
  lines: readonly string[],
  { fields, bodyAt }: Header,
  end: number,
  depth: number,
  parts: MessagePart[],
): void {
  const contentType = fields.get('content-type') ?? '';
  const type =
    /^[a-z0-9.+-]{1,100}\/[a-z0-9.+-]{1,100}/i.exec(contentType)?.[0].toLowerCase() ?? 'text/plain';
  if (RETURNED.test(type) || parts.length >= MAX_PARTS) return;
  const boundary = parameter(contentType, 'boundary');
  if (type.startsWith('multipart/') && boundary !== '' && boundary.length <= MAX_BOUNDARY_CHARS) {
    if (depth >= MAX_DEPTH) return;
    for (const [from, to] of betweenBoundaries(lines, bodyAt, end, boundary)) {
      if (parts.length >= MAX_PARTS) return;
      addParts(lines, readHeader(lines, from, to), to, depth + 1, parts);
    }
    return;
  }
  // A multipart without a boundary is read as the text it is.
  if (!TEXT.test(type) && !type.startsWith('multipart/')) return;
  const decoded = decodePart(lines.slice(bodyAt, end), {
    encoding: fields.get('content-transfer-encoding') ?? '',
    charset: parameter(contentType, 'charset'),
  });
  parts.push({ type, lines: decoded });
}

/** Folded fields are put together; of a repeated one the first counts. */
function readHeader(lines: readonly string[], start: number, end: number): Header {
  const fields = new Map<string, string>();
  let name = '';
  let at = start;
  for (; at < end && at - start < MAX_HEADER_LINES; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') return { fields, bodyAt: at + 1 };
    if (/^[ \t]/.test(line)) {
      const value = fields.get(name);
      if (value !== undefined && value.length < MAX_FIELD_CHARS)
        fields.set(name, `${value} ${line.trim()}`.slice(0, MAX_FIELD_CHARS));
      continue;
    }
    const field = FIELD.exec(line);
    // No header at all, or its end without a blank line.
    if (field === null) return { fields, bodyAt: at };
    const key = (field[1] ?? '').toLowerCase();
    name = fields.has(key) ? '' : key;
    if (name !== '') fields.set(name, (field[2] ?? '').slice(0, MAX_FIELD_CHARS));
  }
  return { fields, bodyAt: at };
}

/** First line and end of each part. */
function betweenBoundaries(
  lines: readonly string[],
  start: number,
  end: number,
  boundary: string,
): (readonly [number, number])[] {
  const opening = `--${boundary}`;
  const found: (readonly [number, number])[] = [];
  let from = -1;
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? '';
    if (!line.startsWith(opening)) continue;
    const rest = line.slice(opening.length).trim();
    if (rest !== '' && rest !== '--') continue;
    if (from >= 0) found.push([from, at]);
    from = rest === '' ? at + 1 : -1;
    if (from < 0 || found.length >= MAX_PARTS) break;
  }
  // A source that was cut off has no last line.
  if (from >= 0 && from < end) found.push([from, end]);
  return found;
}

function parameter(contentType: string, name: string): string {
  const found = new RegExp(
    `;\\s{0,8}${name}\\s{0,8}=\\s{0,8}(?:"([^"]{1,300})"|([^\\s;"]{1,300}))`,
    'i',
  ).exec(contentType);
  return (found?.[1] ?? found?.[2] ?? '').trimEnd();
}
