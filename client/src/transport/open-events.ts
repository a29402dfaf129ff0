// One connection to an event stream, from its opening to its end.
// Promise: a stream that goes silent, is cut off or sends without bound ends in an error, and nothing stays open when the
// reader stops.
import { ConnectionFailed, MXProofError, UnexpectedAnswer } from '../errors.ts';
import { refusalOf } from '../refusals.ts';
import { within } from './abort.ts';
import { EventReader, EventTooLarge, type ServerEvent } from './sse.ts';
import { type Call, type Transport, textOf, unexpected } from './transport.ts';

/** The service sends at least a comment every 15 seconds. */
const LONGEST_SILENCE_MS = 45_000;
const OPENING_MS = 30_000;

/** Ends when the stream does. @throws Refusal, ConnectionFailed, UnexpectedAnswer, or the signal's reason */
export async function* openEvents(
  transport: Transport,
  call: Call,
  signal: AbortSignal | undefined,
  {
    silenceMs = LONGEST_SILENCE_MS,
    onOpen,
  }: { readonly silenceMs?: number; readonly onOpen?: () => void } = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  signal?.throwIfAborted();
  // Of the whole connection: the waits below have signals of their own, which end with them.
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const response = await within(
      OPENING_MS,
      () => silent(OPENING_MS),
      controller.signal,
      async (opening) => {
        const opened = await transport.open(call, 'text/event-stream', controller.signal);
        if (!opened.ok)
          throw refusalOf(opened.status, opened.headers, await textOf(opened, opening), Date.now());
        return opened;
      },
    );
    if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '') || response.body === null)
      throw unexpected(response, 'The answer is not an event stream.');
    onOpen?.();
    const stream = response.body.getReader();
    const decoder = new TextDecoder();
    const events = new EventReader();
    for (;;) {
      const { done, value } = await within(
        silenceMs,
        () => silent(silenceMs),
        controller.signal,
        () => stream.read(),
      );
      if (done) return;
      yield* events.push(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof EventTooLarge)
      throw new UnexpectedAnswer(`The stream sent ${error.message}.`, 200, null);
    if (error instanceof MXProofError) throw error;
    throw new ConnectionFailed('The event stream broke off.', { cause: error });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    controller.abort();
  }
}

const silent = (ms: number) => new ConnectionFailed(`The event stream was silent for ${ms} ms.`);
