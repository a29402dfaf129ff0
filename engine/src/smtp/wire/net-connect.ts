// Connect over node:net and node:tls. Promise: it dials the literal address it was given, or its proxy where it was given
// one, and nothing else; holds no timer of its own; and after startTls() not one byte received in clear reaches the session.
import { connect as dial, isIP, type Socket } from 'node:net';
import { connect as dialTls, type TLSSocket } from 'node:tls';
import type { Connect, ConnectTarget, Wire, WireEvents } from '../../ports.ts';
import { isOutOfSockets } from './out-of-sockets.ts';
import { SocksHandshake } from './socks5.ts';

export const netConnect: Connect = (target, events) => new NetWire(target, events);

/** One buffer for every socket: it is consumed before the next read, and an idle connection costs no memory. */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

class NetWire implements Wire {
  readonly #target: ConnectTarget;
  readonly #events: WireEvents;
  #socket: Socket | TLSSocket;
  /** Null: there is no proxy, or it has connected us. */
  #handshake: SocksHandshake | null;
  /** What the proxy said. */
  #refusal: string | null = null;
  #error: string | null = null;
  #over = false;
  #secure = false;

  constructor(target: ConnectTarget, events: WireEvents) {
    this.#target = target;
    this.#events = events;
    const { ip, port, proxy } = target;
    this.#handshake = proxy === undefined ? null : new SocksHandshake({ ip, port }, proxy.login);
    const dialled = proxy ?? target;
    const plain = dial({
      host: dialled.ip,
      port: dialled.port,
      // The family is fixed by the literal, and no name is ever looked up here.
      family: isIP(dialled.ip),
      autoSelectFamily: false,
      noDelay: true,
      // A server that has ended the connection reads nothing more: closing at once saves a shutdown and its loop turns.
      allowHalfOpen: true,
      onread: {
        buffer: READ_BUFFER,
        callback: (bytes) => {
          const chunk = READ_BUFFER.subarray(0, bytes);
          if (this.#handshake !== null) this.#proxySaid(this.#handshake, chunk);
          else if (!this.#secure) this.#events.data(chunk);
          return true;
        },
      },
      ...(target.source === null || proxy !== undefined ? {} : { localAddress: target.source }),
    });
    this.#socket = plain;
    plain.on('connect', () => {
      if (this.#handshake === null) this.#events.connected();
      else plain.write(this.#handshake.greeting);
    });
    this.#listen(plain);
  }

  #proxySaid(handshake: SocksHandshake, chunk: Uint8Array): void {
    if (this.#refusal !== null) return;
    const { say, end } = handshake.push(chunk);
    for (const bytes of say) this.#socket.write(bytes);
    if (end === null) return;
    if (end.kind === 'failed') {
      this.#refusal = end.error;
      this.#socket.destroy();
      return;
    }
    this.#handshake = null;
    this.#events.connected();
    // The host's greeting may have come with the proxy's reply.
    if (end.rest.length > 0) this.#events.data(end.rest);
  }

  write(text: string): void {
    if (this.#over || !this.#socket.writable) return;
    // One byte a character goes out without being converted.
    const isAscii = Buffer.byteLength(text) === text.length;
    this.#socket.write(text, isAscii ? 'latin1' : 'utf8');
  }

  startTls(): void {
    const plain = this.#socket;
    // Bytes in clear after the go-ahead were not sent by the holder of the key (response injection).
    this.#secure = true;
    plain.removeAllListeners('close');
    const { hostName, ip } = this.#target;
    try {
      const secure = dialTls({
        socket: plain,
        // A probe hands over nothing secret: an old or unverifiable server is still the one to ask.
        rejectUnauthorized: false,
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
        ...(isIP(hostName) === 0 && hostName !== ip ? { servername: hostName } : {}),
      });
      this.#socket = secure;
      secure.on('secureConnect', () => this.#events.secured());
      secure.on('data', (chunk: Uint8Array) => this.#events.data(chunk));
      this.#listen(secure);
    } catch {
      this.#error = 'EPROTO';
      plain.destroy();
      this.#close();
    }
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #listen(socket: Socket): void {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#error = errorWord(error);
    });
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#close());
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.closed(this.#endError);
  }

  /** Until the proxy has connected us, the line is the proxy's, whatever happens to it. */
  get #endError(): string | null {
    if (this.#handshake === null || isOutOfSockets(this.#error)) return this.#error;
    return this.#refusal ?? (this.#handshake.hasAsked ? 'EPROXYREFUSED' : 'EPROXYDOWN');
  }
}

/** One word, never a text with an address in it. TLS errors have many names and one consequence. */
function errorWord(error: NodeJS.ErrnoException): string {
  const code = error.code ?? 'EPROTO';
  return code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') ? 'EPROTO' : code;
}
