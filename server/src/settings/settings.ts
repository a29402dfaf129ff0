// Every setting, one row each: its name, what it is, how its value is read, what holds without it, and how much of it may be shown.
// Configuration, `mxproof config`, the warning about unknown names, the doctor and the guide's table come from these rows.
// What `shown` returns contains no password, key or token, whatever the value is. A setting with `shown` is a secret, and has a form
// with `_FILE` behind its name that names a file with its value.

import { MAX_KEPT_DAYS } from '../rules/retention.ts';
import { splitDatabaseUrl } from '../store/database-hosts.ts';
import { ALERT_FORMATS, alertMail, alertSecret, alertUrl, mailAddress, smtpRelay } from './alert-settings.ts';
import {
  abuseContact,
  ageIdentities,
  ageRecipient,
  amount,
  bearerToken,
  blockLists,
  callbackDelays,
  databaseUrl,
  delays,
  dnsServers,
  executable,
  existingFolder,
  hostName,
  hostNames,
  type Kind,
  mailFrom,
  oneOf,
  origin,
  pemFile,
  policyFile,
  port,
  portRanges,
  readableFile,
  sentinels,
  sourceAddresses,
  text,
  trustedProxies,
  validHelo,
  whole,
  yesNo,
} from './setting-kinds.ts';
import { claimValue, issuerUrl, shortText, subjects } from './sign-in-settings.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export interface Setting<T = unknown> {
  readonly name: string;
  /** A noun phrase or a short sentence. */
  readonly about: string;
  /** Markdown for the guide, where it says more than `about`. */
  readonly guide?: string;
  readonly read: Kind<T>;
  readonly fallback: T | null;
  /** What holds where it is not set. */
  readonly unset: string;
  /** Its value without what is secret. Unset: nothing of it is. */
  readonly shown?: (value: string) => string;
}

/** Said in the place of a secret. */
export const SET = 'set';
const CUT = '…';
const NONE = 'none';
const FOR_EVER = 'for ever';

type Rest = Pick<Setting, 'shown' | 'guide'>;

/** Without a value of its own: null holds, and `unset` says what that means. */
function optional<T>(name: string, about: string, read: Kind<T>, unset: string, rest: Rest = {}): Setting<T> {
  return { name, about, read, fallback: null, unset, ...rest };
}

/** With a value that holds where none is set, as it would be written. */
function defaulted<T>(
  name: string,
  about: string,
  read: Kind<T>,
  value: string,
  rest: Rest = {},
): Setting<T> & { readonly fallback: T } {
  return { name, about, read, unset: value, ...rest, fallback: read(value, name) };
}

const keptDays = whole(1, MAX_KEPT_DAYS);

export const SETTINGS = {
  configFile: optional('MXPROOF_CONFIG', 'a file with settings; the environment wins', text, NONE, {
    guide: 'a [file with settings](configuration.md), one `NAME=value` a line; the environment wins over it',
  }),
  host: defaulted('HOST', 'address to listen on', hostName, '127.0.0.1'),
  port: defaulted('PORT', 'port to listen on; 0: any free one', port, '8080', {
    guide: 'port to listen on; 0: any free port, shown in the log',
  }),
  publicUrl: optional(
    'MXPROOF_PUBLIC_URL',
    'where browsers reach the service',
    origin,
    'where the service listens',
    {
      guide:
        'where browsers reach the service, such as `https://verify.example.com`; sign-in links lead there',
    },
  ),
  databaseUrl: optional('DATABASE_URL', 'the PostgreSQL to use', databaseUrl, 'embedded store', {
    guide:
      '`postgresql://…`, PostgreSQL 14 or newer; may name [several hosts](database.md#a-database-that-fails-over)',
    shown: databaseShown,
  }),
  databaseConnections: optional(
    'MXPROOF_DATABASE_CONNECTIONS',
    'most connections of this node to it, one for notifications apart',
    // Four: a transaction, the claims, the heartbeat, and one to spare.
    whole(4, 100),
    '16; 7 of a node that only checks',
    {
      guide:
        '[connections](scaling.md#connections) of this node to PostgreSQL, at most: 4 to 100, and one more for notifications',
    },
  ),
  dataDir: optional(
    'MXPROOF_DATA_DIR',
    'the data folder',
    text,
    'data, in the checkout or the current folder',
    { guide: 'the data folder; a relative path is relative to where the command is run' },
  ),
  secretKey: optional(
    'MXPROOF_SECRET_KEY',
    'encrypts webhook secrets; the same on every node',
    text,
    'created in the data folder',
    { shown: hidden },
  ),
  secretKeyNext: optional(
    'MXPROOF_SECRET_KEY_NEXT',
    'the key that "mxproof secret-key rotate" leads to; on every node before it begins',
    text,
    NONE,
    {
      guide:
        'the key that a [rotation](configuration.md#rotate-the-secret-key) leads to, on every node before it begins',
      shown: hidden,
    },
  ),
  backupDir: optional('MXPROOF_BACKUP_DIR', 'folder for a backup every night', existingFolder, NONE, {
    guide: 'a folder for a [backup every night](backup.md#every-night)',
  }),
  backupKeep: defaulted('MXPROOF_BACKUP_KEEP', 'how many of these backups are kept', whole(1, 3_650), '14'),
  backupPassphrase: optional(
    'MXPROOF_BACKUP_PASSPHRASE',
    'encrypts backups, with the secret key in them',
    text,
    'none: not encrypted, without the key',
    {
      guide: '[encrypts backups](backup.md#encrypted-backups), with the secret key in them',
      shown: hidden,
    },
  ),
  backupRecipient: optional(
    'MXPROOF_BACKUP_RECIPIENT',
    'encrypts backups instead, for the holder of an age identity',
    ageRecipient,
    NONE,
    {
      guide:
        'encrypts backups instead [for the holder of an identity](backup.md#encrypted-backups): `age1…`, as `age-keygen` prints it',
    },
  ),
  backupIdentity: optional(
    'MXPROOF_BACKUP_IDENTITY',
    'the age identity that opens such a backup; only for a restore',
    ageIdentities,
    NONE,
    {
      guide:
        'the identity that opens such a backup, as `age-keygen` writes it; only for `backup verify` and `restore`',
      shown: hidden,
    },
  ),
  backupHook: optional(
    'MXPROOF_BACKUP_HOOK',
    'a program to run after each backup, with its path',
    executable,
    NONE,
    {
      guide:
        'a program that is run [after each backup](backup.md#copies-elsewhere), with the path of the file as its argument',
    },
  ),
  upgradeBackup: defaulted(
    'MXPROOF_UPGRADE_BACKUP',
    '0: the embedded store is not backed up before an upgrade',
    yesNo,
    '1',
    {
      guide:
        '`0`: no [backup of the embedded store before an upgrade](../../UPGRADING.md#what-every-upgrade-does)',
    },
  ),
  showFirstKey: optional(
    'MXPROOF_SHOW_FIRST_KEY',
    '1: the first start prints its key wherever its output goes; 0: it makes none',
    yesNo,
    'to a terminal only',
    {
      guide:
        '`1`: the first start prints [its key](operate.md#first-start) wherever its output goes; `0`, as in the [image](container.md): it creates no key and prints no secret',
    },
  ),
  dnsServers: optional('MXPROOF_DNS_SERVERS', 'DNS servers to ask', dnsServers, "the system's", {
    guide: 'DNS servers to ask: `host[:port],…`',
  }),
  dnsSentinels: optional(
    'MXPROOF_DNS_SENTINELS',
    'domains that certainly have mail, by which DNS servers prove themselves',
    sentinels,
    'built in',
    {
      guide:
        'domains that certainly have mail, by which DNS servers [prove themselves](verdicts.md#which-dns-servers-are-trusted). `none`: trust every server, for closed networks',
    },
  ),
  smtpPort: defaulted('MXPROOF_SMTP_PORT', 'port of the mail servers', whole(1, 65_535), '25'),
  heloName: optional('MXPROOF_HELO_NAME', 'name given to mail servers', validHelo, "the machine's name", {
    guide:
      'name given to mail servers: see [sender reputation](reputation.md#protect-your-sender-reputation)',
  }),
  mailFrom: defaulted('MXPROOF_MAIL_FROM', 'sender used in the SMTP dialogue', mailFrom, '<>', {
    guide: 'sender used in the SMTP dialogue; `<>` is the null sender',
  }),
  sourceAddresses: optional(
    'MXPROOF_SOURCE_ADDRESSES',
    'addresses to ask from, each with its name',
    sourceAddresses,
    "the system's choice",
    {
      guide:
        'addresses to ask from: `ip=helo` and [proxies](reputation.md#connect-through-a-proxy), `socks5://user:password@host:port=helo`, separated by commas',
      shown: withoutLogins,
    },
  ),
  abuseContact: optional(
    'MXPROOF_ABUSE_CONTACT',
    'mail address or URL for administrators of mail servers',
    abuseContact,
    NONE,
    {
      guide:
        'mail address or https URL for administrators of mail servers; shown on the [page for postmasters](reputation.md#publish-a-page-for-postmasters)',
    },
  ),
  blockLists: optional(
    'MXPROOF_BLOCKLISTS',
    'DNS zones of block lists that the doctor asks about the sources',
    blockLists,
    NONE,
    {
      guide:
        "DNS zones of block lists, such as `zen.spamhaus.org`, at most 20; `mxproof doctor` asks each about every source address. Read a list's terms first: several allow a small number of queries, and none through public DNS servers",
    },
  ),
  policy: optional('MXPROOF_POLICY_FILE', 'limits for each mail host, a JSON file', policyFile, 'built in', {
    guide:
      'JSON: the limits and timeouts for each mail host, and domains that are never asked ([format](engine.md#the-policy-file))',
  }),
  allowPrivateTargets: defaulted(
    'MXPROOF_ALLOW_PRIVATE_TARGETS',
    '1: private addresses are allowed for mail servers, callbacks and alerts',
    yesNo,
    '0',
    { guide: '`1`: allow private addresses for mail servers, callback receivers and alerts' },
  ),
  drainMs: defaulted(
    'MXPROOF_DRAIN_SECONDS',
    'how long a service that is told to stop (SIGTERM) goes on serving while /readyz is 503',
    amount(0, 300, SECOND_MS),
    '0',
    {
      guide:
        'how long a service that is told to stop (SIGTERM) [goes on serving](operate.md#stop-it-behind-a-load-balancer) while `/readyz` is 503, at most 300',
    },
  ),
  verifyWaitMs: defaulted(
    'MXPROOF_VERIFY_WAIT_SECONDS',
    'how long POST /verify waits before it answers 202',
    amount(0, 300, SECOND_MS),
    '20',
  ),
  listLimitMs: defaulted('MXPROOF_LIST_HOURS', 'time limit of a list', amount(0, 24 * 30, HOUR_MS), '4', {
    guide: 'time limit of a list; addresses that are still pending then end as unknown',
  }),
  resultsDays: optional('MXPROOF_RESULTS_DAYS', 'how long results of lists are kept', keptDays, FOR_EVER, {
    guide: `[how long](retention.md#keep-data-no-longer-than-needed) addresses and results of lists are kept: 1 to ${MAX_KEPT_DAYS} days`,
  }),
  evidenceDays: defaulted(
    'MXPROOF_EVIDENCE_DAYS',
    'how long evidence is kept',
    amount(0, MAX_KEPT_DAYS),
    '30',
    {
      guide:
        'how long evidence (the SMTP dialogues) is kept, and [shown](api.md#evidence) to its account; `0`: none is collected, for no account',
    },
  ),
  callbacksDays: optional('MXPROOF_CALLBACKS_DAYS', 'how long callbacks are kept', keptDays, FOR_EVER, {
    guide: `how long callbacks and their attempts are kept: 1 to ${MAX_KEPT_DAYS} days`,
  }),
  singleChecksDays: optional(
    'MXPROOF_SINGLE_CHECKS_DAYS',
    'how long single checks are kept',
    keptDays,
    FOR_EVER,
    { guide: `how long addresses and results of single checks are kept: 1 to ${MAX_KEPT_DAYS} days` },
  ),
  auditMonths: defaulted(
    'MXPROOF_AUDIT_MONTHS',
    'how many months the audit trail is kept',
    whole(1, 120),
    '12',
    {
      guide:
        'how many months the [audit trail](audit.md) is kept: 1 to 120; each month is dropped as a whole, that long after its end',
    },
  ),
  callbackRetryMs: defaulted(
    'MXPROOF_CALLBACK_RETRY_SECONDS',
    'delays after the first and the second failed callback attempt',
    callbackDelays,
    '30,300',
    { guide: 'delays after the first and the second failed attempt: two whole numbers of at least 1' },
  ),
  callbackPorts: optional(
    'MXPROOF_CALLBACK_PORTS',
    'ports that callbacks and alerts may go to',
    portRanges,
    'any',
    { guide: 'ports that callbacks and alerts may go to, and ranges of them, such as `443,8000-8999`' },
  ),
  smtpRetryMs: optional(
    'MXPROOF_SMTP_RETRY_SECONDS',
    'delays between attempts after 4xx replies',
    delays,
    '60,300,900,1800',
    { guide: 'delays between attempts after greylisting and other 4xx replies' },
  ),
  rateRequests: defaulted('MXPROOF_RATE_REQUESTS', 'requests per key and minute', whole(1, 1e9), '600', {
    guide: 'requests per key and minute (rolling)',
  }),
  rateAddresses: defaulted(
    'MXPROOF_RATE_ADDRESSES',
    'addresses of POST /lists per key and minute',
    whole(1, 1e9),
    '500000',
    { guide: 'addresses of POST /lists per key and minute (rolling)' },
  ),
  rateAccount: defaulted(
    'MXPROOF_RATE_ACCOUNT',
    'how many times these limits an account has, for all of its keys together',
    amount(1, 1e6),
    '10',
    {
      guide:
        "how many times these limits, or the highest of its keys' own, all keys of an account have together",
    },
  ),
  trustProxy: defaulted(
    'MXPROOF_TRUST_PROXY',
    'the proxies in front of the service: their number, or their addresses',
    trustedProxies,
    '0',
    {
      guide:
        'the addresses and networks of the proxies in front of the service, or how many there are (at most 10); their `X-Forwarded-For`, `-Proto` and `-Host` are believed ([HTTPS](https.md#put-it-behind-https))',
    },
  ),
  tlsCert: optional('MXPROOF_TLS_CERT', 'PEM file with the certificate', pemFile, NONE),
  tlsKey: optional('MXPROOF_TLS_KEY', "PEM file with the certificate's key", pemFile, NONE),
  disposableFile: optional(
    'MXPROOF_DISPOSABLE_FILE',
    'domains that are disposable, or never are, a text file',
    readableFile,
    NONE,
    {
      guide:
        'a text file with [domains that are disposable, or never are](disposable.md#say-which-domains-are-disposable); read again when it changes',
    },
  ),
  signInByKey: defaulted('MXPROOF_SIGN_IN_BY_KEY', '0: keys cannot sign browsers in', yesNo, '1', {
    guide:
      "`0`: API keys and operators' keys cannot sign browsers in ([ways of signing in](sign-in.md)); programs use them as before, and links from the command line always work",
  }),
  oidcIssuer: optional('MXPROOF_OIDC_ISSUER', 'the OpenID provider where people sign in', issuerUrl, NONE, {
    guide:
      'the [OpenID provider](sign-in.md#openid-connect) where people sign in: its issuer, such as `https://login.example.com`; needs `MXPROOF_PUBLIC_URL`',
  }),
  oidcClientId: optional(
    'MXPROOF_OIDC_CLIENT_ID',
    "the service's client id at the provider",
    shortText,
    NONE,
  ),
  oidcClientSecret: optional('MXPROOF_OIDC_CLIENT_SECRET', "the client's secret", shortText, NONE, {
    shown: hidden,
  }),
  oidcName: optional(
    'MXPROOF_OIDC_NAME',
    'what the button of the sign-in page calls the provider',
    shortText,
    "the issuer's host",
  ),
  oidcAccountClaim: optional(
    'MXPROOF_OIDC_ACCOUNT_CLAIM',
    'the claim with the external id of the account that a person is a member of',
    shortText,
    'none: members are invited',
    {
      guide:
        'the claim with the `external_id` of the account that a person [is a member of](sign-in.md#members-from-claims)',
    },
  ),
  oidcRoleClaim: optional(
    'MXPROOF_OIDC_ROLE_CLAIM',
    'the claim with the role: owner, member or viewer',
    shortText,
    'none: member',
    { guide: 'the claim with the role: `owner`, `member` or `viewer`, or a list that has one of them' },
  ),
  oidcOperators: optional(
    'MXPROOF_OIDC_OPERATORS',
    'subjects of the provider who are operators',
    subjects,
    NONE,
    {
      guide:
        'subjects of the provider who may use the [operator’s pages](sign-in.md#operators), separated by commas',
    },
  ),
  oidcOperatorClaim: optional(
    'MXPROOF_OIDC_OPERATOR_CLAIM',
    'a claim that makes a person an operator',
    claimValue,
    NONE,
    {
      guide:
        'a claim that makes a person an [operator](sign-in.md#operators): `claim=value`, such as `groups=mxproof-operators`',
    },
  ),
  alertUrl: optional('MXPROOF_ALERT_URL', 'where alerts are posted', alertUrl, 'nowhere', {
    guide: 'where [alerts](alerts.md) are posted',
    // The path of such an address is often its password.
    shown: (value) => `${originShown(value)}/${CUT}`,
  }),
  alertSecret: optional('MXPROOF_ALERT_SECRET', 'signs posted alerts', alertSecret, NONE, { shown: hidden }),
  alertFormat: defaulted(
    'MXPROOF_ALERT_FORMAT',
    'what posted alerts are: json, slack, mattermost or ntfy',
    oneOf(...ALERT_FORMATS),
    'json',
    {
      guide:
        'what posted alerts are: `json`, signed, or a message for [`slack`, `mattermost` or `ntfy`](alerts.md#chat-and-push)',
    },
  ),
  heartbeatUrl: optional(
    'MXPROOF_HEARTBEAT_URL',
    'what is called every minute while all is well',
    alertUrl,
    NONE,
    {
      guide: 'what is called every minute [while all is well](alerts.md#a-heartbeat)',
      shown: (value) => `${originShown(value)}/${CUT}`,
    },
  ),
  alertMail: optional('MXPROOF_ALERT_MAIL', 'who gets alerts by mail', alertMail, NONE, {
    guide: 'who gets alerts by mail: addresses separated by commas, at most 20',
  }),
  alertFrom: optional(
    'MXPROOF_ALERT_FROM',
    "sender of the service's own mail",
    mailAddress,
    'MXPROOF_MAIL_FROM',
  ),
  smtpRelay: optional(
    'MXPROOF_SMTP_RELAY',
    "the mail server that takes the service's own mail",
    smtpRelay,
    NONE,
    {
      guide:
        'the mail server that takes the mail of [alerts](alerts.md) and that [to people of accounts](account-mail.md): `smtps://user:password@host:port`, or `smtp://…` with STARTTLS',
      shown: withoutLogins,
    },
  ),
  alertUnknownPercent: defaulted(
    'MXPROOF_ALERT_UNKNOWN_PERCENT',
    'share of unknown results in an hour above which there is an alert',
    amount(1, 100),
    '30',
    { guide: 'alert when more results than this are unknown in an hour; `100`: never' },
  ),
  alertQueueMs: defaulted(
    'MXPROOF_ALERT_QUEUE_MINUTES',
    'how long work may wait without an alert',
    amount(1, 60 * 24 * 30, MINUTE_MS),
    '60',
    { guide: 'alert when work has waited longer than this' },
  ),
  metricsPort: optional('MXPROOF_METRICS_PORT', 'port for Prometheus; 0: any free one', port, NONE, {
    guide: 'port for [Prometheus](monitoring.md#scrape-metrics); 0: any free port, shown in the log',
  }),
  metricsHost: defaulted(
    'MXPROOF_METRICS_HOST',
    'address to listen on for Prometheus',
    hostName,
    '127.0.0.1',
  ),
  metricsNames: optional(
    'MXPROOF_METRICS_NAMES',
    'names with a dot by which Prometheus reaches it without a token',
    hostNames,
    NONE,
    {
      guide:
        'comma list of names with a dot by which Prometheus may [ask without a token](monitoring.md#scrape-metrics); addresses, names without a dot and that of the machine always may',
    },
  ),
  metricsToken: optional(
    'MXPROOF_METRICS_TOKEN',
    'what Prometheus must send as Authorization: Bearer',
    bearerToken,
    NONE,
    { guide: 'what Prometheus must send as `Authorization: Bearer`, 16 to 512 characters', shown: hidden },
  ),
  logLevel: defaulted(
    'LOG_LEVEL',
    'fatal, error, warn, info, debug, trace or silent',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    { guide: '`fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`' },
  ),
  logFormat: optional(
    'LOG_FORMAT',
    'json or pretty',
    oneOf('json', 'pretty'),
    'pretty on a terminal, else json',
    { guide: '`json`: one JSON object per line; `pretty`: lines for people' },
  ),
};

/** Read by programs that call a service, not by the service. */
export const CLIENT_SETTINGS: readonly Setting[] = [
  optional('MXPROOF_URL', 'the service that commands call', text, 'as logged in', { shown: originShown }),
  optional('MXPROOF_API_KEY', 'the key that commands call it with', text, 'as logged in', { shown: hidden }),
  optional('MXPROOF_WEBHOOK_SECRET', 'the secret that "mxproof listen" signs with', text, NONE, {
    shown: hidden,
  }),
];

export const SERVICE_SETTINGS: readonly Setting[] = Object.values(SETTINGS);
export const ALL_SETTINGS: readonly Setting[] = [...SERVICE_SETTINGS, ...CLIENT_SETTINGS];

/** Read by docker compose alone. They stand in the file of settings too, whose lines the service gets. */
export const COMPOSE_VARIABLES: readonly string[] = ['MXPROOF_BACKUPS', 'MXPROOF_DOMAIN', 'MXPROOF_IMAGE'];

/** Secrets may also stand in a file (secret-file.ts). */
export function isSecret({ shown }: Setting): boolean {
  return shown !== undefined;
}

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
