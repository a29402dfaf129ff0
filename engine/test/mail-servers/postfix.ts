// A real Postfix with a folder of its own. Promise: nothing of an installed instance is read or changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canBeRoot, start } from './launch.ts';
import {
  BLOCKED_TEXT,
  extraLines,
  findProgram,
  MAILBOXES,
  type MailServerOptions,
  type MailServerStarter,
  makeFolder,
  userExists,
} from './mail-server.ts';

/** Made by `postfix start` otherwise, which takes seconds over it. */
const QUEUE = [
  'active',
  'bounce',
  'corrupt',
  'defer',
  'deferred',
  'flush',
  'hold',
  'incoming',
  'private',
  'saved',
  'trace',
];

export const startPostfix: MailServerStarter = async (options) => {
  const postconf = findProgram('postfix', ['postconf']);
  if (postconf === null || !userExists('postfix') || !canBeRoot) return null;
  const folder = makeFolder('postfix');
  const owned = ['data', 'queue/public', 'queue/maildrop', ...QUEUE.map((one) => `queue/${one}`)];
  for (const name of ['mail', 'queue', 'queue/pid', ...owned]) mkdirSync(join(folder, name), { mode: 0o755 });
  const extra = extraLines(options, folder);
  writeFileSync(join(folder, 'main.cf'), mainCf(options, folder, extra.main));
  writeFileSync(join(folder, 'master.cf'), masterCf(options, extra.services));
  writeFileSync(join(folder, 'mailboxes'), mailboxes(options));
  writeFileSync(join(folder, 'recipients'), recipients(options));
  const daemons = execFileSync(postconf, ['-c', folder, '-h', 'daemon_directory'], {
    encoding: 'utf8',
  }).trim();
  const script = [`chown postfix ${owned.join(' ')}`, `exec '${daemons}/master' -c '${folder}' -d`];
  return start({ make: 'postfix', folder, script, logFile: 'maillog' }, options);
};

function mainCf(options: MailServerOptions, folder: string, extra: readonly string[]): string {
  const recipientChecks = [
    ...(options.client === 'refused_at_rcpt'
      ? [`check_client_access static:{554 5.7.1 ${BLOCKED_TEXT}}`]
      : []),
    `check_recipient_access texthash:${folder}/recipients`,
    `check_policy_service inet:127.0.0.1:${options.greyPort}`,
  ];
  const lines = [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${folder}/maillog`,
    `maillog_file_prefixes = ${folder}`,
    'inet_interfaces = loopback-only',
    'inet_protocols = ipv4',
    `myhostname = mx.${options.domain}`,
    'mydestination =',
    'mynetworks = 192.0.2.1/32',
    'alias_maps =',
    `virtual_mailbox_domains = ${options.domain}, ${options.catchAllDomain}`,
    `virtual_mailbox_maps = texthash:${folder}/mailboxes`,
    `virtual_mailbox_base = ${folder}/mail`,
    `smtpd_recipient_restrictions = ${recipientChecks.join(', ')}`,
    'disable_vrfy_command = yes',
    `smtpd_tls_security_level = ${{ none: 'none', offered: 'may', required: 'encrypt' }[options.tls]}`,
    `smtpd_tls_cert_file = ${folder}/cert.pem`,
    `smtpd_tls_key_file = ${folder}/key.pem`,
    `smtputf8_enable = ${options.smtpUtf8 ? 'yes' : 'no'}`,
  ];
  if (options.nullSender === 'refused') {
    writeFileSync(join(folder, 'senders'), '<> 550 5.7.1 Null sender is not allowed here\n');
    lines.push(`smtpd_sender_restrictions = check_sender_access texthash:${folder}/senders`);
  }
  if (options.client === 'refused_at_connect')
    lines.push(
      'smtpd_delay_reject = no',
      `smtpd_client_restrictions = check_client_access static:{554 5.7.1 ${BLOCKED_TEXT}}`,
    );
  if (options.recipientsMax !== null) lines.push(`smtpd_recipient_limit = ${options.recipientsMax}`);
  if (options.connectionsMax !== null)
    lines.push(`smtpd_client_connection_count_limit = ${options.connectionsMax}`);
  // Of two lines for one setting the last is meant.
  const settings = new Map([...lines, ...extra].map((line) => [line.split(/\s*=/)[0], line]));
  return `${[...settings.values()].join('\n')}\n`;
}

/** Services RCPT needs, none of them in a chroot. */
function masterCf({ address, port }: MailServerOptions, extra: readonly string[]): string {
  const listens = extra.length > 0 ? extra : ['ADDRESS inet n - n - - smtpd'];
  return [
    ...listens.map((line) => line.replaceAll('ADDRESS', `${address}:${port}`)),
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'proxymap unix - - n - - proxymap',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
}

function mailboxes({ domain, catchAllDomain }: MailServerOptions): string {
  const others = [MAILBOXES.full, MAILBOXES.fullForNow, MAILBOXES.closed, MAILBOXES.broken].map(
    (one) => one.local,
  );
  const all = [...MAILBOXES.known, ...others].map((local) => `${local}@${domain} ${local}/`);
  return [...all, `jörg@${domain} joerg/`, `@${catchAllDomain} all/`, ''].join('\n');
}

function recipients({ domain }: MailServerOptions): string {
  const { full, fullForNow, closed, broken } = MAILBOXES;
  return [full, fullForNow, closed, broken]
    .map(({ local, reply }) => `${local}@${domain} ${reply}\n`)
    .join('');
}
