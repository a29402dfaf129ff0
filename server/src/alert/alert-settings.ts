// How alerts leave the service: by a signed POST, by mail through a relay of the operator's, or not at all.
// Promise: what contradicts itself is an OperatorError of one sentence, which repeats no secret.
import { isIPv4, isIPv6 } from 'node:net';
import { parseAddress } from '@mxproof/engine';
import { OperatorError } from '../operator-error.ts';

export interface SmtpRelay {
  readonly host: string;
  readonly port: number;
  /** `none` only to the machine itself. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface AlertWays {
  readonly post: { readonly url: string; readonly secret: string } | null;
  readonly mail: {
    readonly to: readonly string[];
    readonly from: string;
    readonly relay: SmtpRelay;
  } | null;
}

type Text = (name: string) => string | null;

const MAX_RECIPIENTS = 20;
const MIN_SECRET_BYTES = 16;
const MAX_SECRET_CHARACTERS = 500;
const DEFAULT_PORT = { tls: 465, starttls: 587, none: 25 } as const;

/** `mailFrom`: the sender of checks, which alerts have as well unless they have one of their own. */
export function readAlertWays(text: Text, mailFrom: string): AlertWays {
  return Object.freeze({ post: readPost(text), mail: readMail(text, mailFrom) });
}

function refuse(name: string, must: string): never {
  throw new OperatorError(`${name} ${must}.`);
}

function readPost(text: Text): AlertWays['post'] {
  const [url, secret] = [text('MXPROOF_ALERT_URL'), text('MXPROOF_ALERT_SECRET')];
  if (url === null && secret === null) return null;
  if (url === null) return refuse('MXPROOF_ALERT_URL', 'must be set when MXPROOF_ALERT_SECRET is');
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
    refuse(
      'MXPROOF_ALERT_URL',
      'must be an https URL without a user name, such as https://hooks.example.com/mxproof',
    );
  if (secret === null)
    return refuse(
      'MXPROOF_ALERT_SECRET',
      'must be set when MXPROOF_ALERT_URL is: echo "whsec_$(openssl rand -base64 24)" makes one',
    );
  if (!isSecret(secret))
    refuse(
      'MXPROOF_ALERT_SECRET',
      `must be "whsec_" and at least ${MIN_SECRET_BYTES} bytes in base64: echo "whsec_$(openssl rand -base64 24)" makes one`,
    );
  return Object.freeze({ url, secret });
}

/** As the service makes those of accounts: receivers verify alerts with the code they have for callbacks. */
function isSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  return text.length <= MAX_SECRET_CHARACTERS && Buffer.from(base64, 'base64').length >= MIN_SECRET_BYTES;
}

function readMail(text: Text, mailFrom: string): AlertWays['mail'] {
  const [recipients, own] = [text('MXPROOF_ALERT_MAIL'), text('MXPROOF_ALERT_FROM')];
  const relay = readRelay(text('MXPROOF_SMTP_RELAY'));
  if (own !== null && !isAddress(own))
    refuse('MXPROOF_ALERT_FROM', 'must be a mail address, such as mxproof@example.com');
  if (recipients === null) return null;
  const to = recipients
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (to.length === 0 || to.length > MAX_RECIPIENTS || !to.every(isAddress))
    refuse(
      'MXPROOF_ALERT_MAIL',
      `must be a comma-separated list of at most ${MAX_RECIPIENTS} mail addresses, such as ops@example.com`,
    );
  if (relay === null)
    return refuse(
      'MXPROOF_SMTP_RELAY',
      'must be set when MXPROOF_ALERT_MAIL is, such as smtps://user:password@mail.example.com',
    );
  const from = own ?? mailFrom;
  if (from === '')
    return refuse(
      'MXPROOF_ALERT_FROM',
      'must be set when MXPROOF_ALERT_MAIL is and MXPROOF_MAIL_FROM is the null sender',
    );
  return Object.freeze({ to: Object.freeze(to), from, relay });
}

function isAddress(text: string): boolean {
  return parseAddress(text).ok;
}

function readRelay(value: string | null): SmtpRelay | null {
  if (value === null) return null;
  const form = 'must have the form smtps://user:password@host:port or smtp://user:password@host:port';
  const url = URL.parse(value);
  const isFit =
    url !== null &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.port !== '0' &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === '';
  if (!isFit) return refuse('MXPROOF_SMTP_RELAY', form);
  if ((url.username === '') !== (url.password === ''))
    return refuse('MXPROOF_SMTP_RELAY', 'must have both a user name and a password, or neither');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const security = url.protocol === 'smtps:' ? 'tls' : isThisMachine(host) ? 'none' : 'starttls';
  return Object.freeze({
    host,
    security,
    port: url.port === '' ? DEFAULT_PORT[security] : Number(url.port),
    login:
      url.username === ''
        ? null
        : Object.freeze({ user: decoded(url.username), password: decoded(url.password) }),
  });
}

/** What is said to it leaves the machine by no wire, and its certificate is seldom one that can be verified. */
function isThisMachine(host: string): boolean {
  return (
    host === 'localhost' || (isIPv4(host) && host.startsWith('127.')) || (isIPv6(host) && host === '::1')
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('MXPROOF_SMTP_RELAY', 'must have its user name and password percent-encoded');
  }
}
