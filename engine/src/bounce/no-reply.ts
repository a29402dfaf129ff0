// What a sending mail server says when no mail server answered it → what a check would have found. Pure.
// Promise: only failures of DNS and connections are here; words that a mail server said are read elsewhere.
import type { Facts, Meaning } from '../types.ts';

export interface NoReply {
  readonly meaning: Meaning;
  readonly rule: string;
  readonly facts: Pick<Facts, 'mailbox' | 'cause'> & Partial<Pick<Facts, 'dns' | 'connected'>>;
}

const NO_DOMAIN: NoReply = {
  meaning: 'relay_denied',
  rule: 'no reply: the domain was not found',
  facts: { dns: 'cannot_receive', connected: false, mailbox: null, cause: 'no_such_domain' },
};
const NULL_MX: NoReply = {
  meaning: 'relay_denied',
  rule: 'no reply: the domain accepts no mail',
  facts: { dns: 'cannot_receive', connected: false, mailbox: null, cause: 'null_mx' },
};
const NO_DNS: NoReply = {
  meaning: 'temporary',
  rule: 'no reply: the domain could not be looked up',
  facts: { dns: 'error', connected: false, mailbox: null, cause: 'dns_failed' },
};
const LOST: NoReply = {
  meaning: 'temporary',
  rule: 'no reply: the connection was lost',
  facts: { mailbox: null, cause: 'connection_lost' },
};
const REFUSED: NoReply = {
  meaning: 'temporary',
  rule: 'no reply: the connection was refused',
  facts: { connected: false, mailbox: null, cause: 'connection_refused' },
};
const TIMEOUT: NoReply = {
  meaning: 'temporary',
  rule: 'no reply: no mail server could be reached',
  facts: { connected: false, mailbox: null, cause: 'timeout' },
};
const NO_TLS: NoReply = {
  meaning: 'tls_required',
  rule: 'no reply: encryption could not be set up',
  facts: { mailbox: 'tls_required', cause: 'tls_failed' },
};

/** The first that fits. In lower case. */
const FAILURES: readonly (readonly [words: RegExp, NoReply])[] = [
  [/\bnullmx\b|\bnull mx\b/, NULL_MX],
  [
    /host not found, try again|temporary (?:dns|name server|name resolution) (?:failure|error)|name server: .{1,80}: host name lookup failure|host name lookup failure|dns lookup (?:timed out|timeout)|couldn't look up|cname lookup failed temporarily|dns server failure/,
    NO_DNS,
  ],
  [
    /host or domain name not found|couldn't find any host named|couldn't find any host by that name|name service error for|\bnxdomain\b|: host not found|dns domain .{1,255} does not exist|invalid mx record: domain does not exist/,
    NO_DOMAIN,
  ],
  [
    /lost connection (?:with|while|after)|connection (?:reset|dropped)|connection died|remote host closed connection|server disconnected/,
    LOST,
  ],
  [/connection refused/, REFUSED],
  [
    /(?:handshake|tls|ssl|certificate).{0,40}(?:fail|error|not (?:verified|trusted|offered)|mismatch)|cannot start tls/,
    NO_TLS,
  ],
  [
    /connection timed out|operation timed out|timed out|timeout (?:after|while|exceeded)|no route to host|network is unreachable|host is unreachable|wasn't able to establish an smtp connection|couldn't connect to|unable to connect|retry time(?:out)? (?:not reached|exceeded)/,
    TIMEOUT,
  ],
];

/** Null: no such failure. `isTransient`: the sending server tries again. */
export function readNoReply(text: string, isTransient: boolean): NoReply | null {
  const said = text.toLowerCase();
  const found = FAILURES.find(([words]) => words.test(said))?.[1] ?? null;
  // A name that is looked up again may still be found.
  return found === NO_DOMAIN && isTransient ? NO_DNS : found;
}
