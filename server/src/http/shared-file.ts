// What is the same for every client, sent from one buffer in memory, plain or compressed.
// Promise: no response has a copy of its own. Of a large one the next slice is written when the connection has taken the
// last, so that a client that reads slowly holds two slices at most besides what the kernel has; and however many read at the
// same time, other requests wait for a few slices only (ADR 0048).
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** As much as a connection takes at once. Over TLS it is copied: a connection encrypts what it is given. */
const SLICE_BYTES = 64 * 1024;
/** Of all responses together, before the loop looks at what others ask. */
const SLICES_PER_TURN = 4;
/** What a packet holds anyway need not be compressed. */
const COMPRESS_FROM_BYTES = 1_024;
/** Higher levels take several times as long for a percent or less (ADR 0039). */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
/** How long a browser may use its copy without asking. `checked`: it asks each time, and is told 304 while nothing has changed. */
const CACHE_CONTROL = {
  // It never changes under its name.
  lasting: 'public, max-age=31536000, immutable',
  hour: 'public, max-age=3600',
  checked: 'no-cache',
} as const;

type Encoding = 'br' | 'gzip';

export interface SharedFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Null: too small to gain by it. */
  readonly compressed: ((encoding: Encoding) => Promise<Buffer>) | null;
  /** Of its content, however it is compressed: a weak one. */
  readonly etag: string;
  readonly cached: keyof typeof CACHE_CONTROL;
}

export function sharedFile(file: Omit<SharedFile, 'compressed' | 'etag'>): SharedFile {
  const { plain } = file;
  return {
    ...file,
    compressed: plain.length < COMPRESS_FROM_BYTES ? null : compressedOnce(plain),
    etag: `W/"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`,
  };
}

export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, plain, compressed, etag, cached }: SharedFile,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': CACHE_CONTROL[cached], etag, vary: 'accept-encoding' });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const encoding = compressed && encodingFor(request.headers['accept-encoding']);
  const bytes = encoding ? await compressed(encoding) : plain;
  if (encoding) reply.header('content-encoding', encoding);
  return sendBytes(request, reply.type(type), bytes);
}

/** By the weak comparison of RFC 9110, 13.1.2. */
function isKnown(tags = '', etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return tags.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): FastifyReply {
  if (bytes.length <= SLICE_BYTES || request.method === 'HEAD') return reply.send(bytes);
  return reply.header('content-length', bytes.length).send(Readable.from(slices(bytes, reply.raw)));
}

async function* slices(bytes: Buffer, response: ServerResponse): AsyncGenerator<Buffer> {
  // Behind other responses of its connection it has none yet, and would keep what it is given.
  if (response.socket === null) await once(response, 'socket');
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    await turn();
    yield bytes.subarray(at, at + SLICE_BYTES);
  }
}

/** Responses whose next slice can be written: no more than there are connections. */
const waiting: (() => void)[] = [];

function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(takeTurns);
  });
}

function takeTurns(): void {
  for (const write of waiting.splice(0, SLICES_PER_TURN)) write();
  if (waiting.length > 0) setImmediate(takeTurns);
}

/** Not at the start, when lists go on that a restart interrupted. */
function compressedOnce(plain: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const known = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    let compressed = known.get(encoding);
    if (compressed === undefined) {
      compressed = compress(plain, encoding);
      known.set(encoding, compressed);
      // A compression that failed, perhaps for lack of memory, is tried again by the next request.
      compressed.catch(() => known.delete(encoding));
    }
    return compressed;
  };
}

function compress(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(plain, { level: GZIP_LEVEL });
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

function encodingFor(accepted = ''): Encoding | null {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
      .map((one) => one.split(';')[0]!.trim()),
  );
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : null;
}
