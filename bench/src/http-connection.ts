// One keep-alive HTTP connection that uses little CPU time, so that the client is not what is measured.
// Promise: one request at a time, its whole answer; anything unexpected throws.
import { connect, type Socket } from 'node:net';

const ANSWER_LIMIT_MS = 30_000;
const HEAD_END = Buffer.from('\r\n\r\n');

export interface HttpResponse {
  readonly status: number;
  readonly body: Buffer;
  /** Until the last byte was read. */
  readonly ms: number;
}

export interface HttpConnection {
  ask(method: string, path: string, body?: Buffer): Promise<HttpResponse>;
  close(): void;
}

export async function openConnection(port: number, key: string): Promise<HttpConnection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    async ask(method, path, body) {
      const startMs = performance.now();
      const length = body ? `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` : '';
      const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n${length}\r\n`;
      const answer = readAnswer(socket);
      socket.write(head);
      if (body) socket.write(body);
      const { status, body: answered } = await answer;
      return { status, body: answered, ms: performance.now() - startMs };
    },
    close: () => socket.destroy(),
  };
}

function readAnswer(socket: Socket): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let headEnd = -1;
    let need = -1;
    const timer = setTimeout(() => finish(new Error('no answer')), ANSWER_LIMIT_MS);
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (headEnd < 0) {
        const all = Buffer.concat(chunks);
        headEnd = all.indexOf(HEAD_END);
        if (headEnd < 0) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(all.toString('latin1', 0, headEnd));
        need = length ? headEnd + 4 + Number(length[1]) : -1;
      }
      // Without a length the answer is chunked, and ends with the empty chunk.
      const over = need >= 0 ? bytes >= need : endsWithLastChunk(chunks);
      if (over) finish(null);
    };
    const onClose = () => finish(new Error('the connection was closed'));
    function finish(error: Error | null) {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose).off('error', onClose);
      if (error) return reject(error);
      const all = Buffer.concat(chunks);
      resolve({ status: Number(all.toString('latin1', 9, 12)), body: all.subarray(headEnd + 4) });
    }
    socket.on('data', onData).on('close', onClose).on('error', onClose);
  });
}

function endsWithLastChunk(chunks: readonly Buffer[]): boolean {
  const last = chunks.at(-1)!;
  const tail = last.length >= 7 ? last : Buffer.concat(chunks.slice(-3));
  return tail.toString('latin1', Math.max(0, tail.length - 7)) === '\r\n0\r\n\r\n';
}
