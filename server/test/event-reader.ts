// A reader of an event stream on a real socket, which can stop reading.
// Promise: what is not understood as an event stream throws; close() leaves no socket behind.
import { get, type IncomingHttpHeaders } from 'node:http';

interface SeenEvent {
  readonly event: string;
  readonly id: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly data: any;
}

export interface EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of the answer that is no stream. */
  readonly text: string;
  readonly events: SeenEvent[];
  readonly comments: number;
  /** `end`: the stream was ended properly; `broken`: it broke off, or was closed here. */
  readonly over: 'end' | 'broken' | null;
  readonly ended: Promise<'end' | 'broken'>;
  pause(): void;
  resume(): void;
  close(): void;
}

export interface ReaderOptions {
  readonly headers?: Record<string, string>;
  /** Nothing is read until `resume`. */
  readonly isPaused?: boolean;
}

/** Resolves when the head of the answer is there. */
export function readEvents(
  port: number,
  path: string,
  key: string,
  { headers = {}, isPaused = false }: ReaderOptions = {},
): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const request = get(
      {
        host: '127.0.0.1',
        port,
        path,
        agent: false,
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
      },
      (response) => {
        const events: SeenEvent[] = [];
        let text = '';
        let comments = 0;
        let over: 'end' | 'broken' | null = null;
        const ended = new Promise<'end' | 'broken'>((end) => {
          const finish = (how: 'end' | 'broken') => {
            over ??= how;
            end(over);
          };
          response.on('end', () => finish('end')).on('error', () => finish('broken'));
          response.on('close', () => finish('broken'));
        });
        const isStream = response.headers['content-type'] === 'text/event-stream';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
          for (let end = text.indexOf('\n\n'); isStream && end >= 0; end = text.indexOf('\n\n')) {
            const block = text.slice(0, end);
            text = text.slice(end + 2);
            if (block.startsWith(':')) comments++;
            else events.push(parse(block));
          }
        });
        if (isPaused) response.pause();
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          events,
          ended,
          get text() {
            return text;
          },
          get comments() {
            return comments;
          },
          get over() {
            return over;
          },
          pause: () => response.pause(),
          resume: () => response.resume(),
          close: () => request.destroy(),
        });
      },
    );
    request.on('error', reject);
  });
}

function parse(block: string): SeenEvent {
  const match = /^event: (\w+)\nid: (\d+)\ndata: (.*)$/.exec(block);
  if (!match) throw new Error(`not an event: ${block.slice(0, 200)}`);
  return { event: match[1]!, id: Number(match[2]), data: JSON.parse(match[3]!) };
}
