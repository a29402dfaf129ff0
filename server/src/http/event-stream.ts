// Event streams (Server-Sent Events): what all of them have in common, whatever they tell.
// Promise: the next event is asked for when the reader has room for it, so nothing is buffered for a slow one; a stream
// ends, and leaves nothing behind, when its source ends, its reader leaves, its key is no longer valid or the service closes.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Gate } from './admit.ts';
import { refuse } from './errors.ts';
import { logDefect } from './request-log.ts';
import { callerOf } from './route-parts.ts';

const MAX_STREAMS_PER_KEY = 10;
/** An account makes as many keys as it likes. */
const MAX_STREAMS_PER_ACCOUNT = 100;
/** A comment line this often: proxies and clients see that the stream lives. */
const HEARTBEAT_MS = 15_000;
/** Of keys and sessions: one that ends right after a look ends its streams within the same time, however long the looks take. */
const LOOKS_A_BEAT = 2;
const COMMENT = ':\n\n';

export interface StreamEvent {
  readonly event: string;
  readonly id?: number;
  /** JSON: one line, whatever it says. */
  readonly data: string;
}

/** Asked for the next event when there is room for it. `open`: a comment line, so that the reader gets an answer at once. */
export type EventSource = (signal: AbortSignal) => AsyncGenerator<StreamEvent | 'open'>;

export interface EventStreams {
  /** Refuses with 429 where the key or its account has too many open streams on this node. */
  open(request: FastifyRequest, reply: FastifyReply, source: EventSource): FastifyReply;
  /** Ends them all, and those opened from now on. */
  close(): void;
}

interface OpenStream {
  readonly caller: Caller;
  beat(): void;
  end(): void;
}

export function createEventStreams(
  gate: Pick<Gate, 'isValid' | 'giveBack'>,
  heartbeatMs = HEARTBEAT_MS,
): EventStreams {
  const streams = new Set<OpenStream>();
  let looking: NodeJS.Timeout | undefined;
  let isClosed = false;
  let looks = 0;

  /** All at the same moment: the keys of all share a statement. */
  function look(): void {
    looks += 1;
    const isBeat = looks % LOOKS_A_BEAT === 0;
    for (const stream of streams)
      gate.isValid(stream.caller).then(
        (isValid) => {
          if (!isValid) stream.end();
          else if (isBeat) stream.beat();
        },
        // The database is unavailable: no key is known to be invalid, so streams stay open.
        () => {},
      );
  }

  function add(stream: OpenStream): void {
    streams.add(stream);
    looking ??= setInterval(look, heartbeatMs / LOOKS_A_BEAT);
  }
  function drop(stream: OpenStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(looking);
    looking = undefined;
    looks = 0;
  }
  function isFull({ keyId, accountId }: Caller): boolean {
    const ofAccount = [...streams].filter(({ caller }) => caller.accountId === accountId);
    const ofKey = ofAccount.filter(({ caller }) => caller.keyId === keyId);
    return ofKey.length >= MAX_STREAMS_PER_KEY || ofAccount.length >= MAX_STREAMS_PER_ACCOUNT;
  }

  return {
    open(request, reply, source) {
      const caller = callerOf(request);
      const isHead = request.method === 'HEAD';
      if (!isHead && isFull(caller)) {
        gate.giveBack(caller, 'requests', 1);
        return refuse(request, reply, { why: 'too_many_streams' });
      }
      reply.headers({
        'content-type': 'text/event-stream',
        // Proxies hold nothing back, and a connection whose stream has ended does not keep a closing service waiting.
        'x-accel-buffering': 'no',
        connection: 'close',
      });
      if (isHead) return reply.send('');
      const stop = new AbortController();
      const { text, beat } = readableOf(source(stop.signal), (error) => logDefect(request.log, error));
      const end = () => {
        stop.abort();
        // A reader that does not take what it was sent would not take the end either.
        if (reply.raw.writableLength > 0) text.destroy();
      };
      const stream = { caller, beat, end };
      add(stream);
      text.on('close', () => {
        stop.abort();
        drop(stream);
      });
      if (isClosed) end();
      return reply.send(text);
    },
    close() {
      isClosed = true;
      for (const stream of streams) stream.end();
    },
  };
}

/** The events as text: the next is asked for when the one before has been taken. */
function readableOf(events: AsyncGenerator<StreamEvent | 'open'>, onDefect: (error: unknown) => void) {
  let isAsking = false;
  let isOver = false;

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      const { done, value } = await events.next();
      isAsking = false;
      isOver = done ?? false;
      text.push(done ? null : frameOf(value));
    } catch (error) {
      // The status is out: the stream breaks off, and only the log can say why.
      onDefect(error);
      text.destroy();
    }
  }
  const text = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      if (!isAsking && !isOver) void ask();
    },
    destroy(error, done) {
      isOver = true;
      // A source that waits ends first: its signal is aborted on `close`.
      void events.return(undefined);
      done(error);
    },
  });
  /** A reader that has not taken the last event yet needs no sign of life. */
  const beat = () => {
    if (!isOver && text.readableLength === 0) text.push(COMMENT);
  };
  return { text, beat };
}

function frameOf(item: StreamEvent | 'open'): string {
  if (item === 'open') return COMMENT;
  const id = item.id === undefined ? '' : `id: ${item.id}\n`;
  return `event: ${item.event}\n${id}data: ${item.data}\n\n`;
}
