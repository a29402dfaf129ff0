// A real sendmail with a folder of its own, its cf made from a small mc by m4.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canBeRoot, start } from './launch.ts';
import {
  BLOCKED_TEXT,
  extraLines,
  findProgram,
  libraryPath,
  MAILBOXES,
  type MailServerOptions,
  type MailServerStarter,
  makeFolder,
  UNPACKED,
} from './mail-server.ts';

/** Where it finds its folder: below a world-writable folder such as /tmp, no key is trusted. */
const PLACE = '/mnt';

/** In MXPROOF_MTA_DIR or installed; Debian's own sendmail lives in /usr/libexec/sendmail, the name is shared with other mail servers. */
export const startSendmail: MailServerStarter = async (options) => {
  const program = findProgram('sendmail', ['sendmail.sendmail', 'sendmail']);
  const m4 = findProgram('sendmail', ['m4']);
  const folderOfMacros = [join(UNPACKED ?? '/', 'sendmail'), '/']
    .map((root) => join(root, 'usr/share/sendmail/cf'))
    .find((path) => existsSync(join(path, 'm4/cf.m4')));
  if (program === null || m4 === null || folderOfMacros === undefined) return null;
  if (!program.includes('libexec') || !canBeRoot) return null;
  const folder = makeFolder('sendmail');
  const env = { ...process.env, ...libraryPath('sendmail') };
  mkdirSync(join(folder, 'queue'), { mode: 0o700 });
  const extra = extraLines(options, folder);
  writeFileSync(join(folder, 'sendmail.mc'), configuration(options, extra.main));
  for (const [name, rows] of [
    ['people', [...extra.people.map((row) => `${row}\n`), people(options)].join('')],
    ['access', [...extra.access.map((row) => `${row}\n`), access(options)].join('')],
  ] as const)
    execFileSync(join(dirname(program), 'makemap'), ['-C', '/dev/null', 'hash', join(folder, name)], {
      input: rows,
      env,
    });
  writeFileSync(join(folder, 'aliases'), '');
  const cf = execFileSync(
    m4,
    [`-D_CF_DIR_=${folderOfMacros}/`, join(folderOfMacros, 'm4/cf.m4'), 'sendmail.mc'],
    {
      cwd: folder,
      encoding: 'utf8',
      env,
    },
  );
  writeFileSync(join(folder, 'sendmail.cf'), cf, { mode: 0o644 });
  // It will not start before it knows its full name, and asks DNS for everything: a hosts file must do.
  const host = `mx.${options.domain}`;
  writeFileSync(join(folder, 'hosts'), `127.0.0.1 localhost\n${options.address} ${host}\n`);
  writeFileSync(join(folder, 'switch'), 'hosts files\naliases files\n');
  writeFileSync(join(folder, 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files\n');
  const script = [
    `hostname ${host}`,
    `mount --bind '${folder}' ${PLACE}`,
    `mount --bind ${PLACE}/hosts /etc/hosts`,
    `mount --bind ${PLACE}/nsswitch.conf /etc/nsswitch.conf`,
    `exec '${program}' -C ${PLACE}/sendmail.cf -bD`,
  ];
  return start({ make: 'sendmail', folder, script, namespaces: ['--mount', '--uts'] }, options);
};

function configuration(options: MailServerOptions, extra: readonly string[]): string {
  const { domain, catchAllDomain } = options;
  const lines = [
    'divert(-1)divert(0)dnl',
    "OSTYPE(`linux')dnl",
    `define(\`confDOMAIN_NAME', \`mx.${domain}')dnl`,
    `define(\`QUEUE_DIR', \`${PLACE}/queue')dnl`,
    `define(\`STATUS_FILE', \`${PLACE}/statistics')dnl`,
    `define(\`confPID_FILE', \`${PLACE}/sendmail.pid')dnl`,
    `define(\`ALIAS_FILE', \`${PLACE}/aliases')dnl`,
    "define(`confPRIVACY_FLAGS', `authwarnings,novrfy,noexpn')dnl",
    "define(`confTO_IDENT', `0')dnl",
    "define(`confDELIVERY_MODE', `background')dnl",
    `define(\`confBAD_RCPT_THROTTLE', \`2')dnl`,
    ...(options.recipientsMax === null
      ? []
      : [`define(\`confMAX_RCPTS_PER_MESSAGE', \`${options.recipientsMax}')dnl`]),
    ...(options.tls === 'none'
      ? []
      : [
          `define(\`confSERVER_CERT', \`${PLACE}/cert.pem')dnl`,
          `define(\`confCACERT', \`${PLACE}/cert.pem')dnl`,
          `define(\`confCACERT_PATH', \`${PLACE}')dnl`,
          `define(\`confSERVER_KEY', \`${PLACE}/key.pem')dnl`,
        ]),
    "FEATURE(`no_default_msa')dnl",
    `FEATURE(\`access_db', \`hash -T<TMPF> ${PLACE}/access')dnl`,
    "FEATURE(`blocklist_recipients')dnl",
    `FEATURE(\`virtusertable', \`hash ${PLACE}/people')dnl`,
    `VIRTUSER_DOMAIN(\`${domain}')dnl`,
    `VIRTUSER_DOMAIN(\`${catchAllDomain}')dnl`,
    "FEATURE(`accept_unresolvable_domains')dnl",
    "FEATURE(`nocanonify')dnl",
    `define(\`confSERVICE_SWITCH_FILE', \`${PLACE}/switch')dnl`,
    `DAEMON_OPTIONS(\`Addr=${options.address}, Port=${options.port}, Name=MTA${options.tls === 'none' ? ', M=S' : ''}')dnl`,
    ...extra.map((line) => `${line}dnl`),
    "MAILER(`local')dnl",
    "MAILER(`smtp')dnl",
    'LOCAL_CONFIG',
    `Kgrey socket inet:${options.greyPort}@127.0.0.1`,
    'LOCAL_RULESETS',
    'SLocal_check_rcpt',
    `R$*\t\t\t$: $1 $| $>canonify $1`,
    `R$* $| grey $* < @ ${domain} . > $*\t$: $1 $| < $(grey $&{client_addr}.$&f.grey$2 $: known $) >`,
    `R$* $| < new >\t\t$#error $@ 4.7.1 $: "451 Greylisted, please try again later"`,
    `R$* $| $*\t\t$: $1`,
    '',
  ];
  return lines.join('\n');
}

function people({ domain, catchAllDomain }: MailServerOptions): string {
  const special = [MAILBOXES.full, MAILBOXES.fullForNow, MAILBOXES.closed, MAILBOXES.broken].map(
    (one) => one.local,
  );
  const known = [...MAILBOXES.known, ...special].map((local) => `${local}@${domain}\tnobody\n`);
  return `${known.join('')}@${domain}\terror:5.1.1:550 User unknown\n@${catchAllDomain}\tnobody\n`;
}

function access(options: MailServerOptions): string {
  const { domain, tls, client, nullSender } = options;
  const special = [MAILBOXES.full, MAILBOXES.fullForNow, MAILBOXES.closed, MAILBOXES.broken];
  const rows = special.map(({ local, reply }) => {
    const [, code, status, text] = /^(\d+) (\S+) (.*)$/.exec(reply) ?? [];
    return `To:${local}@${domain}\tERROR:${status}:${code} ${text}`;
  });
  if (client !== 'welcome') rows.push(`Connect:127\tERROR:5.7.1:554 ${BLOCKED_TEXT}`);
  if (nullSender === 'refused') rows.push('From:<>\tERROR:5.7.1:550 Null sender is not allowed here');
  if (tls === 'required') rows.push('TLS_Clt:\tENCR:112');
  rows.push(`To:${domain}\tRELAY`, `To:${options.catchAllDomain}\tRELAY`);
  return `${rows.join('\n')}\n`;
}
