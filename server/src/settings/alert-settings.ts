// How alerts leave the service: by a signed POST, by mail through a relay of the operator's, or not at all.
// Promise: what contradicts itself is an OperatorError of one sentence, which repeats no secret.
import { isIPv4, isIPv6 } from 'node:net';
import { parseAddress } from '@mxproof/engine';
import { type Kind, partsOf, refuse } from './setting-kinds.ts';

export interface SmtpRelay {
  readonly host: string;
  readonly port: number;
  /** `none` only to the machine itself. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** What all mail of the service is sent through, and its sender. */
export interface MailSender {
  readonly from: string;
  readonly relay: SmtpRelay;
}

export interface AlertWays {
  readonly post: { readonly url: string; readonly secret: string } | null;
  readonly mail: (MailSender & { readonly to: readonly string[] }) | null;
}

const MAX_RECIPIENTS = 20;
const MIN_SECRET_BYTES = 16;
const MAX_SECRET_CHARACTERS = 500;
const DEFAULT_PORT = { tls: 465, starttls: 587, none: 25 } as const;

export function postWay(url: string | null, secret: string | null): AlertWays['post'] {
  if (url === null && secret === null) return null;
  if (url === null) return refuse('MXPROOF_ALERT_URL', 'must be set when MXPROOF_ALERT_SECRET is');
  if (secret === null)
    return refuse(
      'MXPROOF_ALERT_SECRET',
      'must be set when MXPROOF_ALERT_URL is: echo "whsec_$(openssl rand -base64 24)" makes one',
    );
  return Object.freeze({ url, secret });
}

interface SenderSettings {
  readonly own: string | null;
  /** The sender of checks, which mail has as well unless it has one of its own. */
  readonly mailFrom: string;
  readonly relay: SmtpRelay | null;
}

/** Null: the service sends no mail. */
export function mailSender({ own, mailFrom, relay }: SenderSettings): MailSender | null {
  const from = own ?? mailFrom;
  return relay === null || from === '' ? null : Object.freeze({ from, relay });
}

export function mailWay(to: readonly string[] | null, settings: SenderSettings): AlertWays['mail'] {
  if (to === null) return null;
  if (settings.relay === null)
    return refuse(
      'MXPROOF_SMTP_RELAY',
      'must be set when MXPROOF_ALERT_MAIL is, such as smtps://user:password@mail.example.com',
    );
  const sender = mailSender(settings);
  if (sender === null)
    return refuse(
      'MXPROOF_ALERT_FROM',
      'must be set when MXPROOF_ALERT_MAIL is and MXPROOF_MAIL_FROM is the null sender',
    );
  return Object.freeze({ to, ...sender });
}

export const alertUrl: Kind<string> = (value, name) => {
  const parsed = URL.parse(value);
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
    refuse(name, 'must be an https URL without a user name, such as https://hooks.example.com/mxproof');
  return value;
};

/** As the service makes those of accounts: receivers verify alerts with the code they have for callbacks. */
export const alertSecret: Kind<string> = (value, name) => {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const isFit =
    value.length <= MAX_SECRET_CHARACTERS && Buffer.from(base64, 'base64').length >= MIN_SECRET_BYTES;
  if (!isFit)
    refuse(
      name,
      `must be "whsec_" and at least ${MIN_SECRET_BYTES} bytes in base64: echo "whsec_$(openssl rand -base64 24)" makes one`,
    );
  return value;
};

export const alertMail: Kind<readonly string[]> = (value, name) => {
  const to = partsOf(value);
  if (to.length === 0 || to.length > MAX_RECIPIENTS || !to.every((each) => parseAddress(each).ok))
    refuse(
      name,
      `must be a comma-separated list of at most ${MAX_RECIPIENTS} mail addresses, such as ops@example.com`,
    );
  return Object.freeze(to);
};

export const mailAddress: Kind<string> = (value, name) =>
  parseAddress(value).ok ? value : refuse(name, 'must be a mail address, such as mxproof@example.com');

export const smtpRelay: Kind<SmtpRelay> = (value, name) => {
  const url = URL.parse(value);
  const isFit =
    url !== null &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.port !== '0' &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === '';
  if (!isFit)
    return refuse(
      name,
      'must have the form smtps://user:password@host:port or smtp://user:password@host:port',
    );
  if ((url.username === '') !== (url.password === ''))
    return refuse(name, 'must have both a user name and a password, or neither');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const security = url.protocol === 'smtps:' ? 'tls' : isThisMachine(host) ? 'none' : 'starttls';
  return Object.freeze({
    host,
    security,
    port: url.port === '' ? DEFAULT_PORT[security] : Number(url.port),
    login:
      url.username === ''
        ? null
        : Object.freeze({ user: decoded(url.username, name), password: decoded(url.password, name) }),
  });
};

/** What is said to it leaves the machine by no wire, and its certificate is seldom one that can be verified. */
function isThisMachine(host: string): boolean {
  return (
    host === 'localhost' || (isIPv4(host) && host.startsWith('127.')) || (isIPv6(host) && host === '::1')
  );
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(name, 'must have its user name and password percent-encoded');
  }
}
