// An answer of JSON lines, as it comes: one value after the other, from the first byte to the end.
// Promise: no more is held than one line up to its bound; an answer that goes silent, is cut off or is no such lines ends in an
// error; nothing stays open when the reader stops.
import { ConnectionFailed, type MXProofError } from '../errors.ts';
import { within } from './abort.ts';
import { type Call, type CallOptions, type Transport, unexpected } from './transport.ts';

const LINES = 'application/x-ndjson';
/** An entry of the audit trail is a few hundred bytes. */
export const MAX_LINE_CHARACTERS = 64 * 1024;

/** Opened as any call. Then each piece has `timeoutMs`, and what breaks off is not read again. @throws as `Transport.call` */
export async function* readLines(
  transport: Transport,
  call: Call,
  options: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { signal, timeoutMs = transport.timeoutMs } = options;
  const response = await transport.begin(call, options, LINES);
  const wrong = (what: string, cause?: unknown) => unexpected(response, `The answer ${what}.`, cause);
  const reader = response.body?.getReader();
  try {
    const type = response.headers.get('content-type') ?? '';
    if (reader === undefined || !type.toLowerCase().startsWith(LINES)) throw wrong('is not JSON lines');
    const decoder = new TextDecoder();
    let line = '';
    for (;;) {
      const { done, value } = await nextOf(reader, timeoutMs, signal);
      const pieces = decoder.decode(value, { stream: !done }).split('\n');
      for (const [place, piece] of pieces.entries()) {
        if (place > 0) {
          yield parsed(line, (cause) => wrong('has a line that is not JSON', cause));
          line = '';
        }
        line += piece;
        if (line.length > MAX_LINE_CHARACTERS)
          throw wrong(`has a line of more than ${MAX_LINE_CHARACTERS} characters`);
      }
      if (done && line !== '') throw brokenOff();
      if (done) return;
    }
  } finally {
    // Not awaited: a peer that sends without end may not react to it.
    reader?.cancel().catch(() => {});
  }
}

async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
) {
  const silent = () => new ConnectionFailed(`The answer was silent for ${timeoutMs} ms.`);
  return within(timeoutMs, silent, signal, () =>
    reader.read().catch((cause) => Promise.reject(brokenOff(cause))),
  );
}

function brokenOff(cause?: unknown): ConnectionFailed {
  return new ConnectionFailed('The connection broke off in the middle of the answer.', { cause });
}

function parsed(line: string, wrong: (cause: unknown) => MXProofError): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw wrong(cause);
  }
}
