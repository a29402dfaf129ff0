// One attempt to deliver a callback. Promise: done within ten seconds, including DNS; never throws; redirects are not
// followed; at most 64 KiB of the response are read, 16 KiB of them headers, and only the status is kept, and as much of the body
// as was asked for.
import { request as requestPlain } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import { type Reader, UNWATCHED } from '@mxproof/common/watchdog';
import { isAllowedPort, type PortRange } from '../rules/callback-targets.ts';
import { bareHost, findTarget, type Target, type TargetOptions } from './find-target.ts';

export interface PostOptions extends TargetOptions {
  /** More certificate authorities than the system's, for receivers inside a company. */
  readonly ca?: string | undefined;
  readonly limitMs?: number;
  /** Null or unset: any. */
  readonly ports?: readonly PortRange[] | null;
  /** Asked first with the receiver's addresses and port: may they be tried at all? */
  readonly mayTry?: (ips: readonly string[], port: string) => Promise<'yes' | 'later' | 'no'>;
  /** Asked with the receiver's addresses and port before anything is sent. False: not now. */
  readonly mayConnect?: (ips: readonly string[], port: string) => boolean;
  /** Whose callback it is, for the log. */
  readonly listId?: number | undefined;
  /** Unset: POST. */
  readonly method?: 'GET' | 'POST';
  /** `http://` as well: for receivers that the operator has named, never for those of accounts. */
  readonly allowsPlain?: boolean;
  /** How much of the answer's body is kept. Unset: nothing. */
  readonly keepBytes?: number | undefined;
}

export interface PostResult {
  readonly status: number | null;
  readonly error: string | null;
  /** How the answer's body begins; unset: nothing was to be kept, or there was no answer. */
  readonly answer?: Buffer;
  /** Its content type; unset: likewise, or it says none. */
  readonly type?: string | undefined;
}

const ATTEMPT_LIMIT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Node's own default, whatever flags it was started with. */
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_ERROR_CHARACTERS = 200;
const DEFAULT_PORT: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };
const TIME_OUT = 'time-out';

/** Null: it was not to connect now, and nothing was sent. `later`: nor soon. */
export async function post(
  url: string,
  message: { readonly headers: Record<string, string>; readonly body: Buffer },
  options: PostOptions,
): Promise<PostResult | 'later' | null> {
  return attempt(url, message, options, AbortSignal.timeout(options.limitMs ?? ATTEMPT_LIMIT_MS));
}

async function attempt(
  text: string,
  message: { readonly headers: Record<string, string>; readonly body: Buffer },
  options: PostOptions,
  signal: AbortSignal,
): Promise<PostResult | 'later' | null> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !(url.protocol === 'https:' || (options.allowsPlain && url.protocol === 'http:')))
    return failed('not https');
  // Node would treat port 0 as the default port.
  if (url.port === '0') return failed('no such port');
  if (!isAllowedPort(url, options.ports ?? null)) return failed('port not allowed');
  const tooLate = new Promise<Target>((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'refused', why: TIME_OUT }));
  });
  const found = findTarget(url, options).catch((error: unknown) => ({
    kind: 'refused' as const,
    why: describe(error),
  }));
  const target = await Promise.race([found, tooLate]);
  if (target.kind === 'refused') return failed(target.why);
  const port = url.port || DEFAULT_PORT[url.protocol]!;
  const may = (await options.mayTry?.(target.ips, port)) ?? 'yes';
  if (may === 'later') return may;
  if (may === 'no') return failed('too many receivers did not answer');
  if (options.mayConnect?.(target.ips, port) === false) return null;
  return exchange(url, target.ips, message, options, signal).catch((error: unknown) =>
    failed(describe(error)),
  );
}

function exchange(
  url: URL,
  ips: readonly string[],
  message: { readonly headers: Record<string, string>; readonly body: Buffer },
  options: PostOptions,
  signal: AbortSignal,
): Promise<PostResult> {
  return new Promise((resolve) => {
    let posted: PostResult | null = null;
    let type: string | undefined;
    let bytes = 0;
    const { watchdog = UNWATCHED, listId, keepBytes = 0 } = options;
    const kept: Buffer[] = [];
    let left = keepBytes;
    const reader: Reader = {
      whatIsRead: () => ({
        kind: 'callback',
        host: bareHost(url),
        lots: listId === undefined ? [] : [listId],
      }),
    };
    let beganMs = 0;
    // Whatever the receiver does, one of these events occurs, and the first counts. Once there is a status, it stands even
    // if the rest of the response fails or never comes.
    const end = (why: string) => {
      resolve(
        posted === null
          ? failed(why)
          : { ...posted, ...(keepBytes > 0 && { answer: Buffer.concat(kept), type }) },
      );
      sent.destroy();
    };
    const ask = url.protocol === 'http:' ? requestPlain : request;
    const sent = ask(
      url,
      {
        method: options.method ?? 'POST',
        headers: message.headers,
        agent: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        lookup: pinnedTo(ips),
        // A name's final dot is for DNS alone: certificates and the servers that choose them know names without.
        ...(isIP(bareHost(url)) === 0 && { servername: bareHost(url).replace(/\.$/, '') }),
        // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
        rejectUnauthorized: true,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      },
      (answer) => {
        posted = { status: answer.statusCode ?? null, error: null };
        type = answer.headers['content-type'];
        answer.on('error', () => {});
        answer.on('data', (piece: Buffer) => {
          // Copied: a slice would keep all that was read alive.
          if (left > 0) kept.push(Buffer.from(piece.subarray(0, left)));
          left -= Math.min(left, piece.length);
        });
        answer.on('close', () => end(''));
      },
    );
    // All that comes in counts: interim answers, headers and chunk framing count towards the limit.
    sent.on('socket', (socket) => {
      // Node's own listener, which reads the answer, is between these two.
      socket.prependListener('data', () => {
        beganMs = watchdog.began(reader);
      });
      socket.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MAX_ANSWER_BYTES) end('answer too long');
        if (watchdog.wasSlow(reader, beganMs)) end('answer too slow to read');
      });
    });
    // 101 answers an upgrade that was not requested; unhandled, it would leave the request pending for ever.
    sent.on('upgrade', () => end('protocol switched'));
    sent.on('error', (error) => end(describe(error)));
    sent.on('close', () => end('connection closed'));
    signal.addEventListener('abort', () => end(TIME_OUT));
    sent.end(message.body);
    if (signal.aborted) end(TIME_OUT);
  });
}

/** Answers with the addresses that were checked, whatever DNS would say now. */
function pinnedTo(ips: readonly string[]): NonNullable<RequestOptions['lookup']> {
  const all = ips.map((address) => ({ address, family: isIP(address) }));
  return (_host, how, answer) => {
    if (how.all) answer(null, all);
    else answer(null, all[0]!.address, all[0]!.family);
  };
}

function failed(why: string): PostResult {
  return { status: null, error: why.slice(0, MAX_ERROR_CHARACTERS) };
}

/** Its code or its class, never its text: a list's owner reads it, and the text may name addresses of ours. */
function describe(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (typeof first === 'object' && first !== null && 'code' in first) return String(first.code);
  return first instanceof Error ? first.name : 'failed';
}
