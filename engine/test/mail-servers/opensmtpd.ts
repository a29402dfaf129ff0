// A real OpenSMTPD. Its queue and socket have fixed places, so it runs in a mount namespace with those replaced.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
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

/** It gives its processes ten seconds to start, which on a busy machine is too short for several at a time. */
let previous: Promise<unknown> = Promise.resolve();

export const startOpensmtpd: MailServerStarter = async (options) => {
  const program = findProgram('opensmtpd', ['smtpd']);
  if (program === null || !userExists('opensmtpd') || !userExists('opensmtpq') || !canBeRoot) return null;
  const folder = makeFolder('opensmtpd');
  for (const name of ['spool', 'run', 'lib']) mkdirSync(join(folder, name), { mode: 0o711 });
  mkdirSync(join(folder, 'lib', 'opensmtpd', 'empty'), { recursive: true, mode: 0o755 });
  const file = join(folder, 'smtpd.conf');
  writeFileSync(file, configuration(options, folder));
  chmodSync(file, 0o600);
  writeFileSync(join(folder, 'grey.mjs'), greyFilter(options.greyPort));
  // A filter's command that begins with a quote is taken for a file below /usr/libexec, and Node's path may need one.
  writeFileSync(join(folder, 'grey.sh'), `exec '${process.execPath}' '${folder}/grey.mjs'\n`);
  const script = [
    `mount --bind '${folder}/spool' /var/spool`,
    `mount --bind '${folder}/run' /run`,
    `mount --bind '${folder}/lib' /var/lib`,
    // -d stays in the foreground.
    `exec '${program}' -d -f '${file}'`,
  ];
  const started = previous.then(() =>
    start({ make: 'opensmtpd', folder, script, namespaces: ['--mount'] }, options),
  );
  previous = started.catch(() => {});
  return started;
};

function configuration(options: MailServerOptions, folder: string): string {
  const { domain, catchAllDomain } = options;
  const listenTls = { none: '', offered: 'tls pki here', required: 'tls-require pki here' }[options.tls];
  const special = [MAILBOXES.full, MAILBOXES.fullForNow, MAILBOXES.closed, MAILBOXES.broken];
  const filters = special.map(({ local, reply }, at) => [
    `table special${at} { "${local}@${domain}" }`,
    `filter "special${at}" phase rcpt-to match rcpt-to <special${at}> reject "${reply}"`,
  ]);
  const chain = [
    ...(options.client === 'welcome' ? [] : ['client']),
    ...(options.nullSender === 'refused' ? ['sender'] : []),
    ...special.map((_, at) => `special${at}`),
    'grey',
  ];
  const known = [...MAILBOXES.known, ...special.map((one) => one.local)];
  return `
pki here cert "${folder}/cert.pem"
pki here key "${folder}/key.pem"
${options.recipientsMax === null ? '' : `smtp limit max-rcpt ${options.recipientsMax}`}
${extraLines(options, folder).main.join('\n')}
table clients { "127.0.0.0/8" }
table nulls { "^$" }
table people { ${known.map((local) => `"${local}@${domain}" = "nobody"`).join(', ')}, "@${catchAllDomain}" = "nobody" }
${filters.flat().join('\n')}
filter "client" phase ${options.client === 'refused_at_connect' ? 'connect' : 'rcpt-to'} match src <clients> reject "554 5.7.1 ${BLOCKED_TEXT}"
filter "sender" phase mail-from match mail-from regex <nulls> reject "550 5.7.1 Null sender is not allowed here"
filter "grey" proc-exec "/bin/sh ${folder}/grey.sh" user root group root
filter "all" chain { ${chain.map((name) => `"${name}"`).join(', ')} }
listen on ${options.address} port ${options.port} ${listenTls} hostname mx.${domain} filter "all"
action "keep" maildir "${folder}/mail" virtual <people>
match from any for domain { "${domain}", "${catchAllDomain}" } action "keep"
`;
}

/** OpenSMTPD's filter protocol, as far as RCPT: asks the grey book about recipients that begin with `grey`. */
function greyFilter(port: number): string {
  return `
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
const senders = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'config|ready') {
    process.stdout.write('register|report|smtp-in|tx-mail\\nregister|filter|smtp-in|rcpt-to\\nregister|ready\\n');
    continue;
  }
  const [kind, , , , phase, session, token, recipient] = line.split('|');
  if (kind === 'report') senders.set(session, line.split('|').at(-1));
  if (kind !== 'filter' || phase !== 'rcpt-to') continue;
  const put = recipient.startsWith('grey') && (await isNew(senders.get(session) + ' ' + recipient));
  const result = put ? 'reject|451 4.7.1 Greylisted, try again' : 'proceed';
  process.stdout.write('filter-result|' + session + '|' + token + '|' + result + '\\n');
}
function isNew(key) {
  return new Promise((resolve) => {
    const socket = connect(${port}, '127.0.0.1', () => socket.write('ask ' + key + '\\n'));
    socket.on('data', (chunk) => resolve(String(chunk).startsWith('new')));
    socket.on('error', () => resolve(false));
  });
}
`;
}
