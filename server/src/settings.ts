// Every setting: what it is, what holds without it, and how much of its value may be shown. `mxproof config` shows the table, and
// a test holds config.ts and the guide against it.
// Promise: what `shown` returns contains no password, key or token, whatever the value is.

import { splitDatabaseUrl } from './store/database-hosts.ts';

export interface Setting {
  readonly name: string;
  /** A noun phrase or a short sentence. */
  readonly about: string;
  /** What holds where it is not set. */
  readonly fallback: string;
  /** Its value without what is secret. Unset: nothing of it is. */
  readonly shown?: (value: string) => string;
  /** Read by programs that call a service, not by the service. */
  readonly isOfClients?: true;
}

/** Said in the place of a secret. */
export const SET = 'set';
const CUT = '…';

/** Read by docker compose alone. They stand in the file of settings too, whose lines the service gets. */
export const COMPOSE_VARIABLES: readonly string[] = ['MXPROOF_BACKUPS', 'MXPROOF_DOMAIN', 'MXPROOF_IMAGE'];

export const SETTINGS: readonly Setting[] = [
  { name: 'HOST', about: 'address to listen on', fallback: '127.0.0.1' },
  { name: 'PORT', about: 'port to listen on; 0: any free one', fallback: '8080' },
  {
    name: 'MXPROOF_PUBLIC_URL',
    about: 'where browsers reach the service',
    fallback: 'where the service listens',
  },
  { name: 'DATABASE_URL', about: 'the PostgreSQL to use', fallback: 'embedded store', shown: databaseShown },
  {
    name: 'MXPROOF_DATABASE_CONNECTIONS',
    about: 'most connections of this node to it, one for notifications apart',
    fallback: '16; 7 of a node that only checks',
  },
  {
    name: 'MXPROOF_DATA_DIR',
    about: 'the data folder',
    fallback: 'data, in the checkout or the current folder',
  },
  {
    name: 'MXPROOF_SECRET_KEY',
    about: 'encrypts webhook secrets; the same on every node',
    fallback: 'created in the data folder',
    shown: hidden,
  },
  { name: 'MXPROOF_DNS_SERVERS', about: 'DNS servers to ask', fallback: "the system's" },
  {
    name: 'MXPROOF_DNS_SENTINELS',
    about: 'domains that certainly have mail, by which DNS servers prove themselves',
    fallback: 'built in',
  },
  { name: 'MXPROOF_SMTP_PORT', about: 'port of the mail servers', fallback: '25' },
  { name: 'MXPROOF_HELO_NAME', about: 'name given to mail servers', fallback: "the machine's name" },
  { name: 'MXPROOF_MAIL_FROM', about: 'sender used in the SMTP dialogue', fallback: '<>, the null sender' },
  {
    name: 'MXPROOF_SOURCE_ADDRESSES',
    about: 'addresses to ask from, each with its name',
    fallback: "the system's choice",
    shown: withoutLogins,
  },
  {
    name: 'MXPROOF_BLOCKLISTS',
    about: 'DNS zones of block lists that the doctor asks about the sources',
    fallback: 'none',
  },
  {
    name: 'MXPROOF_ABUSE_CONTACT',
    about: 'mail address or URL for administrators of mail servers',
    fallback: 'none',
  },
  { name: 'MXPROOF_POLICY_FILE', about: 'limits for each mail host, a JSON file', fallback: 'built in' },
  {
    name: 'MXPROOF_ALLOW_PRIVATE_TARGETS',
    about: '1: private addresses are allowed for mail servers, callbacks and alerts',
    fallback: '0',
  },
  {
    name: 'MXPROOF_VERIFY_WAIT_SECONDS',
    about: 'how long POST /verify waits before it answers 202',
    fallback: '20',
  },
  { name: 'MXPROOF_LIST_HOURS', about: 'time limit of a list', fallback: '4' },
  { name: 'MXPROOF_RESULTS_DAYS', about: 'how long results of lists are kept', fallback: 'for ever' },
  { name: 'MXPROOF_EVIDENCE_DAYS', about: 'how long evidence is kept', fallback: '30' },
  { name: 'MXPROOF_CALLBACKS_DAYS', about: 'how long callbacks are kept', fallback: 'for ever' },
  { name: 'MXPROOF_SINGLE_CHECKS_DAYS', about: 'how long single checks are kept', fallback: 'for ever' },
  {
    name: 'MXPROOF_CALLBACK_RETRY_SECONDS',
    about: 'delays after the first and the second failed callback attempt',
    fallback: '30,300',
  },
  { name: 'MXPROOF_CALLBACK_PORTS', about: 'ports that callbacks and alerts may go to', fallback: 'any' },
  {
    name: 'MXPROOF_SMTP_RETRY_SECONDS',
    about: 'delays between attempts after 4xx replies',
    fallback: '60,300,900,1800',
  },
  { name: 'MXPROOF_RATE_REQUESTS', about: 'requests per key and minute', fallback: '600' },
  {
    name: 'MXPROOF_RATE_ADDRESSES',
    about: 'addresses of POST /lists per key and minute',
    fallback: '500000',
  },
  {
    name: 'MXPROOF_RATE_ACCOUNT',
    about: 'how many times these limits an account has, for all of its keys together',
    fallback: '10',
  },
  {
    name: 'MXPROOF_TRUST_PROXY',
    about: 'the proxies in front of the service: their number, or their addresses',
    fallback: '0',
  },
  { name: 'MXPROOF_TLS_CERT', about: 'PEM file with the certificate', fallback: 'none' },
  { name: 'MXPROOF_TLS_KEY', about: "PEM file with the certificate's key", fallback: 'none' },
  {
    name: 'MXPROOF_DISPOSABLE_FILE',
    about: 'domains that are disposable, or never are, a text file',
    fallback: 'none',
  },
  {
    name: 'MXPROOF_ALERT_URL',
    about: 'where alerts are posted',
    fallback: 'nowhere',
    // The path of such an address is often its password.
    shown: (value) => `${originShown(value)}/${CUT}`,
  },
  { name: 'MXPROOF_ALERT_SECRET', about: 'signs posted alerts', fallback: 'none', shown: hidden },
  { name: 'MXPROOF_ALERT_MAIL', about: 'who gets alerts by mail', fallback: 'nobody' },
  { name: 'MXPROOF_ALERT_FROM', about: "sender of alerts' mail", fallback: 'MXPROOF_MAIL_FROM' },
  {
    name: 'MXPROOF_SMTP_RELAY',
    about: "the mail server that takes alerts' mail",
    fallback: 'none',
    shown: withoutLogins,
  },
  {
    name: 'MXPROOF_ALERT_UNKNOWN_PERCENT',
    about: 'share of unknown results in an hour above which there is an alert',
    fallback: '30',
  },
  {
    name: 'MXPROOF_ALERT_QUEUE_MINUTES',
    about: 'how long work may wait without an alert',
    fallback: '60',
  },
  {
    name: 'LOG_LEVEL',
    about: 'fatal, error, warn, info, debug, trace or silent',
    fallback: 'info',
  },
  { name: 'LOG_FORMAT', about: 'json or pretty', fallback: 'pretty on a terminal, else json' },
  { name: 'MXPROOF_BACKUP_DIR', about: 'folder for a backup every night', fallback: 'none' },
  { name: 'MXPROOF_BACKUP_KEEP', about: 'how many of these backups are kept', fallback: '14' },
  {
    name: 'MXPROOF_BACKUP_PASSPHRASE',
    about: 'seals the secret key inside backups',
    fallback: 'none: the key is left out',
    shown: hidden,
  },
  {
    name: 'MXPROOF_UPGRADE_BACKUP',
    about: '0: the embedded store is not backed up before an upgrade',
    fallback: '1',
  },
  {
    name: 'MXPROOF_SHOW_FIRST_KEY',
    about: '1: the first start prints its key wherever its output goes; 0: it makes none',
    fallback: 'to a terminal only',
  },
  { name: 'MXPROOF_METRICS_PORT', about: 'port for Prometheus; 0: any free one', fallback: 'none' },
  { name: 'MXPROOF_METRICS_HOST', about: 'address to listen on for Prometheus', fallback: '127.0.0.1' },
  {
    name: 'MXPROOF_METRICS_TOKEN',
    about: 'what Prometheus must send as Authorization: Bearer',
    fallback: 'none',
    shown: hidden,
  },
  {
    name: 'MXPROOF_URL',
    about: 'the service that commands call',
    fallback: 'as logged in',
    isOfClients: true,
    shown: originShown,
  },
  {
    name: 'MXPROOF_API_KEY',
    about: 'the key that commands call it with',
    fallback: 'as logged in',
    isOfClients: true,
    shown: hidden,
  },
  {
    name: 'MXPROOF_WEBHOOK_SECRET',
    about: 'the secret that "mxproof listen" signs with',
    fallback: 'none',
    isOfClients: true,
    shown: hidden,
  },
];

function hidden(): string {
  return SET;
}

/** Host and database. */
function databaseShown(value: string): string {
  const urls = splitDatabaseUrl(value)?.map((each) => URL.parse(each));
  const hosts = urls?.map((url) => url?.host ?? '') ?? [''];
  if (hosts.includes('')) return SET;
  return `postgresql://${hosts.join(',')}${urls?.[0]?.pathname ?? ''}`;
}

function originShown(value: string): string {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : SET;
}

/** What stands between `//` and the last `@` after it is a user name and a password. */
function withoutLogins(value: string): string {
  const [first = '', ...rest] = value.split('://');
  const shown = rest.map((part) => {
    const at = part.lastIndexOf('@');
    return at < 0 ? part : `${CUT}@${part.slice(at + 1)}`;
  });
  return [first, ...shown].join('://');
}
