// A client that sends arbitrary bytes, and collects what comes back.
import { connect } from 'node:net';

const ANSWER_LIMIT_MS = 60_000;

export interface RawResponse {
  readonly text: string;
  /** `['200', …]`: the status lines seen, `100` included. */
  readonly statuses: string[];
}

/** Sends `parts` and collects what comes back until the server closes, or `until` is content. */
export function sendRaw(
  port: number,
  parts: string | Buffer | readonly (string | Buffer)[],
  until: (text: string) => boolean = () => false,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer: ${text.slice(0, 500)}`));
    }, ANSWER_LIMIT_MS);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]!) });
    };
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (until(text)) done();
    });
    socket.on('error', () => {});
    socket.on('close', done);
    for (const part of typeof parts === 'string' || Buffer.isBuffer(parts) ? [parts] : parts)
      socket.write(part);
  });
}

/** The JSON of the last answer. */
export function lastJson({ text }: RawResponse): unknown {
  return JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4));
}
