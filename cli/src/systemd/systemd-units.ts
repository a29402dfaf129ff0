// The files that run MXProof under systemd: units, the user, the data folder, and the settings.
// Promise: every value stands in them as systemd reads it back, whatever spaces, percent or dollar signs are in it; what
// systemd has no way to write is refused.

import { UsageError } from '../shared/usage-error.ts';

export type ServiceRole = 'serve' | 'work';
export const SERVICE_ROLES: readonly ServiceRole[] = ['serve', 'work'];

/** What was chosen once; a later install keeps it. */
export interface Installation {
  readonly user: string;
  /** The data folder. */
  readonly folder: string;
}

export interface Program {
  readonly node: string;
  readonly launcher: string;
}

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

export const UNIT_NAMES: Readonly<Record<ServiceRole, string>> = {
  serve: 'mxproof.service',
  work: 'mxproof-worker.service',
};
const UNIT_FOLDER = '/etc/systemd/system';
export const SETTINGS_FILE = '/etc/mxproof/environment';
export const USERS_FILE = '/etc/sysusers.d/mxproof.conf';
export const FOLDERS_FILE = '/etc/tmpfiles.d/mxproof.conf';
/** Where systemd looks for a credential that is named without a path. */
const CREDENTIAL_STORE = '/etc/credstore';
const STATE = '/var/lib/';

/** Settings that are secret: each is taken from a credential of its name where the machine has one. */
export const CREDENTIALS: readonly string[] = [
  'DATABASE_URL',
  'MXPROOF_SECRET_KEY',
  'MXPROOF_SECRET_KEY_NEXT',
  'MXPROOF_BACKUP_PASSPHRASE',
  'MXPROOF_BACKUP_IDENTITY',
  'MXPROOF_SOURCE_ADDRESSES',
  'MXPROOF_ALERT_URL',
  'MXPROOF_ALERT_SECRET',
  'MXPROOF_HEARTBEAT_URL',
  'MXPROOF_OIDC_CLIENT_SECRET',
  'MXPROOF_SMTP_RELAY',
  'MXPROOF_METRICS_TOKEN',
];

/** The name says whose it is: the folder is that of all services. */
const credentialId = (name: string) => `mxproof.${name}`;

export function credentialFile(name: string): string {
  return `${CREDENTIAL_STORE}/${credentialId(name)}`;
}

/** While the unit runs. */
export function loadedCredential(role: ServiceRole, name: string): string {
  return `/run/credentials/${UNIT_NAMES[role]}/${name}`;
}

export const DEFAULT_INSTALLATION: Installation = { user: 'mxproof', folder: '/var/lib/mxproof' };

const DESCRIPTIONS: Readonly<Record<ServiceRole, string>> = {
  serve: 'MXProof, e-mail verification',
  work: 'MXProof, a node that only checks',
};

/** Set by the units, and by commands that run in their place. */
export function unitEnvironment({ folder }: Installation): Readonly<Record<string, string>> {
  // The journal is kept, and others may read it: "account link" is how the first person signs in.
  return { MXPROOF_DATA_DIR: folder, MXPROOF_SHOW_FIRST_KEY: '0' };
}

export function unitPath(role: ServiceRole): string {
  return `${UNIT_FOLDER}/${UNIT_NAMES[role]}`;
}

export function unitFile(
  role: ServiceRole,
  installation: Installation,
  { node, launcher }: Program,
  { checks = true }: { readonly checks?: boolean } = {},
): ServiceFile {
  const words = role === 'serve' && !checks ? ['serve', '--no-checks'] : [role];
  const environment = Object.entries(unitEnvironment(installation));
  const text = `# Written by "mxproof service install", which replaces it: put changes into "systemctl edit ${UNIT_NAMES[role]}".
[Unit]
Description=${DESCRIPTIONS[role]}
Documentation=https://github.com/mxproof/mxproof/blob/main/docs/guide/systemd.md
Wants=network-online.target
After=network-online.target postgresql.service
# A database or a disk that comes back after an hour finds the service still trying.
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${[word(node), ...[launcher, ...words].map(argument)].join(' ')}
ExecReload=/bin/kill -HUP $MAINPID
User=${installation.user}
${environment.map(([name, value]) => `Environment=${word(`${name}=${value}`)}\n`).join('')}# Settings, secrets among them: read by systemd, closed to the service's user.
EnvironmentFile=${SETTINGS_FILE}
# Secrets in files or encrypted, such as ${credentialFile('MXPROOF_SECRET_KEY')}: those that are not there are left out.
${CREDENTIALS.map((name) => `LoadCredential=${name}:${credentialId(name)}\n`).join('')}${folderDirectives(installation.folder)}
Restart=always
RestartSec=5s

# SIGTERM to the service alone, which stops its PostgreSQL last, within 13 seconds.
KillMode=mixed
KillSignal=SIGTERM
TimeoutStopSec=20s
# A child that the kernel ends for its memory is the service's to replace.
OOMPolicy=continue
# 10,000 clients, thousands of mail servers, the database.
LimitNOFILE=65536
# The memory holds keys.
LimitCORE=0
UMask=0077

NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
KeyringMode=private
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
# Not set, since they would break it: MemoryDenyWriteExecute (V8 compiles), PrivateUsers (commands could not recognize the
# PostgreSQL of the running service), ProcSubset and RemoveIPC (PostgreSQL tells by its shared memory that it is the only one).
RemoveIPC=no

[Install]
WantedBy=multi-user.target

[X-MXProof]
Installation=${JSON.stringify({ user: installation.user, folder: installation.folder })}
`;
  return { path: unitPath(role), text, mode: 0o644 };
}

/** What a unit file says of its installation; null: this command did not write it. */
export function installationOf(unit: string): Installation | null {
  const line = /^\[X-MXProof\]\nInstallation=(.*)$/m.exec(unit)?.[1];
  try {
    const { user, folder } = JSON.parse(line ?? '') as Partial<Installation>;
    return typeof user === 'string' && typeof folder === 'string' ? { user, folder } : null;
  } catch {
    return null;
  }
}

export function usersFile({ user }: Installation): ServiceFile {
  return { path: USERS_FILE, text: `u ${user} - "MXProof"\n`, mode: 0o644 };
}

export function foldersFile({ user, folder }: Installation): ServiceFile {
  return { path: FOLDERS_FILE, text: `d ${word(folder)} 0700 ${user} - -\n`, mode: 0o644 };
}

/** Created once; from then on it is the operator's. */
export function settingsFile(): ServiceFile {
  const text = `# Settings of MXProof, one a line. After a change: systemctl restart mxproof
# All of them: docs/guide/settings.md. Those that hold: sudo mxproof service run config

# Where it listens, and where browsers reach it through a proxy.
#HOST=127.0.0.1
#PORT=8080
#MXPROOF_PUBLIC_URL=https://verify.example.com
#MXPROOF_TRUST_PROXY=127.0.0.1

# What mail servers are told.
#MXPROOF_HELO_NAME=verify.example.com
#MXPROOF_MAIL_FROM=verify@example.com

# Your own PostgreSQL instead of the embedded one; the same key on every node: openssl rand -hex 32
#DATABASE_URL=postgresql://user:password@db.example.com:5432/mxproof
#MXPROOF_SECRET_KEY=
`;
  return { path: SETTINGS_FILE, text, mode: 0o600 };
}

const USER_NAME = /^[a-z_][a-z0-9_-]{0,30}$/;

export function readUser(value: string): string {
  if (!USER_NAME.test(value) || value === 'root')
    throw new UsageError('--user must be the name of a user other than root, such as mxproof.');
  return value;
}

/** Hidden from the service by the sandbox, or gone after a restart of the machine. */
const HIDDEN = ['/home', '/root', '/run', '/tmp', '/var/tmp', '/dev', '/proc', '/sys'];

export function isHidden(path: string): boolean {
  return HIDDEN.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Whether units can hold the path: in some places systemd knows quotes, but no escapes. */
export function isWritable(path: string): boolean {
  return !/[\p{Cc}"'\\]/u.test(path);
}

export function readFolder(value: string): string {
  const folder = value.replace(/\/+$/, '');
  const isPlain = folder.startsWith('/') && !/\/\.{0,2}(\/|$)/.test(folder);
  if (!isPlain || !isWritable(folder))
    throw new UsageError(
      '--folder must be an absolute path without "..", quotes, backslashes and control characters.',
    );
  if (isHidden(folder))
    throw new UsageError(
      `--folder cannot be below ${HIDDEN.join(', ')}: the service cannot see it there, or it is lost when the machine restarts.`,
    );
  return folder;
}

/** Made by systemd where it can name it, else only opened for writing. */
function folderDirectives(folder: string): string {
  const below = folder.startsWith(STATE) ? folder.slice(STATE.length) : '';
  return /^[\w.-]+(\/[\w.-]+)*$/.test(below)
    ? `StateDirectory=${below}\nStateDirectoryMode=0700`
    : `ReadWritePaths=${word(folder)}`;
}

/** Only for what passes `isWritable`: inside quotes nothing is left to escape but specifiers. */
function word(text: string): string {
  const literal = text.replaceAll('%', '%%');
  return /^[\w@%+=:,./-]+$/.test(literal) ? literal : `"${literal}"`;
}

/** After the program's own name, a dollar sign begins that of a variable. */
function argument(text: string): string {
  return word(text.replaceAll('$', () => '$$'));
}
