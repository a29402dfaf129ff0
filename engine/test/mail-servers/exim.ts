// A real Exim with a folder of its own: virtual mailboxes decided by its RCPT ACL and routers.
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

const USER = 'Debian-exim';

export const startExim: MailServerStarter = async (options) => {
  const program = findProgram('exim', ['exim4', 'exim']);
  if (program === null || !userExists(USER) || !canBeRoot) return null;
  const folder = makeFolder('exim');
  for (const name of ['spool', 'log']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'exim.conf'), configuration(options, folder));
  writeFileSync(join(folder, 'mailboxes'), MAILBOXES.known.map((local) => `${local}: x\n`).join(''));
  const script = [
    `chown ${USER} spool log cert.pem key.pem`,
    `exec '${program}' -C '${folder}/exim.conf' -bdf`,
  ];
  return start({ make: 'exim', folder, script, logFile: 'log/mainlog' }, options);
};

function configuration(options: MailServerOptions, folder: string): string {
  const { domain, catchAllDomain, greyPort } = options;
  const extra = extraLines(options, folder);
  return `
primary_hostname = mx.${domain}
domainlist local_domains = ${domain} : ${catchAllDomain}
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/spool/exim.pid
local_interfaces = ${options.address}
daemon_smtp_ports = ${options.port}
keep_environment =
host_lookup =
rfc1413_query_timeout = 0s
tls_advertise_hosts = ${options.tls === 'none' ? ':' : '*'}
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
smtputf8_advertise_hosts = ${options.smtpUtf8 ? '*' : ':'}
${options.recipientsMax === null ? '' : `recipients_max = ${options.recipientsMax}`}
${options.connectionsMax === null ? '' : `smtp_accept_max_per_host = ${options.connectionsMax}`}
${extra.main.join('\n')}
acl_smtp_connect = acl_connect
acl_smtp_mail = acl_mail
acl_smtp_rcpt = acl_rcpt
begin acl
acl_connect:
${extra.connectAcl.join('\n')}
${options.client === 'refused_at_connect' ? `  deny message = ${BLOCKED_TEXT}` : ''}
  accept
acl_mail:
${extra.mailAcl.join('\n')}
${options.tls === 'required' ? '  deny message = 5.7.0 TLS is required here\n    !encrypted = *' : ''}
${options.nullSender === 'refused' ? '  deny senders = :\n    message = Null sender is not allowed here' : ''}
  accept
acl_rcpt:
${extra.rcptAcl.join('\n')}
${options.client === 'refused_at_rcpt' ? `  deny message = ${BLOCKED_TEXT}` : ''}
  require message = relay not permitted
    domains = +local_domains
${[MAILBOXES.full, MAILBOXES.closed].map(verb('deny')).join('')}
${[MAILBOXES.fullForNow, MAILBOXES.broken].map(verb('defer')).join('')}
  defer message = Greylisted, please try again in a moment
    local_parts = ^grey
    domains = ${domain}
    condition = \${if match{\${readsocket{inet:127.0.0.1:${greyPort}}{ask $sender_host_address $sender_address $local_part@$domain\\n}{5s}{}}}{new}}
  require verify = recipient
  accept
begin routers
everybody:
  driver = accept
  domains = ${catchAllDomain}
  transport = nowhere
somebody:
  driver = accept
  domains = ${domain}
  local_parts = lsearch;${folder}/mailboxes
  transport = nowhere
begin transports
nowhere:
  driver = appendfile
  file = /dev/null
  user = ${USER}
begin retry
* * F,1h,15m
`;
}

function verb(word: 'deny' | 'defer') {
  return ({ local, reply }: { local: string; reply: string }) =>
    `  ${word} local_parts = ${local}\n    message = ${reply}\n`;
}
