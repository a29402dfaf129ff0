// The client's half of SOCKS5 (RFC 1928), with a login by user and password (RFC 1929), as far as CONNECT to an address.
// Pure: bytes in, bytes out. Promise: however the bytes are cut, the outcome is the same; what is kept is shorter than
// one reply; nothing is accepted that was not offered; what comes behind the reply is the mail host's, and handed on.
//
//   method ──no login──────────────────▶ reply ──▶ connected
//     └──login──▶ login ──accepted───────▲
import { isIP } from 'node:net';
import { ipBytes } from '../../dns/ip-text.ts';
import type { ConnectTarget, ProxyError, SocksLogin, SocksProxy } from '../../ports.ts';

const VERSION = 5;
const LOGIN_VERSION = 1;
const NO_LOGIN = 0;
const USER_AND_PASSWORD = 2;
const NO_METHOD = 0xff;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;
const PORT_BYTES = 2;
const PORT_MAX = 65_535;
/** A name's length is one byte; so are a user's and a password's. */
const TEXT_MAX_BYTES = 255;

/**
 * By a proxy that works. A host that is dead behind it reads like one that is dead: 4 to 6 are what connect() told the
 * proxy. 3 and 8: the proxy has no way there, or none for this kind of address.
 */
const REPLY_ERRORS: ReadonlyMap<number, ProxyError | 'EHOSTUNREACH' | 'ECONNREFUSED' | 'ETIMEDOUT'> = new Map(
  [
    [3, 'EPROXYNOROUTE'],
    [4, 'EHOSTUNREACH'],
    [5, 'ECONNREFUSED'],
    [6, 'ETIMEDOUT'],
    [8, 'EPROXYNOROUTE'],
  ],
);

type SocksEnd =
  | { readonly kind: 'connected'; readonly rest: Uint8Array }
  | { readonly kind: 'failed'; readonly error: string };

export interface SocksStep {
  /** To be sent, in this order. */
  readonly say: readonly Uint8Array[];
  /** Null: more has to come. */
  readonly end: SocksEnd | null;
}

type Stage = 'method' | 'login' | 'reply';
type Next = { readonly stage: Stage; readonly say: Uint8Array } | SocksEnd;

const NOTHING = Buffer.alloc(0);

export class SocksHandshake {
  /** The first that is sent. With a login, nothing else is offered: the proxy may choose the way out by it. */
  readonly greeting: Uint8Array;
  readonly #target: Pick<ConnectTarget, 'ip' | 'port'>;
  readonly #login: SocksLogin | null;
  #stage: Stage = 'method';
  #kept: Buffer = NOTHING;

  constructor(target: Pick<ConnectTarget, 'ip' | 'port'>, login: SocksLogin | null) {
    this.#target = target;
    this.#login = login;
    this.greeting = Uint8Array.of(VERSION, 1, this.#method);
  }

  /** CONNECT was sent: from here on it is about the mail host. */
  get hasAsked(): boolean {
    return this.#stage === 'reply';
  }

  /** Nothing may be pushed after the end. */
  push(chunk: Uint8Array): SocksStep {
    let bytes = Buffer.concat([this.#kept, chunk]);
    const say: Uint8Array[] = [];
    for (;;) {
      const length = this.#lengthOf(bytes);
      if (bytes.length < length) {
        this.#kept = bytes;
        return { say, end: null };
      }
      const next = this.#read(bytes, length);
      if ('kind' in next) return { say, end: next };
      this.#stage = next.stage;
      say.push(next.say);
      bytes = bytes.subarray(length);
    }
  }

  get #method(): number {
    return this.#login === null ? NO_LOGIN : USER_AND_PASSWORD;
  }

  /** Of the whole message, as far as what has come tells. */
  #lengthOf(bytes: Buffer): number {
    // A refusal may end after its code.
    if (this.#stage !== 'reply' || bytes.length < 2 || bytes[0] !== VERSION || bytes[1] !== 0) return 2;
    const head = 4;
    switch (bytes[3]) {
      case IPV4:
        return head + 4 + PORT_BYTES;
      case IPV6:
        return head + 16 + PORT_BYTES;
      case NAME:
        return head + 1 + (bytes[4] ?? 0) + PORT_BYTES;
      default:
        return head;
    }
  }

  #read(bytes: Buffer, length: number): Next {
    const [version, word = 0] = bytes;
    switch (this.#stage) {
      case 'method':
        if (version !== VERSION) return failed('EPROXYPROTO');
        if (word === NO_METHOD) return failed('EPROXYLOGIN');
        if (word !== this.#method) return failed('EPROXYPROTO');
        return this.#login === null
          ? { stage: 'reply', say: connectTo(this.#target) }
          : { stage: 'login', say: loginAs(this.#login) };
      case 'login':
        if (version !== LOGIN_VERSION) return failed('EPROXYPROTO');
        return word === 0 ? { stage: 'reply', say: connectTo(this.#target) } : failed('EPROXYLOGIN');
      case 'reply':
        if (version !== VERSION) return failed('EPROXYPROTO');
        if (word !== 0) return failed(REPLY_ERRORS.get(word) ?? 'EPROXYREFUSED');
        if (length <= 4) return failed('EPROXYPROTO');
        return { kind: 'connected', rest: bytes.subarray(length) };
      default:
        return this.#stage satisfies never;
    }
  }
}

function failed(error: string): SocksEnd {
  return { kind: 'failed', error };
}

/** An address, never a name: names are ours to resolve, and to hold against the guard of private targets. */
function connectTo({ ip, port }: Pick<ConnectTarget, 'ip' | 'port'>): Uint8Array {
  const kind = isIP(ip) === 4 ? IPV4 : IPV6;
  return Uint8Array.of(VERSION, CONNECT, 0, kind, ...ipBytes(ip), port >> 8, port & 0xff);
}

function loginAs({ user, password }: SocksLogin): Uint8Array {
  const [name, secret] = [Buffer.from(user), Buffer.from(password)];
  return Uint8Array.of(LOGIN_VERSION, name.length, ...name, secret.length, ...secret);
}

/** Null, or what is wrong with it. Never says what its login is. */
export function validateProxy({ ip, port, login }: SocksProxy): string | null {
  if (isIP(ip) === 0) return 'a proxy needs an IP address';
  if (!Number.isInteger(port) || port < 1 || port > PORT_MAX)
    return `a proxy's port is from 1 to ${PORT_MAX}`;
  const texts = login === null ? [] : [login.user, login.password];
  const isFit = texts.every((text) => text !== '' && Buffer.byteLength(text) <= TEXT_MAX_BYTES);
  return isFit ? null : `a proxy's user and password are from 1 to ${TEXT_MAX_BYTES} bytes each`;
}
