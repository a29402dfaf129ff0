// How administrators set up their servers, as data: each row one make with lines of its own, and what must come of it.
import type { ExtraLines, MailServerOptions } from './mail-server.ts';

export interface Configuration {
  readonly make: 'postfix' | 'exim' | 'opensmtpd' | 'sendmail';
  readonly what: string;
  readonly options?: Partial<MailServerOptions>;
  readonly extra?: ExtraLines;
  readonly mailFrom?: string;
  /** `as_usual`: every kind of mailbox is told apart; else the one verdict every address gets. */
  readonly expected: 'as_usual' | string;
  /** More of those who do not exist. */
  readonly strangers?: number;
  /** Never in the server's log. */
  readonly unseen?: RegExp;
}

const UNAVAILABLE = 'unknown unavailable_smtp';
const CATCH_ALL = 'risky low_deliverability';
const SENDER = 'probe@checker.example';
const POSTSCREEN = [
  'ADDRESS inet n - n - 1 postscreen',
  'smtpd pass - - n - - smtpd',
  'dnsblog unix - - n - 0 dnsblog',
  'tlsproxy unix - - n - 0 tlsproxy',
];
const GREET = [
  'postscreen_greet_wait = 1s',
  'postscreen_greet_action = enforce',
  'postscreen_access_list =',
  'postscreen_cache_map = btree:FOLDER/data/postscreen',
];

const postfix = (what: string, main: readonly string[], rest: Partial<Configuration>): Configuration => ({
  make: 'postfix',
  what,
  expected: 'as_usual',
  ...rest,
  extra: { main, ...rest.extra },
});
const exim = (what: string, extra: ExtraLines, rest: Partial<Configuration> = {}): Configuration => ({
  make: 'exim',
  what,
  expected: 'as_usual',
  extra,
  ...rest,
});
const sendmail = (
  what: string,
  main: readonly string[],
  rest: Partial<Configuration> = {},
): Configuration => ({
  make: 'sendmail',
  what,
  expected: 'as_usual',
  extra: { main },
  ...rest,
});

export const CONFIGURATIONS: readonly Configuration[] = [
  postfix('postscreen that waits before it greets', GREET, { extra: { services: POSTSCREEN } }),
  postfix(
    'postscreen with deep tests, which defers every new client once',
    [
      ...GREET,
      'postscreen_pipelining_enable = yes',
      'postscreen_pipelining_action = enforce',
      'postscreen_non_smtp_command_enable = yes',
      'postscreen_bare_newline_enable = yes',
    ],
    { extra: { services: POSTSCREEN } },
  ),
  postfix(
    'few errors borne',
    ['smtpd_soft_error_limit = 1', 'smtpd_hard_error_limit = 4', 'smtpd_error_sleep_time = 0s'],
    { strangers: 20 },
  ),
  postfix('no error borne', ['smtpd_hard_error_limit = 1', 'smtpd_error_sleep_time = 0s'], { strangers: 20 }),
  postfix(
    'no error borne, and no pipelining',
    ['smtpd_hard_error_limit = 1', 'smtpd_error_sleep_time = 0s', 'smtpd_discard_ehlo_keywords = pipelining'],
    { strangers: 20, mailFrom: SENDER },
  ),
  postfix(
    'a few connections a minute',
    // A minute of the tests' clock.
    ['smtpd_client_connection_rate_limit = 6', 'anvil_rate_time_unit = 12s'],
    { strangers: 90 },
  ),
  postfix('one connection a client', ['smtpd_client_connection_count_limit = 1'], { strangers: 30 }),
  postfix('two recipients a transaction', ['smtpd_recipient_limit = 2'], { strangers: 12, mailFrom: SENDER }),
  postfix(
    'pipelining only where it was offered',
    ['smtpd_forbid_unauth_pipelining = yes', 'smtpd_client_restrictions = reject_unauth_pipelining'],
    { strangers: 12, unseen: /improper use of SMTP command pipelining/ },
  ),
  postfix('no pipelining and no TLS', ['smtpd_discard_ehlo_keywords = pipelining, starttls'], {
    strangers: 12,
    unseen: /improper|too many errors/,
  }),
  postfix(
    'TLS 1.0 and nothing newer',
    [
      'smtpd_tls_security_level = encrypt',
      'smtpd_tls_mandatory_protocols = TLSv1',
      'smtpd_tls_mandatory_ciphers = low',
      'tls_low_cipherlist = ALL:@SECLEVEL=0',
    ],
    {},
  ),
  postfix('a key that cannot be read', ['smtpd_tls_key_file = FOLDER/nowhere.pem'], {}),
  postfix(
    'our sender refused, the null sender accepted',
    ['smtpd_sender_restrictions = check_sender_access texthash:FOLDER/senders'],
    {
      mailFrom: SENDER,
      extra: { files: { senders: 'checker.example REJECT\n' } },
    },
  ),
  postfix(
    'a footer below every refusal',
    ['smtpd_reject_footer = For assistance, call 800-555-0101, client $client_address'],
    {},
  ),
  postfix(
    'recipients that are probed further on',
    [
      'smtpd_recipient_restrictions = reject_unverified_recipient, check_recipient_access texthash:FOLDER/recipients',
      'address_verify_map = btree:FOLDER/data/verify',
      'unverified_recipient_reject_code = 550',
      'address_verify_poll_delay = 1s',
      'virtual_uid_maps = static:65534',
      'virtual_gid_maps = static:65534',
    ],
    {},
  ),
  postfix('recipients that are not looked up', ['smtpd_reject_unlisted_recipient = no'], {
    expected: CATCH_ALL,
  }),
  postfix(
    'our HELO name refused, at once',
    ['smtpd_delay_reject = no', 'smtpd_helo_restrictions = check_helo_access static:{550 5.7.1 Not you}'],
    { expected: UNAVAILABLE },
  ),
  postfix('our HELO name refused, at RCPT', ['smtpd_helo_restrictions = check_helo_access static:REJECT'], {
    expected: UNAVAILABLE,
  }),
  postfix('our address refused, at RCPT', ['smtpd_client_restrictions = check_client_access static:REJECT'], {
    expected: UNAVAILABLE,
  }),
  postfix('everything deferred', ['smtpd_recipient_restrictions = defer'], { expected: UNAVAILABLE }),
  postfix(
    'a certificate wanted from us',
    ['smtpd_tls_security_level = encrypt', 'smtpd_tls_req_ccert = yes', 'smtpd_tls_CAfile = FOLDER/cert.pem'],
    { expected: UNAVAILABLE },
  ),
  exim(
    'strict synchronisation',
    { main: ['smtp_enforce_sync = true'] },
    { strangers: 20, unseen: /synchron/ },
  ),
  exim(
    'no pipelining',
    { main: ['pipelining_advertise_hosts = :'] },
    { strangers: 20, unseen: /synchron|nonmail/ },
  ),
  exim('two messages a connection', { main: ['smtp_accept_max_per_connection = 2'] }, { strangers: 12 }),
  exim('three commands that are no mail', { main: ['smtp_accept_max_nonmail = 3'] }, { strangers: 12 }),
  exim(
    'a hang-up after the third unknown recipient',
    {
      rcptAcl: ['  drop message = Too many bad recipients', `    condition = \${if >{$rcpt_fail_count}{2}}`],
    },
    { strangers: 12, mailFrom: SENDER },
  ),
  exim('a greeting that is late', { connectAcl: ['  warn delay = 1s'] }, { unseen: /synchron/ }),
  exim('every recipient accepted', { rcptAcl: ['  accept'] }, { expected: CATCH_ALL }),
  exim('every recipient denied', { rcptAcl: ['  deny'] }, { expected: UNAVAILABLE }),
  sendmail('a pause before the greeting', ["FEATURE(`greet_pause', `1000')"]),
  sendmail('checks after the recipient', ["FEATURE(`delay_checks')"]),
  {
    make: 'opensmtpd',
    what: 'three messages a session',
    extra: { main: ['smtp limit max-mails 3'] },
    expected: 'as_usual',
    strangers: 12,
  },
];
