// What the real mail servers under test have in common: how they are found, started, told apart and ended.
// Promise: everything lives in one temporary folder and on one loopback address; stop() ends the process it started
// and nothing else; a make that is not on this machine is null, never a failure.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../world/src/test-only-certificate.ts';

export interface MailServerOptions {
  readonly address: string;
  readonly port: number;
  /** Domain whose mailboxes are MAILBOXES below; whatever is named nowhere does not exist. */
  readonly domain: string;
  readonly catchAllDomain: string;
  readonly tls: 'none' | 'offered' | 'required';
  readonly nullSender: 'accepted' | 'refused';
  readonly client: 'welcome' | 'refused_at_connect' | 'refused_at_rcpt';
  readonly smtpUtf8: boolean;
  /** Per transaction; null: as the make comes. */
  readonly recipientsMax: number | null;
  /** At once from one client; null: as the make comes. */
  readonly connectionsMax: number | null;
  /** Where first-time recipients `grey…` are deferred: `grey-book.ts`. */
  readonly greyPort: number;
  readonly extra?: ExtraLines;
}

/** What only one make can do, in its own language. */
export interface ExtraLines {
  /** Settings: main.cf, the first section of exim.conf, smtpd.conf before `listen`, sendmail.mc before its mailers. */
  readonly main?: readonly string[];
  /** master.cf lines, the first of them instead of smtpd's; `ADDRESS` stands for where it listens. */
  readonly services?: readonly string[];
  /** Exim: first in the ACL of this command. */
  readonly connectAcl?: readonly string[];
  readonly mailAcl?: readonly string[];
  readonly rcptAcl?: readonly string[];
  /** Files beside the configuration, by name; `FOLDER` in any line stands for where they are. */
  readonly files?: Readonly<Record<string, string>>;
  /** sendmail: rows of its access and virtual user tables, before the others. */
  readonly access?: readonly string[];
  readonly people?: readonly string[];
}

export interface MailServer {
  readonly make: string;
  readonly address: string;
  readonly port: number;
  /** What it wrote to its log and its standard error, for a failed start or a puzzled reader. */
  log(): string;
  stop(): Promise<void>;
}

export type StartMailServer = (options: MailServerOptions) => Promise<MailServer | null>;

/** The same people at every make: local part → what its server says. */
export const MAILBOXES = {
  known: ['anna', 'bernd', 'info', 'postmaster', 'grey.one', 'grey.two'],
  full: { local: 'full', reply: '552 5.2.2 Mailbox is full' },
  fullForNow: { local: 'full.for.now', reply: '452 4.2.2 Mailbox is over quota' },
  closed: { local: 'closed', reply: '550 5.2.1 This mailbox is disabled' },
  broken: { local: 'broken', reply: '451 4.3.0 Temporary lookup failure' },
} as const;

export const BLOCKED_TEXT = 'Service unavailable; Client host [127.0.0.1] blocked using bl.example.org';

const START_MS = 15_000;
const STOP_MS = 5_000;
const TRY_EVERY_MS = 50;

/** On PATH, in the usual system folders, or in a make's own folder below MXPROOF_MTA_DIR (as `dpkg -x` leaves it). */
export function findProgram(make: string, names: readonly string[]): string | null {
  const extracted = process.env.MXPROOF_MTA_DIR;
  const system = ['/usr/sbin', '/usr/libexec/sendmail', '/usr/bin'];
  const folders = [
    ...(extracted === undefined ? [] : system.map((folder) => join(extracted, make, folder))),
    ...(process.env.PATH ?? '').split(delimiter),
    ...system,
  ];
  for (const folder of folders)
    for (const name of names) if (isProgram(join(folder, name))) return join(folder, name);
  return null;
}

/** Libraries that were unpacked beside a program rather than installed. */
export function libraryPath(make: string): NodeJS.ProcessEnv {
  const extracted = process.env.MXPROOF_MTA_DIR;
  return extracted === undefined
    ? {}
    : { LD_LIBRARY_PATH: join(extracted, make, 'usr/lib/x86_64-linux-gnu') };
}

export function userExists(name: string): boolean {
  try {
    execFileSync('id', ['-u', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Mail servers change users, so they start as root or not at all. */
export function asRoot(program: string, args: readonly string[]): [string, string[]] | null {
  if (process.getuid?.() === 0) return [program, [...args]];
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return ['sudo', ['-n', program, ...args]];
}

export function makeFolder(make: string, below = tmpdir()): string {
  const folder = mkdtempSync(join(below, `mxproof-${make}-`));
  // The server's own users look in here too.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'cert.pem'), TEST_ONLY_CERTIFICATE);
  writeFileSync(join(folder, 'key.pem'), TEST_ONLY_KEY, { mode: 0o600 });
  return folder;
}

/** Writes the extra files; gives the lines with their folder in place. */
export function extraLines(
  { extra = {} }: MailServerOptions,
  folder: string,
): Required<Omit<ExtraLines, 'files'>> {
  const placed = (lines: readonly string[] = []) => lines.map((line) => line.replaceAll('FOLDER', folder));
  for (const [name, text] of Object.entries(extra.files ?? {}))
    writeFileSync(join(folder, name), text.replaceAll('FOLDER', folder), { mode: 0o644 });
  return {
    main: placed(extra.main),
    services: placed(extra.services),
    connectAcl: placed(extra.connectAcl),
    mailAcl: placed(extra.mailAcl),
    rcptAcl: placed(extra.rcptAcl),
    access: placed(extra.access),
    people: placed(extra.people),
  };
}

interface Started {
  readonly make: string;
  readonly folder: string;
  readonly command: [string, string[]];
  readonly env?: NodeJS.ProcessEnv;
  readonly readLog: () => string;
}

export async function start(started: Started, options: MailServerOptions): Promise<MailServer> {
  const [program, args] = started.command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...started.env },
    // A group of its own: a server that was just starting a helper leaves it behind when it ends.
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (said = `${said}${chunk}`.slice(-8192)));
  const log = () => `${said}${started.readLog()}`;
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const server: MailServer = {
    make: started.make,
    address: options.address,
    port: options.port,
    log,
    async stop() {
      if (isRunning(child)) {
        child.kill('SIGTERM');
        const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
        await gone;
        clearTimeout(kill);
      }
      endGroup(child);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      const remove = asRoot('rm', ['-rf', started.folder]);
      if (remove !== null) execFileSync(...remove);
    },
  };
  const untilMs = performance.now() + START_MS;
  while (!(await answers(options))) {
    if (isRunning(child) && performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
      continue;
    }
    const why = log();
    await server.stop();
    throw new Error(`${started.make} did not start:\n${why}`);
  }
  return server;
}

/** One port for every make, each on an address of its own: free on all of them when found. */
export async function freePort(addresses: readonly string[]): Promise<number> {
  for (let port = 20_000 + Math.floor(Math.random() * 10_000); ; port += 1) {
    const free = await Promise.all(addresses.map((address) => canListen(address, port)));
    if (free.every(Boolean)) return port;
  }
}

function canListen(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}

function answers(options: MailServerOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: options.address, port: options.port, timeout: 5_000 });
    const end = (ok: boolean) => {
      socket.destroy();
      resolve(ok);
    };
    socket.on('data', () => end(true));
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => end(false));
  });
}

/** Whatever is left of what was started; nothing, as a rule. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
