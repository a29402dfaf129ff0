// Reads a SOCKS5 proxy as the operator writes it: socks5://user:password@host:port=helo. Pure.
// Promise: strict, and what is wrong with it is never repeated: a part of it is a password.
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { validateHelo } from '@mxproof/engine';

export interface ConfiguredProxy {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** Null: the proxy asks for none. Never logged. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface ProxySource {
  /** `host:port`, in lower case; an IPv6 address in brackets. */
  readonly name: string;
  readonly ip: null;
  readonly helo: string;
  readonly proxy: ConfiguredProxy;
}

const FORM = /^socks5:\/\/(?:([^@/]*)@)?(?:\[([^\]]+)\]|([^:@/[\]]+)):(\d{1,5})$/i;
/** At least one dot-separated part that is not a number, so that a mistyped address is no name. */
const HOST_NAME =
  /^(?=.{1,253}$)(?![\d.]+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
const ENCODED = /^(?:[^%:@/\s]|%[0-9a-f]{2})+$/i;
const PORT_MAX = 65_535;
/** RFC 1929 counts each in one byte. */
const TEXT_MAX_BYTES = 255;

/** Null: it is not of that form. */
export function parseProxySource(text: string): ProxySource | null {
  const at = text.lastIndexOf('=');
  const helo = text.slice(at + 1).trim();
  const [, userInfo, bracketed, plain = '', digits] = FORM.exec(text.slice(0, at).trim()) ?? [];
  const port = Number(digits);
  const host = (bracketed ?? plain).toLowerCase();
  const isHost =
    bracketed === undefined ? isIPv4(host) || HOST_NAME.test(host) : isIPv6(host) && !host.includes('%');
  if (at < 0 || !isHost || !(port >= 1 && port <= PORT_MAX) || validateHelo(helo) !== null) return null;
  const login = userInfo === undefined ? null : readLogin(userInfo);
  if (login === undefined) return null;
  const name = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return { name, ip: null, helo, proxy: { host, port, login } };
}

/** Undefined: it is malformed. */
function readLogin(userInfo: string): ConfiguredProxy['login'] | undefined {
  const parts = userInfo.split(':');
  const [user, password] = parts.map(decoded);
  if (parts.length !== 2 || user == null || password == null) return undefined;
  return { user, password };
}

function decoded(text: string): string | null {
  if (!ENCODED.test(text)) return null;
  try {
    const plain = decodeURIComponent(text);
    return Buffer.byteLength(plain) <= TEXT_MAX_BYTES ? plain : null;
  } catch {
    // Not UTF-8.
    return null;
  }
}
