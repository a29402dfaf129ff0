// Hands a callback on to the receiver that is being developed, as the service would send it.
// Promise: the same bytes and headers; done within ten seconds; redirects are not followed; never throws.

import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

const LIMIT_MS = 10_000;
/** Of the answer only the status is used; a receiver that sends more than this is cut off. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** They belong to the connection, not to the message. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

export interface ForwardResult {
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function forwardCallback(
  url: URL,
  message: Message,
  stop: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<ForwardResult> {
  const beganMs = performance.now();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limitMs)]);
  const answered = await send(url, message, signal).then(
    (status) => ({ status, error: null }),
    (error: NodeJS.ErrnoException) => ({
      status: null,
      error: signal.aborted ? `no answer within ${limitMs / 1_000} s` : (error.code ?? error.message),
    }),
  );
  return { ...answered, durationMs: Math.round(performance.now() - beganMs) };
}

/** Resolves with the status once the answer has ended, or has gone on for too long. */
function send(url: URL, { headers, body }: Message, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const own = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()));
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const sent: ClientRequest = request(
      url,
      {
        method: 'POST',
        headers: { ...Object.fromEntries(own), 'Content-Length': bytes.length },
        agent: false,
        signal,
      },
      (response) => {
        let received = 0;
        response.on('data', (chunk: Buffer) => {
          received += chunk.length;
          if (received > MAX_ANSWER_BYTES) response.destroy();
        });
        response.on('error', () => {});
        response.on('close', () => resolve(response.statusCode!));
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}
