// Which addresses of a submission count: trimmed, lower-cased, blanks and duplicates dropped.
// Promise: an address is returned exactly as its cleaned text, including NUL and lone surrogates.

export const MAX_ADDRESSES = 100_000;
export const MAX_EMAIL_CHARACTERS = 1_000;
export const CHUNK_SIZE = 250;

export type EmailsRefusal =
  | 'emails_required'
  | 'emails_not_strings'
  | 'email_too_long'
  | 'too_many_addresses';

export type CleanEmails =
  | { readonly kind: 'clean'; readonly emails: readonly string[]; readonly duplicatesRemoved: number }
  | {
      readonly kind: 'refused';
      readonly why: EmailsRefusal;
      /** Of the element that it is refused for, counted from 0; null: of no single one. */
      readonly at: number | null;
    };

export function cleanEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Counted in code points, as JSON Schema counts. */
export function longerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > 2 * characters) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > characters;
}

export interface Cleaner {
  /** The next elements of the array that was sent. */
  add(elements: readonly unknown[]): void;
  end(): CleanEmails;
}

/** Of several reasons to refuse a submission the first one counts. */
export function createCleaner(): Cleaner {
  const unique = new Set<string>();
  let kept = 0;
  let seen = 0;
  let why: EmailsRefusal | null = null;
  function take(element: unknown): EmailsRefusal | null {
    if (typeof element !== 'string') return 'emails_not_strings';
    if (longerThan(element, MAX_EMAIL_CHARACTERS)) return 'email_too_long';
    const email = cleanEmail(element);
    if (email === '') return null;
    kept++;
    unique.add(email);
    return unique.size > MAX_ADDRESSES ? 'too_many_addresses' : null;
  }
  return {
    add(elements) {
      for (const element of elements) {
        // The rest of a body may hold millions.
        if (why !== null) return;
        why = take(element);
        seen++;
      }
    },
    end() {
      if (why === null && unique.size === 0) why = 'emails_required';
      if (why !== null) {
        const isOfOne = why === 'emails_not_strings' || why === 'email_too_long';
        return { kind: 'refused', why, at: isOfOne ? seen - 1 : null };
      }
      return { kind: 'clean', emails: [...unique], duplicatesRemoved: kept - unique.size };
    },
  };
}

/** A list's addresses as its chunk rows keep them: made off the main thread, and handed on without a copy. */
export interface ChunkedEmails {
  readonly total: number;
  readonly pieces: readonly ChunkPiece[];
}

/** Some consecutive chunks in one text: JSON arrays of at most CHUNK_SIZE addresses, a line break between them. */
export interface ChunkPiece {
  /** Number of its first chunk. */
  readonly first: number;
  readonly count: number;
  readonly text: Uint8Array;
}

/** One statement carries one piece: larger ones would hold up every other request while they are copied. */
const PIECE_CHARACTERS = 4 * 1024 * 1024;

export interface Chunker {
  /** The next addresses, in their order. */
  add(emails: readonly string[]): void;
  end(): ChunkedEmails;
}

export function createChunker(): Chunker {
  const pieces: ChunkPiece[] = [];
  let chunk: string[] = [];
  let lines: string[] = [];
  let first = 0;
  let characters = 0;
  let total = 0;
  const closePiece = () => {
    // JSON text has no line break of its own, and its lone surrogates and NULs are escaped.
    pieces.push({ first, count: lines.length, text: Buffer.from(lines.join('\n')) });
    first += lines.length;
    lines = [];
    characters = 0;
  };
  const closeChunk = () => {
    const line = JSON.stringify(chunk);
    if (characters > 0 && characters + line.length > PIECE_CHARACTERS) closePiece();
    lines.push(line);
    characters += line.length;
    total += chunk.length;
    chunk = [];
  };
  return {
    add(emails) {
      for (const email of emails) {
        chunk.push(email);
        if (chunk.length === CHUNK_SIZE) closeChunk();
      }
    },
    end() {
      if (chunk.length > 0) closeChunk();
      if (lines.length > 0) closePiece();
      return { total, pieces };
    },
  };
}

export function toChunks(emails: readonly string[]): ChunkedEmails {
  const chunker = createChunker();
  chunker.add(emails);
  return chunker.end();
}

export function chunkCount(total: number): number {
  return Math.ceil(total / CHUNK_SIZE);
}
